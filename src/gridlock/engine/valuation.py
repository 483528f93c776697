"""The values of regions in each kind of game; positive values are good for side 1, which is called Left."""

from fractions import Fraction
from functools import lru_cache

from gridlock.core.grid import Bitboard, Cell, Grid, cells_of, set_of
from gridlock.core.shape import Shape
from gridlock.engine.canvas import Canvas, parts
from gridlock.engine.clock import Clock
from gridlock.engine.kernels import interface
from gridlock.engine.kernels.interface import COL, COL_UNIT, SNORT
from gridlock.engine.kernels.walls import GaveUp
from gridlock.engine.snort_values import snort_value, snort_worth
from gridlock.engine.worth import Tier, Worth
from gridlock.values import Value, nimber, star

NIMBERS = 1 << 18  # how many parts of a board are remembered while nimbers are computed


def worth(
    shape: Shape, grid: Grid, ones: Bitboard, twos: Bitboard, clock: Clock, seconds: float | None, memory: int
) -> Worth:
    """Return a region's value, as precisely as the limits on time and memory allow.

    If `seconds` is None, there is no time limit.
    """
    if clock.over:
        return Worth()
    if shape.closes_own == shape.closes_other:  # both sides may always take the same cells
        return _nim_worth(shape, grid, ones, clock)
    canvas = Canvas(grid, ones | twos)
    if not canvas.fits:
        return Worth()
    if shape == COL:
        return _col_worth(grid, canvas, (ones, twos), clock, memory)
    return snort_worth(grid, canvas, (ones, twos), clock, seconds, memory)


def whole_value(
    shape: Shape, grid: Grid, ones: Bitboard, twos: Bitboard, values: list[Value], clock: Clock, memory: int
) -> Value | None:
    """Return a position's value, given the values of its regions and free moves, or None if time runs out."""
    if shape != SNORT or sum(not value.is_number for value in values) <= 1:  # such sums are quick
        return sum(values, Value(0))
    return snort_value(grid, (ones, twos), clock, memory)


# -- Col

_col = lru_cache(maxsize=2)(interface.col_search)


def _col_worth(grid: Grid, canvas: Canvas, sides: tuple[Bitboard, Bitboard], clock: Clock, memory: int) -> Worth:
    """Return the value of a region of Col: a number, or a number plus a star."""
    search = _col(canvas.grid, memory // 4)
    number = search.number(*canvas.pair(sides), clock)
    if number is None:
        return Worth()
    best: list[tuple[Cell, ...]] = []
    for side, sign in ((0, 1), (1, -1)):
        after: dict[Cell, int] = {}
        for cell in cells_of(sides[side]):
            own, other = sides[side] & ~(grid.near[cell] | 1 << cell), sides[1 - side] & ~(1 << cell)
            found = search.number(*canvas.pair((own, other) if side == 0 else (other, own)), clock)
            if found is None:
                after.clear()
                break
            after[cell] = sign * (found >> 1)  # a star beside the best number is neither better nor worse
        best.append(tuple(cell for cell in after if after[cell] == max(after.values())))
    value = Value(Fraction(number >> 1, COL_UNIT)) + (star if number & 1 else 0)
    return Worth(Tier.EXACT, value, None, value.mean, value.temperature, None, (best[0], best[1]))


# -- impartial games


def _nim_worth(shape: Shape, grid: Grid, cells: Bitboard, clock: Clock) -> Worth:
    """Return what a region of an impartial game is worth: a nimber. The best cells leave a value of 0."""
    known: dict[Bitboard, int] = {}
    try:
        size = nim_value(shape, grid, cells, known, clock)
        sizes = {
            cell: nim_value(shape, grid, cells & shape.keeps(grid, cell), known, clock) for cell in cells_of(cells)
        }
    except GaveUp:
        return Worth()
    zeros = tuple(cell for cell in sizes if not sizes[cell])
    value = nimber(size)
    return Worth(Tier.EXACT, value, None, Fraction(0), value.temperature, None, (zeros, zeros))


def nim_value(shape: Shape, grid: Grid, cells: Bitboard, known: dict[Bitboard, int], clock: Clock) -> int:
    """Return the size of the Nim heap that equals a position in which both sides may take the same cells."""
    total, first_column = 0, set_of(range(0, grid.size, grid.cols))
    for part in parts(shape, grid, cells, cells):
        part >>= ((part & -part).bit_length() - 1) // grid.cols * grid.cols  # move the part to the corner of the board
        while not part & first_column:
            part >>= 1
        if part not in known:
            if len(known) >= NIMBERS or clock(len(known)):
                raise GaveUp("Time is up.")
            options = {nim_value(shape, grid, part & shape.keeps(grid, cell), known, clock) for cell in cells_of(part)}
            known[part] = next(size for size in range(len(options) + 1) if size not in options)
        total ^= known[part]
    return total
