"""Ratings on a common axis, each drawn as a dot with a bar for its 95% interval."""

import math
from collections.abc import Sequence

from gridlock.arena.ratings import Rating

_CAP = 4  # half the height of the strokes at the ends of a bar
_DOT = 3.5
_MOST_TICKS = 4


class Axis:
    """An axis that includes zero and has room for all intervals."""

    def __init__(self, ratings: Sequence[Rating], width: int) -> None:
        self.width = width
        low = min(0.0, *(rating.elo - rating.margin for rating in ratings))
        high = max(0.0, *(rating.elo + rating.margin for rating in ratings))
        step = _step((high - low) / _MOST_TICKS)
        self._low, self._high = low, max(high, low + 1)
        self.ticks = range(math.ceil(low / step) * step, math.floor(high / step) * step + 1, step)

    def place(self, elo: float) -> float:
        """Return a rating's distance in pixels from the start of the axis."""
        return (elo - self._low) / (self._high - self._low) * self.width

    def mark(self, rating: Rating) -> str:
        """Draw a rating's dot and interval at y = 0; the caller's style sheet sets the colours."""
        low, middle, high = (self.place(rating.elo + sign * rating.margin) for sign in (-1, 0, 1))
        bar = f"M{low:.1f} 0H{high:.1f}M{low:.1f}-{_CAP}v{2 * _CAP}M{high:.1f}-{_CAP}v{2 * _CAP}"
        return f'<path class="bar" d="{bar}"/><circle class="dot" cx="{middle:.1f}" r="{_DOT}"/>'


def _step(least: float) -> int:
    """Return the smallest of the numbers 10, 20, 50, 100, ... that is at least `least`."""
    power = 10
    while True:
        for factor in (1, 2, 5):
            if factor * power >= least:
                return factor * power
        power *= 10
