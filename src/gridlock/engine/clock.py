"""How long the engine may think, and how it tells of its progress."""

import time
from collections.abc import Callable

MEBIBYTE = 1 << 20


class Clock:
    """Counts the time of one question. Kernels call it every few thousand positions."""

    def __init__(self, seconds: float | None, progress: Callable[[int, float], None] | None = None) -> None:
        self.restart(seconds)
        self.stopped = False
        self._progress = progress
        self._slice: float | None = None
        self._told = 0.0

    def restart(self, seconds: float | None) -> None:
        """Begin anew with another question; once stopped it stays stopped."""
        self.started = time.monotonic()
        self.deadline = None if seconds is None else self.started + seconds

    @property
    def seconds(self) -> float:
        """How long it has taken so far."""
        return time.monotonic() - self.started

    @property
    def expired(self) -> bool:
        """Whether the time is up."""
        return self.stopped or (self.deadline is not None and time.monotonic() >= self.deadline)

    def stop(self) -> None:
        """End the time now."""
        self.stopped = True

    @property
    def over(self) -> bool:
        """Whether the time is up, all of it or that of the slice."""
        return self.expired or (self._slice is not None and time.monotonic() >= self._slice)

    def slice(self, seconds: float | None) -> None:
        """Let the work that follows take only so long (None: all the time that is left)."""
        self._slice = None if seconds is None else time.monotonic() + seconds

    def __call__(self, nodes: int) -> bool:
        """Whether to stop now."""
        now = time.monotonic()
        if self._progress and now - self._told > 0.2:
            self._told = now
            self._progress(nodes, now - self.started)
        return self.over
