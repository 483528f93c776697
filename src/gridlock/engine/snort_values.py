"""The values and best cells of regions in Snort."""

from fractions import Fraction
from functools import lru_cache

from gridlock.core.grid import Bitboard, Cell, Grid
from gridlock.engine.canvas import Canvas, parts, widest
from gridlock.engine.clock import Clock
from gridlock.engine.kernels import interface
from gridlock.engine.kernels.interface import SNORT, FreeMovesKernel, ValueKernel
from gridlock.engine.kernels.walls import GaveUp, heat, stops_at
from gridlock.engine.worth import Best, Tier, Worth, exported
from gridlock.values import Value

LARGEST = 64  # the most cells in a region whose value is computed
EXACT_SHARE, COOLED_SHARE = 0.4, 0.5  # shares of a region's time; the rest is for margins and best cells
TAX = Fraction(1)  # the temperature by which cooled values are cooled
Sides = tuple[Bitboard, Bitboard]  # the cells open to side 1 and to side 2


class _Snort:
    """The Snort kernels for one board."""

    def __init__(self, grid: Grid, memory: int) -> None:
        self.memory = memory // 8 * 7
        self.exact, self.cooled = interface.snort_values(grid, self.memory)
        self.search = interface.snort_search(grid, memory // 8)

    @property
    def filling(self) -> bool:
        """Whether a store is so full that the next computation could run out of memory."""
        stores = ((self.exact.store, self.memory // 4), (self.cooled.store, self.memory // 8))
        return any(store.used > limit for store, limit in stores)


_stored = lru_cache(maxsize=2)(_Snort)


def _snort(grid: Grid, memory: int) -> _Snort:
    """Return the kernels for a board; if their stores (which never shrink) are filling up, create new kernels."""
    if _stored(grid, memory).filling:
        _stored.cache_clear()
    return _stored(grid, memory)


def snort_value(grid: Grid, sides: Sides, clock: Clock, memory: int) -> Value | None:
    """Return the exact value of a whole position; None if that takes too long."""
    if not sides[0] | sides[1]:
        return Value(0)
    canvas = Canvas(grid, sides[0] | sides[1])
    positions, shared = [sides], canvas.grid
    if not canvas.fits:  # its parts may fit one by one
        positions = [(sides[0] & part, sides[1] & part) for part in parts(SNORT, grid, *sides)]
        shared = Canvas(grid, 1).grid
    canvases = [Canvas(grid, one | two) for one, two in positions]
    if any(part.grid != shared for part in canvases):
        return None
    kernel = _snort(shared, memory).exact
    found = kernel.sum([part.pair(cells) for part, cells in zip(canvases, positions, strict=True)], clock)
    try:
        return None if found is None else exported(kernel.store, found)
    except GaveUp:
        return None


def snort_worth(grid: Grid, canvas: Canvas, sides: Sides, clock: Clock, seconds: float | None, memory: int) -> Worth:
    """Return a region's exact value; if that takes too long, return its cooled value, its margins, or both.

    A player's margin is the number of free moves that the player, moving first in the region, can give the opponent and
    still win.
    """
    kernels = _snort(canvas.grid, memory)
    if (sides[0] | sides[1]).bit_count() <= LARGEST:
        with clock.at_most(None if seconds is None else seconds * EXACT_SHARE):
            found = _valued(kernels.exact, grid, canvas, sides, clock)
        if found is not None:
            value, mean, temperature, best = found
            return Worth(Tier.EXACT, value, None, mean, temperature, None, best)
        with clock.at_most(None if seconds is None else seconds * COOLED_SHARE):
            found = _valued(kernels.cooled, grid, canvas, sides, clock)
    else:
        found = None
    margins = _margins(kernels.search, *canvas.pair(sides), clock)
    if found is not None:
        value, mean, temperature, best = found
        return Worth(Tier.COOLED, None, value, mean, None if value.is_number else TAX + temperature, margins, best)
    if margins is None:
        return Worth()
    ours = _holding(kernels.search, grid, canvas, *sides, margins[0], clock)
    theirs = _holding(kernels.search, grid, canvas, *sides[::-1], margins[1], clock)
    return Worth(Tier.MARGINS, margins=margins, best=(ours, theirs))


def _valued(
    kernel: ValueKernel, grid: Grid, canvas: Canvas, sides: Sides, clock: Clock
) -> tuple[Value, Fraction, Fraction, Best] | None:
    """Return a region's value, mean, temperature and best cells; None if time or memory runs out."""
    number = kernel.value(*canvas.pair(sides), clock)
    try:
        if number is None:
            return None
        mean, temperature = heat(kernel.store, number)
        ours, theirs = (
            _best(kernel, grid, canvas, sides, side, max(temperature, Fraction(0)), clock) for side in (0, 1)
        )
        return exported(kernel.store, number), mean, temperature, (ours, theirs)
    except GaveUp:
        return None


def _best(
    kernel: ValueKernel,
    grid: Grid,
    canvas: Canvas,
    sides: Sides,
    side: int,
    temperature: Fraction,
    clock: Clock,
) -> tuple[Cell, ...]:
    """Return the cells that no other cell beats, starting with those that are best at the region's temperature."""
    sign = 1 if side == 0 else -1
    store = kernel.store
    after: list[tuple[int, list[Cell]]] = []
    for cells in widest(grid, sides[side], sides[1 - side]):
        value = kernel.value(*canvas.pair(_after(grid, sides, side, cells[0])), clock)
        if value is None:
            raise GaveUp(kernel.failure)
        after.append((value, cells))

    def beats(one: int, other: int) -> bool:
        """Return whether the value `one` is strictly better for `side` than the value `other`."""
        one, other = (one, other) if side == 0 else (other, one)
        return store.compares(one, other) and not store.compares(other, one)

    def rank(value: int, cell: Cell) -> tuple[Fraction, Fraction, Cell]:
        return -sign * stops_at(store, value, temperature)[1 - side], -sign * heat(store, value).mean, cell

    kept = [(value, cells) for value, cells in after if not any(beats(other, value) for other, _ in after)]
    return tuple(cell for *_, cell in sorted(rank(value, cell) for value, cells in kept for cell in cells))


def _after(grid: Grid, sides: Sides, side: int, cell: Cell) -> tuple[Bitboard, Bitboard]:
    """Return the cells open to each side in Snort after one side has taken a cell."""
    own, other = sides[side] & ~(1 << cell), sides[1 - side] & ~(grid.near[cell] | 1 << cell)
    return (own, other) if side == 0 else (other, own)


def _margins(search: FreeMovesKernel, ones: Bitboard, twos: Bitboard, clock: Clock) -> tuple[int, int] | None:
    """For each side, return the largest number of free moves that it can give its opponent and still win, moving first.

    If the result is (m, n), the left stop is m or m + 1, and the right stop is -n or -n - 1. If the search was stopped,
    the result is None.
    """
    found = []
    for own, other in ((ones, twos), (twos, ones)):
        wins, fails = -other.bit_count() - 1, own.bit_count() + 1  # margins that surely win, and surely do not
        guess = 0
        while fails - wins > 1:
            result = search.solve(own, other, clock, -guess)
            if result < 0:
                return None
            wins, fails = (guess, fails) if result else (wins, guess)
            step = 1 if result else -1  # most margins are small, so look near the first guess
            guess = guess + step if wins < guess + step < fails else (wins + fails) // 2
        found.append(wins)
    return found[0], found[1]


def _holding(
    search: FreeMovesKernel, grid: Grid, canvas: Canvas, own: Bitboard, other: Bitboard, margin: int, clock: Clock
) -> tuple[Cell, ...]:
    """Return the moves that win even if the opponent gets `margin` free moves; if time runs out, return no moves."""
    found: list[Cell] = []
    for cells in widest(grid, own, other):
        mine, theirs = _after(grid, (own, other), 0, cells[0])
        result = search.solve(canvas.put(theirs), canvas.put(mine), clock, margin)
        if result < 0:
            return ()
        found += cells if result == 0 else []
    return tuple(sorted(found))
