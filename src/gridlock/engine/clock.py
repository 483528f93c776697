"""How long the engine may think, how a question is cancelled, and how the engine reports its progress."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

MEBIBYTE = 1 << 20
Progress = Callable[[int, float], None]  # told the positions searched and the seconds spent so far


class Cancelled(Exception):
    """The question was cancelled: nobody waits for its answer."""


class Cancellation:
    """Which question of this process is cancelled. Every clock looks here.

    Questions are answered one at a time and numbered in that order. Cancelling one does no more than note its number,
    so another thread or a signal handler may do it at any moment, and a late one cannot hit the next question.
    """

    def __init__(self) -> None:
        self.question = 0  # the one that is being answered
        self._latest = -1  # the latest one that was cancelled

    def begin(self, question: int | None = None) -> None:
        """Begin the next question, or the one with this number: clocks made from now on belong to it."""
        self.question = self.question + 1 if question is None else question

    def cancel(self, question: int | None = None) -> None:
        """Stop the clocks of the question that is being answered, or of the one with this number."""
        self._latest = self.question if question is None else question

    def includes(self, question: int) -> bool:
        """Return whether a question is cancelled."""
        return self._latest >= question

    def check(self) -> None:
        """Give up the question that is being answered if it is cancelled: for long loops that no clock bounds."""
        if self.includes(self.question):
            raise Cancelled


cancellation = Cancellation()


class Clock:
    """The time for one question: verdicts, distances and words. Kernels ask it every few thousand positions."""

    def __init__(self, seconds: float | None = None, progress: Progress | None = None) -> None:
        self.restart(seconds)
        self._question = cancellation.question
        self._progress = progress
        self._slice: float | None = None  # when the work at hand has to end
        self._told = 0.0

    def restart(self, seconds: float | None) -> None:
        """Begin anew with another position; once stopped it stays stopped."""
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
    def stopped(self) -> bool:
        """Whether its question was cancelled."""
        return cancellation.includes(self._question)

    @property
    def expired(self) -> bool:
        """Whether the time is up."""
        return self.stopped or (self.deadline is not None and time.monotonic() >= self.deadline)

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
