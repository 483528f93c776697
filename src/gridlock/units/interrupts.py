"""Handle Ctrl-C while processes are starting."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold back Ctrl-C while a process is starting.

    The new process inherits a signal mask that blocks SIGINT, so Ctrl-C cannot end the process before it is ready.
    """
    if not hasattr(signal, "pthread_sigmask"):  # such platforms cannot block signals, so Ctrl-C may be lost
        ours = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, ours)
        return
    resource_tracker.ensure_running()  # starting the tracker later, with the first process, would unblock the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
