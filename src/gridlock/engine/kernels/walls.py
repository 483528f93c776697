"""The means, temperatures and stops of the values in a store."""

from fractions import Fraction
from typing import NamedTuple, Protocol

from gridlock.values.walls import Wall, at

BITS, UNIT = 26, 1 << 20  # the bits of a shape in a value, and one move, as in shape_store.pxd
MASK = (1 << BITS) - 1
FINER = 20  # how many more bits points have than numbers, because lines may meet between two numbers
MOVE = UNIT << FINER


class Store(Protocol):
    """The methods that a store must provide."""

    def walls_of(self, shape: int) -> tuple[Wall, Wall]:
        """Return the two walls of a shape's thermograph, up to where they meet; raise GaveUp if the time is up."""


class GaveUp(Exception):
    """An error raised if time runs out, a store of values is full, or a number cannot be stored exactly."""


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
    temperature, mean_there = store.walls_of(shape)[0][-1]
    return Heat(Fraction(number, UNIT) + Fraction(mean_there) / MOVE, Fraction(temperature) / MOVE)


def stops_at(store: Store, value: int, temperature: Fraction) -> tuple[Fraction, Fraction]:
    """Return the left and the right stop of a value cooled by a temperature of at least 0."""
    number, shape = value >> BITS, value & MASK
    if not shape:
        return Fraction(number, UNIT), Fraction(number, UNIT)
    place = temperature * MOVE
    left, right = store.walls_of(shape)
    return tuple(Fraction(number, UNIT) + Fraction(at(wall, place)) / MOVE for wall in (left, right))  # type: ignore[return-value]
