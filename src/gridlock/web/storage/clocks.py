"""The server's time: dates that do not jump, and ticks that pass only while the server works.

With dates that do not jump, changing the machine's clock does not change how old games are.
"""

import logging
import threading
import time
from collections.abc import Callable

log = logging.getLogger("gridlock.web")
FASTEST, SLOWEST = 2.0, 0.5  # how fast our dates may pass to catch up with the machine's clock
GAP = 86400.0  # seconds that may have passed while no server ran; a longer gap may be the clock's fault
PULSE = 0.04  # seconds between two beats while any clock runs
LAPSE = 0.08  # seconds after a beat in which time passes
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
            # Of a longer gap, not even a part counts: with a wrong clock, each of many restarts would add a day.
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
    """Seconds during which this process worked: they count from one beat to the next, but no longer than a lapse.

    There are no beats while the process is frozen, so however long that takes, only one lapse counts.
    """

    def __init__(self, lapse: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.lapse = lapse
        self._clock = clock
        self._base = 0.0
        self._beat_at = clock()

    def now(self) -> float:
        """Return the seconds so far."""
        return self._base + min(self._clock() - self._beat_at, self.lapse)

    def beat(self) -> None:
        """Note that the process works."""
        self._base, self._beat_at = self.now(), self._clock()

    @property
    def overdue(self) -> bool:
        """Whether the last beat was so long ago that no time passes."""
        return self._clock() - self._beat_at >= self.lapse

    def stand(self) -> None:
        """Stop time permanently, at the end of a run."""
        end = self._clock()
        self._clock = lambda: end


class Ticks:
    """Milliseconds of play, counted over all runs of a server.

    Time passes only while the process works and the database answers: each answer is a beat. The count is recorded
    regularly. No player is charged for time between a server's last record and the next start.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.awake = Awake(LAPSE, clock)
        self._base = 0.0  # milliseconds of play when `awake` was at `_since`
        self._since = 0.0
        self._recorded = 0  # the highest count known to be stored
        self._failed = False  # whether the last attempt to record the time has failed

    def begin(self, recorded: int, wait: bool = False) -> None:
        """Continue from what the last run has recorded; with `wait`, after players have had time to reconnect."""
        self._base = self._recorded = recorded
        self.awake.beat()
        self._since = self.awake.now() + (RETURN if wait else 0)

    def now(self) -> int:
        """Return the milliseconds of play so far."""
        return int(self._base if self._failed else self._base + 1000 * max(0.0, self.awake.now() - self._since))

    @property
    def wait(self) -> int:
        """Milliseconds until time passes again after a start."""
        return max(0, round((self._since - self.awake.now()) * 1000))

    def beat(self, others: int = 0) -> int:
        """Let time pass on, since the database has just answered.

        `others` is the latest time that any process has recorded. If it is later than ours, we continue from there.
        Returns by how many milliseconds.
        """
        self.awake.beat()
        ahead = max(0, others - self.now())
        if ahead:
            self._base, self._since = others, self.awake.now()  # others run, so players can reconnect to them: no wait
        return ahead

    def recorded(self, at: int) -> None:
        """Note that this time is stored, by us or by another process."""
        self._recorded = max(self._recorded, at)
        if self._failed:
            self._failed, self._since = False, self.awake.now()

    def fail(self) -> None:
        """Go back to the time that is stored, and stand still there, because the time could not be recorded."""
        if not self.wait:
            self._base, self._since, self._failed = min(self.now(), self._recorded), self.awake.now(), True

    def stand(self) -> None:
        """Stop time permanently, at the end of a run."""
        self.awake.stand()
