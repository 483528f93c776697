"""How large the cells of a board are drawn in the room there is, and where each of them is."""

from typing import NamedTuple

from gridlock.core.grid import Cell, Grid


class Size(NamedTuple):
    """The inside of a cell in columns and lines, and whether there are rules between cells."""

    wide: int
    high: int
    ruled: bool = True


SIZES = (Size(19, 9), Size(15, 7), Size(11, 5), Size(7, 3), Size(6, 2), Size(3, 1), Size(3, 1, ruled=False))
SMALLEST = Size(2, 1, ruled=False)  # a sign and a marker


class Layout:
    """A board in a room of so many columns and lines: as large as fits, and if nothing does, a part of it."""

    def __init__(self, grid: Grid, origin: int, room: tuple[int, int], focus: Cell) -> None:
        """`origin` is what the first row and column are called; a part is taken around the `focus`."""
        self.grid, self.origin = grid, origin
        columns, lines = room
        self.label = len(str(grid.rows - 1 + origin)) + 1
        self.size = next((size for size in SIZES if self._fits(size, columns, lines)), SMALLEST)
        digits = len(str(grid.cols - 1 + origin))
        self.header = digits if digits >= self.size.wide else 1  # numbers that have no room stand digit under digit
        row, col = divmod(focus, grid.cols)
        edge = int(self.size.ruled)
        self.across = _window(col, grid.cols, (columns - self.label - edge) // self.pitch[0])
        self.down = _window(row, grid.rows, (lines - self.header - edge) // self.pitch[1])
        self.width = self.label + edge + len(self.across) * self.pitch[0]
        self.height = self.header + edge + len(self.down) * self.pitch[1]
        self.left, self.top = max(0, (columns - self.width) // 2), max(0, (lines - self.height) // 2)

    def _fits(self, size: Size, columns: int, lines: int) -> bool:
        rule = int(size.ruled)
        wide = self.label + rule + self.grid.cols * (size.wide + rule)
        return wide <= columns and 1 + rule + self.grid.rows * (size.high + rule) <= lines

    @property
    def pitch(self) -> tuple[int, int]:
        """From one cell to the next, in columns and lines."""
        rule = int(self.size.ruled)
        return self.size.wide + rule, self.size.high + rule

    def corner(self, cell: Cell) -> tuple[int, int] | None:
        """Where the inside of a cell begins (column and line), if it is in sight."""
        row, col = divmod(cell, self.grid.cols)
        if row not in self.down or col not in self.across:
            return None
        edge = int(self.size.ruled)
        return (
            self.label + edge + (col - self.across.start) * self.pitch[0],
            self.header + edge + (row - self.down.start) * self.pitch[1],
        )

    def cell_at(self, x: int, y: int) -> Cell | None:
        """The cell under a place of the room; a rule belongs to the cell before it."""
        edge = int(self.size.ruled)
        across, down = x - self.left - self.label - edge, y - self.top - self.header - edge
        col, row = across // self.pitch[0], down // self.pitch[1]
        if across < 0 or down < 0 or col >= len(self.across) or row >= len(self.down):
            return None
        return (self.down.start + row) * self.grid.cols + self.across.start + col


def _window(centre: int, size: int, room: int) -> range:
    """As much of a side as there is room for, around a centre."""
    length = max(1, min(size, room))
    begin = max(0, min(centre - length // 2, size - length))
    return range(begin, begin + length)
