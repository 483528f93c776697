"""The server's time: dates that do not jump, and ticks that pass only while moves can be stored.

With dates that do not jump, changing the machine's clock does not change how old games are.
"""

import logging
import threading
import time
from collections.abc import Callable

log = logging.getLogger("gridlock.web")
FASTEST, SLOWEST = 2.0, 0.5  # how fast our dates may pass to catch up with the machine's clock
GAP = 86400.0  # seconds that may have passed while no server ran
GRACE = 5.0  # seconds that may pass unrecorded; then ticks stop until something can be stored again
RETURN = 10.0  # seconds for pages to reconnect before ticks pass after a restart


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
            log.warning("the clock has jumped, or no server ran for days; dates catch up slowly", extra={"days": days})

    def now(self) -> float:
        """Return the date, in seconds since 1970."""
        with self._lock:
            seen = time.monotonic()
            passed = seen - self._seen
            self._now = min(max(time.time(), self._now + SLOWEST * passed), self._now + FASTEST * passed)
            self._seen = seen
            return self._now


class Ticks:
    """Milliseconds of play, counted over all runs of a server.

    The count is recorded regularly. No player is charged for time between a server's last record and the next start:
    neither for the downtime, nor for the time (at most GRACE) that was not yet recorded when the server was killed.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._base = 0  # milliseconds at the moment `_since`
        self._since = clock()
        self._recorded = 0  # the highest count known to be stored

    def begin(self, recorded: int, wait: bool = False) -> None:
        """Continue from what the last run has recorded; with `wait`, after players have had time to reconnect."""
        self._base = self._recorded = recorded
        self._since = self._clock() + (RETURN if wait else 0)

    def now(self) -> int:
        """Return the milliseconds of play so far."""
        passed = max(0, round((self._clock() - self._since) * 1000))
        return min(self._base + passed, self._recorded + round(GRACE * 1000))

    @property
    def wait(self) -> int:
        """Milliseconds until time passes again after a start."""
        return max(0, round((self._since - self._clock()) * 1000))

    def recorded(self, at: int) -> None:
        """Note that this time is stored, by us or by another process: time has reached it, and continues."""
        now, wait = max(self.now(), at), self.wait  # both before anything changes: time may have been stopped
        self._base, self._since = now, self._clock() + wait / 1000
        self._recorded = max(self._recorded, at)

    def stand(self) -> None:
        """Stop time permanently, at the end of a run."""
        end = self._clock()
        self._clock = lambda: end
