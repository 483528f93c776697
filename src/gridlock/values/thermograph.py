"""Thermographs: the stops of a game as it is cooled, with its mean and temperature."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

from gridlock.values.construction import game_of
from gridlock.values.dyadic import Number
from gridlock.values.shapes import Game, Shape, Wall, followers


@dataclass(frozen=True)
class Thermograph:
    """The left and right stops of a game at each temperature from 0 up, and where they meet.

    A wall is a line through points (temperature, value). Above its last point it is vertical: that is the mast, which
    stands at the mean.
    """

    left: tuple[tuple[Fraction, Fraction], ...]
    right: tuple[tuple[Fraction, Fraction], ...]
    mean: Fraction
    temperature: Fraction

    def left_at(self, temperature: int | Fraction) -> Fraction:
        """Return the left stop of the game cooled by a temperature."""
        return Fraction(_at(self.left, temperature))

    def right_at(self, temperature: int | Fraction) -> Fraction:
        """Return the right stop of the game cooled by a temperature."""
        return Fraction(_at(self.right, temperature))


def thermograph(game: Game) -> Thermograph:
    """Return the thermograph of a game; the temperature of a number is negative, -1 for a whole one."""
    number, shape = game
    if shape is None:
        mast = ((Fraction(0), Fraction(number)),)
        return Thermograph(mast, mast, Fraction(number), Fraction(-1, number.denominator))
    left, right = (tuple((Fraction(t), Fraction(number + x)) for t, x in wall) for wall in walls(shape))
    return Thermograph(left, right, left[-1][1], left[-1][0])


def walls(shape: Shape) -> tuple[Wall, Wall]:
    """Return the left and right wall of a shape; both end where they meet."""
    for follower in followers(shape, lambda known: known.walls is not None):
        left = _extreme([_wall(option, 1) for option in follower.options[0]], max)
        right = _extreme([_wall(option, 0) for option in follower.options[1]], min)
        follower.walls = _meeting(left, right)
    assert shape.walls is not None
    return shape.walls


def cooled(game: Game, temperature: Number) -> Game:
    """Return a game after a tax on every move; once it would be close to a number, it stays at its mean."""
    if temperature < 0:
        raise ValueError(f"A game cannot be cooled by {temperature}: the temperature must be at least 0.")
    number, shape = game
    known: dict[Shape | None, Game] = {None: (0, None)}
    for follower in followers(shape):
        frozen, mean = walls(follower)[0][-1]
        if temperature > frozen:
            known[follower] = (mean, None)
            continue
        left, right = (
            [(shift + known[option][0] + tax, known[option][1]) for shift, option in side]
            for side, tax in zip(follower.options, (-temperature, temperature), strict=True)
        )
        known[follower] = game_of(left, right)
    return number + known[shape][0], known[shape][1]


def _wall(game: Game, side: int) -> Wall:
    """Return a wall of an option: 0 for its left wall, 1 for its right one."""
    number, shape = game
    return tuple((t, number + x) for t, x in walls(shape)[side]) if shape else ((0, number),)


def _at(wall: Wall, temperature: Number) -> Number:
    """Return the value of a wall at a temperature."""
    if temperature < 0:
        raise ValueError(f"A thermograph starts at temperature 0, not at {temperature}.")
    low, x = wall[0]
    for high, end in wall[1:]:
        if temperature < high:
            return x + (temperature - low) * _slope(low, x, high, end)
        low, x = high, end
    return x


def _slope(low: Number, x: Number, high: Number, end: Number) -> Fraction:
    return Fraction(end - x) / (high - low)


def _extreme(found: Iterable[Wall], choose: Callable[[Number, Number], Number]) -> Wall:
    """Return the largest or smallest of some walls at each temperature."""
    first, *rest = found
    for other in rest:
        places = _with_crossings(sorted({t for wall in (first, other) for t, _ in wall}), first, other)
        first = _without_needless([(t, choose(_at(first, t), _at(other, t))) for t in places])
    return first


def _with_crossings(places: list[Number], one: Wall, other: Wall) -> list[Number]:
    """Return temperatures together with those at which two walls cross between them."""
    found: list[Number] = []
    for t in places:
        if found:
            last = found[-1]
            before, after = _at(one, last) - _at(other, last), _at(one, t) - _at(other, t)
            if before * after < 0:
                found.append(last + (t - last) * Fraction(before) / (before - after))
        found.append(t)
    return found


def _meeting(left: Wall, right: Wall) -> tuple[Wall, Wall]:
    """Tax both players' best options, and cut the walls off where they meet."""
    low: Number = 0
    gap = _at(left, 0) - _at(right, 0)
    end = low
    for t in sorted({t for wall in (left, right) for t, _ in wall}):
        rest = _at(left, t) - _at(right, t) - 2 * t
        if rest <= 0:
            end = low + (t - low) * Fraction(gap) / (gap - rest) if gap > rest else t
            break
        low, gap = t, rest
    else:
        end = low + Fraction(gap) / 2
    mean = _at(left, end) - end
    taxed = ([(t, x - t) for t, x in left], [(t, x + t) for t, x in right])
    first, second = (_without_needless([*(point for point in wall if point[0] < end), (end, mean)]) for wall in taxed)
    return first, second


def _without_needless(points: list[tuple[Number, Number]]) -> Wall:
    """Leave out points that lie on the line between their neighbours."""
    kept: list[tuple[Number, Number]] = []
    for point in points:
        while len(kept) > 1 and _slope(*kept[-2], *kept[-1]) == _slope(*kept[-1], *point):
            kept.pop()
        kept.append(point)
    return tuple(kept)
