"""The time that counts for players' clocks: it passes only while a server runs that can store what happens."""

import time
from collections.abc import Callable

GRACE = 5.0  # seconds that may pass unrecorded; then time stands still, until something can be stored again
RETURN = 10.0  # seconds that it stands still after a start in the middle of games, for pages to come back


class Ticks:
    """Milliseconds of play, counted over all runs of a server.

    They are written down again and again. Whatever passes between the last record of a server and the next one's start
    is charged to nobody: neither the time it was down, nor what it had not recorded when it was killed, GRACE at most.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._base = 0  # milliseconds at the moment `_since`
        self._since = clock()
        self._recorded = 0  # the latest that is known to be stored
        self._standing = False

    def begin(self, recorded: int, wait: bool = False) -> None:
        """Go on from what the last run has recorded, at once or when players have had time to come back."""
        self._base = self._recorded = recorded
        self._since = self._clock() + (RETURN if wait else 0)

    def now(self) -> int:
        """How much time has counted so far."""
        passed = 0 if self._standing else max(0, round((self._clock() - self._since) * 1000))
        return min(self._base + passed, self._recorded + round(GRACE * 1000))

    @property
    def wait(self) -> int:
        """Milliseconds until time passes again after a start."""
        return max(0, round((self._since - self._clock()) * 1000))

    def recorded(self, at: int) -> None:
        """Something of that time is stored, here or by another process: it is no earlier than that, and goes on."""
        now, wait = max(self.now(), at), self.wait  # taken together: from here, time passes again where it stood still
        self._base, self._since = now, self._clock() + wait / 1000
        self._recorded = max(self._recorded, at)

    def stand(self) -> None:
        """Stop for good, at the end of a run."""
        self._base, self._standing = self.now(), True
