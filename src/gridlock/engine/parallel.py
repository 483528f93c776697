"""Many positions of one game judged side by side, by processes that each have an engine and a memory of their own."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from gridlock.core.position import Position
from gridlock.engine.evidence import Method, Verdict

if TYPE_CHECKING:
    from ctypes import Array, c_ulonglong
    from multiprocessing.queues import SimpleQueue
    from multiprocessing.sharedctypes import Synchronized

    Counts = Array[c_ulonglong]


class Judged(NamedTuple):
    """What was found out about one position."""

    verdict: Verdict
    method: Method


JudgeOne = Callable[[Position], Judged]
Report = Callable[[int], None]  # told how many positions a process has searched so far
Note = Callable[[list[list[int]]], None]  # told what a process has proved, for a checkpoint
_judge: JudgeOne  # in each process, its own


def judge_all(
    make_judge: Callable[[Report, Note], JudgeOne],
    positions: list[Position],
    processes: int,
    tell: Callable[[int], None],
    stopped: Callable[[], bool],
    keep: Note,
) -> list[Judged | None]:
    """Judge every position, with as many processes as asked for, until stopped; tell how many positions were searched.

    Each process writes what it has searched so far into a place of its own, so that the sum is true at any moment.
    What they note is kept while they are at work; none is ended in the middle of a note that is being read.
    """
    fresh = multiprocessing.get_context("spawn")  # works the same everywhere
    processes = min(processes, len(positions))
    searched = fresh.Array("Q", processes, lock=False)
    places = fresh.Value("i", 0)
    notes: SimpleQueue[list[list[int]]] = fresh.SimpleQueue()
    with _undisturbed():
        begun = fresh.Pool(processes, _begin, (make_judge, searched, places, notes))
    with begun as pool:
        judged: dict[int, Judged] = {}
        answers = pool.imap_unordered(_ask, enumerate(positions))
        while len(judged) < len(positions) and not stopped():
            try:
                number, found = answers.next(timeout=0.2)
                judged[number] = found
            except multiprocessing.TimeoutError:
                pass
            while not notes.empty():
                keep(notes.get())
            tell(sum(searched))
        tell(sum(searched))
    return [judged.get(number) for number in range(len(positions))]


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let Ctrl-C wait while processes begin, which inherit that: none is found unprepared, and it is not lost."""
    if not hasattr(signal, "pthread_sigmask"):  # there it may be lost
        ours = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, ours)
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(
    make_judge: Callable[[Report, Note], JudgeOne],
    searched: "Counts",
    places: "Synchronized[int]",
    notes: "SimpleQueue[list[list[int]]]",
) -> None:
    global _judge
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who started us, and ends us, too
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with places.get_lock():
        place = places.value
        places.value += 1

    def report(nodes: int) -> None:
        searched[place % len(searched)] = nodes  # a process that takes the place of a dead one has its place, too

    _judge = make_judge(report, notes.put)


def _end_with_parent() -> None:
    """Nobody is left to be told: end, even in the middle of a search."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _ask(question: tuple[int, Position]) -> tuple[int, Judged]:
    number, position = question
    return number, _judge(position)
