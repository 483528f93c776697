"""Grids, their cells, and sets of cells stored as plain integers."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from operator import index
from typing import NoReturn

from gridlock.core.errors import BadBoard
from gridlock.core.kernel import cells_of as cells_of  # re-exported

Bitboard = int  # a set of cells: bit n stands for cell n
Cell = int  # row * cols + column, both from 0

LONGEST_SIDE = 100


class Adjacency(StrEnum):
    """Which cells touch a cell: all eight around it (as a chess king moves), or only the four that share a side."""

    KING = "king"
    ORTHOGONAL = "orthogonal"

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        raise BadBoard(f"Adjacency must be king or orthogonal, not '{str(value)[:40]}'.")


@dataclass(frozen=True)
class Grid:
    """A board: how many rows and columns it has, and which of its cells touch."""

    rows: int
    cols: int
    adjacency: Adjacency

    def __post_init__(self) -> None:
        if not (1 <= self.rows <= LONGEST_SIDE and 1 <= self.cols <= LONGEST_SIDE):
            raise BadBoard(
                f"A board of {self.rows}x{self.cols} is not possible: "
                f"boards go from 1x1 to {LONGEST_SIDE}x{LONGEST_SIDE}."
            )
        object.__setattr__(self, "adjacency", Adjacency(self.adjacency))  # so that a plain string works as well
        if type(self.rows) is not int or type(self.cols) is not int:  # NumPy integers could overflow in bit masks
            object.__setattr__(self, "rows", index(self.rows))
            object.__setattr__(self, "cols", index(self.cols))

    def __reduce__(self) -> tuple[object, ...]:
        return Grid, (self.rows, self.cols, self.adjacency)  # without the tables below, which are quickly rebuilt

    def __deepcopy__(self, memo: object) -> "Grid":
        return self  # a grid never changes, and neither do rule books and variants

    def __str__(self) -> str:
        return f"{self.rows}x{self.cols}"

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.rows * self.cols

    @cached_property
    def cells(self) -> Bitboard:
        """All cells."""
        return (1 << self.size) - 1

    @cached_property
    def near(self) -> list[Bitboard]:
        """The neighbours of every cell."""
        return [set_of(self.neighbours(cell)) for cell in range(self.size)]

    @cached_property
    def _not_left(self) -> Bitboard:
        """All cells except those in the first column."""
        return self.cells & ~set_of(range(0, self.size, self.cols))

    @cached_property
    def _diagonal(self) -> bool:
        """Whether cells also touch at their corners."""
        return self.adjacency is Adjacency.KING

    def around(self, bits: Bitboard) -> Bitboard:
        """Return the given cells together with their neighbours."""
        inner, cols = self._not_left, self.cols
        wide = bits | bits << 1 & inner | (bits & inner) >> 1
        tall = wide if self._diagonal else bits
        return (wide | tall << cols | tall >> cols) & self.cells

    def neighbours(self, cell: Cell) -> list[Cell]:
        """Return the neighbours of a cell in this order: up, down, left, right, diagonals."""
        row, col = divmod(cell, self.cols)
        steps = [(-1, 0), (1, 0), (0, -1), (0, 1)]
        if self._diagonal:
            steps += [(-1, -1), (-1, 1), (1, -1), (1, 1)]
        return [
            (row + down) * self.cols + col + right
            for down, right in steps
            if 0 <= row + down < self.rows and 0 <= col + right < self.cols
        ]


def set_of(cells: Iterable[Cell]) -> Bitboard:
    """Return the set of the given cells, as an integer with one bit for each cell of the board."""
    bits = 0
    for cell in cells:
        bits |= 1 << cell
    return bits


def first_of(bits: Bitboard) -> Cell | None:
    """Return the first cell of a set, or None if the set is empty."""
    return (bits & -bits).bit_length() - 1 if bits else None


def board_size(board: str | tuple[int, int]) -> tuple[int, int]:
    """Return the number of rows and the number of columns of a board given as `5x6` or (5, 6)."""
    text = board if isinstance(board, str) else "x".join(map(str, board)) if isinstance(board, tuple | list) else ""
    rows, cross, cols = text.strip().lower().partition("x")
    if not cross or not all(side.isascii() and side.isdigit() and len(side) <= 9 for side in (rows, cols)):
        raise BadBoard(f"'{str(board)[:40]}' is not a board. Give rows x columns, such as 5x6.")
    return int(rows), int(cols)
