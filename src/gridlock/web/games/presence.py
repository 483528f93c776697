"""Who is at a game: each seat is here, away or gone, and after a while the one who stayed may claim the win.

Other server processes on the same database say who is at it there; what one of them says holds for a while.
"""

import time
from collections.abc import Callable

from gridlock.core.game import Player
from gridlock.web.wire.answers import Status

Seats = tuple[Status, Status]
_ORDER: tuple[Status, ...] = ("here", "away", "gone")
LEFT = 60.0  # seconds without a connection after which somebody counts as having left


class Presence:
    """The pages that hold a game's seats, whether anybody looks at them, and since when a seat has none."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._pages: dict[object, tuple[tuple[Player, ...], bool]] = {}  # page -> its seats, and whether it is away
        self._elsewhere: dict[str, tuple[Seats, float]] = {}  # process -> who is there, and until when that holds
        self._gone = [clock(), clock()]  # since when, where nobody is: at the earliest, since anybody came

    def _here(self, player: Player) -> Status:
        aways = [away for seats, away in self._pages.values() if player in seats]
        return "gone" if not aways else "away" if all(aways) else "here"

    @property
    def here(self) -> Seats:
        """Whether somebody is at this process for each player: one page that is looked at is enough."""
        return self._here(1), self._here(2)

    @property
    def seats(self) -> Seats:
        """The same for all processes."""
        told = [self.here, *(seats for seats, _ in self._elsewhere.values())]
        first, second = (min((seats[at] for seats in told), key=_ORDER.index) for at in (0, 1))
        return first, second

    def is_at(self, page: object, seats: tuple[Player, ...], away: bool = False) -> bool:
        """A page is there, or is looked at, or no longer; whether that changes anything."""
        return self._changes(lambda: self._pages.update({page: (seats, away)}))

    def leaves(self, page: object) -> bool:
        """A page is gone; whether that changes anything."""
        return self._changes(lambda: self._pages.pop(page, None))

    def told(self, process: str, seats: Seats, seconds: float) -> bool:
        """Another process says who is there, which holds for so long; whether that changes anything."""
        told = {process: (seats, self._clock() + seconds)} if set(seats) != {"gone"} else {}
        others = {name: known for name, known in self._elsewhere.items() if name != process}
        return self._changes(lambda: setattr(self, "_elsewhere", others | told))

    def fade(self) -> bool:
        """Forget what no longer holds; whether that changes anything."""
        now = self._clock()
        holds = {process: told for process, told in self._elsewhere.items() if told[1] > now}
        return self._changes(lambda: setattr(self, "_elsewhere", holds))

    def _changes(self, what: Callable[[], object]) -> bool:
        here, before = self.here, self.seats
        what()
        for at, (was, now) in enumerate(zip(before, self.seats, strict=True)):
            if was != now == "gone":
                self._gone[at] = self._clock()
        return (here, before) != (self.here, self.seats)

    def left_in(self, player: Player) -> float | None:
        """Seconds until a player counts as having left, 0 if that is so; None while somebody is there."""
        if self.seats[player - 1] != "gone":
            return None
        return max(0.0, self._gone[player - 1] + LEFT - self._clock())
