"""Thermographs of the shapes in a store of values."""

from fractions import Fraction
from typing import NamedTuple, Protocol

from gridlock.values.walls import Wall, at, highest, meeting, shifted

BITS, UNIT = 26, 1 << 20  # of a shape in a value, and one move: as in shape_store.pxd
MASK = (1 << BITS) - 1
FINER = 20  # bits that points have more than numbers, because lines may meet between two numbers
MOVE = UNIT << FINER
MOST = 1 << 18  # thermographs that a store keeps


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
    return Heat(Fraction(number, UNIT) + Fraction(mean_there) / MOVE, Fraction(temperature) / MOVE)


def stops_at(store: Store, value: int, temperature: Fraction) -> tuple[Fraction, Fraction]:
    """Return the left and the right stop of a value cooled by a temperature of at least 0."""
    number, shape = value >> BITS, value & MASK
    if not shape:
        return Fraction(number, UNIT), Fraction(number, UNIT)
    place = temperature * MOVE
    left, right = walls_of(store, shape)
    return tuple(Fraction(number, UNIT) + Fraction(at(wall, place)) / MOVE for wall in (left, right))  # type: ignore[return-value]


def walls_of(store: Store, shape: int) -> tuple[Wall, Wall]:
    """Return the left and the right wall of a shape; both end where they meet."""
    known, waiting = store.walls, [shape]
    options: dict[int, tuple[list[int], list[int]]] = {}
    while waiting:
        current = waiting.pop()
        if current and current not in known and current not in options:
            store.pause()
            options[current] = left, right = store.options(current)
            waiting += [value & MASK for value in left + right]
    if len(known) + len(options) > MOST:
        raise GaveUp("There are too many thermographs.")
    for current in sorted(options):  # options are always older
        store.pause()
        left, right = options[current]
        # Right walls of Left's options, and negated left walls of Right's: neither ever goes down.
        ours = [shifted(known[v & MASK][1] if v & MASK else (), (v >> BITS) << FINER, 1) for v in left]
        theirs = [shifted(known[v & MASK][0] if v & MASK else (), (v >> BITS) << FINER, -1) for v in right]
        known[current] = meeting(highest(ours), highest(theirs))
    return known[shape]
