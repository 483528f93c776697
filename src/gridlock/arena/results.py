"""Play pairs of games as units of work, and convert the finished games to plain data and to records."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from gridlock.arena.openings import Opening, draw_openings
from gridlock.arena.plan import Entrant
from gridlock.arena.referee import ADJUDICATED, STUCK, TIME, Conditions, judge, play
from gridlock.core.errors import AgentFailed
from gridlock.core.game import Game, Termination
from gridlock.core.notation import play_stored, written
from gridlock.core.rulebook import Variant
from gridlock.players import Agent, FunctionPlayer, Player, agents

Result = dict[str, Any]  # one finished game as JSON: see docs/tournaments.md
SIDES = ("a", "b")


@dataclass(frozen=True)
class Pair:
    """A unit of work for any process: two games from the same opening, with the sides exchanged."""

    variant: Variant
    a: Entrant
    b: Entrant
    opening: Opening
    number: int  # the pair's number among the two agents' pairs on this board
    conditions: Conditions
    seed: str  # the pair's own seed

    def play(self, players: Mapping[str, Player]) -> list[Result]:
        """Play both games of the pair; `players` maps each side (a or b) to its player."""
        return [self._game(first, players) for first in SIDES]

    def _game(self, first: str, players: Mapping[str, Player]) -> Result:
        order = SIDES if first == "a" else SIDES[::-1]
        names = {"a": self.a.name, "b": self.b.name}
        seed = crc32(f"{self.seed}/{first}".encode())
        one, two = order
        played = play(
            self.variant,
            self.opening.moves,
            (players[one], players[two]),
            self.conditions,
            seed,
            (names[one], names[two]),
        )
        known = self.conditions.judge
        opened = len(self.opening.moves)
        judged = None if known is False else judge(played.game, opened, known is True)
        winner, best = order[played.winner - 1], self.opening.winner
        theory = None if best is None else order[best - 1]

        def by_side(values: tuple[Any, Any]) -> list[Any]:
            return list(values if first == "a" else values[::-1])

        moves, grid = written(played.game), self.variant.grid
        return {
            **names,
            "first": first,
            "game": self.variant.book.name,
            "board": str(grid),
            "adjacency": str(grid.adjacency),
            "opening": moves[:opened],
            "pair": self.number,
            "moves": moves[opened:],
            "winner": winner,
            "reason": played.reason,
            "report": played.report,
            "seconds": [round(seconds, 6) for seconds in by_side(played.seconds)],
            "kept": judged and by_side(judged.kept),
            "blunders": judged and by_side(judged.blunders),
            "theory": theory,
            "regret": None if theory is None else [int(theory == side != winner) for side in SIDES],
            "seed": seed,
        }


def play_pair(pair: Pair) -> list[Result]:
    """Start both players, each isolated unless it is built in, and play a pair of games."""
    return _with_players(pair, {side: _started(entrant) for side, entrant in (("a", pair.a), ("b", pair.b))})


def play_pair_here(functions: Mapping[str, Agent], isolated: bool, pair: Pair) -> list[Result]:
    """Play a pair of games in this process; `functions` maps the names of some agents to their functions."""
    players: dict[str, Player] = {}
    for side, entrant in (("a", pair.a), ("b", pair.b)):
        function = functions.get(entrant.name)
        players[side] = _started(entrant) if function is None else _calling(entrant.name, function, isolated)
    return _with_players(pair, players)


def _calling(name: str, function: Agent, isolated: bool) -> Player:
    """Return a player that calls a Python function."""
    if not isolated:
        return FunctionPlayer(name, lambda: function)
    from gridlock.players.isolation import forked

    return forked(name, lambda: function)


def _with_players(pair: Pair, players: Mapping[str, Player]) -> list[Result]:
    with ExitStack() as stack:
        for player in players.values():
            stack.callback(player.close)
        for player in players.values():
            with suppress(AgentFailed):  # the player fails again when it is to move, and so it forfeits
                player.prepare()
        return pair.play(players)


def _started(entrant: Entrant) -> Player:
    """Start a player; a player that cannot start forfeits its games."""
    try:
        return agents.start(entrant.agent, isolated=True)
    except AgentFailed as error:
        return _Absent(entrant.name, str(error))


class _Absent:
    """A player that could not be started."""

    def __init__(self, name: str, report: str) -> None:
        self.name = name
        self.report = report

    def prepare(self) -> None:
        """Do nothing."""

    def choose(self, *_question: object) -> int:
        """Fail."""
        raise AgentFailed(self.report)

    def close(self) -> None:
        """Do nothing."""


@dataclass(frozen=True)
class Draw:
    """A unit of work that draws the openings for one board."""

    variant: Variant
    count: int
    seed: str
    swap: bool


def draw(task: Draw) -> dict[str, Any]:
    """Draw openings, as JSON."""
    openings, note = draw_openings(task.variant, task.count, task.seed, task.swap)
    return {"openings": openings, "note": note}


def drawn(found: Mapping[str, Any]) -> list[Opening]:
    """Read the openings from the JSON that `draw` returned."""
    return [Opening(tuple(moves), winner, winning) for moves, winner, winning in found["openings"]]


def game_of(result: Mapping[str, Any], variant: Variant, swap: bool) -> Game:
    """Rebuild a finished game from its JSON result, with comments that are saved in its record."""
    one, two = (result["a"], result["b"]) if result["first"] == "a" else (result["b"], result["a"])
    game = Game(variant, swap=swap, names=(one, two))
    play_stored(game, [*result["opening"], *result["moves"]])
    if result["opening"]:
        game.comments[len(result["opening"])] = "End of the opening."
    if result["reason"] != STUCK:
        loser = 2 if (result["winner"] == result["first"]) else 1
        ends = {TIME: Termination.TIME, ADJUDICATED: Termination.RESIGNED}
        game.resign(loser, ends.get(result["reason"], Termination.LEFT))
        words = "Adjudicated by the engine." if result["reason"] == ADJUDICATED else result["report"]
        game.comments[len(game.moves)] = " ".join(filter(None, [game.comments.get(len(game.moves)), words]))
    return game
