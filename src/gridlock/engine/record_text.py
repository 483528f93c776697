"""The text of a certificate's records while they are being written; records refer to one another by number."""

import re

from gridlock.engine.kernels.interface import Tick

REFERENCE = re.compile(r"~(\d+)~")
Reason = str  # the reason why a position is lost, in the form that records use


class Stopped(Exception):
    """An error raised if GridLock stops writing a certificate before it is complete, for example because time is up."""


def reference(number: int, suffix: str = "") -> Reason:
    """Return a reference to a record."""
    return f"~{number}~{suffix}"


class Records:
    """The records written so far."""

    def __init__(self, tick: Tick) -> None:
        self.tick = tick
        self.lines: list[str] = []

    def add(self, line: str) -> int:
        """Add a record and return its number; raise Stopped if the time is up (short searches do not check this)."""
        if self.tick(len(self.lines)):
            raise Stopped
        self.lines.append(line)
        return len(self.lines) - 1
