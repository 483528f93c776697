"""Shift, rotate and reflect patterns of cells; a claim that holds for a pattern also holds for its images."""

from functools import cached_property
from typing import NamedTuple

from gridlock.core.errors import GridLockError
from gridlock.core.grid import Bitboard, Cell, Grid

UP_DOWN, LEFT_RIGHT, ACROSS = 1, 2, 4  # the parts of a turn, in this order; ACROSS exchanges rows and columns
TURNS = "abcdefgh"


class Refused(GridLockError):
    """A step that is not justified by the rules."""


class Box(NamedTuple):
    """The bounding box of a set of cells: its first row and column, and the distances to its last row and column."""

    row: int
    col: int
    height: int
    width: int


class Patterns:
    """Operations on sets of cells on one board."""

    def __init__(self, grid: Grid) -> None:
        self.grid, self.rows, self.cols = grid, grid.rows, grid.cols
        self._top = (1 << grid.cols) - 1
        self._inner = grid.cells & ~sum(1 << row * grid.cols for row in range(grid.rows))
        self._king = grid.adjacency == "king"

    def touch(self, bits: Bitboard) -> Bitboard:
        """Return the cells that have a neighbour in the set."""
        sides = bits << 1 & self._inner | (bits & self._inner) >> 1
        tall = bits | sides if self._king else bits
        return (sides | tall << self.cols | tall >> self.cols) & self.grid.cells

    def box(self, bits: Bitboard) -> Box:
        """Return the bounding box of a set; for an empty set, return a single cell."""
        if not bits:
            return Box(0, 0, 0, 0)
        first = ((bits & -bits).bit_length() - 1) // self.cols
        last = (bits.bit_length() - 1) // self.cols
        rest, line = bits >> first * self.cols, 0
        while rest:
            line |= rest & self._top
            rest >>= self.cols
        left = (line & -line).bit_length() - 1
        return Box(first, left, last - first, line.bit_length() - 1 - left)

    @cached_property
    def _images(self) -> list[list[list[Bitboard]]]:
        """The image, under each reflection, of every subset of each block of eight consecutive cells.

        A cell whose reflection would be off the board is left out of the images.
        """
        tables = []
        for turn in (UP_DOWN, LEFT_RIGHT, ACROSS):
            table = []
            for first in range(0, self.grid.size, 8):
                row = [0] * 256
                for bits in range(1, 256):
                    cell = first + (bits & -bits).bit_length() - 1
                    r, c = divmod(cell, self.cols)
                    r, c = self.rows - 1 - r if turn == UP_DOWN else r, self.cols - 1 - c if turn == LEFT_RIGHT else c
                    if turn == ACROSS:
                        r, c = c, r
                    fits = 0 <= r < self.rows and 0 <= c < self.cols  # a table's last bits may not be cells
                    row[bits] = row[bits & (bits - 1)] | (1 << r * self.cols + c if fits else 0)
                table.append(row)
            tables.append(table)
        return tables

    def _image(self, bits: Bitboard, kind: int) -> Bitboard:
        found = 0
        for row in self._images[kind]:
            if not bits:
                break
            found |= row[bits & 255]
            bits >>= 8
        return found

    def turned(self, sets: tuple[Bitboard, ...], height: int, width: int, turn: int) -> tuple[Bitboard, ...]:
        """Rotate or reflect sets that lie in a box in the corner of the board, keeping the sets in that corner."""
        if turn & UP_DOWN:
            shift = (self.rows - 1 - height) * self.cols
            sets = tuple([self._image(bits, 0) >> shift for bits in sets])
        if turn & LEFT_RIGHT:
            shift = self.cols - 1 - width
            sets = tuple([self._image(bits, 1) >> shift for bits in sets])
        if turn & ACROSS:
            if height >= self.cols or width >= self.rows:
                raise Refused("a pattern that is turned leaves the board")
            sets = tuple([self._image(bits, 2) for bits in sets])
        return sets

    def shift_to(self, row: int, col: int, height: int, width: int, turn: int) -> int:
        """Return the shift that moves a box from the corner of the board to a row and column.

        Raise Refused if the box, rotated or reflected according to `turn`, does not fit at the given row and column.
        """
        if turn & ACROSS:
            height, width = width, height
        if row < 0 or col < 0 or row + height >= self.rows or col + width >= self.cols:
            raise Refused("a pattern that is moved leaves the board")
        return row * self.cols + col

    def mirrored(self, bits: Bitboard, box: Box, turn: int) -> Bitboard:
        """Rotate or reflect the cells in a box; raise Refused if the rotation or reflection is not its own inverse."""
        if not (turn in (1, 2, 3) or (turn in (4, 7) and box.height == box.width)):
            raise Refused("this turn of the box is not its own inverse")
        corner = box.row * self.cols + box.col
        (image,) = self.turned((bits >> corner,), box.height, box.width, turn)
        return image << corner

    def image(self, cell: Cell, box: Box, turn: int) -> Cell:
        """Return the image of one cell under a rotation or reflection of a box; `mirrored` handles several cells."""
        row, col = divmod(cell, self.cols)
        row, col = row - box.row, col - box.col
        if turn & UP_DOWN:
            row = box.height - row
        if turn & LEFT_RIGHT:
            col = box.width - col
        if turn & ACROSS:
            row, col = col, row
        return (box.row + row) * self.cols + box.col + col

    def cells(self, text: str) -> list[Cell]:
        """Read a list of cells, with two hexadecimal digits for each cell."""
        if len(text) % 2 or len(text) >= 8192 or text.strip("0123456789abcdef"):
            raise Refused(f"'{text[:20]}' is not a list of cells")
        found = [int(text[at : at + 2], 16) for at in range(0, len(text), 2)]
        if any(cell >= self.grid.size for cell in found):
            raise Refused(f"'{text[:20]}' has a cell that is not on the board")
        return found


def decimal(text: str, most: int, what: str) -> int:
    """Read a number from 0 to `most`, written without a sign or leading zeros."""
    if not (text.isascii() and text.isdigit() and len(text) < 19 and str(int(text)) == text and int(text) <= most):
        raise Refused(f"'{text[:20]}' is not {what}")
    return int(text)


def board_set(text: str, grid: Grid) -> Bitboard:
    """Read a set of cells: a hexadecimal number whose bit n is set if cell n is in the set."""
    if not text or text.strip("0123456789abcdef") or len(text) > 40 or f"{int(text, 16):x}" != text:
        raise Refused(f"'{text[:40]}' is not a set of cells")
    bits = int(text, 16)
    if bits & ~grid.cells:
        raise Refused(f"'{text[:40]}' has a cell that is not on the board")
    return bits


def turn_of(letter: str) -> int:
    """Return the number of a rotation or reflection, given its letter from a to h."""
    if len(letter) != 1 or letter not in TURNS:
        raise Refused(f"'{letter[:20]}' is not a turn, which is a letter from a to h")
    return TURNS.index(letter)
