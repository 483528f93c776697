"""Judge many positions of one game in parallel, in processes that each have their own engine and tables."""

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
    """The result for one position."""

    verdict: Verdict
    method: Method


JudgeOne = Callable[[Position], Judged]
Report = Callable[[int], None]  # takes the number of positions a process has searched so far
Note = Callable[[list[list[int]]], None]  # takes what a process has proved, for a checkpoint
_judge: JudgeOne  # set in each worker process


def judge_all(
    make_judge: Callable[[Report, Note], JudgeOne],
    positions: list[Position],
    processes: int,
    count: Callable[[int], None],
    stopped: Callable[[], bool],
    save: Note,
) -> list[Judged | None]:
    """Judge every position in up to `processes` processes until stopped, reporting how many positions were searched.

    Each process writes its own count to its own slot, so the sum is correct at any moment. Proved positions are saved
    while the processes run, and no process is terminated while one of its messages is being read.
    """
    fresh = multiprocessing.get_context("spawn")  # behaves identically on every platform
    processes = min(processes, len(positions))
    searched = fresh.Array("Q", processes, lock=False)
    slots = fresh.Value("i", 0)
    notes: SimpleQueue[list[list[int]]] = fresh.SimpleQueue()
    with _interrupts_held():
        started = fresh.Pool(processes, _begin, (make_judge, searched, slots, notes))
    with started as pool:
        judged: dict[int, Judged] = {}
        answers = pool.imap_unordered(_ask, enumerate(positions))
        while len(judged) < len(positions) and not stopped():
            try:
                number, found = answers.next(timeout=0.2)
                judged[number] = found
            except multiprocessing.TimeoutError:
                pass
            while not notes.empty():
                save(notes.get())
            count(sum(searched))
        count(sum(searched))
    return [judged.get(number) for number in range(len(positions))]


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back while processes start; they inherit that, so it cannot hit one before it is ready."""
    if not hasattr(signal, "pthread_sigmask"):  # on such platforms, Ctrl-C may be lost
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
    slots: "Synchronized[int]",
    notes: "SimpleQueue[list[list[int]]]",
) -> None:
    global _judge
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C, and stops us
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with slots.get_lock():
        slot = slots.value
        slots.value += 1

    def report(nodes: int) -> None:
        searched[slot % len(searched)] = nodes  # the pool may replace a dead process

    _judge = make_judge(report, notes.put)


def _end_with_parent() -> None:
    """Exit when the parent process has ended, even in the middle of a search."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _ask(question: tuple[int, Position]) -> tuple[int, Judged]:
    number, position = question
    return number, _judge(position)
