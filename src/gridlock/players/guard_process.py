"""The guard's process: a new process if it guards a command, or a fork if it guards a Python function."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from gridlock.players import guard


@dataclass(frozen=True)
class Limits:
    """The memory and processor-time limits for each of a program's processes."""

    memory: int = 2 << 30  # bytes
    processor: int = 3600  # seconds


class GuardProcess(Protocol):
    """The guard's process, started with `subprocess` or with `os.fork`."""

    pid: int

    def wait(self, timeout: float | None = None) -> int: ...


def start_guard(ends: Sequence[int], command: Sequence[str], limits: Limits) -> GuardProcess:
    """Start the guard, which runs a command."""
    control = ends[3]
    words = [sys.executable, "-I", "-S", guard.__file__, *map(str, (control, limits.memory, limits.processor))]
    return subprocess.Popen(
        [*words, *command],
        stdin=ends[0],
        stdout=ends[1],
        stderr=ends[2],
        pass_fds=(control,),
        start_new_session=True,  # so that the terminal's signals do not reach it
    )


def fork_guard(ends: Sequence[int], function: Callable[[], object], limits: Limits) -> GuardProcess:
    """Start the guard as a fork of this process; the guard calls the function in a child process of its own."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # other threads are a risk, but only for the fork, which then fails
        pid = os.fork()
    if pid:
        return _Fork(pid)
    try:
        os.setsid()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        for stream, end in enumerate(ends):
            os.dup2(end, stream)
        os.closerange(len(ends), os.sysconf("SC_OPEN_MAX"))
        guard.watch(len(ends) - 1, lambda: _call(function, limits))
    finally:
        os._exit(guard.NOT_STARTED)


def _call(function: Callable[[], object], limits: Limits) -> None:
    """Call a function with limits on memory and processor time; memory that is already in use does not count."""
    used = 0
    with suppress(OSError), open("/proc/self/statm") as file:
        used = int(file.read().split()[5]) * os.sysconf("SC_PAGE_SIZE")
    guard.limit(used + limits.memory, limits.processor)
    function()


class _Fork:
    """A forked process."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._code: int | None = None

    def poll(self) -> int | None:
        if self._code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self._code = os.waitstatus_to_exitcode(status) if pid else None
        return self._code

    def wait(self, timeout: float | None = None) -> int:
        end = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            if end is not None and time.monotonic() >= end:
                raise subprocess.TimeoutExpired("fork", timeout or 0.0)
            time.sleep(0.005)
        return code
