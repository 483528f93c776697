"""Long calculations: a progress line, and Ctrl-C."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self


class Progress:
    """Progress line on standard error, shown only on a terminal."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.shown = sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"  # a dumb one cannot clear a line
        self._drawn = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.done()

    def __call__(self, nodes: int, seconds: float) -> None:
        """Show the number of positions and the time so far."""
        if seconds > 0.5:
            self.tell(f"{nodes:,} positions, {seconds:.0f} s")

    def tell(self, words: str) -> None:
        """Show other words about the progress."""
        if self.shown:
            self._drawn = True
            print(f"\r\x1b[K{self.what}: {words}", end="", file=sys.stderr, flush=True)

    def done(self) -> None:
        """Clear the line."""
        if self._drawn:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            self._drawn = False


@contextmanager
def ctrl_c_cancels() -> Iterator[None]:
    """Let the first Ctrl-C stop the clocks, so that partial results can be shown, and the next one end the command."""
    from gridlock.engine.clock import cancellation  # loaded only by commands that use the engine

    def cancel(*_signal: object) -> None:
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
