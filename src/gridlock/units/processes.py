"""Run units of work in processes on this machine."""

import multiprocessing
import os
import pickle
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection, wait
from typing import Any, NoReturn

from gridlock.core.errors import UnitFailed
from gridlock.units.interrupts import interrupts_held
from gridlock.units.worker import MOST_DEATHS, Events, Take, perform

TURN = 0.2  # seconds between checks for a request to stop the run
GRACE = 2.0  # seconds that workers have to end after SIGTERM
RESULT, MESSAGE, ERROR = range(3)

Answer = tuple[str, int, Any]  # the unit's key, one of the kinds above, and its content


class _Process:
    """A worker process, and the unit of work that it is performing."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        fresh = multiprocessing.get_context("spawn")  # behaves identically on every platform
        self.pipe, theirs = fresh.Pipe()
        self.key: str | None = None
        self.unit: Any = None
        self.process = fresh.Process(target=_serve, args=(theirs, work), daemon=False)  # so that it may start processes
        with interrupts_held():
            self.process.start()
        theirs.close()  # so that the pipe closes when the process ends

    def ask(self, key: str, unit: Any) -> None:
        self.key, self.unit = key, unit
        with suppress(OSError):  # the process may have died, as answer() will discover
            self.pipe.send((key, unit))

    def answer(self) -> Answer | None:
        """Return the answer that the process has sent, or None if the process has died."""
        try:
            answer: Answer | None = self.pipe.recv() if self.pipe.poll() else None
        except (EOFError, OSError, pickle.UnpicklingError):  # killed, perhaps while sending an answer
            return None
        return answer


def run_locally(work: Callable[[Any], Any], take: Take, processes: int, stopped: Callable[[], bool]) -> Events:
    """Yield results and messages as they arrive, until no units are left or the run stops.

    A process that dies is replaced, and its unit of work is rerun. Close the iterator to end the processes.
    """
    again: list[tuple[str, Any]] = []  # the units of processes that died
    deaths: Counter[str] = Counter()
    pool: list[_Process] = []
    try:
        while not stopped():
            growing = False
            while not growing and sum(one.key is not None for one in pool) < processes:
                taken = again.pop() if again else take()
                if taken is None:
                    break
                free = next((one for one in pool if one.key is None), None)
                if free is None:
                    growing = True
                    pool.append(free := _Process(work))
                free.ask(*taken)
            if all(one.key is None for one in pool):
                return
            for one in _ready(pool, 0 if growing else TURN):
                answer = one.answer()
                if answer is None:
                    pool.remove(one)
                    _end([one])
                    if one.key is not None:
                        _count_death(deaths, one.key)
                        again.append((one.key, one.unit))
                    continue
                key, kind, content = answer
                if kind == ERROR:
                    raise content
                if kind == RESULT:
                    one.key = None
                yield key, kind == RESULT, content
    finally:
        _end(pool)


def _ready(pool: list[_Process], seconds: float) -> list[_Process]:
    """Return the processes that have answered or died.

    A process's pipe does not always show that the process has died, because its children may still hold the pipe open.
    """
    ready = set(wait([one.pipe for one in pool], seconds))
    return [one for one in pool if one.pipe in ready or not one.process.is_alive()]


def _count_death(deaths: Counter[str], key: str) -> None:
    deaths[key] += 1
    if deaths[key] == MOST_DEATHS:
        raise UnitFailed(f"Unit of work {key} crashed its process {MOST_DEATHS} times, so the run stops here.")


def _end(pool: list[_Process]) -> None:
    """End processes: close the pipes of idle processes, and send busy processes SIGTERM, then SIGKILL if necessary."""
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


# -- in the worker ---------------------------------------------------------------------------------------------------


def _serve(pipe: Connection, work: Callable[[Any], Any]) -> None:
    """Run one unit of work after another, and send back each result, until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C, and stops us
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):  # the parent has closed the pipe
        while True:
            key, unit = pipe.recv()
            try:
                answer = key, RESULT, perform(work, unit, partial(_send_message, pipe, key))
            except Exception as error:
                answer = key, ERROR, _portable(error)
            pipe.send(answer)


def _send_message(pipe: Connection, key: str, message: Any) -> None:
    pipe.send((key, MESSAGE, message))


def _leave(_signal: int, _frame: object) -> NoReturn:
    """End the process, but let it close its files and connections first."""
    raise SystemExit(1)


def _end_with_parent() -> None:
    """Exit once the parent process has ended, even in the middle of a unit of work."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _portable(error: Exception) -> Exception:
    """Return the exception or, if it cannot be sent through the pipe, an exception that contains only its text."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError("\n".join([repr(error), *error.__notes__]))
    return error
