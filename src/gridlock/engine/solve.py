"""Who wins from the start, and by which first moves."""

from dataclasses import dataclass
from functools import partial
from itertools import permutations
from pathlib import Path
from typing import NamedTuple

from gridlock import __version__
from gridlock.core.definition import definition_of
from gridlock.core.grid import Cell
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.core.rules import BUILT_IN
from gridlock.engine.analysis import combine
from gridlock.engine.checkpoint import Checkpoint
from gridlock.engine.clock import MEBIBYTE, Clock
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Method, Verdict
from gridlock.engine.mirror import keeps, symmetries
from gridlock.engine.parallel import Judged, JudgeOne, Note, Report, judge_all

JOURNAL_WORK = 2_000  # positions behind a result that is worth keeping in a checkpoint
JOURNAL_SECONDS = 1.0  # how often they are written


class Pairs(NamedTuple):
    """With pawns, the ordered pairs of starting cells: how many the first player wins, were decided, and there are."""

    first_wins: int
    decided: int
    asked: int


@dataclass(frozen=True)
class Solution:
    """The answer, as far as it was found."""

    verdict: Verdict  # for the player who moves first
    openings: tuple[Cell, ...] | None  # every winning first move, if that was asked for and found
    found: tuple[Cell, ...]  # those that were found, also if there may be more
    method: Method
    positions: int
    seconds: float
    decided: int  # how many questions were answered: about first moves, or about the start alone
    asked: int
    out_of_time: bool = False  # at the end; otherwise what is missing is beyond the method
    pairs: Pairs | None = None  # if they were asked for

    @property
    def complete(self) -> bool:
        """Whether every question was answered."""
        return self.decided == self.asked and (self.pairs is None or self.pairs.decided == self.pairs.asked)


