"""Who wins on every board, and by what evidence."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from gridlock.engine.analysis import Method, Verdict
from gridlock.engine.clock import MEBIBYTE
from gridlock.engine.solve import Solver
from gridlock.grid import Adjacency, Grid
from gridlock.rulebook import RuleBook, Variant


class Entry(NamedTuple):
    """One board: who wins, and how that is known."""

    rows: int
    cols: int
    verdict: Verdict  # for the first player
    method: Method


def sizes(book: RuleBook, largest: tuple[int, int]) -> list[tuple[int, int]]:
    """Every board up to the largest; a board and its turned twin are one."""
    short, long = sorted(largest)
    boards = [(rows, cols) for rows in range(1, short + 1) for cols in range(rows, long + 1)]
    return [(rows, cols) for rows, cols in boards if rows * cols >= book.smallest]


def entry(
    variant: Variant,
    seconds: float,
    memory: int = 256 * MEBIBYTE,
    progress: Callable[[int, float], None] | None = None,
) -> Entry:
    """Who wins on one board, searched for so many seconds if no proof is known."""
    found = Solver(variant, "auto", seconds, memory, progress).solve()
    return Entry(variant.grid.rows, variant.grid.cols, found.verdict, found.method)


def atlas(
    book: RuleBook,
    adjacency: Adjacency,
    largest: tuple[int, int],
    seconds: float,
    memory: int = 256 * MEBIBYTE,
    progress: Callable[[int, float], None] | None = None,
) -> Iterator[Entry]:
    """Every board up to the largest, each searched for so many seconds."""
    for rows, cols in sizes(book, largest):
        yield entry(Variant(book, Grid(rows, cols, adjacency)), seconds, memory, progress)
