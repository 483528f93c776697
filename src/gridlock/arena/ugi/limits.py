"""The limits of a search, as set by the `go` command."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gridlock.core.errors import GridLockError
from gridlock.core.game import Player
from gridlock.drawing.text import visible

USUAL = 2.0  # seconds if no limit is given
MARGIN = 0.03  # seconds for everything but the search, which a runner's clock also measures
FEWEST_MOVES = 6  # the number of moves for which the remaining time must always suffice
NUMBERS = ("movetime", "p1time", "p2time", "p1inc", "p2inc", "depth", "nodes")
INFINITE = "infinite"
_NUMBER = re.compile(r"-?[0-9]{1,15}")


@dataclass(frozen=True)
class Limits:
    """The limits at which a search must end even if it has found no answer."""

    seconds: float | None = None
    depth: int | None = None
    positions: int | None = None
    infinite: bool = False  # the search must not answer before it is stopped

    @property
    def time(self) -> float | None:
        """The time limit in seconds (`USUAL` if the command sets no time limit), or None if the search is infinite."""
        return USUAL if self.seconds is None and not self.infinite else self.seconds

    @property
    def counted(self) -> bool:
        """Whether there is a limit on the search depth or on the number of positions."""
        return self.depth is not None or self.positions is not None


def read_limits(words: Sequence[str], player: Player, empty: int) -> Limits:
    """Read the limits that follow `go`; `player` is the player to move, and `empty` is the number of empty cells."""
    given: dict[str, int] = {}
    rest = iter(words)
    for word in rest:
        if word != INFINITE:
            given[word] = _number(word, next(rest, ""))
    if INFINITE in words:
        return Limits(infinite=True)
    times = []
    if (left := given.get(f"p{player}time")) is not None:
        times.append(share(left / 1000, given.get(f"p{player}inc", 0) / 1000, empty))
    if (movetime := given.get("movetime")) is not None:
        times.append(_less_margin(movetime / 1000))
    return Limits(min(times, default=None), given.get("depth"), given.get("nodes"))


def share(left: float, increment: float, empty: int) -> float:
    """Return how many seconds to spend on a move, assuming that the player will fill a quarter of the empty cells."""
    left = _less_margin(left)
    return min(left, left / max(FEWEST_MOVES, empty // 4) + 3 / 4 * max(0.0, increment))


def _less_margin(seconds: float) -> float:
    return max(0.0, seconds - MARGIN, seconds / 2)


def _number(word: str, text: str) -> int:
    if word not in NUMBERS:
        raise GridLockError(
            f"'{visible(word, 40)}' is not a limit. The limits are {', '.join(NUMBERS)} and {INFINITE}."
        )
    if not _NUMBER.fullmatch(text):
        raise GridLockError(f"{word} must be followed by a whole number, not '{visible(text, 40)}'.")
    return int(text) if word.endswith(("time", "inc")) else max(1, int(text))
