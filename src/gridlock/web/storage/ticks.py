"""Time for players' clocks, which passes only while a server is running and can store moves."""

import time
from collections.abc import Callable

GRACE = 5.0  # seconds that may pass unrecorded; then time stops until something can be stored again
RETURN = 10.0  # seconds for pages to reconnect before time passes after a restart


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
        self._stopped = False

    def begin(self, recorded: int, wait: bool = False) -> None:
        """Continue from what the last run has recorded; with `wait`, after players have had time to reconnect."""
        self._base = self._recorded = recorded
        self._since = self._clock() + (RETURN if wait else 0)

    def now(self) -> int:
        """Return the milliseconds of play so far."""
        passed = 0 if self._stopped else max(0, round((self._clock() - self._since) * 1000))
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
        self._base, self._stopped = self.now(), True
