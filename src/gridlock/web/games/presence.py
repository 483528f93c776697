"""Which players are at a game: each seat is here, away or gone, and in time the player who stayed may claim the win.

Other server processes on the same database report the players connected to them; each report holds for a while.
"""

import time
from collections.abc import Callable

from gridlock.core.game import Player
from gridlock.web.wire.answers import Status

Seats = tuple[Status, Status]
_ORDER: tuple[Status, ...] = ("here", "away", "gone")
LEFT = 60.0  # seconds without a connection after which a player counts as having left


class Presence:
    """The pages that hold a game's seats, whether they are visible, and since when a seat has had none."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._pages: dict[object, tuple[tuple[Player, ...], bool]] = {}  # page -> its seats, and whether it is away
        self._reports: dict[str, tuple[Seats, float]] = {}  # other process -> its seats, and until when that holds
        self._gone = [clock(), clock()]  # when each seat became empty; at the earliest, when the game was opened

    def _here(self, player: Player) -> Status:
        aways = [away for seats, away in self._pages.values() if player in seats]
        return "gone" if not aways else "away" if all(aways) else "here"

    @property
    def here(self) -> Seats:
        """Each seat's status at this process: one visible page is enough for "here"."""
        return self._here(1), self._here(2)

    @property
    def seats(self) -> Seats:
        """Each seat's status across all processes."""
        known = [self.here, *(seats for seats, _ in self._reports.values())]
        first, second = (min((seats[at] for seats in known), key=_ORDER.index) for at in (0, 1))
        return first, second

    def enter(self, page: object, seats: tuple[Player, ...], away: bool = False) -> bool:
        """Note that a page is open, and whether it is visible; return whether any status changed."""
        return self._update(self._pages | {page: (seats, away)}, self._reports)

    def leave(self, page: object) -> bool:
        """Note that a page has closed; return whether any status changed."""
        return self._update({one: held for one, held in self._pages.items() if one != page}, self._reports)

    def report(self, process: str, seats: Seats, seconds: float) -> bool:
        """Note another process's seats, valid for some seconds; return whether any status changed."""
        reports = {name: known for name, known in self._reports.items() if name != process}
        if set(seats) != {"gone"}:
            reports[process] = (seats, self._clock() + seconds)
        return self._update(self._pages, reports)

    def expire(self) -> bool:
        """Forget reports that no longer hold; return whether any status changed."""
        now = self._clock()
        return self._update(self._pages, {name: known for name, known in self._reports.items() if known[1] > now})

    def _update(
        self, pages: dict[object, tuple[tuple[Player, ...], bool]], reports: dict[str, tuple[Seats, float]]
    ) -> bool:
        here, before = self.here, self.seats
        self._pages, self._reports = pages, reports
        for at, (was, now) in enumerate(zip(before, self.seats, strict=True)):
            if was != now == "gone":
                self._gone[at] = self._clock()
        return (here, before) != (self.here, self.seats)

    def left_in(self, player: Player) -> float | None:
        """Return the seconds until a player counts as having left, 0 if they do; None while they are connected."""
        if self.seats[player - 1] != "gone":
            return None
        return max(0.0, self._gone[player - 1] + LEFT - self._clock())
