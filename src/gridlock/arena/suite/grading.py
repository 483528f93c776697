"""Problems for a suite, taken from random games and graded by the work needed to solve them.

The positions of a game are searched backwards from the end, until one is too hard for our search. The earlier a
position comes in a game, the more work it takes to decide, so a single game has positions of every grade. If the search
does not decide a position, its grade is extrapolated from decided positions of the same game.
"""

from __future__ import annotations

import math
import time
from random import Random
from statistics import linear_regression
from typing import NamedTuple

from gridlock.arena.suite.problems import Problem
from gridlock.core.grid import Adjacency, Cell, Grid
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.core.rules import named
from gridlock.core.snapshot import position_text
from gridlock.engine.clock import MEBIBYTE
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Verdict

MEMORY = (4 * MEBIBYTE, 64 * MEBIBYTE)  # the least and the most for a search; large tables take time to create
POSITION_MEMORY = 160  # bytes for each position that a search may take
SIDES = (4, 10)  # the range of a board's number of rows and of columns
OWN_ADJACENCY = 2 / 3  # share of the games with the game's own adjacency
FEWEST_POSITIONS = 10  # searches with fewer positions are left out of the trend
FEWEST_POINTS = 4  # the fewest decided positions of a game from which a grade is extrapolated
MOST_POINTS = 10  # only this many positions count, the earliest, as the work grows faster towards the beginning
FLATTEST = 0.05  # powers of ten per move; from a flatter trend, nothing is extrapolated
LABELS = 3  # to find all winning moves, this many times the grade's maximum of positions may be searched
MOST_WINNING = 3 / 4  # the largest share of the moves that may win
OPEN_GRADES = 4  # powers of ten beyond the limit of our search


class Candidate(NamedTuple):
    """A random game to take problems from."""

    game: str
    seed: int
    number: int
    nodes: int  # positions that one search may take, a power of ten
    grades: tuple[int, ...]  # the grades of the problems wanted


class Searched(NamedTuple):
    """The result of searching a position."""

    verdict: Verdict
    positions: int
    seconds: float
    engine: Engine  # with the tables that the search filled


def grade_of(positions: int) -> int:
    """Return the grade of a position, given how many positions were searched to find its winner."""
    return len(str(max(1, positions))) - 1


def random_game(candidate: Candidate) -> tuple[Variant, list[Position]]:
    """Return the variant and all positions of a random game.

    The candidate's game, seed and number determine all random choices.
    """
    rng = Random(f"{candidate.seed}/{candidate.game}/{candidate.number}")
    book = named(candidate.game)
    rows, cols = rng.randint(*SIDES), rng.randint(*SIDES)
    other = next(kind for kind in Adjacency if kind != book.adjacency)
    adjacency = Adjacency(book.adjacency) if rng.random() < OWN_ADJACENCY else other
    variant = Variant(book, Grid(rows, cols, adjacency))
    line = [variant.start()]
    while cells := variant.legal_cells(line[-1]):
        line.append(line[-1].after(rng.choice(cells)))
    return variant, line


def problems(candidate: Candidate) -> list[list[str]]:
    """Return the problems found in a random game: at most one won and one lost position of each requested grade.

    For a grade that is too hard for the search, return at most one position, whose winner may be unknown. Each problem
    is a list of words, which can be stored as JSON.
    """
    variant, line = random_game(candidate)
    found: dict[tuple[int, Verdict], Problem] = {}
    trend, first = Trend(), grade_of(candidate.nodes)
    most = 10 ** max(grade + 1 if grade < first else first - 1 for grade in candidate.grades)
    for ply in range(len(line) - 2, -1, -1):
        if trend.at(ply) > math.log10(most):
            break
        searched = search(variant, line[ply], most)
        if searched.verdict is Verdict.UNKNOWN:
            break
        trend.add(ply, searched.positions)
        grade = grade_of(searched.positions)
        key = grade, searched.verdict
        if key in found or grade not in candidate.grades or grade >= first:
            continue
        if len(variant.legal_cells(line[ply])) < 2:
            continue
        winning = _winning(searched, line[ply], LABELS * 10 ** (grade + 1))
        if winning is not None:
            found[key] = _problem(candidate, variant, line[ply], ply, searched.verdict, winning, grade, searched)
    hard = (_beyond(candidate, variant, line, trend, grade) for grade in candidate.grades if grade >= first)
    return [problem.line.split(" ") for problem in [*found.values(), *filter(None, hard)]]


