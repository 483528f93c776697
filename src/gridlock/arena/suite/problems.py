"""A suite's problems, and the file that lists them, one per line, with the winner and winning moves if known."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from gridlock.core.errors import BadRecord, GridLockError
from gridlock.core.files import write_safely
from gridlock.core.game import Game
from gridlock.core.grid import Cell
from gridlock.core.notation import read_stored
from gridlock.core.outcome import Player

SHIPPED = "positions.txt"  # beside this module
HEADER = "# gridlock suite "
UNKNOWN = "?"
VERSION = 1


@dataclass(frozen=True)
class Problem:
    """A position to solve, with its winner and its winning moves as far as they are known."""

    name: str  # joined by hyphens: the game, the number of a random game, and how many of its moves were made
    position: str  # in one word
    winner: Player | None  # None if the problem is unsolved
    winning: tuple[str, ...]  # all moves that win for the player to move
    grade: int  # how many positions a search needs, as a power of ten rounded down; an estimate if that is unknown
    positions: int | None  # that our search needed, starting with empty tables; None if the search did not finish
    seconds: float | None  # of that search, on one core

    @cached_property
    def game(self) -> Game:
        """A game that starts from the problem's position."""
        return Game.from_text(self.position)

    @property
    def book(self) -> str:
        """The game's name."""
        return self.position.partition(":")[0]

    @property
    def is_open(self) -> bool:
        """Whether the winner is unknown."""
        return self.winner is None

    @property
    def is_won(self) -> bool:
        """Whether the player to move is known to win; if not, no move counts as right or wrong."""
        return self.winner == self.game.turn

    def wins(self, cell: Cell) -> bool:
        """Return whether a move is one of the winning moves."""
        return self.game.variant.name(cell) in self.winning

    @property
    def line(self) -> str:
        """The problem as a line of a suite file."""
        winner = UNKNOWN if self.winner is None else str(self.winner)
        moves = UNKNOWN if self.is_open else "+".join(self.winning) or "-"
        effort = [UNKNOWN if self.positions is None else str(self.positions)]
        effort.append(UNKNOWN if self.seconds is None else f"{self.seconds:.4f}")
        return " ".join([self.name, self.position, winner, moves, str(self.grade), *effort])


def read_problem(line: str) -> Problem:
    """Read a problem from a line of a suite file; raise GridLockError or ValueError if the line is invalid."""
    name, word, winner, moves, grade, positions, seconds = line.split(" ")
    problem = Problem(
        name,
        word,
        None if winner == UNKNOWN else int(winner),
        () if moves in (UNKNOWN, "-") else tuple(moves.split("+")),
        int(grade),
        None if positions == UNKNOWN else int(positions),
        None if seconds == UNKNOWN else float(seconds),
    )
    game, legal = problem.game, problem.game.legal
    cells = [read_stored(game.variant, move) for move in problem.winning]
    if winner not in (UNKNOWN, "1", "2") or game.passing or problem.grade < 0:
        raise ValueError
    if not legal or any(cell is None or not legal >> cell & 1 for cell in cells):
        raise ValueError
    if bool(cells) != problem.is_won:
        raise ValueError
    return problem


class Suite(NamedTuple):
    """A suite's problems, and how the suite was made."""

    problems: tuple[Problem, ...]
    made: dict[str, Any]  # the GridLock version, the seed, and the maximum number of positions per search

    @property
    def games(self) -> list[str]:
        """The names of the suite's games, in the order in which they appear in the file."""
        return list(dict.fromkeys(problem.book for problem in self.problems))

    @property
    def grades(self) -> list[int]:
        """The grades of the suite's problems, easiest first."""
        return sorted({problem.grade for problem in self.problems})

    def part(self, games: Sequence[str], grades: Iterable[int], count: int | None, is_open: bool) -> list[Problem]:
        """Return the problems of the given games and grades, with or without the open problems.

        If a count is given, return at most that many problems per game, spread over the grades.
        """
        kept = [one for one in self.problems if one.book in games and one.grade in set(grades)]
        kept = [one for one in kept if is_open or not one.is_open]
        if count is None:
            return kept
        ranks: dict[tuple[str, int], int] = {}
        order = []
        for one in kept:
            rank = ranks[one.book, one.grade] = ranks.get((one.book, one.grade), -1) + 1
            order.append((rank, one.grade, one))
        chosen: set[str] = set()
        for game in games:
            own = sorted((item for item in order if item[2].book == game), key=lambda item: item[:2])
            chosen |= {one.name for _, _, one in own[:count]}
        return [one for one in kept if one.name in chosen]


def write_suite(path: Path, suite: Suite) -> None:
    """Write a suite to a file."""
    head = HEADER + json.dumps({"format": VERSION, **suite.made})
    write_safely(path, "\n".join([head, *(problem.line for problem in suite.problems)]) + "\n")


def read_suite(path: Path | None = None) -> Suite:
    """Read a suite from a file; the default is the suite that comes with GridLock."""
    shown = "the suite" if path is None else str(path)
    source = files(__package__).joinpath(SHIPPED) if path is None else path
    try:
        head, *lines = source.read_text("utf-8").splitlines()
        made = json.loads(head.removeprefix(HEADER)) if head.startswith(HEADER) else None
    except FileNotFoundError:
        raise BadRecord(f"There is no file {shown}.") from None
    except (OSError, ValueError):  # not text, or empty
        made = None
    if not isinstance(made, dict) or made.pop("format", None) != VERSION:
        raise BadRecord(f"{shown} is not a suite. Make one with: gridlock suite --make FILE")
    problems = []
    for number, line in enumerate(lines, 2):
        try:
            problems.append(read_problem(line))
        except (GridLockError, ValueError):
            raise BadRecord(f"{shown} is damaged: line {number} is not a valid problem.") from None
    if len({problem.name for problem in problems}) < len(problems):
        raise BadRecord(f"{shown} is damaged: it contains the same problem twice.")
    return Suite(tuple(problems), made)
