"""Thermographs of the shapes in a store of values, in whole numbers: fast enough for forms with thousands of options.

A wall is a line through points (temperature, value) from temperature 0 up; above its last point it is vertical.
"""

from fractions import Fraction
from typing import NamedTuple, Protocol

BITS, UNIT = 26, 1 << 20  # of a shape in a value, and one move: as in shape_store.pxd
MASK = (1 << BITS) - 1
FINER = 20  # bits that points have more than numbers, because lines may meet between two numbers
MOVE = UNIT << FINER
MOST = 1 << 18  # thermographs that a store keeps

Wall = tuple[tuple[int, int], ...]


class Store(Protocol):
    """What is needed of a store."""

    walls: dict[int, tuple[Wall, Wall]]  # those computed so far, by shape

    def options(self, shape: int) -> tuple[list[int], list[int]]:
        """Return the left and the right options of a shape, as values."""

    def pause(self) -> None:
        """Raise GaveUp if the time is up."""


class GaveUp(Exception):
    """The time is up, a store is full, or a number is too fine for it."""


class Heat(NamedTuple):
    """The mean and the temperature of a value; a number m/2^k has temperature -1/2^k."""

    mean: Fraction
    temperature: Fraction


def heat(store: Store, value: int) -> Heat:
    """Return the mean and the temperature of a value."""
    number, shape = value >> BITS, value & MASK
    if not shape:
        mean = Fraction(number, UNIT)
        return Heat(mean, Fraction(-1, mean.denominator))
    temperature, mean_there = walls_of(store, shape)[0][-1]
    return Heat(Fraction(number, UNIT) + Fraction(mean_there, MOVE), Fraction(temperature, MOVE))


def stops_at(store: Store, value: int, temperature: Fraction) -> tuple[Fraction, Fraction]:
    """Return the left and the right stop of a value cooled by a temperature of at least 0."""
    number, shape = value >> BITS, value & MASK
    if not shape:
        return Fraction(number, UNIT), Fraction(number, UNIT)
    place = temperature * MOVE
    left, right = walls_of(store, shape)
    return tuple(Fraction(number, UNIT) + Fraction(_at(wall, place)) / MOVE for wall in (left, right))  # type: ignore[return-value]


def walls_of(store: Store, shape: int) -> tuple[Wall, Wall]:
    """Return the left and the right wall of a shape; both end where they meet."""
    known, waiting = store.walls, [shape]
    while waiting:
        current = waiting[-1]
        if current in known:
            waiting.pop()
            continue
        store.pause()
        left, right = store.options(current)
        missing = {value & MASK for value in left + right if value & MASK} - known.keys()
        if missing:
            waiting += missing
            continue
        # Right walls of Left's options, and negated left walls of Right's: neither ever goes down.
        ours = [_shifted(known[value & MASK][1] if value & MASK else (), value >> BITS, 1) for value in left]
        theirs = [_shifted(known[value & MASK][0] if value & MASK else (), value >> BITS, -1) for value in right]
        if len(known) >= MOST:
            raise GaveUp("There are too many thermographs.")
        known[current] = _meeting(_highest(ours), _highest(theirs))
        waiting.pop()
    return known[shape]


def _shifted(wall: Wall, number: int, sign: int) -> Wall:
    """Return the wall of an option, or the vertical one of a number; negated if the sign is -1."""
    shift = number << FINER
    return tuple([(t, sign * (x + shift)) for t, x in wall]) or ((0, sign * shift),)


def _at(wall: Wall, temperature: int | Fraction) -> int | Fraction:
    """Return the value of a wall at a temperature."""
    low, x = wall[0]
    for high, end in wall[1:]:
        if temperature < high:
            return x if end == x else x + (temperature - low) * ((end - x) // (high - low))
        low, x = high, end
    return x


def _highest(walls: list[Wall]) -> Wall:
    """Return the highest of some walls at each temperature; they rise by 0 or 1, so they cross at whole numbers."""
    best = walls[0]
    for other in walls[1:]:
        points: list[tuple[int, int]] = []
        last, before = 0, 0  # the temperature of the last point, and by how much `best` was higher there
        for t in sorted({t for t, _ in best + other}):
            one, two = int(_at(best, t)), int(_at(other, t))
            if before * (one - two) < 0:
                cross = last + before * (t - last) // (before - one + two)
                points.append((cross, int(_at(best, cross))))
            last, before = t, one - two
            points.append((t, max(one, two)))
        best = _simplified(points)
    return best


def _meeting(ours: Wall, theirs: Wall) -> tuple[Wall, Wall]:
    """Tax both players' best options, and end the walls where they meet."""
    low, gap = 0, int(_at(ours, 0)) + int(_at(theirs, 0))
    end = None
    for t in sorted({t for t, _ in ours + theirs}):
        rest = int(_at(ours, t)) + int(_at(theirs, t)) - 2 * t
        if rest <= 0:
            end = t if rest == 0 else _down(low, gap, (gap - rest) // (t - low))
            break
        low, gap = t, rest
    if end is None:
        end = _down(low, gap, 2)
    mean = int(_at(ours, end)) - end
    left = [(t, x - t) for t, x in ours if t < end]
    right = [(t, t - x) for t, x in theirs if t < end]
    return _simplified([*left, (end, mean)]), _simplified([*right, (end, mean)])


def _down(low: int, gap: int, slope: int) -> int:
    """Return where a gap closes that shrinks by 1 or 2."""
    if gap % slope:
        raise GaveUp("A temperature is too fine for the store.")
    return low + gap // slope


def _simplified(points: list[tuple[int, int]]) -> Wall:
    """Leave out points that lie on the line between their neighbours."""
    kept: list[tuple[int, int]] = []
    for t, x in points:
        while len(kept) > 1:
            (a, b), (c, d) = kept[-2:]
            if (d - b) * (t - c) != (x - d) * (c - a):
                break
            kept.pop()
        kept.append((t, x))
    return tuple(kept)
