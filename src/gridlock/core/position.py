"""One position for all games, seen by the player whose turn it is."""

from typing import NamedTuple

from gridlock.core import kernel
from gridlock.core.grid import Bitboard, Cell

Side = int  # 1 or 2: whose markers they are (X and O, or the pawns A and B)
SWAP = -1  # stands for a cell where the second player took over the first one's side


class Position(NamedTuple):
    """Where each side's markers are, what each placed last, and whose turn it is."""

    mine: Bitboard  # every cell the side to move has taken, pawn included
    theirs: Bitboard
    my_head: Cell | None  # the cell the side to move took last; its pawn, if it has one
    their_head: Cell | None
    turn: Side

    def __deepcopy__(self, memo: object) -> "Position":
        return self  # it never changes

    @property
    def taken(self) -> Bitboard:
        """Every cell that is no longer empty."""
        return self.mine | self.theirs

    def after(self, cell: Cell) -> "Position":
        """The position once the side to move has taken a cell (whether that is legal is not asked here)."""
        mine, theirs, _, their_head, turn = self
        # The same as Position(...), without the detour through Python that makes up a fifth of the time.
        return tuple.__new__(Position, (theirs, mine | 1 << cell, their_head, cell, 3 - turn))

    def passed(self) -> "Position":
        """The same board, seen by the other side, whose turn it now is."""
        mine, theirs, my_head, their_head, turn = self
        return tuple.__new__(Position, (theirs, mine, their_head, my_head, 3 - turn))

    def markers(self, side: Side) -> Bitboard:
        """The cells one side has taken."""
        return self.mine if side == self.turn else self.theirs

    def head(self, side: Side) -> Cell | None:
        """The cell one side took last: where its pawn stands, if it has one."""
        return self.my_head if side == self.turn else self.their_head


if kernel.COMPILED:  # the same in C
    Position.after = kernel.after  # type: ignore[assignment, method-assign]
