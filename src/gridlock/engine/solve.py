"""Solve a game from the start: who wins, and by which first moves."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import permutations
from math import inf
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
from gridlock.engine.clock import MEBIBYTE, Clock, cancellation
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Method, Verdict
from gridlock.engine.mirror import keeps, symmetries
from gridlock.units.ledger import Ledger
from gridlock.units.running import run_units
from gridlock.units.worker import stopping, tell

JOURNAL_WORK = 2_000  # positions searched for a result that is worth saving in a checkpoint
JOURNAL_SECONDS = 1.0  # between two writes
LATE = 5.0  # seconds after the limit at which workers that do not answer are given up

Note = Callable[[list[list[int]]], None]  # takes what was proved, for a checkpoint


class Judged(NamedTuple):
    """The result for one position."""

    verdict: Verdict
    method: Method


UNDECIDED = Judged(Verdict.UNKNOWN, Method.SEARCH)


class Pairs(NamedTuple):
    """Counts of the pawns' ordered pairs of starting cells: won by the first player, decided, and all."""

    first_wins: int
    decided: int
    asked: int


@dataclass(frozen=True)
class Solution:
    """The answer, as far as it is known."""

    verdict: Verdict  # for the player who moves first
    openings: tuple[Cell, ...] | None  # every winning first move, if requested and known
    found: tuple[Cell, ...]  # the known ones, even if there may be more
    method: Method
    positions: int
    seconds: float
    decided: int  # questions answered: one per first move, or one about the start
    asked: int
    out_of_time: bool = False  # otherwise, missing answers are beyond the method
    pairs: Pairs | None = None  # if requested

    @property
    def complete(self) -> bool:
        """Whether every question is answered."""
        return self.decided == self.asked and (self.pairs is None or self.pairs.decided == self.pairs.asked)


