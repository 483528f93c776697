"""What every agent sees and does, the same in all frameworks.

**Planes.** A position is four planes of ones and zeros, as large as the board, seen by the side that looks at it:

0. `mine`: the cells that it has taken (its pawn and the cells its pawn has left among them);
1. `theirs`: the cells that the opponent has taken;
2. `my_head`: the cell that it took last, where its pawn stands if it has one (no ones before its first move);
3. `their_head`: the same of the opponent.

That is all that the rules know of a position, so it is a Markov state for every game; which side is X does not matter.
An array of planes has the shape (4, rows, cols).

**Actions.** Action `row * cols + col`, both counted from 0, takes that cell. With the swap rule there is one more, the
last, `rows * cols`: taking over the other side, possible as the second move only.

**Passing** is never an action. Where a game has passes and the side to move is stuck, the other side simply moves
again, also in batches: agents need not alternate. (A side that is stuck stays stuck, so the winner is known by then.)

**Rewards** are 1 for the winner and -1 for the loser at the end, and 0 before.
"""

from __future__ import annotations

from operator import index
from typing import Any

from gridlock.core.errors import IllegalMove
from gridlock.core.grid import Bitboard, Grid
from gridlock.core.position import Position
from gridlock.envs.extras import missing

try:
    import numpy as np
    from numpy.typing import NDArray
except ImportError as error:
    raise missing("batch", error) from None

PLANES = ("mine", "theirs", "my_head", "their_head")


def number(action: Any, count: int) -> int:
    """An action out of so many as a plain number: agents give numbers of many libraries' kinds."""
    try:
        return index(action)
    except TypeError:
        raise IllegalMove(f"An action is a whole number from 0 to {count - 1}, not {action!r}.") from None


def seen(grid: Grid, position: Position, actions: Bitboard, count: int) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """The planes of a position for its side to move, and the mask of its actions (a set out of so many)."""
    size = grid.size
    mine, theirs, my_head, their_head, _ = position
    bits = actions << 4 * size | theirs << size | mine
    if my_head is not None:
        bits |= 1 << 2 * size + my_head
    if their_head is not None:
        bits |= 1 << 3 * size + their_head
    total = 4 * size + count
    # One conversion for everything: NumPy takes as long to be called as to do this.
    packed = np.frombuffer(bits.to_bytes(total + 7 >> 3, "little"), np.uint8)
    values = np.unpackbits(packed, count=total, bitorder="little").view(np.int8)
    return values[: 4 * size].reshape(4, grid.rows, grid.cols), values[4 * size :]
