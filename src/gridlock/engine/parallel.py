"""Many positions of one game judged side by side, by processes that each have an engine and a memory of their own."""

import multiprocessing
import signal
from collections.abc import Callable
from typing import NamedTuple

from gridlock.engine.evidence import Method, Verdict
from gridlock.position import Position


class Judged(NamedTuple):
    """What was found out about one position, and by how much searching."""

    verdict: Verdict
    method: Method
    nodes: int


Judge = Callable[[Position], Judged]
_judge: Judge  # in each process, its own


def judge_all(
    make_judge: Callable[[], Judge],
    positions: list[Position],
    processes: int,
    tell: Callable[[Judged], None],
    stopped: Callable[[], bool],
) -> list[Judged | None]:
    """Judge every position, with as many processes as asked for, until stopped; tell of each as it is done."""
    fresh = multiprocessing.get_context("spawn")  # works the same everywhere
    ours = signal.signal(signal.SIGINT, signal.SIG_IGN)  # inherited, so that Ctrl-C finds none of them unprepared
    try:
        begun = fresh.Pool(min(processes, len(positions)), _begin, (make_judge,))
    finally:
        signal.signal(signal.SIGINT, ours)
    with begun as pool:
        judged: dict[int, Judged] = {}
        answers = pool.imap_unordered(_ask, enumerate(positions))
        while len(judged) < len(positions) and not stopped():
            try:
                number, found = answers.next(timeout=0.2)
            except multiprocessing.TimeoutError:
                continue
            judged[number] = found
            tell(found)
    return [judged.get(number) for number in range(len(positions))]


def _begin(make_judge: Callable[[], Judge]) -> None:
    global _judge
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who started us, and ends us, too
    _judge = make_judge()


def _ask(question: tuple[int, Position]) -> tuple[int, Judged]:
    number, position = question
    return number, _judge(position)
