"""What one region is worth: the kernels' values, in the terms of `gridlock.values`.

Side 1 is Left: positive values are good for side 1.
"""

from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from gridlock.core.grid import Bitboard, Cell, Grid, cells_of
from gridlock.core.shape import Shape
from gridlock.engine.canvas import Canvas, parts, widest
from gridlock.engine.clock import Clock
from gridlock.engine.kernels import interface
from gridlock.engine.kernels.interface import COL, COL_UNIT, SNORT, FreeMovesKernel, ValueKernel, ValueStore
from gridlock.engine.kernels.walls import BITS, MASK, UNIT, GaveUp, heat, stops_at
from gridlock.values import Value, nimber, star

LARGEST = 64  # cells of a region whose value is tried
NIMBERS = 1 << 18  # parts of a board remembered while nimbers are computed
EXACT_SHARE, COOLED_SHARE = 0.5, 0.3  # of a region's time; the rest is for margins and best cells
TAX = Fraction(1)  # what cooled values are cooled by


class Tier(StrEnum):
    """How much is known of a region."""

    EXACT = "exact"  # its value
    COOLED = "cooled"  # its value cooled by one move: mean, temperature and the upper thermograph are exact
    MARGINS = "margins"  # only who wins it with free moves elsewhere
    UNKNOWN = "unknown"


class Worth(NamedTuple):
    """What is known of a region, from the point of view of side 1; pairs are for side 1 and side 2."""

    tier: Tier = Tier.UNKNOWN
    value: Value | None = None
    cooled: Value | None = None
    mean: Fraction | None = None
    temperature: Fraction | None = None  # None if it is at most what the value was cooled by
    margins: tuple[int, int] | None = None  # the free moves that a side which begins can leave the opponent, and win
    best: tuple[tuple[Cell, ...], tuple[Cell, ...]] = ((), ())  # the cells that no other beats, the most urgent first


def worth(
    shape: Shape, grid: Grid, ones: Bitboard, twos: Bitboard, clock: Clock, seconds: float | None, memory: int
) -> Worth:
    """Return what a region is worth, as exactly as so many seconds allow (None: all the time there is)."""
    if clock.over:
        return Worth()
    if shape.closes_own == shape.closes_other:  # both sides may always take the same cells
        return _nim_worth(shape, grid, ones, clock)
    canvas = Canvas(grid, ones | twos)
    if not canvas.fits:
        return Worth()
    if shape == COL:
        return _col_worth(grid, canvas, (ones, twos), clock, memory)
    return _snort_worth(grid, canvas, (ones, twos), clock, seconds, memory)


def whole_value(
    shape: Shape, grid: Grid, ones: Bitboard, twos: Bitboard, values: list[Value], clock: Clock, memory: int
) -> Value | None:
    """Return the value of a position, given those of its regions and free moves; None if that takes too long."""
    if shape != SNORT:  # numbers, stars and nimbers are quickly added
        return sum(values, Value(0))
    if not ones | twos:
        return Value(0)
    canvas = Canvas(grid, ones | twos)
    if not canvas.fits:
        return None
    kernel = _snort(canvas.grid, memory).exact
    found = kernel.value(canvas.put(ones), canvas.put(twos), clock)
    return None if found is None else exported(kernel.store, found)


# -- Snort ---------------------------------------------------------------------------------------------------------------


