"""A position of any game, from the perspective of the side to move."""

from operator import index
from typing import NamedTuple

from gridlock.core import kernel
from gridlock.core.grid import Bitboard, Cell

Side = int  # 1 or 2: whose markers they are (X and O, or the pawns A and B)
SWAP = -1  # the move by which the second player takes over the first player's side


class Position(NamedTuple):
    """Each side's markers, the cell that each side took most recently, and the side to move."""

    mine: Bitboard  # every cell the side to move has taken, pawn included
    theirs: Bitboard
    my_head: Cell | None  # the cell the side to move took last; its pawn, if it has one
    their_head: Cell | None
    turn: Side

    def __deepcopy__(self, memo: object) -> "Position":
        return self  # a position never changes

    @property
    def taken(self) -> Bitboard:
        """All cells that are not empty."""
        return self.mine | self.theirs

    def after(self, cell: Cell) -> "Position":
        """Return the position after the side to move has taken a cell; do not check that the move is legal."""
        mine, theirs, _, their_head, turn = self
        # Equivalent to Position(...), but about 20% faster.
        return tuple.__new__(Position, (theirs, mine | 1 << cell, their_head, cell, 3 - turn))

    def plain(self) -> "Position":
        """Convert the position's numbers to Python integers, because NumPy's integers overflow on large boards."""
        return Position(*(None if number is None else index(number) for number in self))  # type: ignore[arg-type]

    def passed(self) -> "Position":
        """Return the position after a pass: the same board from the perspective of the other side."""
        mine, theirs, my_head, their_head, turn = self
        return tuple.__new__(Position, (theirs, mine, their_head, my_head, 3 - turn))

    def markers(self, side: Side) -> Bitboard:
        """Return the cells a side has taken."""
        return self.mine if side == self.turn else self.theirs

    def head(self, side: Side) -> Cell | None:
        """Return the cell that a side took last, which is where its pawn stands if it has one."""
        return self.my_head if side == self.turn else self.their_head


if kernel.COMPILED:  # the C version of the same function
    Position.after = kernel.after  # type: ignore[assignment, method-assign]
