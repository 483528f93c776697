"""Signals that end the full screen: the terminal is restored first, and the exit code shows the signal."""

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from types import FrameType

from textual.app import App

ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGINT") if hasattr(signal, name)]
PATIENCE = 10.0  # seconds for closing, which can hang if the terminal has gone


@contextmanager
def orderly_exit(app: App[int]) -> Iterator[None]:
    """Let signals close the screen as a key would; signals that are ignored, as under nohup, stay ignored.

    Before and after, the terminal is in its normal state, so a signal ends the program at once.
    Only Ctrl-C is ignored afterwards, since it is often pressed twice.
    """
    loop = asyncio.get_running_loop()

    def close(number: int, _frame: FrameType | None) -> None:
        code = 128 + number
        loop.call_soon_threadsafe(app.exit, code)
        deadline = Timer(PATIENCE, os._exit, [code])
        deadline.daemon = True
        deadline.start()

    handled = [number for number in ENDING if signal.getsignal(number) is not signal.SIG_IGN]
    for number in handled:
        signal.signal(number, close)
    try:
        yield
    finally:
        for number in handled:
            signal.signal(number, signal.SIG_IGN if number == signal.SIGINT else signal.SIG_DFL)
