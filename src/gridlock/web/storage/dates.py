"""Dates that do not jump: how old a game is must not depend on a clock that somebody has just set to another year."""

import logging
import threading
import time

log = logging.getLogger("gridlock.web")
FASTEST, SLOWEST = 2.0, 0.5  # how fast time is believed to pass while the machine's clock is elsewhere
GAP = 86400.0  # seconds that may have passed unseen while no server ran


class Dates:
    """What the time is, as far as it can be believed.

    It follows the machine's clock, but never faster than twice, nor slower than half, the time that really passes. A
    clock that is a year ahead for an hour therefore makes nothing older than two hours.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._now = time.time()
        self._seen = time.monotonic()

    def begin(self, last: float) -> None:
        """Go on from the last date that is known from before this program was started."""
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
        """The date, in seconds since 1970."""
        with self._lock:
            seen = time.monotonic()
            passed = seen - self._seen
            self._now = min(max(time.time(), self._now + SLOWEST * passed), self._now + FASTEST * passed)
            self._seen = seen
            return self._now
