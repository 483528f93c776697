"""The server's two clocks: one for dates, and one for playing time (ticks).

The date never jumps: if the machine's clock is changed while the server is running, the ages of games do not suddenly
change. The players' clocks run only while the server is working.
"""

import logging
import threading
import time
from collections.abc import Callable

log = logging.getLogger("gridlock.web")
FASTEST, SLOWEST = 2.0, 0.5  # limits on how fast our dates may run to catch up with the machine's clock
GAP = 86400.0  # seconds that may pass without a running server; a longer gap may mean that the clock is wrong
PULSE = 0.04  # seconds between two heartbeats while any clock runs
LAPSE = 0.08  # seconds after a heartbeat during which the clocks keep running
RETURN = 10.0  # seconds that pages have to reconnect after a restart before ticks pass


class Dates:
    """The current date, as far as the machine's clock can be trusted.

    The date follows the machine's clock, but advances at least half as fast as real time, and at most twice as fast.
    Even if the machine's clock is a year ahead for an hour, a game ages by at most two hours in that time.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._now = time.time()
        self._seen = time.monotonic()

    def begin(self, last: float) -> None:
        """Continue from the last date recorded before this program started."""
        wall = time.time()
        with self._lock:
            # If the machine's clock is more than a day ahead of the last recorded date, continue from the recorded
            # date. Advancing the date by a day whenever the clock is too far ahead would add a day at every restart
            # with a wrong clock.
            self._now = wall if last <= wall <= last + GAP else last
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


class Awake:
    """The number of seconds that this process has been active, counting at most `lapse` seconds after each heartbeat.

    A frozen process records no heartbeats, so at most `lapse` seconds of a freeze count as active time.
    """

    def __init__(self, lapse: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.lapse = lapse
        self._clock = clock
        self._base = 0.0
        self._beat_at = clock()

    def now(self) -> float:
        """Return how many seconds this process has been active so far."""
        return self._base + min(self._clock() - self._beat_at, self.lapse)

    def beat(self) -> None:
        """Record that the process is active."""
        self._base, self._beat_at = self.now(), self._clock()

    @property
    def overdue(self) -> bool:
        """Whether the last heartbeat was at least `lapse` seconds ago, so that no more active time is counted."""
        return self._clock() - self._beat_at >= self.lapse

    def stand(self) -> None:
        """Stop the clock permanently when a run ends."""
        end = self._clock()
        self._clock = lambda: end


class Ticks:
    """The playing time that drives the players' clocks: a count of milliseconds that continues after a restart.

    Playing time advances only while the server process is working and the database is responding. The playing time is
    recorded in the database at regular intervals. After a restart, the players' clocks continue from the last recorded
    playing time, so no player is charged for the time since then.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.awake = Awake(LAPSE, clock)
        self._base = 0.0  # milliseconds of play when `awake` was at `_since`
        self._since = 0.0
        self._recorded = 0  # the highest count known to be stored
        self._failed = False  # whether the last attempt to record the time has failed

    def begin(self, recorded: int, wait: bool = False) -> None:
        """Continue from the time that the previous run recorded; with `wait`, first give players time to reconnect."""
        self._base = self._recorded = recorded
        self.awake.beat()
        self._since = self.awake.now() + (RETURN if wait else 0)

    def now(self) -> int:
        """Return the playing time so far, in milliseconds."""
        return int(self._base if self._failed else self._base + 1000 * max(0.0, self.awake.now() - self._since))

    @property
    def wait(self) -> int:
        """Milliseconds until the clocks resume after a restart."""
        return max(0, round((self._since - self.awake.now()) * 1000))

    def beat(self, others: int = 0) -> int:
        """Keep the clocks running, because the database has just responded.

        `others` is the latest time that any process has recorded. If the recorded time is later than this
        process's time, continue from the recorded time. Return how many milliseconds the clock jumped ahead.
        """
        self.awake.beat()
        ahead = max(0, others - self.now())
        if ahead:
            self._base, self._since = others, self.awake.now()  # no wait, because players can use other processes
        return ahead

    def recorded(self, at: int) -> None:
        """Record that the time `at` has been stored, and restart the clock if `fail` has stopped it."""
        self._recorded = max(self._recorded, at)
        if self._failed:
            self._failed, self._since = False, self.awake.now()

    def fail(self) -> None:
        """Stop the clock at the last stored time, because the current time could not be stored."""
        if not self.wait:
            self._base, self._since, self._failed = min(self.now(), self._recorded), self.awake.now(), True

    def stand(self) -> None:
        """Stop the clocks permanently, at the end of a run."""
        self.awake.stand()