class Trend:
    """The relation between the number of moves made in a game and the work needed to decide the position."""

    def __init__(self) -> None:
        self._points: list[tuple[int, float]] = []  # the number of moves made, and the base-10 logarithm of the work

    def add(self, ply: int, positions: int) -> None:
        """Add a data point: the number of moves made so far, and the number of positions searched."""
        if positions >= FEWEST_POSITIONS:
            self._points.append((ply, math.log10(positions)))

    @property
    def last(self) -> int:
        """The number of moves before the earliest decided position."""
        return self._points[-1][0] if self._points else 0

    def at(self, ply: int) -> float:
        """Return log10 of the number of positions that a search is expected to need after `ply` moves; 0 if unknown."""
        slope, start = self._fit
        return start + slope * ply

    def ply(self, power: float) -> int | None:
        """Return the number of moves after which the expected work is 10**power, or None if there is no trend."""
        slope, start = self._fit
        return round((power - start) / slope) if slope else None

    @property
    def _fit(self) -> tuple[float, float]:
        if len(self._points) < FEWEST_POINTS:
            return 0.0, 0.0
        slope, start = linear_regression(*zip(*self._points[-MOST_POINTS:], strict=True))
        return (slope, start) if slope < -FLATTEST else (0.0, 0.0)


def search(variant: Variant, position: Position, nodes: int) -> Searched:
    """Decide a position by search alone: with empty tables, and without any theorem about the whole position."""
    least, most = MEMORY
    engine = Engine(variant, min(most, max(least, POSITION_MEMORY * nodes)))
    before = time.process_time()
    verdict = engine.search.verdict(position, lambda _nodes: engine.nodes >= nodes)
    return Searched(verdict, engine.nodes, time.process_time() - before, engine)


def _winning(searched: Searched, position: Position, nodes: int) -> list[Cell] | None:
    """Return all winning moves, or None if they take too long to find or if too many moves win."""
    engine = searched.engine
    if searched.verdict is Verdict.LOSS:
        return []
    if (proof := engine.prove(position, lambda _nodes: True)) and proof.complete:
        return list(proof.winning)
    cells, limit, winning = engine.variant.legal_cells(position), engine.nodes + nodes, list[Cell]()
    for cell in cells:
        verdict = engine.judge(position.after(cell), lambda _nodes: engine.nodes >= limit).verdict
        winning += [cell] * (verdict is Verdict.LOSS)
        if verdict is Verdict.UNKNOWN or len(winning) > MOST_WINNING * len(cells):
            return None
    return winning


def _beyond(candidate: Candidate, variant: Variant, line: list[Position], trend: Trend, grade: int) -> Problem | None:
    """Return a problem of the given grade that the search does not decide, or None if the random game has none.

    A pairing of cells may still decide the position.
    """
    ply = trend.ply(grade + 0.5)
    if ply is None or not 0 <= ply < trend.last or len(variant.legal_cells(line[ply])) < 2:
        return None
    searched = search(variant, line[ply], candidate.nodes)
    if searched.verdict is not Verdict.UNKNOWN:
        return None
    shape, verdict, winning = variant.shape, Verdict.UNKNOWN, list[Cell]()
    if proof := searched.engine.prove(line[ply], lambda _nodes: True):
        if shape is None or not shape.geography:
            return None  # a mirror strategy decides it, and most solvers do not look for one
        verdict, winning = proof.verdict, list(proof.winning)
    return _problem(candidate, variant, line[ply], ply, verdict, winning, grade, None)


def _problem(
    candidate: Candidate,
    variant: Variant,
    position: Position,
    ply: int,
    verdict: Verdict,
    winning: list[Cell],
    grade: int,
    searched: Searched | None,
) -> Problem:
    return Problem(
        f"{candidate.game}-{candidate.number}-{ply}",
        position_text(variant, position, "-").replace(" ", ":"),
        verdict.winner(position.turn),
        tuple(map(variant.name, winning)),
        grade,
        searched.positions if searched else None,
        searched.seconds if searched else None,
    )
