"""Time controls as people write them, and the time that each player has left."""

import re
from time import monotonic

from gridlock.core.errors import GridLockError
from gridlock.core.game import Player, Termination
from gridlock.core.match import Match

USUAL = ("1+0", "3+2", "5+3", "10+5", "30+0")  # minutes for each player, and seconds added after each move
LONGEST = 180, 180  # the most minutes per player, and the most seconds added per move
PAUSE = 1.0  # the most seconds charged at once; a longer gap means that the program or the computer was suspended
SHARE = 20  # a program plans for this many more moves
LEAST = 0.05  # seconds a program thinks even when its time is nearly up


class BadClock(GridLockError):
    """An error that reports an invalid time control."""


def read_clock(text: str) -> tuple[int, int]:
    """Read a time control such as `5+3`; return the seconds per player and the seconds added after each move."""
    found = re.fullmatch(r"\s*([0-9]{1,3})\s*(?:\+\s*([0-9]{1,3})\s*)?", text)
    if found is None:
        raise BadClock(f"'{text[:40]}' is not a time control. Give minutes and added seconds, such as 5+3.")
    minutes, added = int(found[1]), int(found[2] or 0)
    if not 1 <= minutes <= LONGEST[0] or added > LONGEST[1]:
        raise BadClock(f"A clock starts with 1 to {LONGEST[0]} minutes and adds at most {LONGEST[1]} seconds per move.")
    return 60 * minutes, added


def time_text(seconds: float) -> str:
    """Return the time left, such as `4:59`; below ten seconds, include tenths of a second."""
    if seconds < 10:
        return f"0:0{int(seconds * 10) / 10:.1f}"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}" if minutes >= 60 else f"{minutes}:{rest:02}"


class Clocks:
    """The players' clocks in a match; they do not run before a round's first move or after the round ends."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self._charged: float | None = None  # when time was last deducted; None if the clocks are stopped

    def stop(self) -> None:
        """Pause the clocks until the next call to `run`."""
        self._charged = None

    def run(self) -> bool:
        """Charge the player to move for the time since the last call; return whether this player's time has run out."""
        now, before, match = monotonic(), self._charged, self.match
        self._charged = now
        game = match.games[-1]
        if not match.clock or match.times is None or before is None or not game.moves or game.outcome:
            return False
        self._add(game.turn, -min(now - before, PAUSE))
        if match.times[game.turn - 1] > 0:
            return False
        game.resign(game.turn, Termination.TIME)
        return True

    def moved(self, player: Player) -> None:
        """Add the increment that a player gains by making a move."""
        if self.match.clock and len(self.match.games[-1].moves) > 1:
            self._add(player, self.match.clock[1])

    def limit(self, player: Player, seconds: float) -> float:
        """Return how long a program may think: the given number of seconds, or less if its clock is running low."""
        if self.match.times is None or self.match.clock is None:
            return seconds
        return min(seconds, max(LEAST, self.match.times[player - 1] / SHARE + self.match.clock[1] / 2))

    def _add(self, player: Player, seconds: float) -> None:
        first, second = self.match.times or (0.0, 0.0)
        changed = max(0.0, (first, second)[player - 1] + seconds)
        self.match.times = (changed, second) if player == 1 else (first, changed)
