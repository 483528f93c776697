"""Judge positions one after another, for a whole run or for one worker's share of a run."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple

from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.engine.clock import MEBIBYTE, Clock, cancellation
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Method, Verdict
from gridlock.engine.shared_memory import Place
from gridlock.units.worker import stopping, tell

JOURNAL_WORK = 2_000  # positions searched for a result that is worth saving in a checkpoint
JOURNAL_SECONDS = 1.0  # seconds between two writes

Note = Callable[[list[list[int]]], None]  # takes what was proved, for a checkpoint
News = tuple[int, list[list[int]]]  # positions searched, and what was proved


class Judged(NamedTuple):
    """The result for one position."""

    verdict: Verdict
    method: Method


UNDECIDED = Judged(Verdict.UNKNOWN, Method.SEARCH)


class PositionJudge:
    """An engine that judges positions by one method, and saves what it proves."""

    def __init__(
        self,
        variant: Variant,
        method: str = "auto",
        clock: Clock | None = None,
        memory: int = 256 * MEBIBYTE,
        without: Sequence[str] = (),
    ) -> None:
        self.variant = variant
        self.method = method  # auto, proof (no search) or search (no matching, no mirror)
        self.without = without  # techniques of the search that are off
        self.engine = Engine(variant, memory, mirrors=method != "search", without=without)
        self.clock = clock or Clock()
        self._save: Note | None = None  # passes proved positions to the checkpoint, or to the process that owns it
        self._saved = 0.0
        self._limit = inf  # the limit on processor time

    def resume(self, proved: list[list[int]], save: Note) -> None:
        """Load the positions proved earlier, and save newly proved positions from now on."""
        self._save = save
        self.engine.search.remember(JOURNAL_WORK)
        for entry in proved:
            self.engine.search.learn(entry)

    def save_proved(self) -> None:
        """Save the positions proved since the last save."""
        if self._save and (proved := self.engine.search.proved()):
            self._save(proved)

    def judge(self, position: Position, seconds: float = inf) -> Judged:
        """Judge one position by the chosen method, within the given number of seconds of processor time."""
        self._limit = time.process_time() + seconds
        if self.clock.expired:
            return UNDECIDED
        if self.method == "search":
            return Judged(self.engine.search.verdict(position, self._tick), Method.SEARCH)
        if self.method == "proof":
            proved = self.engine.prove(position, self.clock)
            return Judged(proved.verdict, proved.method) if proved else Judged(Verdict.UNKNOWN, Method.MIRROR)
        proof = self.engine.judge(position, self._tick)
        return Judged(proof.verdict, proof.method)

    @property
    def out_of_time(self) -> bool:
        """Whether the processor time for the latest position is used up."""
        return time.process_time() >= self._limit

    def _tick(self, nodes: int) -> bool:
        if self._save and self.clock.seconds - self._saved > JOURNAL_SECONDS:
            self._saved = self.clock.seconds
            self.save_proved()
        return self.clock(nodes) or self.out_of_time


class Task(NamedTuple):
    """A position to judge, and the most processor time that judging it may take."""

    position: Position
    seconds: float = inf


@dataclass
class Share:
    """What a worker needs to judge its share of the positions; the judge itself is created in the worker."""

    variant: Variant
    method: str
    seconds: float | None
    memory: int
    proved: list[list[int]] | None  # the contents of the checkpoint; None if there is no checkpoint
    table: Place | None = None  # where to find a table that other workers use, too
    without: Sequence[str] = ()  # techniques that are off
    _judge: PositionJudge | None = None
    _before: int = 0  # positions searched for earlier questions
    _noted: list[list[int]] = field(default_factory=list)

    def judge(self, task: Task) -> tuple[Judged, News]:
        """Judge a position; also return the number of positions searched and what was proved."""
        own = self._judge = self._judge or self._made()
        self._before = own.engine.nodes
        judged = own.judge(*task)
        own.save_proved()
        if stopping():  # the cancellation must not affect the next run in this process
            cancellation.begin()
        return judged, self._news(own.engine.nodes)

    def _made(self) -> PositionJudge:
        made = PositionJudge(self.variant, self.method, Clock(self.seconds, self._report), self.memory, self.without)
        shared = self.table.open() if self.table else None
        if shared:
            made.engine.search.share(shared)
        if self.proved is not None:
            made.resume([] if shared else self.proved, self._noted.extend)  # a shared table has the results already
        return made

    def _report(self, nodes: int, _seconds: float) -> None:
        tell(self._news(nodes))
        if stopping():
            cancellation.cancel()

    def _news(self, nodes: int) -> News:
        proved = self._noted[:]
        self._noted.clear()
        return nodes - self._before, proved
