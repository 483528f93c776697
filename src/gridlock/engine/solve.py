"""Who wins from the start, and by which first moves."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gridlock.engine.analysis import Method, Verdict
from gridlock.engine.checkpoint import Checkpoint
from gridlock.engine.clock import MEBIBYTE, Clock
from gridlock.engine.engine import GEOGRAPHY, Engine, combine, opposite
from gridlock.engine.mirror import losing_mirror, symmetries
from gridlock.grid import Cell
from gridlock.rulebook import Variant

JOURNAL_WORK = 20_000  # positions behind a result that is worth keeping in a checkpoint
JOURNAL_SECONDS = 1.0  # how often they are written


@dataclass(frozen=True)
class Solution:
    """The answer, as far as it was found."""

    verdict: Verdict  # for the first player
    openings: tuple[Cell, ...] | None  # every winning first move, if that was asked for and found
    method: Method
    positions: int
    seconds: float
    decided: int = 0  # how many first moves were decided, of those asked for
    asked: int = 0


class Solver:
    """Solves one game on one board."""

    def __init__(
        self,
        variant: Variant,
        method: str = "auto",
        seconds: float | None = None,
        memory: int = 256 * MEBIBYTE,
        progress: Callable[[int, float], None] | None = None,
    ) -> None:
        self.variant = variant
        self.method = method  # auto, proof (no search) or search (no theorem about the whole board, no mirror)
        self.engine = Engine(variant, memory, mirrors=method != "search")
        self.clock = Clock(seconds, progress)
        self._checkpoint: Checkpoint | None = None
        self._kept = 0.0

    def keep(self, path: Path) -> None:
        """Go on from a checkpoint file, and keep it up to date."""
        task = {
            "game": self.variant.book.name,
            "board": str(self.variant.grid),
            "adjacency": str(self.variant.grid.adjacency),
            "method": self.method,
        }
        self._checkpoint = Checkpoint(path, task)
        for entry in self._checkpoint.entries:
            self.engine.search.learn(entry)
        self.engine.search.remember(JOURNAL_WORK)

    def solve(self, openings: bool = False) -> Solution:
        """Find out who wins; with openings, find out about every first move."""
        start = self.variant.start()
        try:
            if openings:
                verdicts, method = self._openings()
                verdict = combine(verdicts.values()) if verdicts else Verdict.LOSS
                winning = tuple(cell for cell, found in verdicts.items() if found is Verdict.WIN)
                whole = Verdict.UNKNOWN not in verdicts.values()
                decided = sum(found is not Verdict.UNKNOWN for found in verdicts.values())
                return self._solution(verdict, winning if whole else None, method, decided, len(verdicts))
            verdict, method = self._verdict(start)
            return self._solution(verdict, None, method, int(verdict is not Verdict.UNKNOWN), 1)
        finally:
            self._write_checkpoint()
            if self._checkpoint:
                self._checkpoint.close()

    def _solution(
        self, verdict: Verdict, openings: tuple[Cell, ...] | None, method: Method, decided: int, asked: int
    ) -> Solution:
        return Solution(verdict, openings, method, self.engine.nodes, self.clock.seconds, decided, asked)

    def _tick(self, nodes: int) -> bool:
        if self._checkpoint and self.clock.seconds - self._kept > JOURNAL_SECONDS:
            self._kept = self.clock.seconds
            self._write_checkpoint()
        return self.clock(nodes)

    def _write_checkpoint(self) -> None:
        if self._checkpoint:
            self._checkpoint.add(self.engine.search.proved())

    def _verdict(self, position: Any) -> tuple[Verdict, Method]:
        """One position by the method chosen."""
        if self.method == "search":
            return self.engine.by_search(position, self._tick), Method.SEARCH
        if self.method == "proof":
            return self.engine.by_proof(position)
        return self.engine.verdict(position, self._tick)

    def _openings(self) -> tuple[dict[Cell, Verdict], Method]:
        """Every first move; of those that are images of each other, one is looked at."""
        start = self.variant.start()
        if self.method != "search":
            if self.variant.book.name in GEOGRAPHY:
                winning = set(self.engine.winning_by_matching(start))
                cells = self.variant.moves(start)
                return {c: Verdict.WIN if c in winning else Verdict.LOSS for c in cells}, Method.MATCHING
            if losing_mirror(self.variant, start):
                return dict.fromkeys(self.variant.moves(start), Verdict.LOSS), Method.MIRROR
        alike = symmetries(self.variant, start)
        verdicts: dict[Cell, Verdict] = {}
        method = Method.MIRROR
        for cell in self.variant.moves(start):
            images = {image[cell] for image in alike}
            known = next((verdicts[image] for image in images if image in verdicts), None)
            if known is None:
                child, how = self._verdict(start.after(cell))
                known = opposite(child)
                method = how if how is Method.SEARCH else method
            verdicts[cell] = known
        return verdicts, method
