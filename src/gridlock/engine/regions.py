"""The independent regions of a position and their values, for games in which a marker may go on any open cell."""

from dataclasses import dataclass
from fractions import Fraction

from gridlock.core.errors import BadGame
from gridlock.core.grid import Bitboard, Cell, cells_of
from gridlock.core.moves import Place
from gridlock.core.position import Position, Side
from gridlock.core.rulebook import Variant
from gridlock.engine import engine
from gridlock.engine.canvas import parts
from gridlock.engine.clock import Clock
from gridlock.engine.snort_values import TAX
from gridlock.engine.valuation import whole_value, worth
from gridlock.engine.worth import Tier, Worth
from gridlock.values import Value


@dataclass(frozen=True)
class Region:
    """A part of the board that the rest of the board does not affect. Values are positive if they are good for side 1.

    Pairs are for side 1 and side 2. `value` is known in the tier "exact". In the tier "cooled", the field `cooled`
    holds the value cooled by one move, so the mean, the temperature and the upper part of the thermograph are exact.
    """

    variant: Variant
    cells: Bitboard  # all cells of the region; some may be open to one side only
    open_to: tuple[Bitboard, Bitboard]
    tier: Tier
    value: Value | None
    cooled: Value | None
    mean: Fraction | None
    temperature: Fraction | None  # None if unknown; in the tier "cooled", None means that it is at most 1
    margins: tuple[int, int] | None  # how many free moves a side can give its opponent and still win when moving first
    best: tuple[tuple[Cell, ...], tuple[Cell, ...]]  # the cells that no other cell beats, most urgent first

    @property
    def places(self) -> list[Place]:
        """The region's cells as rows and columns."""
        return [self.variant.coordinates(cell) for cell in cells_of(self.cells)]

    def best_places(self, side: int) -> list[Place]:
        """Return a side's undominated cells, most urgent first."""
        return [self.variant.coordinates(cell) for cell in self.best[side - 1]]

    @property
    def hottest_known(self) -> Fraction | None:
        """The temperature, or an upper bound on it; None if neither is known."""
        return TAX if self.temperature is None and self.tier is Tier.COOLED else self.temperature


@dataclass(frozen=True)
class Regions:
    """The regions of a position, in the order of their first cells, and the free moves of side 1 and side 2."""

    variant: Variant
    position: Position
    regions: tuple[Region, ...]
    free: tuple[Bitboard, Bitboard]
    value: Value | None = None  # the value of the whole position, if requested and found

    @property
    def known(self) -> bool:
        """Whether the exact value of every region is known."""
        return all(region.tier is Tier.EXACT for region in self.regions)

    @property
    def hottest(self) -> Region | None:
        """The hottest region, or None if all regions are numbers or if the hottest region is unknown."""
        known = [(region.temperature, region) for region in self.regions if region.temperature is not None]
        top, found = max(known, key=lambda one: one[0], default=(Fraction(-1), None))
        unsure = [region.hottest_known for region in self.regions if region.temperature is None]
        return found if top >= 0 and all(most is not None and most <= top for most in unsure) else None


def open_cells(variant: Variant, position: Position) -> tuple[Bitboard, Bitboard]:
    """Return the cells open to side 1 and to side 2. This function determines the sign of every region's value."""
    mover, other = variant.legal(position), variant.legal(position.passed())
    return (mover, other) if position.turn == 1 else (other, mover)


def regions(
    variant: Variant, position: Position, clock: Clock, whole: bool = False, memory: int | None = None
) -> Regions:
    """Return the regions of a position with their values, as exactly as the limits on time and memory allow.

    `memory` is in bytes. If `whole` is set, add up the values of all regions at the end.
    """
    shape, grid = variant.shape, variant.grid
    if shape is None or not shape.placing:
        raise BadGame(
            f"Values exist only for games in which a marker may go on any open cell: "
            f"{'the moves of' if shape else 'the engine does not know what a marker does in'} {variant.book.title}"
            f"{' follow a marker' if shape else ''}."
        )
    memory = memory or engine.TABLES
    sides = open_cells(variant, position)
    free, live = [0, 0], []
    for part in parts(shape, grid, *sides):
        here = sides[0] & part, sides[1] & part
        if (here[0] and here[1]) or part & (part - 1):
            live.append((part, here))
        else:  # one cell that only one side may ever take
            free[0] |= here[0]
            free[1] |= here[1]
    found: dict[Bitboard, Region] = {}
    # Small regions come first, because they are quick to evaluate and leave time for large regions.
    for left, (part, here) in zip(
        range(len(live), 0, -1), sorted(live, key=lambda one: one[0].bit_count()), strict=True
    ):
        seconds = None if clock.left is None else clock.left / left
        with clock.at_most(seconds):
            found[part] = Region(variant, part, here, *worth(shape, grid, *here, clock, seconds, memory))
    answer = Regions(variant, position, tuple(found[part] for part, _ in live), (free[0], free[1]))
    if not whole or not answer.known:
        return answer
    values = [region.value for region in answer.regions if region.value is not None]
    values.append(Value(free[0].bit_count() - free[1].bit_count()))
    total = whole_value(shape, grid, *sides, values, clock, memory)
    return Regions(variant, position, answer.regions, answer.free, total)


# -- one region, move by move -----------------------------------------------------------------------------------------


def region_at(variant: Variant, position: Position, cell: Cell, clock: Clock) -> Region | None:
    """Return the region that contains a cell; None if the cell is open to neither side."""
    assert variant.shape is not None  # callers have checked that there are values
    sides = open_cells(variant, position)
    for part in parts(variant.shape, variant.grid, *sides):
        if part >> cell & 1:
            return _valued(variant, part, (sides[0] & part, sides[1] & part), clock)
    return None


def region_after(region: Region, side: Side, cell: Cell, clock: Clock) -> Region | None:
    """Return what is left of a region after a side takes a cell, or None if the cell is not open to that side."""
    shape, grid = region.variant.shape, region.variant.grid
    own, other = region.open_to[side - 1], region.open_to[2 - side]
    if shape is None or not own >> cell & 1:
        return None
    own, other = own & shape.keeps(grid, cell), other & shape.leaves(grid, cell)
    here = (own, other) if side == 1 else (other, own)
    return _valued(region.variant, own | other, here, clock)


def _valued(variant: Variant, cells: Bitboard, here: tuple[Bitboard, Bitboard], clock: Clock) -> Region:
    assert variant.shape is not None  # callers have checked
    if not cells:
        found = Worth(Tier.EXACT, Value(0), None, Fraction(0), Value(0).temperature)
    else:
        found = worth(variant.shape, variant.grid, *here, clock, clock.left, engine.TABLES)
    return Region(variant, cells, here, *found)