class _Snort:
    """The kernels of Snort for one board."""

    def __init__(self, grid: Grid, memory: int) -> None:
        self.memory = memory // 8 * 7
        self.exact, self.cooled = interface.snort_values(grid, self.memory)
        self.search = interface.snort_search(grid, memory // 8)

    @property
    def filling(self) -> bool:
        """Whether a store is so full that the next question could fail for it."""
        return self.exact.store.used > self.memory // 4 or self.cooled.store.used > self.memory // 8


_snort = lru_cache(maxsize=2)(_Snort)


def forget_full_stores(grid: Grid, memory: int) -> None:
    """Drop the stores if they are filling up: they only grow."""
    if _snort.cache_info().currsize and _snort(Grid(11, 11, grid.adjacency), memory).filling:
        _snort.cache_clear()


def _snort_worth(
    grid: Grid, canvas: Canvas, sides: tuple[Bitboard, Bitboard], clock: Clock, seconds: float | None, memory: int
) -> Worth:
    kernels = _snort(canvas.grid, memory)
    small = (sides[0] | sides[1]).bit_count() <= LARGEST
    ones, twos = map(canvas.put, sides)
    for tier, kernel, share in ((Tier.EXACT, kernels.exact, EXACT_SHARE), (Tier.COOLED, kernels.cooled, COOLED_SHARE)):
        with clock.at_most(None if seconds is None else seconds * share):
            found = kernel.value(ones, twos, clock) if small else None
        if found is not None:
            break
    margins = None
    if found is None or tier is Tier.COOLED:
        margins = _margins(kernels.search, ones, twos, clock)
    if found is None:
        if margins is None:
            return Worth()
        best = tuple(
            _holding(kernels.search, grid, canvas, own, other, margin, clock)
            for own, other, margin in ((*sides, margins[0]), (*sides[::-1], margins[1]))
        )
        return Worth(Tier.MARGINS, margins=margins, best=best)  # type: ignore[arg-type]
    try:
        mean, temperature = heat(kernel.store, found)
    except GaveUp:
        return Worth()
    best = tuple(_best(kernel, grid, canvas, sides, side, max(temperature, Fraction(0)), clock) for side in (0, 1))
    value = exported(kernel.store, found)
    if tier is Tier.EXACT:
        return Worth(tier, value, None, mean, temperature, None, best)  # type: ignore[arg-type]
    hot = TAX + temperature if found & MASK else None
    return Worth(tier, None, value, mean, hot, margins, best)  # type: ignore[arg-type]


def _best(
    kernel: ValueKernel,
    grid: Grid,
    canvas: Canvas,
    sides: tuple[Bitboard, Bitboard],
    side: int,
    temperature: Fraction,
    clock: Clock,
) -> tuple[Cell, ...]:
    """Return the cells that no other beats; first those that are best at the region's temperature."""
    sign = 1 if side == 0 else -1
    store = kernel.store
    after: list[tuple[int, list[Cell]]] = []
    for cells in widest(grid, sides[side], sides[1 - side]):
        value = kernel.value(*map(canvas.put, _after(grid, sides, side, cells[0])), clock)
        if value is None:
            return ()
        after.append((value, cells))

    def beats(one: int, other: int) -> bool:
        """Return whether a value is strictly better for the side."""
        one, other = (one, other) if side == 0 else (other, one)
        return store.compares(one, other) and not store.compares(other, one)

    def rank(value: int, cell: Cell) -> tuple[Fraction, Fraction, Cell]:
        return -sign * stops_at(store, value, temperature)[1 - side], -sign * heat(store, value).mean, cell

    try:
        kept = [(value, cells) for value, cells in after if not any(beats(other, value) for other, _ in after)]
        return tuple(cell for *_, cell in sorted(rank(value, cell) for value, cells in kept for cell in cells))
    except GaveUp:
        return ()


def _after(grid: Grid, sides: tuple[Bitboard, Bitboard], side: int, cell: Cell) -> tuple[Bitboard, Bitboard]:
    """Return the cells open to each side after one of them has taken a cell, in Snort."""
    own, other = sides[side] & ~(1 << cell), sides[1 - side] & ~(grid.near[cell] | 1 << cell)
    return (own, other) if side == 0 else (other, own)


def _margins(search: FreeMovesKernel, ones: Bitboard, twos: Bitboard, clock: Clock) -> tuple[int, int] | None:
    """Return for each side how many free moves it can leave the opponent and win if it begins; None if stopped.

    The left stop is the first of these numbers or one more; the right stop is minus the second or one less.
    """
    found = []
    for own, other in ((ones, twos), (twos, ones)):
        wins, fails = -other.bit_count() - 1, own.bit_count() + 1  # margins that surely do, and do not, suffice
        guess = 0
        while fails - wins > 1:
            result = search.solve(own, other, clock, -guess)
            if result < 0:
                return None
            wins, fails = (guess, fails) if result else (wins, guess)
            step = 1 if result else -1  # margins are mostly small: look near the first guess
            guess = guess + step if wins < guess + step < fails else (wins + fails) // 2
        found.append(wins)
    return found[0], found[1]


def _holding(
    search: FreeMovesKernel, grid: Grid, canvas: Canvas, own: Bitboard, other: Bitboard, margin: int, clock: Clock
) -> tuple[Cell, ...]:
    """Return the cells by which a side wins with its margin; none if there was no time to find them all."""
    found: list[Cell] = []
    for cells in widest(grid, own, other):
        mine, theirs = _after(grid, (own, other), 0, cells[0])
        result = search.solve(canvas.put(theirs), canvas.put(mine), clock, margin)
        if result < 0:
            return ()
        found += cells if result == 0 else []
    return tuple(sorted(found))


def exported(store: ValueStore, value: int) -> Value:
    """Return a kernel's value as a Value."""
    rows: dict[int, tuple[list[int], list[int]]] = {}
    waiting = [value & MASK]
    while waiting:
        shape = waiting.pop()
        if shape and shape not in rows:
            rows[shape] = store.options(shape)
            waiting += [option & MASK for side in rows[shape] for option in side]
    order = {shape: row for row, shape in enumerate(sorted(rows))}  # options are always older
    table = [
        tuple([(option >> BITS, order.get(option & MASK, -1)) for option in side] for side in rows[shape])
        for shape in order
    ]
    return Value.from_forms(table, order.get(value & MASK, -1), value >> BITS, Fraction(1, UNIT))  # type: ignore[arg-type]


# -- Col -----------------------------------------------------------------------------------------------------------------

_col = lru_cache(maxsize=2)(interface.col_search)


def _col_worth(grid: Grid, canvas: Canvas, sides: tuple[Bitboard, Bitboard], clock: Clock, memory: int) -> Worth:
    """Return a number, or a number and a star."""
    search = _col(canvas.grid, memory // 4)
    number = search.number(*map(canvas.put, sides), clock)
    if number is None:
        return Worth()
    best: list[tuple[Cell, ...]] = []
    for side, sign in ((0, 1), (1, -1)):
        after: dict[Cell, int] = {}
        for cell in cells_of(sides[side]):
            own, other = sides[side] & ~(grid.near[cell] | 1 << cell), sides[1 - side] & ~(1 << cell)
            found = search.number(*map(canvas.put, (own, other) if side == 0 else (other, own)), clock)
            if found is None:
                after.clear()
                break
            after[cell] = sign * (found >> 1)  # a star beside the best number is neither better nor worse
        best.append(tuple(cell for cell in after if after[cell] == max(after.values())))
    value = Value(Fraction(number >> 1, COL_UNIT)) + (star if number & 1 else 0)
    return Worth(Tier.EXACT, value, None, value.mean, value.temperature, None, (best[0], best[1]))


# -- impartial games -----------------------------------------------------------------------------------------------------


def _nim_worth(shape: Shape, grid: Grid, cells: Bitboard, clock: Clock) -> Worth:
    """Return a nimber; the best cells leave 0."""
    known: dict[Bitboard, int] = {}
    try:
        size = nim_value(shape, grid, cells, known, clock)
        zeros = tuple(
            cell for cell in cells_of(cells) if not nim_value(shape, grid, cells & shape.keeps(grid, cell), known, clock)
        )
    except GaveUp:
        return Worth()
    value = nimber(size)
    return Worth(Tier.EXACT, value, None, Fraction(0), value.temperature, None, (zeros, zeros))


def nim_value(shape: Shape, grid: Grid, cells: Bitboard, known: dict[Bitboard, int], clock: Clock) -> int:
    """Return the size of the nim heap that equals a position in which both sides may take the same cells."""
    total = 0
    for part in parts(shape, grid, cells, cells):
        if part not in known:
            if len(known) >= NIMBERS or clock(len(known)):
                raise GaveUp("The time is up.")
            options = {nim_value(shape, grid, part & shape.keeps(grid, cell), known, clock) for cell in cells_of(part)}
            known[part] = next(size for size in range(len(options) + 1) if size not in options)
        total ^= known[part]
    return total
