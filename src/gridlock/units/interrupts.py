"""Ctrl-C while processes start."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back while a process starts; it inherits that, so Ctrl-C cannot hit it before it is ready."""
    if not hasattr(signal, "pthread_sigmask"):  # on such platforms, Ctrl-C may be lost
        ours = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, ours)
        return
    resource_tracker.ensure_running()  # which would unblock the signal if the first process had to start it
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