class Solver:
    """Solves one game on one board, from the beginning or from another position."""

    def __init__(
        self,
        variant: Variant,
        method: str = "auto",
        clock: Clock | None = None,
        memory: int = 256 * MEBIBYTE,
        start: Position | None = None,
        processes: int = 1,
    ) -> None:
        self.variant = variant
        self.start = variant.start() if start is None else start
        self.method = method  # auto, proof (no search) or search (no theorem about the whole board, no mirror)
        self.engine = Engine(variant, memory, mirrors=method != "search")
        self.clock = clock or Clock()
        self.processes = processes  # for questions about many positions; each gets its share of the memory
        self._nodes_elsewhere = 0
        self._checkpoint: Checkpoint | None = None
        self._keep: Note | None = None  # where what was proved goes: to the checkpoint, or to the process that has it
        self._kept = 0.0

    def keep(self, path: Path) -> None:
        """Go on from a checkpoint file, and keep it up to date."""
        task = {
            "game": self.variant.book.name,
            "definition": None if self.variant.book.name in BUILT_IN else definition_of(self.variant.book),
            "board": str(self.variant.grid),
            "adjacency": str(self.variant.grid.adjacency),
            "start": list(self.start),
            "method": self.method,
            "version": __version__,  # another one may search differently
        }
        self._checkpoint = Checkpoint(path, task)
        try:
            self._go_on_from(self._checkpoint.entries, self._checkpoint.add)
        except ValueError:
            raise self._checkpoint.damaged("it holds what no search here has written") from None

    def _go_on_from(self, proved: list[list[int]], keep: Note) -> None:
        """Know what was proved before, and let what will be proved be kept."""
        self._keep = keep
        self.engine.search.remember(JOURNAL_WORK)
        for entry in proved:
            self.engine.search.learn(entry)

    def close(self) -> None:
        """Let the checkpoint file go."""
        if self._checkpoint:
            self._checkpoint.close()

    def solve(self, openings: bool = False, pairs: bool = False) -> Solution:
        """Find out who wins; with openings, find out about every first move; with pairs, about other starting cells."""
        try:
            if openings:
                verdicts, method = self._openings()
                found = list(verdicts.values())
            else:
                verdict, method = self._verdict(self.start)
                verdicts, found = {}, [verdict]
            counted = self._pairs() if pairs else None
        finally:
            self._keep_proved()
        winning = tuple(cell for cell, verdict in verdicts.items() if verdict is Verdict.WIN)
        return Solution(
            combine(found),
            winning if openings and Verdict.UNKNOWN not in found else None,
            winning,
            method,
            self.engine.nodes + self._nodes_elsewhere,
            self.clock.seconds,
            decided=sum(verdict is not Verdict.UNKNOWN for verdict in found),
            asked=len(found),
            out_of_time=self.clock.expired,
            pairs=counted,
        )

    def _pairs(self) -> Pairs:
        """Every pair of starting cells on the otherwise empty board; one stands for all its images."""
        size = self.variant.grid.size
        alike = symmetries(self.variant.grid)
        images = {pair: {(image[pair[0]], image[pair[1]]) for image in alike} for pair in permutations(range(size), 2)}
        chosen = [pair for pair in images if pair == min(images[pair])]
        starts = [Position(1 << me, 1 << them, me, them, 1) for me, them in chosen]
        wins = decided = 0
        for pair, (verdict, _) in zip(chosen, self._verdicts(starts), strict=True):
            wins += len(images[pair]) * (verdict is Verdict.WIN)
            decided += len(images[pair]) * (verdict is not Verdict.UNKNOWN)
        return Pairs(wins, decided, size * (size - 1))

    def _tick(self, nodes: int) -> bool:
        if self._keep and self.clock.seconds - self._kept > JOURNAL_SECONDS:
            self._kept = self.clock.seconds
            self._keep_proved()
        return self.clock(nodes)

    def _keep_proved(self) -> None:
        if self._keep and (proved := self.engine.search.proved()):
            self._keep(proved)

    def _verdict(self, position: Position) -> tuple[Verdict, Method]:
        """One position by the method chosen."""
        if self.clock.expired:
            return Verdict.UNKNOWN, Method.SEARCH
        if self.method == "search":
            return self.engine.search.verdict(position, self._tick), Method.SEARCH
        if self.method == "proof":
            proved = self.engine.prove(position, self.clock)
            return (proved.verdict, proved.method) if proved else (Verdict.UNKNOWN, Method.MIRROR)
        proof = self.engine.judge(position, self._tick)
        return proof.verdict, proof.method

    def _openings(self) -> tuple[dict[Cell, Verdict], Method]:
        """Every first move; of those that are images of each other, one is looked at."""
        start = self.start
        cells = self.variant.legal_cells(start)
        if self.method != "search":
            proof = self.engine.prove(start, self.clock)
            if proof is not None and proof.complete:
                winning = set(proof.winning)
                return {cell: Verdict.WIN if cell in winning else Verdict.LOSS for cell in cells}, proof.method
        alike = [image for image in symmetries(self.variant.grid) if keeps(image, start)]
        twins = {cell: min(image[cell] for image in alike) for cell in cells}
        chosen = [cell for cell in cells if twins[cell] == cell]
        found = dict(zip(chosen, self._verdicts([start.after(cell) for cell in chosen]), strict=True))
        searched = any(how is Method.SEARCH for _, how in found.values())
        verdicts = {cell: found[twins[cell]][0].opposite for cell in cells}
        return verdicts, Method.SEARCH if searched else Method.MIRROR

    def _verdicts(self, positions: list[Position]) -> list[tuple[Verdict, Method]]:
        """Many positions, one after another or side by side."""
        if self.processes == 1 or len(positions) < 2:
            return [self._verdict(position) for position in positions]
        proved = self._checkpoint.entries if self._checkpoint else None
        memory = self.engine.memory // self.processes
        judge = partial(_make_judge, self.variant, self.method, self.clock.left, memory, proved)
        count = partial(self._count, self._nodes_elsewhere)
        keep = self._keep or _ignore
        judged = judge_all(judge, positions, self.processes, count, lambda: self.clock.stopped, keep)
        return [(one.verdict, one.method) if one else (Verdict.UNKNOWN, Method.SEARCH) for one in judged]

    def _count(self, before: int, searched: int) -> None:
        self._nodes_elsewhere = before + searched
        self.clock(self.engine.nodes + self._nodes_elsewhere)


def _ignore(_proved: list[list[int]]) -> None:
    """Without a checkpoint nothing is kept."""


def _make_judge(
    variant: Variant,
    method: str,
    seconds: float | None,
    memory: int,
    proved: list[list[int]] | None,
    report: Report,
    note: Note,
) -> JudgeOne:
    """In another process: a function that judges positions as a solver here would, and reports what it searches."""
    solver = Solver(variant, method, Clock(seconds, lambda nodes, _seconds: report(nodes)), memory)
    if proved is not None:
        solver._go_on_from(proved, note)

    def judge(position: Position) -> Judged:
        verdict, how = solver._verdict(position)
        solver._keep_proved()  # before the answer, after which nobody may listen any more
        report(solver.engine.nodes)
        return Judged(verdict, how)

    return judge
