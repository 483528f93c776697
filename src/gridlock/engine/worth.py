"""The known facts about a region, and the conversion of kernel values to `gridlock.values.Value`."""

from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from gridlock.core.grid import Cell
from gridlock.engine.kernels.interface import ValueStore
from gridlock.engine.kernels.walls import BITS, MASK, MOVE, UNIT
from gridlock.values import Value
from gridlock.values.walls import Wall

Best = tuple[tuple[Cell, ...], tuple[Cell, ...]]  # the best cells of side 1 and of side 2


class Tier(StrEnum):
    """The precision to which a region's value is known."""

    EXACT = "exact"  # the exact value
    COOLED = "cooled"  # the value cooled by one move: mean, temperature and the upper thermograph are exact
    MARGINS = "margins"  # only who wins the region with free moves elsewhere
    UNKNOWN = "unknown"


class Worth(NamedTuple):
    """Everything known about a region, from the perspective of side 1; pairs are for side 1 and side 2."""

    tier: Tier = Tier.UNKNOWN
    value: Value | None = None
    cooled: Value | None = None
    mean: Fraction | None = None
    temperature: Fraction | None = None  # None if the temperature is unknown or not above the cooling temperature
    margins: tuple[int, int] | None = None  # how many free moves a side can give away and still win when moving first
    best: Best = ((), ())  # the cells that no other cell beats, most urgent first


def exported(store: ValueStore, value: int) -> Value:
    """Convert a kernel's value to a Value; raise GaveUp if the time is up."""
    rows: dict[int, tuple[list[int], list[int]]] = {}
    waiting = [value & MASK]
    while waiting:
        shape = waiting.pop()
        if shape and shape not in rows:
            store.pause()
            rows[shape] = store.options(shape)
            waiting += [option & MASK for side in rows[shape] for option in side]
    order = {shape: row for row, shape in enumerate(sorted(rows))}  # options are always older
    table = [
        tuple([(option >> BITS, order.get(option & MASK, -1)) for option in side] for side in rows[shape])
        for shape in order
    ]
    walls = tuple(_in_moves(wall) for wall in store.walls_of(value & MASK)) if rows else None
    return Value.from_forms(table, order.get(value & MASK, -1), value >> BITS, Fraction(1, UNIT), walls)  # type: ignore[arg-type]


def _in_moves(wall: Wall) -> Wall:
    return tuple((Fraction(t, MOVE), Fraction(x, MOVE)) for t, x in wall)
