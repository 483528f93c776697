"""Run units in processes of this machine."""

import multiprocessing
import os
import pickle
import signal
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from typing import Any, NoReturn

from gridlock.core.errors import UnitFailed
from gridlock.units.worker import MOST_DEATHS, perform

TURN = 0.2  # seconds between two looks at whether the run is to stop
GRACE = 2.0  # seconds that workers have to end when they are told to
RESULT, MESSAGE, ERROR = range(3)

Answer = tuple[str, int, Any]  # the unit's key, one of the kinds above, and its content


class _Process:
    """A worker process, and the unit it is busy with."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        fresh = multiprocessing.get_context("spawn")  # behaves identically on every platform
        self.pipe, theirs = fresh.Pipe()
        self.key: str | None = None
        self.process = fresh.Process(target=_serve, args=(theirs, work), daemon=False)
        with _interrupts_held():
            self.process.start()
        theirs.close()  # so that the pipe ends with the process

    def ask(self, key: str, unit: Any) -> None:
        self.key = key
        with suppress(OSError):  # if it has died, which answers() finds out
            self.pipe.send((key, unit))

    def answer(self) -> Answer | None:
        """Return the next answer, which may be awaited; None if the process is dead."""
        try:
            answer: Answer = self.pipe.recv()
        except (EOFError, OSError, pickle.UnpicklingError):  # or killed in the middle of it
            return None
        return answer


def run_locally(
    work: Callable[[Any], Any], units: Mapping[str, Any], processes: int, stopped: Callable[[], bool]
) -> Iterator[tuple[str, bool, Any]]:
    """Yield (key, True, result) and (key, False, message) as they come, until all units are done or the run stops.

    A process that dies is replaced, and its unit is repeated. Close the iterator to end the processes.
    """
    waiting = deque(units)
    deaths: Counter[str] = Counter()
    pool: list[_Process] = []
    try:
        left = len(waiting)
        while left and not stopped():
            if waiting and len(pool) < processes:
                pool.append(_Process(work))
            for one in pool:
                if one.key is None and waiting:
                    key = waiting.popleft()
                    one.ask(key, units[key])
            full = len(pool) >= processes or not waiting
            for pipe in wait([one.pipe for one in pool], TURN if full else 0):
                one = next(one for one in pool if one.pipe is pipe)
                answer = one.answer()
                if answer is None:
                    pool.remove(one)
                    _end([one])
                    if one.key is not None:
                        _count_death(deaths, one.key)
                        waiting.appendleft(one.key)
                    continue
                key, kind, content = answer
                if kind == ERROR:
                    raise content
                if kind == RESULT:
                    one.key = None
                    left -= 1
                yield key, kind == RESULT, content
    finally:
        _end(pool)


def _count_death(deaths: Counter[str], key: str) -> None:
    deaths[key] += 1
    if deaths[key] == MOST_DEATHS:
        raise UnitFailed(f"Unit {key} ended its process {MOST_DEATHS} times, so the run stops here.")


def _end(pool: list[_Process]) -> None:
    """End processes: those that wait see their pipe close, those at work get SIGTERM, and SIGKILL if they persist."""
    for one in pool:
        one.pipe.close()
        if one.key is not None:
            one.process.terminate()
    deadline = time.monotonic() + GRACE
    for one in pool:
        one.process.join(max(0.0, deadline - time.monotonic()))
        if one.process.is_alive():
            one.process.kill()
            one.process.join()
        one.process.close()


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back while a process starts; it inherits that, so Ctrl-C cannot hit it before it is ready."""
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


# -- in the worker ---------------------------------------------------------------------------------------------------


def _serve(pipe: Connection, work: Callable[[Any], Any]) -> None:
    """Answer one unit after another until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C, and stops us
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):  # the parent has closed it
        while True:
            key, unit = pipe.recv()
            try:
                answer = key, RESULT, perform(work, unit, lambda message, key=key: pipe.send((key, MESSAGE, message)))
            except Exception as error:
                answer = key, ERROR, _portable(error)
            pipe.send(answer)


def _leave(_signal: int, _frame: object) -> NoReturn:
    """End the process, but let what it has open be closed."""
    raise SystemExit(1)


def _end_with_parent() -> None:
    """Exit when the parent process has ended, even in the middle of a unit."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _portable(error: Exception) -> Exception:
    """Return the exception, or its text if it cannot cross the pipe."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError("\n".join([repr(error), *error.__notes__]))
    return error
