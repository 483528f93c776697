"""Time limits, cancellation and progress reports for the engine."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

MEBIBYTE = 1 << 20
Progress = Callable[[int, float], None]  # takes the positions searched and the seconds spent so far


class Cancelled(Exception):
    """The question was cancelled, so its answer is no longer needed."""


class Cancellation:
    """The record of which questions have been cancelled in this process.

    Questions are numbered, and answered one at a time in the order of their numbers. Cancelling a question only records
    its number, so another thread or a signal handler can cancel a question at any moment. If `cancel` is called with a
    question's number, it never cancels the next question, even if the call comes late.
    """

    def __init__(self) -> None:
        self.question = 0  # the number of the question being answered now
        self._latest = -1  # the number of the latest cancelled question

    def begin(self, question: int | None = None) -> None:
        """Start work on a question, which gets the next number by default.

        Until the next question starts, every new clock belongs to this question and stops if the question is cancelled.
        """
        self.question = self.question + 1 if question is None else question

    def cancel(self, question: int | None = None) -> None:
        """Stop work on the current question, or on the question with the given number."""
        self._latest = self.question if question is None else question

    def includes(self, question: int) -> bool:
        """Return whether a question has been cancelled."""
        return self._latest >= question

    def check(self) -> None:
        """Raise Cancelled if the current question has been cancelled; long loops without a time limit call this."""
        if self.includes(self.question):
            raise Cancelled


cancellation = Cancellation()


class Clock:
    """The time limit for answering one question; kernels check it every few thousand positions."""

    def __init__(self, seconds: float | None = None, progress: Progress | None = None) -> None:
        self.restart(seconds)
        self._question = cancellation.question
        self._progress = progress
        self._slice: float | None = None  # when the current piece of work must end
        self._reported = 0.0

    def restart(self, seconds: float | None) -> None:
        """Restart the clock with a new time limit; a cancelled question stays cancelled."""
        self.started = time.monotonic()
        self.deadline = None if seconds is None else self.started + seconds

    @property
    def seconds(self) -> float:
        """The time since the clock was last started, in seconds."""
        return time.monotonic() - self.started

    @property
    def left(self) -> float | None:
        """The time left, in seconds, or None if there is no time limit."""
        return None if self.deadline is None else max(0.0, self.deadline - time.monotonic())

    @property
    def stopped(self) -> bool:
        """Whether the question was cancelled."""
        return cancellation.includes(self._question)

    @property
    def expired(self) -> bool:
        """Whether the time for the whole question is up."""
        return self.stopped or (self.deadline is not None and time.monotonic() >= self.deadline)

    @property
    def over(self) -> bool:
        """Whether the time is up, either for the whole question or for the current piece of work."""
        return self.expired or (self._slice is not None and time.monotonic() >= self._slice)

    @contextmanager
    def at_most(self, seconds: float | None) -> Iterator[None]:
        """Limit the work inside the `with` block to this many seconds (None means all the time left)."""
        outer = self._slice
        if seconds is not None:
            end = time.monotonic() + seconds
            self._slice = end if outer is None else min(end, outer)
        try:
            yield
        finally:
            self._slice = outer

    @contextmanager
    def at_most_share(self, share: float) -> Iterator[None]:
        """Limit the work inside the `with` block to a share of the time left, if the time is limited."""
        with self.at_most(None if self.left is None else self.left * share):
            yield

    def __call__(self, nodes: int) -> bool:
        """Report progress from time to time, and return whether to stop."""
        now = time.monotonic()
        if self._progress and now - self._reported > 0.2:
            self._reported = now
            self._progress(nodes, now - self.started)
        return self.over
