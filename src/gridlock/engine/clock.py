"""How long the engine may think, and how it tells of its progress."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

MEBIBYTE = 1 << 20
Progress = Callable[[int, float], None]  # told the positions searched and the seconds spent so far


class Clock:
    """The time for one question: verdicts, distances and words. Kernels ask it every few thousand positions."""

    def __init__(self, seconds: float | None = None, progress: Progress | None = None) -> None:
        self.restart(seconds)
        self.stopped = False
        self._progress = progress
        self._slice: float | None = None  # when the work at hand has to end
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
    def left(self) -> float | None:
        """The seconds that are left, or None if there is no limit."""
        return None if self.deadline is None else max(0.0, self.deadline - time.monotonic())

    @property
    def expired(self) -> bool:
        """Whether the time is up."""
        return self.stopped or (self.deadline is not None and time.monotonic() >= self.deadline)

    def stop(self) -> None:
        """End the time now."""
        self.stopped = True

    @property
    def over(self) -> bool:
        """Whether the time is up, all of it or that of the work at hand."""
        return self.expired or (self._slice is not None and time.monotonic() >= self._slice)

    @contextmanager
    def at_most(self, seconds: float | None) -> Iterator[None]:
        """Let the work inside take only so long (None: all the time that is left)."""
        outer = self._slice
        if seconds is not None:
            end = time.monotonic() + seconds
            self._slice = end if outer is None else min(end, outer)
        try:
            yield
        finally:
            self._slice = outer

    def __call__(self, nodes: int) -> bool:
        """Whether to stop now."""
        now = time.monotonic()
        if self._progress and now - self._told > 0.2:
            self._told = now
            self._progress(nodes, now - self.started)
        return self.over
