"""Dates that do not jump, so that changing the machine's clock does not change how old games are."""

import logging
import threading
import time

log = logging.getLogger("gridlock.web")
FASTEST, SLOWEST = 2.0, 0.5  # how fast our time may pass to catch up with the machine's clock
GAP = 86400.0  # seconds that may have passed while no server ran


class Dates:
    """The current date, as far as the machine's clock can be trusted.

    It follows the machine's clock, but runs at most twice and at least half as fast as real time. A clock that is a
    year ahead for an hour therefore ages nothing by more than two hours.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._now = time.time()
        self._seen = time.monotonic()

    def begin(self, last: float) -> None:
        """Continue from the last date that was recorded before this program was started."""
        wall = time.time()
        with self._lock:
            self._now = min(max(wall, last), last + GAP)
            self._seen = time.monotonic()
        if abs(wall - self._now) > GAP:
            days = round((wall - last) / 86400)
            log.warning(
                "the clock has jumped, or no server has run for long; it is believed slowly", extra={"days": days}
            )

    def now(self) -> float:
        """Return the date, in seconds since 1970."""
        with self._lock:
            seen = time.monotonic()
            passed = seen - self._seen
            self._now = min(max(time.time(), self._now + SLOWEST * passed), self._now + FASTEST * passed)
            self._seen = seen
            return self._now
