"""The atlas: who wins on each board size, and how that is proved."""

from typing import NamedTuple

from gridlock.core.rulebook import RuleBook, Variant
from gridlock.engine.clock import MEBIBYTE, Clock
from gridlock.engine.evidence import Method, Verdict
from gridlock.engine.solve import Solver


class Entry(NamedTuple):
    """The result for one board size."""

    rows: int
    cols: int
    verdict: Verdict  # for the first player
    method: Method


def sizes(book: RuleBook, largest: tuple[int, int]) -> list[tuple[int, int]]:
    """Return every board size up to the largest; a board and its 90-degree rotation count as one."""
    cols = largest[1]
    short, long = sorted(largest)
    boards = [
        (one, other) for one in range(1, short + 1) for other in range(one, long + 1) if one * other >= book.smallest
    ]
    return [(one, other) if other <= cols else (other, one) for one, other in boards]


def entry(variant: Variant, clock: Clock, memory: int = 256 * MEBIBYTE) -> Entry:
    """Solve one board, searching for as long as the clock allows if no proof is known."""
    found = Solver(variant, clock=clock, memory=memory).solve()
    return Entry(variant.grid.rows, variant.grid.cols, found.verdict, found.method)
