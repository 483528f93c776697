"""Moves as they are stored: `row,column` in the game's own counting, or `swap`.

Records, setups and links write moves this way and no other. What people may type is more (see notation.py).
"""

import re

from gridlock.core.errors import UnreadableMove
from gridlock.core.grid import Cell
from gridlock.core.position import SWAP
from gridlock.core.rulebook import Variant

SWAP_WORD = "swap"
PLACE = re.compile(r"([0-9]{1,3}),([0-9]{1,3})")


def write_move(variant: Variant, move: Cell) -> str:
    """A move as text."""
    return SWAP_WORD if move == SWAP else variant.name(move)


def read_stored(variant: Variant, text: str) -> Cell | None:
    """The move that a text stands for: a cell (None outside the grid), or SWAP."""
    if text == SWAP_WORD:
        return SWAP
    match = PLACE.fullmatch(text)
    if not match:
        raise UnreadableMove(f"a move is a row and a column, such as {variant.name(0)}, or {SWAP_WORD}")
    return variant.cell(int(match[1]), int(match[2]))