class Solver:
    """A solver for one game on one board, from the start or from another position."""

    def __init__(
        self,
        variant: Variant,
        method: str = "auto",
        clock: Clock | None = None,
        memory: int = 256 * MEBIBYTE,
        start: Position | None = None,
        processes: int = 1,
        cluster: str | None = None,
    ) -> None:
        self.variant = variant
        self.start = variant.start() if start is None else start
        self.method = method  # auto, proof (no search) or search (no matching, no mirror)
        self.engine = Engine(variant, memory, mirrors=method != "search")
        self.clock = clock or Clock()
        self.processes = processes  # for many positions; each gets an equal share of the memory
        self.cluster = cluster  # the address of one to use instead; each worker gets all of the memory
        self._nodes_elsewhere = 0
        self._checkpoint: Checkpoint | None = None
        self._save: Note | None = None  # passes proved positions to the checkpoint, or to the process that owns it
        self._saved = 0.0

    def keep(self, path: Path) -> None:
        """Resume from a checkpoint file, and keep it up to date."""
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
            self._resume(self._checkpoint.entries, self._checkpoint.add)
        except ValueError:
            raise self._checkpoint.damaged("it contains results that no search has written") from None

    def _resume(self, proved: list[list[int]], save: Note) -> None:
        """Load what was proved earlier, and save what is proved from now on."""
        self._save = save
        self.engine.search.remember(JOURNAL_WORK)
        for entry in proved:
            self.engine.search.learn(entry)

    def close(self) -> None:
        """Close the checkpoint file."""
        if self._checkpoint:
            self._checkpoint.close()

    def solve(self, openings: bool = False, pairs: bool = False) -> Solution:
        """Solve the start or, on request, every first move (`openings`) and every pair of starting cells (`pairs`)."""
        try:
            if openings:
                verdicts, method = self._openings()
                found = list(verdicts.values())
            else:
                verdict, method = self._verdict(self.start)
                verdicts, found = {}, [verdict]
            counted = self._pairs() if pairs else None
        finally:
            self._save_proved()
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
        """Solve every pair of starting cells on the otherwise empty board, one for each set of images."""
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
        if self._save and self.clock.seconds - self._saved > JOURNAL_SECONDS:
            self._saved = self.clock.seconds
            self._save_proved()
        return self.clock(nodes)

    def _save_proved(self) -> None:
        if self._save and (proved := self.engine.search.proved()):
            self._save(proved)

    def _verdict(self, position: Position) -> Judged:
        """Judge one position by the chosen method."""
        if self.clock.expired:
            return UNDECIDED
        if self.method == "search":
            return Judged(self.engine.search.verdict(position, self._tick), Method.SEARCH)
        if self.method == "proof":
            proved = self.engine.prove(position, self.clock)
            return Judged(proved.verdict, proved.method) if proved else Judged(Verdict.UNKNOWN, Method.MIRROR)
        proof = self.engine.judge(position, self._tick)
        return Judged(proof.verdict, proof.method)

    def _openings(self) -> tuple[dict[Cell, Verdict], Method]:
        """Judge every first move, searching one for each set of images."""
        start = self.start
        cells = self.variant.legal_cells(start)
        if self.method != "search":
            proof = self.engine.prove(start, self.clock)
            if proof is not None and proof.complete:
                winning = set(proof.winning)
                return {cell: Verdict.of(cell in winning) for cell in cells}, proof.method
        alike = [image for image in symmetries(self.variant.grid) if keeps(image, start)]
        twins = {cell: min(image[cell] for image in alike) for cell in cells}
        chosen = [cell for cell in cells if twins[cell] == cell]
        found = dict(zip(chosen, self._verdicts([start.after(cell) for cell in chosen]), strict=True))
        searched = any(one.method is Method.SEARCH for one in found.values())
        verdicts = {cell: found[twins[cell]].verdict.opposite for cell in cells}
        return verdicts, Method.SEARCH if searched else Method.MIRROR

    def _verdicts(self, positions: list[Position]) -> list[Judged]:
        """Judge many positions, one after another or in parallel."""
        if len(positions) < 2 or (self.processes == 1 and self.cluster is None):
            return [self._verdict(position) for position in positions]
        memory = self.engine.memory if self.cluster else self.engine.memory // self.processes
        proved = self._checkpoint.entries if self._checkpoint else None
        share = Share(self.variant, self.method, self.clock.left, memory, proved)
        before, searched = self._nodes_elsewhere, dict.fromkeys(map(str, range(len(positions))), 0)

        def heard(key: str, report: tuple[int, list[list[int]]]) -> None:
            nodes, proved = report
            searched[key] = max(searched[key], nodes)
            self._nodes_elsewhere = before + sum(searched.values())
            if self._save and proved:
                self._save(proved)
            self.clock(self.engine.nodes + self._nodes_elsewhere)

        late = (self.clock.deadline or inf) + LATE  # workers end in time by their own clocks, if there are any
        ledger = Ledger(None, {})
        run_units(
            share.judge,
            dict(zip(searched, positions, strict=True)),
            ledger,
            processes=self.processes,
            cluster=self.cluster,
            finished=lambda key, result: heard(key, result[1]),
            stopped=lambda: self.clock.stopped or time.monotonic() > late,
            heard=heard,
        )
        judged = {key: Judged(Verdict(result[0][0]), Method(result[0][1])) for key, result in ledger.done.items()}
        return [judged.get(key, UNDECIDED) for key in searched]


@dataclass
class Share:
    """One worker's share of many positions, with a solver of its own that is made there."""

    variant: Variant
    method: str
    seconds: float | None
    memory: int
    proved: list[list[int]] | None  # what a checkpoint holds, if there is one
    _solver: Solver | None = None
    _before: int = 0  # positions searched for earlier questions
    _noted: list[list[int]] = field(default_factory=list)

    def judge(self, position: Position) -> tuple[Judged, tuple[int, list[list[int]]]]:
        """Judge a position; return the positions searched for it and what was proved, too."""
        if self._solver is None:
            self._solver = Solver(self.variant, self.method, Clock(self.seconds, self._report), self.memory)
            if self.proved is not None:
                self._solver._resume(self.proved, self._noted.extend)
        self._before = self._solver.engine.nodes
        judged = self._solver._verdict(position)
        self._solver._save_proved()
        if stopping():  # and was cancelled, which must not concern the next run in this process
            cancellation.begin()
        return judged, self._news(self._solver.engine.nodes)

    def _report(self, nodes: int, _seconds: float) -> None:
        tell(self._news(nodes))
        if stopping():
            cancellation.cancel()

    def _news(self, nodes: int) -> tuple[int, list[list[int]]]:
        proved = self._noted[:]
        self._noted.clear()
        return nodes - self._before, proved
