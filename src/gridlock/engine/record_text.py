"""The text of a certificate's records while the certificate is being made and references are record numbers."""

import re

from gridlock.engine.kernels.interface import Tick

REFERENCE = re.compile(r"~(\d+)~")
Reason = str  # why a position is lost, as a record says it


class Stopped(Exception):
    """The time is up."""


def reference(number: int, suffix: str = "") -> Reason:
    """Return a reference to a record."""
    return f"~{number}~{suffix}"


class Records:
    """The records written so far."""

    def __init__(self, tick: Tick) -> None:
        self.tick = tick
        self.lines: list[str] = []

    def add(self, line: str) -> int:
        """Add a record, and return its number; raise Stopped if the time is up, which short searches do not notice."""
        if self.tick(len(self.lines)):
            raise Stopped
        self.lines.append(line)
        return len(self.lines) - 1
