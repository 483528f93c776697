"""The size and position of a board's cells on the screen."""

from typing import NamedTuple

from gridlock.core.grid import Cell, Grid
from gridlock.drawing.text import window


class Size(NamedTuple):
    """The inner size of a cell in columns and lines, and whether grid lines are drawn between cells."""

    wide: int
    high: int
    ruled: bool = True

    @property
    def pitch(self) -> tuple[int, int]:
        """The distance from one cell to the next, in columns and lines."""
        return self.wide + self.ruled, self.high + self.ruled


SIZES = (Size(19, 9), Size(15, 7), Size(11, 5), Size(7, 3), Size(6, 2), Size(3, 1), Size(3, 1, ruled=False))
SMALLEST = Size(2, 1, ruled=False)  # room for a sign and a marker


FEW = 6  # with fewer lines than this, no line shows how many rows and columns are hidden


class Layout:
    """A board laid out in the available space, as large as possible; if no size fits, only part of the board is shown.

    If only part of the board is visible, a column to the right of that part shows whether the board continues to the
    right. If at least FEW lines are available, a line below a partly visible board says how many rows and columns are
    hidden.
    """

    def __init__(
        self, grid: Grid, origin: int, room: tuple[int, int], focus: Cell | None, before: tuple[int, int] | None = None
    ) -> None:
        """Lay out a board whose rows and columns are numbered from `origin`.

        The visible part of the board is centred on the cell `focus` as far as possible. `before` is the row and column
        at which the visible part began in the previous layout; if `before` is given, the visible part moves only as
        far as necessary to show `focus`.
        """
        self.grid, self.origin = grid, origin
        columns, lines = room
        self.label = len(str(grid.rows - 1 + origin)) + 1
        self.size = next((size for size in SIZES if self._fits(size, columns, lines)), SMALLEST)
        self.pitch = wide, high = self.size.pitch
        digits = len(str(grid.cols - 1 + origin))
        self.header = digits if digits >= self.size.wide else 1  # numbers wider than a cell are written vertically
        self.start = self.label + self.size.ruled, self.header + self.size.ruled  # where the first cell's inside begins
        across, down = (columns - self.start[0]) // wide, (lines - self.start[1]) // high
        self.partial = across < grid.cols or down < grid.rows
        self.footed = self.partial and lines >= FEW
        if self.partial:
            across, down = (columns - self.start[0] - 1) // wide, lines - self.start[1] - self.footed
        row, col = (None, None) if focus is None else divmod(focus, grid.cols)
        if before is None:
            self.down, self.across = window(row or 0, grid.rows, down), window(col or 0, grid.cols, across)
        else:
            self.down, self.across = moved(before[0], row, grid.rows, down), moved(before[1], col, grid.cols, across)
        self.width = self.start[0] + len(self.across) * wide + self.partial
        self.height = self.start[1] + len(self.down) * high + self.footed
        self.left, self.top = max(0, (columns - self.width) // 2), max(0, (lines - self.height) // 2)

    @property
    def hidden(self) -> dict[str, int]:
        """The number of hidden rows or columns in each direction, omitting directions in which none are hidden."""
        counts = {
            "^": self.down.start,
            "v": self.grid.rows - self.down.stop,
            "<": self.across.start,
            ">": self.grid.cols - self.across.stop,
        }
        return {way: count for way, count in counts.items() if count}

    def _fits(self, size: Size, columns: int, lines: int) -> bool:
        wide, high = size.pitch
        fits_across = self.label + size.ruled + self.grid.cols * wide <= columns
        return fits_across and 1 + size.ruled + self.grid.rows * high <= lines

    def x(self, col: int) -> int:
        """Return the screen column in which the interiors of the cells in a board column begin."""
        return self.start[0] + (col - self.across.start) * self.pitch[0]

    def y(self, row: int) -> int:
        """Return the screen line on which the interiors of the cells in a board row begin."""
        return self.start[1] + (row - self.down.start) * self.pitch[1]

    def corner(self, cell: Cell) -> tuple[int, int] | None:
        """Return the screen column and line where the inside of a cell begins, or None if the cell is not visible."""
        row, col = divmod(cell, self.grid.cols)
        return (self.x(col), self.y(row)) if row in self.down and col in self.across else None

    def cell_at(self, x: int, y: int) -> Cell | None:
        """Return the cell at a point in the available space; a cell includes the lines at its right and lower edges."""
        col, row = (x - self.left - self.start[0]) // self.pitch[0], (y - self.top - self.start[1]) // self.pitch[1]
        if not (0 <= col < len(self.across) and 0 <= row < len(self.down)):
            return None
        return (self.down.start + row) * self.grid.cols + self.across.start + col

    def way_at(self, x: int, y: int) -> tuple[int, int] | None:
        """Return the direction in which a click at this point scrolls the board: down and right, each -1, 0 or 1.

        Return None if a click at this point does not scroll the board.
        """
        x, y = x - self.left, y - self.top
        edges = {
            "^": y < self.start[1],
            "v": y >= self.start[1] + len(self.down) * self.pitch[1],
            "<": x < self.start[0],
            ">": x >= self.start[0] + len(self.across) * self.pitch[0],
        }
        return next((WAYS[way] for way in self.hidden if edges[way]), None)


WAYS = {"^": (-1, 0), "v": (1, 0), "<": (0, -1), ">": (0, 1)}
MARGIN = 1  # cells between the focus and the edge of the visible part


def moved(begin: int, focus: int | None, size: int, room: int) -> range:
    """Return as many rows or columns as fit; keep the focus in view, and start as near to `begin` as possible."""
    length = max(1, min(size, room))
    if focus is not None:
        margin = min(MARGIN, (length - 1) // 2)
        begin = max(focus + margin + 1 - length, min(begin, focus - margin))
    begin = max(0, min(begin, size - length))
    return range(begin, begin + length)
