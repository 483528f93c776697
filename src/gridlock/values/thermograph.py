"""Thermographs: the stops of a game as it is cooled, with its mean and temperature."""

from dataclasses import dataclass
from fractions import Fraction

from gridlock.values.construction import game_of
from gridlock.values.dyadic import Number, checked
from gridlock.values.shapes import Game, Shape, followers
from gridlock.values.walls import Wall, at, highest, meeting, shifted

MOVE = 1 << 64  # one move, in the unit in which walls are counted


@dataclass(frozen=True)
class Thermograph:
    """The left and right stops of a game at each temperature from 0 up, and the temperature at which they meet.

    A wall of a thermograph is a piecewise linear curve through (temperature, value) points, and is vertical above the
    wall's last point. The mast is the vertical line, at the mean value, that begins where the two walls meet.
    """

    left: tuple[tuple[Fraction, Fraction], ...]
    right: tuple[tuple[Fraction, Fraction], ...]
    mean: Fraction
    temperature: Fraction

    def left_at(self, temperature: int | Fraction) -> Fraction:
        """Return the left stop of the game cooled by a temperature."""
        return _stop(self.left, temperature)

    def right_at(self, temperature: int | Fraction) -> Fraction:
        """Return the right stop of the game cooled by a temperature."""
        return _stop(self.right, temperature)


def thermograph(game: Game) -> Thermograph:
    """Return a game's thermograph; numbers have negative temperatures, and whole numbers have temperature -1."""
    number, shape = game
    if shape is None:
        mast = ((Fraction(0), Fraction(number)),)
        return Thermograph(mast, mast, Fraction(number), Fraction(-1, number.denominator))
    left, right = (tuple((Fraction(t) / MOVE, number + Fraction(x) / MOVE) for t, x in wall) for wall in walls(shape))
    return Thermograph(left, right, left[-1][1], left[-1][0])


def walls(shape: Shape) -> tuple[Wall, Wall]:
    """Return the left and right walls of a shape, up to the point where they meet, in units of 1/MOVE."""
    for follower in followers(shape, lambda known: known.walls is not None):
        left = highest(_wall(option, 1, 1) for option in follower.options[0])
        right = highest(_wall(option, 0, -1) for option in follower.options[1])
        follower.walls = meeting(left, right)
    assert shape.walls is not None
    return shape.walls


def cooled(game: Game, temperature: Number) -> Game:
    """Return a game cooled by a tax on every move, or its mean if the tax exceeds the game's temperature."""
    if temperature < 0:
        raise ValueError(f"A game cannot be cooled by {temperature}: the temperature must be at least 0.")
    number, shape = game
    known: dict[Shape | None, Game] = {None: (0, None)}
    for follower in followers(shape):
        frozen, mean = (checked(Fraction(part) / MOVE) for part in walls(follower)[0][-1])
        if temperature > frozen:
            known[follower] = (mean, None)
            continue
        left, right = (
            [(shift + known[option][0] + tax, known[option][1]) for shift, option in side]
            for side, tax in zip(follower.options, (-temperature, temperature), strict=True)
        )
        known[follower] = game_of(left, right)
    return number + known[shape][0], known[shape][1]


def _wall(game: Game, side: int, sign: int) -> Wall:
    """Return an option's left wall (side 0) or right wall (side 1), negated if the sign is -1."""
    number, shape = game
    return shifted(walls(shape)[side] if shape else (), checked(number * MOVE), sign)


def _stop(wall: tuple[tuple[Fraction, Fraction], ...], temperature: Number) -> Fraction:
    """Return the value of a wall at a temperature."""
    if temperature < 0:
        raise ValueError(f"A thermograph starts at temperature 0, not at {temperature}.")
    return Fraction(at(wall, temperature))
