"""Move regions of any board to a small board that the kernels support, so that different boards can share results."""

from gridlock.core.grid import Bitboard, Cell, Grid, cells_of, set_of
from gridlock.core.shape import Shape
from gridlock.engine.kernels.interface import CELLS

SIDE = 11  # the side of the shared board, the largest square that kernels support


class Canvas:
    """The bounding box of a set of cells, and where these cells are on the kernel's board."""

    def __init__(self, grid: Grid, cells: Bitboard) -> None:
        places = [divmod(cell, grid.cols) for cell in cells_of(cells)]
        top, left = min(row for row, _ in places), min(col for _, col in places)
        rows, cols = max(row for row, _ in places) - top + 1, max(col for _, col in places) - left + 1
        if rows <= SIDE and cols <= SIDE:
            rows = cols = SIDE
        self.grid = Grid(rows, cols, grid.adjacency)
        there = [(row - top) * cols + col - left for row, col in places]
        self._there = dict(zip(cells_of(cells), there, strict=True))

    @property
    def fits(self) -> bool:
        """Whether this part of the board is small enough for the kernels."""
        return self.grid.size <= CELLS

    def put(self, cells: Bitboard) -> Bitboard:
        """Convert cells of the region to cells of the kernel's board."""
        return set_of(self._there[cell] for cell in cells_of(cells))

    def pair(self, sides: tuple[Bitboard, Bitboard]) -> tuple[Bitboard, Bitboard]:
        """Return the cells of both sides on the kernel's board."""
        return self.put(sides[0]), self.put(sides[1])


def parts(shape: Shape, grid: Grid, ones: Bitboard, twos: Bitboard) -> list[Bitboard]:
    """Split a position, given by the cells open to each side, into parts that do not affect each other."""
    found, rest = [], ones | twos
    while rest:
        part, new = 0, rest & -rest
        while new:
            part |= new
            one, two = grid.around(new & ones), grid.around(new & twos)
            new = 0
            if shape.closes_own:
                new |= one & ones | two & twos
            if shape.closes_other:
                new |= one & twos | two & ones
            new &= ~part
        found.append(part)
        rest &= ~part
    return found


def widest(grid: Grid, own: Bitboard, other: Bitboard) -> list[list[Cell]]:
    """Group the moves that close the same cells to the opponent; omit every group that another group dominates.

    In Snort, one move dominates another if it closes to the opponent every cell that the other move closes, and at
    least one more.
    """
    holds: dict[Bitboard, list[Cell]] = {}
    for cell in cells_of(own):
        holds.setdefault((grid.near[cell] | 1 << cell) & other, []).append(cell)
    return [cells for hold, cells in holds.items() if not any(hold != more and not hold & ~more for more in holds)]
