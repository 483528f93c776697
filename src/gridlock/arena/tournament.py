"""Tournaments, which save each finished pair of games in a ledger, so that they can be resumed even after a crash.

The choice of games to play depends only on the plan and, in a Swiss tournament or on a ladder, on the results of
earlier rounds. A resumed tournament therefore plays only the missing games, and no game twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Self

from gridlock.arena.pairings import BYE, Encounter, climbed, gauntlet, ladder_round, round_robin, swiss_round
from gridlock.arena.plan import Format, Plan
from gridlock.arena.results import Draw, Pair, Result, draw, drawn, game_of, play_pair, play_pair_here
from gridlock.arena.sprt import Reading, Sprt
from gridlock.arena.tally import Tally
from gridlock.core.game import Game
from gridlock.engine.clock import Cancelled
from gridlock.players import Agent
from gridlock.units.ledger import Ledger
from gridlock.units.running import run_units

Key = str  # the key of a pair: its round, its two agents, its board and its number


class Tournament:
    """A tournament's plan, and the ledger of its finished pairs of games."""

    def __init__(
        self,
        plan: Plan,
        ledger: Path | None = None,
        functions: Mapping[str, Agent] | None = None,
        isolated: bool = True,
    ) -> None:
        """Open the ledger, which stays in memory if no file is given; reject a damaged ledger or one for another plan.

        Agents can be functions: `functions` maps an entrant's name to its function. If any agent is a function, the
        tournament must run in this process (`processes=0`); isolated functions then run in forks of this process.
        """
        self.plan = plan
        self.ledger = Ledger(ledger, plan.task())
        self.points: Counter[str] = Counter()  # games won by each agent
        self.finished = 0  # games
        self.test: SequentialTest | None = None
        self._play: Callable[[Pair], list[Result]] = (
            partial(play_pair_here, functions, isolated) if functions else play_pair
        )
        for key, result in self.ledger.done.items():
            self._count(key, result)

    def close(self) -> None:
        """Close the ledger."""
        self.ledger.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    # -- running --------------------------------------------------------------------------------------------------

    def run(
        self,
        processes: int = 1,
        cluster: str | None = None,
        progress: Callable[[], None] | None = None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Play the missing games.

        Return whether the tournament is complete; a decision by an SPRT also completes it.
        """
        if not self._draw_openings(stopped):
            return False

        def finished(key: str, result: Any) -> None:
            self._count(key, result)
            if progress:
                progress()

        for number, encounters in enumerate(self.rounds()):
            pairs = self._pairs(number, encounters)
            if self.plan.sprt:
                self.test = SequentialTest(self.plan.sprt, list(pairs), self.ledger.done)

            if not self.decided:
                run_units(
                    self._play,
                    pairs,
                    self.ledger,
                    processes=processes,
                    cluster=cluster,
                    finished=finished,
                    stopped=lambda: stopped() or self.decided,
                )
            if not (self.decided or all(key in self.ledger.done for key in pairs)):
                return False
        return True

    def _draw_openings(self, stopped: Callable[[], bool]) -> bool:
        """Choose random openings, unless the ledger already has openings; return False if the run is stopped."""
        plan = self.plan
        pairs = plan.pairs * (plan.rounds if plan.format is Format.LADDER else 1)
        draws = {
            f"openings/{board}": Draw(variant, pairs, f"{plan.seed}/{board}", plan.conditions.swap)
            for board, variant in enumerate(plan.variants)
        }
        try:
            return run_units(draw, draws, self.ledger, processes=0, stopped=stopped)
        except Cancelled:
            return False

    @property
    def decided(self) -> bool:
        """Whether the SPRT has reached a decision."""
        return self.test is not None and self.test.read() is not None and self.test.decided_after is not None

    def _count(self, key: str, result: Any) -> None:
        if key.startswith("openings/"):
            return
        for game in result:
            self.points[game[game["winner"]]] += 1
            self.finished += 1

    # -- pairings -------------------------------------------------------------------------------------------------

    def rounds(self) -> Iterator[list[Encounter]]:
        """Yield the pairings of each round, which are not known until the previous round is finished."""
        plan, agents = self.plan, len(self.plan.entrants)
        if plan.format is Format.ROUND_ROBIN:
            yield round_robin(agents)
        elif plan.format is Format.GAUNTLET:
            yield gauntlet(agents)
        elif plan.format is Format.SWISS:
            yield from self._swiss_rounds(agents)
        else:
            order: Sequence[int] = range(agents)
            for number in range(plan.rounds):
                encounters = ladder_round(order, number)
                yield encounters
                order = climbed(order, encounters, [self._score(number, one) for one in encounters])

    def _swiss_rounds(self, agents: int) -> Iterator[list[Encounter]]:
        points, earlier = [0.0] * agents, list[Encounter]()
        for number in range(self.plan.rounds):
            encounters = swiss_round(points, earlier, f"{self.plan.seed}/{number}")
            yield [one for one in encounters if one.b != BYE]
            earlier += encounters
            for one in encounters:
                if one.b == BYE:  # counts as a win
                    points[one.a] += self.plan.games * len(self.plan.variants)
                    continue
                for agent, won in zip(one, self._score(number, one), strict=True):
                    points[agent] += won

    def ladder(self) -> list[str]:
        """Return the agents' names in ladder order, top first, as of the last finished round."""
        order: Sequence[int] = range(len(self.plan.entrants))
        for number, encounters in enumerate(self.rounds()):
            if not all(key in self.ledger.done for key in self._keys(number, encounters)):
                break
            order = climbed(order, encounters, [self._score(number, one) for one in encounters])
        return [self.plan.entrants[agent].name for agent in order]

    def _score(self, number: int, encounter: Encounter) -> tuple[float, float]:
        """Return how many games each of two paired agents has won against the other in a round."""
        results = [game for key in self._keys(number, [encounter]) for game in self.ledger.done.get(key, ())]
        won = sum(game["winner"] == "a" for game in results)
        return won, len(results) - won

    def _keys(self, number: int, encounters: Sequence[Encounter]) -> Iterator[Key]:
        """Yield the keys of a round's game pairs, ordered by pair number, then by board, then by opponents."""
        for pair in range(self.plan.pairs):
            for board in range(len(self.plan.variants)):
                for a, b in encounters:
                    yield f"{number}/{a}-{b}/{board}/{pair}"

    def _pairs(self, number: int, encounters: Sequence[Encounter]) -> dict[Key, Pair]:
        """Return the pairs of games in a round; on a ladder, agents that meet again get different openings."""
        plan = self.plan
        openings = [drawn(self.ledger.done[f"openings/{board}"]) for board in range(len(plan.variants))]
        earlier = number * plan.pairs if plan.format is Format.LADDER else 0
        pairs: dict[Key, Pair] = {}
        for key in self._keys(number, encounters):
            _, agents, board, pair = key.split("/")
            a, b = (plan.entrants[int(agent)] for agent in agents.split("-"))
            place = earlier + int(pair)
            variant, opening = plan.variants[int(board)], openings[int(board)][place]
            pairs[key] = Pair(variant, a, b, opening, place, plan.conditions, f"{plan.seed}/{key}")
        return pairs

    # -- results --------------------------------------------------------------------------------------------------

    @property
    def total(self) -> int:
        """The number of games that the plan asks for."""
        agents, plan = len(self.plan.entrants), self.plan
        encounters = {
            Format.ROUND_ROBIN: agents * (agents - 1) // 2,
            Format.GAUNTLET: agents - 1,
            Format.SWISS: plan.rounds * (agents // 2),
            Format.LADDER: sum(len(ladder_round(range(agents), number)) for number in range(plan.rounds)),
        }
        return encounters[plan.format] * plan.games * len(plan.variants)

    def notes(self) -> list[str]:
        """Return the notes on the openings, for readers of the results."""
        found = (self.ledger.done.get(f"openings/{board}") for board in range(len(self.plan.variants)))
        return [openings["note"] for openings in found if openings and openings["note"]]

    def games(self) -> list[Result]:
        """Return the finished games in the order of the plan.

        If an SPRT has reached a decision, return only the games that the test counted.
        """
        return [game for game, _ in self._games()]

    def records(self) -> Iterator[Game]:
        """Yield the finished games with their tags, ready to be written as records."""
        for number, (result, board) in enumerate(self._games(), 1):
            game = game_of(result, self.plan.variants[board], self.plan.conditions.swap)
            game.tags = {"Event": f"{result['a']} against {result['b']}", "Round": str(number)}
            yield game

    def _games(self) -> Iterator[tuple[Result, int]]:
        done = self.ledger.done
        for number, encounters in enumerate(self.rounds()):
            keys = list(self._keys(number, encounters))
            if self.plan.sprt:
                test = SequentialTest(self.plan.sprt, keys, done)
                test.read()
                keys = keys[: test.decided_after]
            for key in keys:
                for game in done.get(key, ()):
                    yield game, int(key.split("/")[2])
            if not all(key in done for key in keys):
                return


class SequentialTest:
    """An SPRT that counts pairs in a fixed order, so that its decision does not depend on which pair finishes first."""

    def __init__(self, sprt: Sprt, keys: Sequence[Key], done: Mapping[str, list[Result]]) -> None:
        self.decided_after: int | None = None  # the number of pairs
        self._sprt = sprt
        self._keys = keys
        self._done = done
        self._counts = [0, 0, 0]  # pairs lost, split and won by the first agent
        self._reading: Reading | None = None

    def read(self) -> Reading | None:
        """Return the test's state up to the first unfinished pair of games, or None if the first pair is unfinished."""
        while self.decided_after is None:
            pairs = sum(self._counts)
            if pairs == len(self._keys) or self._keys[pairs] not in self._done:
                break
            self._counts[sum(game["winner"] == "a" for game in self._done[self._keys[pairs]])] += 1
            self._reading = self._sprt.read(Tally(*self._counts))
            self.decided_after = pairs + 1 if self._reading.decision else None
        return self._reading
