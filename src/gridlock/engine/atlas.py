"""The atlas: who wins on every board up to a given size."""

import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from gridlock import __version__
from gridlock.core.definition import definition_of
from gridlock.core.grid import Adjacency, Grid
from gridlock.core.notation import read_board
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.core.rules import BUILT_IN
from gridlock.engine.clock import MEBIBYTE, Clock, cancellation
from gridlock.engine.evidence import Method, Verdict
from gridlock.engine.hard_boards import hard_board
from gridlock.engine.solve import Solver
from gridlock.units.ledger import Ledger
from gridlock.units.worker import stopping, tell

MOMENT = 5.0  # seconds before a search is saved in a checkpoint file


class Entry(NamedTuple):
    """The result for one board size."""

    rows: int
    cols: int
    verdict: Verdict  # for the first player
    method: Method
    positions: int = 0  # the number of positions searched
    seconds: float = 0.0  # the processor time
    recorded: bool = False  # whether this result is from hard_boards.toml
    machine: str = ""  # what a recorded search ran on, if not on one core; `seconds` is then the time that it took


def sizes(book: RuleBook, largest: tuple[int, int]) -> list[tuple[int, int]]:
    """Return every board size up to the largest; a board and its 90-degree rotation count as one."""
    cols = largest[1]
    short, long = sorted(largest)
    boards = [
        (one, other) for one in range(1, short + 1) for other in range(one, long + 1) if one * other >= book.smallest
    ]
    return [(one, other) if other <= cols else (other, one) for one, other in boards]


def entry(variant: Variant, clock: Clock, memory: int = 256 * MEBIBYTE, checkpoint: Path | None = None) -> Entry:
    """Solve one board; if no proof is known, search for as long as the clock allows.

    A search that takes more than a few seconds is saved in the checkpoint file, so that it can be resumed later. The
    checkpoint file is deleted when the winner is known.
    """
    begin = time.process_time()
    with closing(Solver(variant, clock=clock, memory=memory)) as solver:
        with clock.at_most(MOMENT if checkpoint else None):
            found = solver.solve()
        if checkpoint and found.verdict is Verdict.UNKNOWN and solver.engine.search.techniques and not clock.expired:
            solver.keep(checkpoint)
            found = solver.solve()
    if checkpoint and found.verdict is not Verdict.UNKNOWN:
        checkpoint.unlink(missing_ok=True)
    spent = time.process_time() - begin
    return Entry(variant.grid.rows, variant.grid.cols, found.verdict, found.method, found.positions, spent)


def recorded(book: RuleBook, adjacency: Adjacency, board: tuple[int, int]) -> Entry | None:
    """Return the recorded result for a board that takes a long time to search, or None if no winner is recorded."""
    found = hard_board(book.name, *board, adjacency) if book.name in BUILT_IN else None
    if found is None or found.winner is None:
        return None
    run = found.runs[0]
    winner = Verdict.of(found.winner == 1)
    return Entry(*board, winner, Method.SEARCH, run.positions, run.seconds, recorded=True, machine=run.machine)


@dataclass(frozen=True)
class Boards:
    """The boards of an atlas as units of work, each of which is solved within a time limit."""

    book: RuleBook
    adjacency: Adjacency
    seconds: float
    memory: int
    checkpoint: Path | None = None  # unfinished searches are saved in files with this name plus the board size
    recorded: bool = True  # whether recorded results count

    @property
    def task(self) -> dict[str, Any]:
        """The data that identifies this atlas's ledger, without the search limits, which do not change who wins."""
        return {
            "atlas": self.book.name,
            "definition": None if self.book.name in BUILT_IN else definition_of(self.book),
            "adjacency": str(self.adjacency),
            "version": __version__,
        }

    def units(self, boards: list[tuple[int, int]], ledger: Ledger) -> dict[str, tuple[int, int]]:
        """Return the unsolved boards not yet tried with this time limit; each key names the board and the limit."""
        known = self._known(boards, ledger)
        units = {self._key(board): board for board in boards if board not in known}
        return {key: board for key, board in units.items() if key not in ledger.done}

    def entries(self, boards: list[tuple[int, int]], ledger: Ledger) -> list[Entry]:
        """Return what the ledger or a recorded result says about each board."""
        known = self._known(boards, ledger)
        return [known.get(board) or Entry(*board, Verdict.UNKNOWN, Method.SEARCH) for board in boards]

    def _known(self, boards: list[tuple[int, int]], ledger: Ledger) -> dict[tuple[int, int], Entry]:
        """Return the boards whose winner is known."""
        known = [recorded(self.book, self.adjacency, board) for board in boards] if self.recorded else []
        return {(one.rows, one.cols): one for one in known if one} | _solved(ledger)

    def _key(self, board: tuple[int, int]) -> str:
        return f"{board[0]}x{board[1]} {self.seconds:g}"

    def solve(self, size: tuple[int, int]) -> tuple[Verdict, Method, int, float]:
        """Solve one board, regularly reporting the number of positions searched and the seconds elapsed."""

        def report(nodes: int, seconds: float) -> None:
            tell((nodes, seconds))
            if stopping():
                cancellation.cancel()

        path = self.checkpoint and self.checkpoint.with_name(f"{self.checkpoint.name}.{size[0]}x{size[1]}")
        played = Variant(self.book, Grid(*size, self.adjacency))
        found = entry(played, Clock(self.seconds, report), self.memory, path)
        if stopping():  # the cancellation must not affect the next run in this process
            cancellation.begin()
        return found.verdict, found.method, found.positions, round(found.seconds, 3)


def _solved(ledger: Ledger) -> dict[tuple[int, int], Entry]:
    """Return the boards for which a ledger names the winner, whatever the time limit was."""
    entries = {}
    for key, (verdict, method, *cost) in ledger.done.items():
        if verdict != Verdict.UNKNOWN:
            size = read_board(key.partition(" ")[0])
            entries[size] = Entry(*size, Verdict(verdict), Method(method), *cost)
    return entries
