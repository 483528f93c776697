"""The size of a board's cells on the screen, and the place of each cell."""

from typing import NamedTuple

from gridlock.core.grid import Cell, Grid
from gridlock.drawing.text import window


class Size(NamedTuple):
    """The inside of a cell in columns and lines, and whether there are rules between cells."""

    wide: int
    high: int
    ruled: bool = True

    @property
    def pitch(self) -> tuple[int, int]:
        """The distance from one cell to the next, in columns and lines."""
        return self.wide + self.ruled, self.high + self.ruled


SIZES = (Size(19, 9), Size(15, 7), Size(11, 5), Size(7, 3), Size(6, 2), Size(3, 1), Size(3, 1, ruled=False))
SMALLEST = Size(2, 1, ruled=False)  # a sign and a marker


class Layout:
    """A board in the space available: as large as possible or, if no size fits, a part of the board."""

    def __init__(self, grid: Grid, origin: int, room: tuple[int, int], focus: Cell) -> None:
        """`origin` is the number of the first row and column; a part is chosen around the `focus`."""
        self.grid, self.origin = grid, origin
        columns, lines = room
        self.label = len(str(grid.rows - 1 + origin)) + 1
        self.size = next((size for size in SIZES if self._fits(size, columns, lines)), SMALLEST)
        self.pitch = wide, high = self.size.pitch
        digits = len(str(grid.cols - 1 + origin))
        self.header = digits if digits >= self.size.wide else 1  # numbers too wide for a cell are written downwards
        row, col = divmod(focus, grid.cols)
        self.start = self.label + self.size.ruled, self.header + self.size.ruled  # the inside of the first cell
        self.across = window(col, grid.cols, (columns - self.start[0]) // wide)
        self.down = window(row, grid.rows, (lines - self.start[1]) // high)
        self.width = self.start[0] + len(self.across) * wide
        self.height = self.start[1] + len(self.down) * high
        self.left, self.top = max(0, (columns - self.width) // 2), max(0, (lines - self.height) // 2)

    def _fits(self, size: Size, columns: int, lines: int) -> bool:
        wide, high = size.pitch
        fits_across = self.label + size.ruled + self.grid.cols * wide <= columns
        return fits_across and 1 + size.ruled + self.grid.rows * high <= lines

    def x(self, col: int) -> int:
        """Return the screen column at which the inside of a column's cells begins."""
        return self.start[0] + (col - self.across.start) * self.pitch[0]

    def y(self, row: int) -> int:
        """Return the line at which the inside of a row's cells begins."""
        return self.start[1] + (row - self.down.start) * self.pitch[1]

    def corner(self, cell: Cell) -> tuple[int, int] | None:
        """Return the column and line at which the inside of a cell begins, or None if it is out of sight."""
        row, col = divmod(cell, self.grid.cols)
        return (self.x(col), self.y(row)) if row in self.down and col in self.across else None

    def cell_at(self, x: int, y: int) -> Cell | None:
        """Return the cell at a point of the space available; a rule belongs to the cell before it."""
        col, row = (x - self.left - self.start[0]) // self.pitch[0], (y - self.top - self.start[1]) // self.pitch[1]
        if not (0 <= col < len(self.across) and 0 <= row < len(self.down)):
            return None
        return (self.down.start + row) * self.grid.cols + self.across.start + col
