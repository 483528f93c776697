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


def atlas(
    book: RuleBook,
    adjacency: Adjacency,
    largest: tuple[int, int],
    seconds: float,
    memory: int = 256 * MEBIBYTE,
    progress: Callable[[int, float], None] | None = None,
) -> Iterator[Entry]:
    """Every board up to the largest, each searched for so many seconds; a board and its turned twin are one."""
    short, long = sorted(largest)
    for rows in range(1, short + 1):
        for cols in range(rows, long + 1):
            if rows * cols < book.smallest:
                continue
            found = Solver(Variant(book, Grid(rows, cols, adjacency)), "auto", seconds, memory, progress).solve()
            yield Entry(rows, cols, found.verdict, found.method)
