"""Who is at a game: each seat is here, away or gone, and after a while the one who stayed may claim the win."""

import time
from collections.abc import Callable

from gridlock.game import Player
from gridlock.web.answers import Status

LEFT = 60.0  # seconds without a connection after which somebody counts as having left


class Presence:
    """The pages that hold a game's seats, whether anybody looks at them, and since when a seat has none."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._pages: dict[object, tuple[tuple[Player, ...], bool]] = {}  # page -> its seats, and whether it is away
        self._gone = [clock(), clock()]  # since when, where nobody is: at the earliest, since anybody came

    def status(self, player: Player) -> Status:
        """Whether somebody is there for a player: one page that is looked at is enough."""
        aways = [away for seats, away in self._pages.values() if player in seats]
        return "gone" if not aways else "away" if all(aways) else "here"

    @property
    def seats(self) -> tuple[Status, Status]:
        """The same for both."""
        return self.status(1), self.status(2)

    def is_at(self, page: object, seats: tuple[Player, ...], away: bool = False) -> bool:
        """A page is there, or is looked at, or no longer; whether that changes anything."""
        before = self.seats
        self._pages[page] = (seats, away)
        return self.seats != before

    def leaves(self, page: object) -> bool:
        """A page is gone; whether that changes anything."""
        before = self.seats
        seats, _ = self._pages.pop(page, ((), False))
        for player in seats:
            if self.status(player) == "gone":
                self._gone[player - 1] = self._clock()
        return self.seats != before

    def left_in(self, player: Player) -> float | None:
        """Seconds until a player counts as having left, 0 if that is so; None while somebody is there."""
        if self.status(player) != "gone":
            return None
        return max(0.0, self._gone[player - 1] + LEFT - self._clock())
