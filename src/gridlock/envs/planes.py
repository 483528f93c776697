"""Observations and actions, which are identical in all frameworks.

**Planes.** A position is four planes of ones and zeros, as large as the board, from the perspective of one side:

0. `mine`: the cells this side has taken (including its pawn and the cells its pawn has left);
1. `theirs`: the cells the opponent has taken;
2. `my_head`: the cell this side took last, where its pawn stands if it has one (all zeros before its first move);
3. `their_head`: the cell the opponent took last.

The rules depend on nothing but these planes, which are therefore a Markov state for every game. It does not matter
which side is X. An array of planes has the shape (4, rows, cols).

**Actions.** Action `row * cols + col`, both counted from 0, takes that cell. With the swap rule, there is one more
action, `rows * cols`, for taking over the other side. This action is possible only as the second move.

**Passing** is never an action. If a game has passes and the side to move is stuck, the other side moves again, so
agents do not always alternate. (A side that is stuck stays stuck, so the winner is already known.) Games in a batch
follow the same rule.

**Rewards** are 0 until the game ends, and then 1 for the winner and -1 for the loser.
"""

from __future__ import annotations

from operator import index
from typing import Any

from gridlock.core.errors import IllegalMove
from gridlock.core.grid import Bitboard, Cell, Grid
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.envs import needs

with needs("batch"):
    import numpy as np
    from numpy.typing import NDArray

PLANES = ("mine", "theirs", "my_head", "their_head")


def number(action: Any, count: int) -> int:
    """Convert an action, which may be a NumPy integer, to a plain int; `count` is the number of actions."""
    try:
        return index(action)
    except TypeError:
        raise IllegalMove(f"An action is a whole number from 0 to {count - 1}, not {action!r}.") from None


def why_illegal(variant: Variant, position: Position, cell: Cell) -> str:
    """Return the reason why a cell cannot be taken, in words that complete the sentence "The cell is ..."."""
    refusal = variant.refusal(position, cell)
    return refusal.words if refusal else "not possible"


def settle(variant: Variant, position: Position, can_swap: bool) -> tuple[Position, Bitboard]:
    """Return the position in which the next move is made (after any forced pass), and the legal actions there."""
    legal = variant.legal(position)
    if can_swap:
        return position, legal | 1 << variant.grid.size
    if not legal and variant.book.passes:
        passed = position.passed()
        if legal := variant.legal(passed):
            return passed, legal
    return position, legal


def seen(grid: Grid, position: Position, actions: Bitboard, count: int) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Return a position's planes for the side to move, and a mask of `count` entries that marks the given actions."""
    size = grid.size
    mine, theirs, my_head, their_head, _ = position
    bits = actions << 4 * size | theirs << size | mine
    if my_head is not None:
        bits |= 1 << 2 * size + my_head
    if their_head is not None:
        bits |= 1 << 3 * size + their_head
    total = 4 * size + count
    # Convert everything in one call, because the overhead of a NumPy call is as large as the cost of the conversion.
    packed = np.frombuffer(bits.to_bytes(total + 7 >> 3, "little"), np.uint8)
    values = np.unpackbits(packed, count=total, bitorder="little").view(np.int8)
    return values[: 4 * size].reshape(4, grid.rows, grid.cols), values[4 * size :]
