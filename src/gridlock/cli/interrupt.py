"""Ctrl-C during a long calculation."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from gridlock.engine.clock import cancellation


@contextmanager
def ctrl_c_cancels() -> Iterator[None]:
    """Let the first Ctrl-C stop the clocks, so that partial results can be shown, and the next one end the command."""

    def cancel(_number: int, _frame: FrameType | None) -> None:
        cancellation.cancel()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:  # in the background it may be ignored
        yield
        return
    signal.signal(signal.SIGINT, cancel)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        cancellation.begin()  # new clocks run again
