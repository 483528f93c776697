"""The atlas: who wins on every board up to a size."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from gridlock import __version__
from gridlock.core.definition import definition_of
from gridlock.core.grid import Adjacency, Grid
from gridlock.core.notation import read_board
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.core.rules import BUILT_IN
from gridlock.engine.clock import MEBIBYTE, Clock, cancellation
from gridlock.engine.evidence import Method, Verdict
from gridlock.engine.solve import Solver
from gridlock.units.ledger import Ledger
from gridlock.units.worker import stopping, tell


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


@dataclass(frozen=True)
class Boards:
    """The boards of an atlas as units of work: each is solved within a time limit."""

    book: RuleBook
    adjacency: Adjacency
    seconds: float
    memory: int

    @property
    def task(self) -> dict[str, Any]:
        """What a ledger of this atlas belongs to: with other limits, too, a winner stays the winner."""
        return {
            "atlas": self.book.name,
            "definition": None if self.book.name in BUILT_IN else definition_of(self.book),
            "adjacency": str(self.adjacency),
            "version": __version__,
        }

    def units(self, boards: list[tuple[int, int]], ledger: Ledger) -> dict[str, tuple[int, int]]:
        """Return the boards to solve, by key: those without a winner that were not tried with the same time limit."""
        known = _solved(ledger)
        units = {self._key(board): board for board in boards if board not in known}
        return {key: board for key, board in units.items() if key not in ledger.done}

    def entries(self, boards: list[tuple[int, int]], ledger: Ledger) -> list[Entry]:
        """Return what the ledger knows of each board."""
        known = _solved(ledger)
        return [known.get(board) or Entry(*board, Verdict.UNKNOWN, Method.SEARCH) for board in boards]

    def _key(self, board: tuple[int, int]) -> str:
        return f"{board[0]}x{board[1]} {self.seconds:g}"

    def solve(self, size: tuple[int, int]) -> tuple[Verdict, Method]:
        """Solve one board, and report the positions searched and the seconds spent while it lasts."""

        def report(nodes: int, seconds: float) -> None:
            tell((nodes, seconds))
            if stopping():
                cancellation.cancel()

        found = entry(Variant(self.book, Grid(*size, self.adjacency)), Clock(self.seconds, report), self.memory)
        if stopping():  # and was cancelled, which must not concern the next run in this process
            cancellation.begin()
        return found.verdict, found.method


def _solved(ledger: Ledger) -> dict[tuple[int, int], Entry]:
    """Return the boards of a ledger whose winner is known, whatever the time limit was."""
    entries = {}
    for key, (verdict, method) in ledger.done.items():
        if verdict != Verdict.UNKNOWN:
            size = read_board(key.partition(" ")[0])
            entries[size] = Entry(*size, Verdict(verdict), Method(method))
    return entries
