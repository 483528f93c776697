"""The Python function `match` (which plays a match between two agents) and its result."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

from gridlock.arena.elo import Estimate, estimate
from gridlock.arena.folder import LEDGER, write_files
from gridlock.arena.plan import BadPlan, Plan, entrant_name, named_entrants, read_clock
from gridlock.arena.ratings import Rating, rate
from gridlock.arena.referee import Conditions
from gridlock.arena.results import Result
from gridlock.arena.sprt import Reading, Sprt
from gridlock.arena.tally import Tally, tally
from gridlock.arena.tournament import Tournament
from gridlock.core import rules
from gridlock.core.game import Game
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.core.shape import Shape
from gridlock.players import Agent, agents
from gridlock.players.registry import ADDED


class MatchResult:
    """The games of a match between `a` and `b`, with the resulting score and ratings."""

    def __init__(self, tournament: Tournament) -> None:
        self.a, self.b = (entrant.name for entrant in tournament.plan.entrants)
        self.games: list[Result] = tournament.games()  # each as plain data: see docs/tournaments.md
        self.notes = tournament.notes()  # sentences about the openings
        self.sprt: Reading | None = tournament.test.read() if tournament.test else None
        self._records = list(tournament.records())

    @property
    def score(self) -> tuple[int, int]:
        """The numbers of games that `a` and `b` won."""
        won = sum(game["winner"] == "a" for game in self.games)
        return won, len(self.games) - won

    @property
    def pairs(self) -> Tally:
        """The numbers of game pairs that `a` lost, split and won."""
        return tally(self.games, self.a, self.b)

    @property
    def elo(self) -> Estimate:
        """The Elo difference between `a` and `b`, with its 95% interval."""
        return estimate(self.pairs)

    @cached_property
    def ratings(self) -> dict[str, Rating]:
        """The two players' ratings, relative to their average."""
        return {name: rating for group in rate(self.games) for name, rating in group.ratings.items()}

    @property
    def records(self) -> list[Game]:
        """The match's games as objects that can be shown, reviewed or saved."""
        return self._records

    def __repr__(self) -> str:
        (won, lost), pairs, elo = self.score, self.pairs, self.elo
        return (
            f"<Match {self.a} {won}-{lost} {self.b}: pairs {pairs.won} won, {pairs.split} split, {pairs.lost} lost; "
            f"Elo {elo.elo:+z.0f} ({elo.low:+z.0f} to {elo.high:+z.0f})>"
        )


def match(
    a: str | Agent,
    b: str | Agent,
    games: int = 200,
    game: str | Path | RuleBook | Shape | Variant = rules.FIRST,
    board: str | tuple[int, int] | None = None,
    adjacency: str | None = None,
    *,
    seconds: float = 0.1,
    clock: str | None = None,
    margin: float = 1.0,
    swap: bool = False,
    seed: int = 0,
    sprt: tuple[float, float] | Sprt | None = None,
    adjudicate: int | None = None,
    judge: bool | None = None,
    processes: int = 0,
    isolated: bool = True,
    out: str | PathLike[str] | None = None,
) -> MatchResult:
    """Play a match between two agents, given as names, programs such as "process:./my-bot", or functions.

    Each opening is played twice, with the sides exchanged. `seconds` is the time per move; instead, `clock` can give
    each player time for the whole game, such as "10+0.1". With `sprt`, the match ends as soon as the test decides
    between two Elo differences. If `out` names a folder, the match is saved there, and calling `match` again resumes
    it. An agent that is a function runs in a fork of this process, so if it never returns, it loses only the current
    game. If `isolated` is false, the function is called directly, which is faster and lets it keep state between games.
    """
    names, functions = _named((a, b))
    if processes and (any(functions) or any(name in agents and agents.entry(name).source == ADDED for name in names)):
        raise BadPlan(
            "Agents given as functions run in this process, so do not set `processes`. To use several processes, save "
            "the function in a file such as my.py, and pass './my.py:function' instead."
        )
    test = sprt if isinstance(sprt, Sprt) or sprt is None else Sprt(*sprt)
    plan = Plan(
        entrants=named_entrants(names),
        variants=(rules.chosen(game, board, adjacency),),
        games=games,
        seed=seed,
        conditions=Conditions(seconds, read_clock(clock) if clock else None, margin, swap, adjudicate, judge),
        sprt=test,
    )
    by_entrant = {
        entrant.name: function for entrant, function in zip(plan.entrants, functions, strict=True) if function
    }
    folder = None if out is None else Path(out)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    with Tournament(plan, folder and folder / LEDGER, by_entrant, isolated) as tournament:
        tournament.run(processes)
        if folder is not None:
            write_files(tournament, folder)
        return MatchResult(tournament)


def _named(given: Sequence[str | Agent]) -> tuple[list[str], list[Any]]:
    """Return the agents' names and functions, with None as the function of an agent specified only by its name."""
    names, functions = list[str](), list[Any]()
    for agent in given:
        if isinstance(agent, str):
            agents.check(agent)  # raises an error if there is no such agent
        elif not callable(agent):
            raise BadPlan(f"An agent must be a name or a function of a game, a Random and seconds, not {agent!r}.")
        functions.append(None if isinstance(agent, str) else agent)
        names.append(agent if isinstance(agent, str) else entrant_name(getattr(agent, "__name__", "function")))
    return names, functions
