"""The guard, a process between GridLock and a program; at the end, it kills the program's remaining processes.

When the program ends, when GridLock tells the guard to exit, or when the guard's parent process exits for any reason,
the guard kills all of the program's processes that are still running, and then exits. The guard adopts the processes
that the program leaves behind (on Linux, as a subreaper), so that none of them escapes by forking or by starting a new
session. When run as a script, the guard needs only the standard library, so it starts quickly:

    python -I -S guard.py CONTROL MEMORY PROCESSOR COMMAND...
"""

import os
import select
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

NOT_STARTED = 126  # the exit code if the program could not be started, as in shells
ROUNDS, PAUSE = 500, 0.002  # how often to look for processes, and the seconds in between
_PDEATHSIG, _SUBREAPER = 1, 36  # prctl's numbers


def watch(control: int, start: Callable[[], object]) -> NoReturn:
    """Run a program in a child process, and exit with the program's exit code.

    The child process calls `start`, which starts the program. If signal N ends the program, the exit code is
    128 + N. The program is killed when the file descriptor `control` receives any input or reaches end of file.
    """
    woken, wake = os.pipe()
    for end in (woken, wake):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake)
    _prctl(_SUBREAPER, 1)
    _prctl(_PDEATHSIG, signal.SIGCONT)  # if the program has stopped the guard, it continues when its parent is gone
    guard = os.getpid()
    child = os.fork()
    if child == 0:
        try:
            signal.set_wakeup_fd(-1)
            for end in (control, woken, wake):
                os.close(end)
            _become_program(guard)
            start()
        finally:
            os._exit(NOT_STARTED)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)  # so that only the program has its pipes open
    code = None
    while code is None:
        ready, _, _ = select.select([control, woken], [], [])
        code = 0 if control in ready else _reap(child, woken)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)  # the only way on systems without /proc
    kill_descendants(guard)
    _reap_all()
    os._exit(code)


def kill_descendants(root: int) -> None:
    """Kill all descendants of a process, including any that appear in the meantime."""
    spared: set[int] = set()
    calm = 0  # looks in a row that found nothing; one look is not enough, because processes change while it lasts
    for _ in range(ROUNDS):  # not a number of seconds, because on a busy machine this process may hardly run
        found = set(descendants(root)) - spared
        calm = 0 if found else calm + 1
        if calm == 2:
            return
        for pid in found:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            except PermissionError:
                spared.add(pid)
        time.sleep(PAUSE)  # the children of the dead become children of the guard


def descendants(root: int) -> list[int]:
    """Return the living descendants of a process, as listed in /proc."""
    children: dict[int, list[int]] = {}
    dead = set()  # their children may not have another parent yet
    with suppress(FileNotFoundError):
        for entry in os.scandir("/proc"):
            if entry.name.isdigit():
                with suppress(OSError), open(f"/proc/{entry.name}/stat", "rb") as file:
                    state, parent, *_ = file.read().rpartition(b")")[2].split()
                    children.setdefault(int(parent), []).append(int(entry.name))
                    if state in (b"Z", b"X"):
                        dead.add(int(entry.name))
    found, seen = [root], 0
    while seen < len(found):
        found += children.get(found[seen], [])
        seen += 1
    return [pid for pid in found[1:] if pid not in dead]


def limit(memory: int, processor: int) -> None:
    """Limit the memory of this process, in bytes, and its processor time, in seconds."""
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))  # a worker's own limit is not for programs
    for what, soft, hard in (
        (resource.RLIMIT_DATA, memory, memory),  # not the address space, of which many languages reserve much more
        (resource.RLIMIT_CPU, processor, processor + 1),  # a signal gives the reason, and a second later it is killed
        (resource.RLIMIT_CORE, 0, 0),
    ):
        _, most = resource.getrlimit(what)
        most = hard if most == resource.RLIM_INFINITY else min(hard, most)
        resource.setrlimit(what, (min(soft, most), most))


def execute(words: list[str], memory: int, processor: int) -> None:
    """Replace this process with a program that has limits on its memory and processor time."""
    limit(memory, processor)
    try:
        os.execvp(words[0], words)
    except (OSError, ValueError) as error:
        os.write(2, f"{getattr(error, 'strerror', None) or error}\n".encode())
        os._exit(NOT_STARTED)


def _become_program(guard: int) -> None:
    """Prepare a child process to become the program: start a new session, and restore the default signal handling."""
    _prctl(_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != guard:
        os._exit(NOT_STARTED)  # the guard is already dead
    os.setsid()  # a new session has no terminal
    with suppress(OSError), open("/proc/self/autogroup", "w") as file:
        file.write(str(os.nice(0)))  # in a session of its own, niceness counts only if it is set here, too
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")  # if memory runs out, the program is killed first
    for number in (signal.SIGCHLD, signal.SIGPIPE, signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


def _reap(child: int, woken: int) -> int | None:
    """Reap all dead children, and return the exit code of `child` if it is one of them."""
    with suppress(BlockingIOError):
        os.read(woken, 4096)
    code = None
    with suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            if found[0] == child:
                status = os.waitstatus_to_exitcode(found[1])
                code = status if status >= 0 else 128 - status
    return code


def _reap_all() -> None:
    """Reap all dead children, because no other process may do so: in a container, GridLock can be process 1."""
    with suppress(ChildProcessError):
        for _ in range(ROUNDS):
            if not os.waitpid(-1, os.WNOHANG)[0]:
                time.sleep(PAUSE)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    _control, _memory, _processor = map(int, sys.argv[1:4])
    watch(_control, lambda: execute(sys.argv[4:], _memory, _processor))
