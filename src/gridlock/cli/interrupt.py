"""Ctrl-C during a long calculation."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from gridlock.engine.clock import Clock


@contextmanager
def ctrl_c_stops(clock: Clock) -> Iterator[None]:
    """The first Ctrl-C stops the clock, so that what is known can be told; the next one ends the command."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        clock.stop()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:  # in the background it may be ignored
        yield
        return
    signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
