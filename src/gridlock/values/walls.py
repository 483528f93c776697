"""The walls of thermographs: lines through (temperature, value) points, from temperature 0 upwards.

Above its last point, a wall is vertical. A wall has only the slopes 0 and 1, or only the slopes 0 and -1. Temperatures
and values are measured in a unit far smaller than one move, so nearly all of these numbers are integers, which are
faster to compute with than fractions.
"""

from collections.abc import Iterable
from fractions import Fraction

from gridlock.values.dyadic import Number

Wall = tuple[tuple[Number, Number], ...]
"""One wall of a thermograph, as (temperature, value) points. Above the last point, the wall is vertical."""


def shifted(wall: Wall, number: Number, sign: int) -> Wall:
    """Return a wall with a number added to it, or a number's vertical wall; the result is negated if the sign is -1."""
    if sign > 0:
        return tuple([(t, x + number) for t, x in wall]) or ((0, number),)
    return tuple([(t, -x - number) for t, x in wall]) or ((0, -number),)


def at(wall: Wall, temperature: Number) -> Number:
    """Return the value of a wall at a temperature."""
    low, x = wall[0]
    for high, end in wall[1:]:
        if temperature < high:
            return x if end == x else x + temperature - low if end > x else x - temperature + low
        low, x = high, end
    return x


def highest(walls: Iterable[Wall]) -> Wall:
    """Return the upper envelope of several thermograph walls, none of which falls as the temperature rises."""
    first, *rest = set(walls)
    for other in rest:
        if first[0][1] >= other[-1][1]:  # one wall starts at least as high as the other ends
            continue
        first = other if other[0][1] >= first[-1][1] else _higher(first, other)
    return first


def _higher(one: Wall, other: Wall) -> Wall:
    """Return the upper envelope of two thermograph walls, neither of which falls as the temperature rises."""
    points: list[tuple[Number, Number]] = []
    i = j = 1
    t: Number = 0
    a, b = one[0][1], other[0][1]
    while True:
        points.append((t, a if a >= b else b))
        if i == len(one) and j == len(other):
            return simplified(points)
        first, second = i < len(one), j < len(other)
        here = one[i][0] if first and not (second and other[j][0] < one[i][0]) else other[j][0]
        next_a = a + here - t if first and one[i][1] != one[i - 1][1] else a
        next_b = b + here - t if second and other[j][1] != other[j - 1][1] else b
        if a < b and next_a > next_b:  # the lower wall rises to the other
            points.append((t + b - a, b))
        elif a > b and next_a < next_b:
            points.append((t + a - b, a))
        i += first and one[i][0] == here
        j += second and other[j][0] == here
        t, a, b = here, next_a, next_b


def meeting(ours: Wall, theirs: Wall) -> tuple[Wall, Wall]:
    """Compute a game's walls from both players' best options.

    Every move is taxed, and the walls end where they meet.

    `ours` is the upper envelope of the right walls of Left's options, and `theirs` is the upper envelope of the negated
    left walls of Right's options.
    """
    low: Number = 0
    gap = ours[0][1] + theirs[0][1]
    end = None
    for t in sorted({t for t, _ in ours + theirs}):
        rest = at(ours, t) + at(theirs, t) - 2 * t
        if rest <= 0:
            end = t if rest == 0 else _closed(low, gap, (gap - rest) // (t - low))
            break
        low, gap = t, rest
    if end is None:
        end = _closed(low, gap, 2)
    mean = at(ours, end) - end
    left = [(t, x - t) for t, x in ours if t < end]
    right = [(t, t - x) for t, x in theirs if t < end]
    return simplified([*left, (end, mean)]), simplified([*right, (end, mean)])


def _closed(low: Number, gap: Number, slope: Number) -> Number:
    """Return the temperature at which a gap closes if it shrinks at a rate of 1 or 2."""
    if slope == 1:
        return low + gap
    return low + (Fraction(gap, 2) if gap % 2 else gap // 2)


def simplified(points: list[tuple[Number, Number]]) -> Wall:
    """Leave out points that lie on the line between their neighbours."""
    kept = points[:1]
    slanted = None
    for t, x in points[1:]:
        before, slanted = slanted, x != kept[-1][1]
        if slanted is before:
            kept[-1] = (t, x)
        else:
            kept.append((t, x))
    return tuple(kept)
