"""Solve a game from its starting position: find out who wins, and which first moves win."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
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
from gridlock.engine.certificate import certificate, prover_for
from gridlock.engine.checkpoint import Checkpoint
from gridlock.engine.clock import MEBIBYTE, Clock
from gridlock.engine.evidence import Method, Verdict
from gridlock.engine.judging import UNDECIDED, Judged, News, PositionJudge, Share, Task
from gridlock.engine.mirror import keeps, symmetries
from gridlock.engine.proof_tree import ProofTree
from gridlock.engine.record_text import Stopped
from gridlock.engine.shared_memory import Place, SharedMemory
from gridlock.units.ledger import Ledger
from gridlock.units.running import run_chosen, run_units

LATE = 5.0  # seconds after the limit at which workers that do not answer are given up
ALONE = 0.5  # seconds of processor time in which one process searches a position before others share the work
SHORTEST, LONGEST = 0.03, 10.0  # seconds of processor time for a leaf of the tree of first moves, ...
SHORTEST_ON_CLUSTER = 0.3  # ... more on a cluster, where handing out a leaf takes longer, ...
SHARE = 0.004  # ... and in between, this share of the time so far, ...
EACH = 0.01  # ... or this for each leaf being searched, because one process hands out all leaves


class Pairs(NamedTuple):
    """Counts of the ordered pairs of cells on which the two pawns can start."""

    first_wins: int  # pairs with which the first player wins
    decided: int  # pairs whose winner is known
    asked: int  # all pairs


@dataclass(frozen=True)
class Solution:
    """The solution of a game, as far as it is known."""

    verdict: Verdict  # for the player who moves first
    openings: tuple[Cell, ...] | None  # every winning first move, if requested and known
    found: tuple[Cell, ...]  # the winning first moves that are known, even if there may be more
    method: Method
    positions: int
    seconds: float
    decided: int  # questions answered: one per first move, or one about the start
    asked: int
    out_of_time: bool = False  # if not, the method cannot find the missing answers
    pairs: Pairs | None = None  # if requested

    @property
    def complete(self) -> bool:
        """Whether every question has been answered."""
        return self.decided == self.asked and (self.pairs is None or self.pairs.decided == self.pairs.asked)


class Solver(PositionJudge):
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
        without: Sequence[str] = (),
    ) -> None:
        super().__init__(variant, method, clock, memory, without)
        self.start = variant.start() if start is None else start
        self.processes = processes  # all share one table if possible; otherwise, each gets an equal share of the memory
        self.cluster = cluster  # the address of a cluster to use instead; each worker gets all of the memory
        self.first_moves: ProofTree | None = None  # while several processes search one position
        self.records: Sequence[str] = ()  # the records of a certificate while it is being written
        self._nodes_elsewhere = 0
        self._checkpoint: Checkpoint | None = None
        self._table: Place | None = None  # where workers find the table

    def keep(self, path: Path) -> None:
        """Resume from a checkpoint file, and keep it up to date."""
        task: dict[str, object] = {
            "game": self.variant.book.name,
            "definition": None if self.variant.book.name in BUILT_IN else definition_of(self.variant.book),
            "board": str(self.variant.grid),
            "adjacency": str(self.variant.grid.adjacency),
            "start": list(self.start),
            "method": self.method,
            "version": __version__,  # another version may search differently
        }
        if self.without:  # a run that confirms another run must not use its results
            task["without"] = sorted(self.without)
        self._checkpoint = Checkpoint(path, task)
        try:
            self.resume(self._checkpoint.entries, self._checkpoint.add)
        except ValueError:
            raise self._checkpoint.damaged("it contains results that no search has written") from None

    def close(self) -> None:
        """Close the checkpoint file."""
        if self._checkpoint:
            self._checkpoint.close()

    def solve(self, openings: bool = False, pairs: bool = False) -> Solution:
        """Solve the starting position.

        `openings` asks for the result of every first move, and `pairs` for those of all pairs of starting cells.
        """
        with self._table_shared():
            if openings:
                verdicts, method = self._openings()
                found = list(verdicts.values())
            else:
                verdict, method = self._together() if self._parallel else self.judge(self.start)
                verdicts, found = {}, [verdict]
            counted = self._pairs() if pairs else None
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

    def certificate(self) -> Iterator[str] | None:
        """Return the lines of a certificate that proves who wins from the start, or None if time runs out."""
        search = self.engine.search
        prover = prover_for(self.variant, self.engine.memory, lambda _nodes: self.clock(self.engine.nodes))
        self.records = prover.records.lines
        try:
            return certificate(self.variant, self.start, prover, search.moves)
        except Stopped:
            return None

    def _pairs(self) -> Pairs:
        """Find the winner for every pair of starting cells on an otherwise empty board.

        If several pairs are equivalent by symmetry, search only one of them.
        """
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

    def _openings(self) -> tuple[dict[Cell, Verdict], Method]:
        """Judge every first move, but search only one of each set of symmetric moves."""
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
        methods = {one.method for one in found.values()}
        verdicts = {cell: found[twins[cell]].verdict.opposite for cell in cells}
        return verdicts, next((one for one in (Method.SEARCH, Method.CENTRE) if one in methods), Method.MIRROR)

    # -- several processes --------------------------------------------------------------------------------------

    @property
    def _parallel(self) -> bool:
        return (self.processes > 1 or self.cluster is not None) and self.method != "proof"

    @contextmanager
    def _table_shared(self) -> Iterator[None]:
        """Provide a table that all processes on this machine share; at the end, save what was proved."""
        size = self.engine.search.table_size if self._parallel else 0
        with closing(SharedMemory(size)) as memory:
            self._table = memory.place
            if memory.place and (opened := memory.place.open()):
                self.engine.search.share(opened)
            try:
                yield
            finally:
                self.save_proved()

    def _share(self) -> Share:
        """Return a worker's share of the work."""
        memory = self.engine.memory if self.cluster else self.engine.memory // self.processes
        proved = self._checkpoint.entries if self._checkpoint else None
        return Share(self.variant, self.method, self.clock.left, memory, proved, self._table, self.without)

    def _listener(self) -> Callable[[str, News], None]:
        """Return a function that receives a worker's reports about its unit of work."""
        searched: dict[str, int] = {}

        def heard(key: str, news: News) -> None:
            nodes, proved = news
            more = max(0, nodes - searched.get(key, 0))  # a unit that is repeated counts once
            searched[key] = searched.get(key, 0) + more
            self._nodes_elsewhere += more
            if self._save and proved:
                self._save(proved)
            self._tick(self.engine.nodes + self._nodes_elsewhere)

        return heard

    def _stop(self) -> Callable[[], bool]:
        """Return a function that says whether to stop the workers.

        The workers must stop when asked to, or when they have run well past the time limit.
        """
        late = (self.clock.deadline or inf) + LATE
        return lambda: self.clock.stopped or time.monotonic() > late

    def _verdicts(self, positions: list[Position]) -> list[Judged]:
        """Judge many positions, one after another or in parallel."""
        if len(positions) < 2 or not self._parallel:
            return [self.judge(position) for position in positions]
        heard, ledger = self._listener(), Ledger(None, {})
        units = {str(number): Task(position) for number, position in enumerate(positions)}
        run_units(
            self._share().judge,
            units,
            ledger,
            processes=self.processes,
            cluster=self.cluster,
            finished=lambda key, result: heard(key, result[1]),
            stopped=self._stop(),
            heard=heard,
        )
        judged = {key: Judged(Verdict(result[0][0]), Method(result[0][1])) for key, result in ledger.done.items()}
        return [judged.get(key, UNDECIDED) for key in units]

    def _leaf_seconds(self, leaves: int) -> float:
        """Return how long to search a leaf before it is expanded, given how many leaves are being searched."""
        shortest = SHORTEST_ON_CLUSTER if self.cluster else SHORTEST
        return min(LONGEST, max(shortest, SHARE * self.clock.seconds, EACH * leaves))

    def _together(self) -> Judged:
        """Judge the starting position: grow a tree of first moves, and let workers search its leaves."""
        judged = self.judge(self.start, ALONE)
        if judged.verdict is not Verdict.UNKNOWN or not self.out_of_time:
            return judged
        tree = self.first_moves = ProofTree(self.engine.search, self.start)
        heard, stop = self._listener(), self._stop()

        def take() -> tuple[str, Task] | None:
            leaf = None if self.clock.expired else tree.take()
            return leaf and (leaf[0], Task(leaf[1], self._leaf_seconds(tree.taken)))

        def finished(key: str, result: tuple[Judged, News]) -> None:
            tree.settle(key, result[0].verdict)
            for position, verdict in tree.proved:
                self.engine.search.note(position, verdict is Verdict.WIN)
            tree.proved.clear()
            heard(key, result[1])

        run_chosen(
            self._share().judge,
            take,
            finished,
            processes=self.processes,
            cluster=self.cluster,
            stopped=lambda: tree.verdict is not Verdict.UNKNOWN or stop(),
            heard=heard,
        )
        self.first_moves = None
        return Judged(tree.verdict, Method.SEARCH)
