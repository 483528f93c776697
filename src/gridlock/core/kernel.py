# cython: annotation_typing=False
# ruff: noqa: ERA001 (the line above is for Cython: annotations are for people here, and the types are in the .pxd)
"""The rules' hot loops: listing a set's cells, taking a cell and, on boards of up to 64 cells, finding the legal cells.

If a C compiler is available, this file is compiled with the types in `kernel.pxd`; otherwise, it runs as plain Python.
In plain Python, only tests use `after` and `LegalCells`, because `Position.after` and `Shape.legal` are just as fast
and are easier to read.
"""

from __future__ import annotations

from functools import cache
from itertools import compress
from typing import Any

from gridlock.core.errors import GridLockError

if __file__.endswith((".py", ".pyc")):
    from gridlock.core import interpreted as cython  # importing Cython would slow down every start
else:
    import cython
if not cython.compiled:
    from gridlock.core.interpreted import count, item, lowest, made

COMPILED: bool = cython.compiled
MOST_CELLS = 64  # the number of bits in a C integer
_BITS = bytes.maketrans(b"01", b"\0\1")


def cells_of(bits: int) -> list[int]:
    """Return the cells of a set, in row order."""
    if cython.compiled:
        try:
            return listed(bits)
        except OverflowError:  # there are cells beyond the first 64
            pass
    elif 0 <= bits < 1 << 26:  # up to 5x5, where random play asks for little else, this is five times as fast
        return _remembered(bits & 0x1FFF) + _remembered(bits & 0x3FFE000)
    return _spelled_out(bits)


def listed(bits: int) -> list[int]:
    """Return a list of the cells in a set of up to 64 cells."""
    cells = [0] * count(bits)
    place = 0
    while bits:
        cells[place] = lowest(bits)
        place += 1
        bits &= bits - 1
    return cells


def _spelled_out(bits: int) -> list[int]:
    """Return the cells of a set that is given as an integer with one bit for each cell; the set may have any size."""
    if bits < 0:
        raise GridLockError(f"A set of cells is a whole number from 0 up, not {bits}.")
    return list(compress(range(bits.bit_length()), bin(bits)[:1:-1].encode().translate(_BITS)))


_remembered = cache(_spelled_out)  # used only within two groups of thirteen cells: 16,384 lists at most


def after(position: Any, cell: int) -> Any:
    """Return the position after the side to move has taken a cell; do not check that the move is legal."""
    kind, taken, turn = type(position), item(position, 0) | 1 << cell, 3 - item(position, 4)
    return made(kind, item(position, 1), taken, item(position, 3), cell, turn)


class LegalCells:
    """`Shape.legal` for one shape on one board of up to 64 cells."""

    def __init__(self, shape: Any, grid: Any) -> None:
        self.shape, self.grid = shape, grid
        self.closes_own, self.closes_other = shape.closes_own, shape.closes_other
        self.head = -1 if shape.follows is None else 2 if shape.pawn else 3  # a position's index of the cell to follow
        self.size, self.cols, self.king = grid.size, grid.cols, grid.adjacency == "king"
        self.board = grid.cells
        self.not_left = sum(1 << cell for cell in range(grid.size) if cell % grid.cols)
        if not cython.compiled:
            self.reach = [0] * MOST_CELLS
        for cell, near in enumerate(grid.near if shape.follows else ()):
            self.reach[cell] = near if shape.follows == "near" else grid.cells & ~near

    def __reduce__(self) -> tuple[object, ...]:  # so that a variant can still be sent to another process
        return LegalCells, (self.shape, self.grid)

    def __call__(self, position: Any) -> int:
        try:
            return self.legal(position)
        except OverflowError:  # not a position on this board, so it is treated as one on a larger board
            return int(self.shape.legal(self.grid, position))

    def legal(self, position: Any) -> int:
        """Return the cells open to the side to move; raise OverflowError if the position is not on a small board."""
        mine = item(position, 0)
        theirs = item(position, 1)
        closed = mine | theirs
        if self.closes_own:
            closed |= self.around(mine)
        if self.closes_other:
            closed |= self.around(theirs)
        followed = None if self.head < 0 else item(position, self.head)
        if followed is None:  # nothing to follow yet: the opening move is free
            return self.board & ~closed
        cell = followed
        if not 0 <= cell < self.size:
            raise OverflowError
        return self.reach[cell] & ~closed

    def around(self, bits: int) -> int:
        """Return these cells and their neighbours, some of which may be off the board."""
        wide = bits | bits << 1 & self.not_left | (bits & self.not_left) >> 1
        if self.cols == MOST_CELLS:  # a single row; in C a shift by all bits is undefined
            return wide
        tall = wide if self.king else bits
        return wide | tall << self.cols | tall >> self.cols
