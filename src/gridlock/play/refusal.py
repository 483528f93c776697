"""Why a cell cannot be the answer to a lesson or a puzzle."""

from typing import NamedTuple

from gridlock.core.game import Game
from gridlock.core.grid import Bitboard, Cell


class Refused(NamedTuple):
    """The reason in a sentence, and the markers that forbid the cell."""

    words: str
    causes: Bitboard


def refusal(game: Game, cell: Cell | None) -> Refused | None:
    """Return why a cell (None for one outside the grid) cannot be taken, or None if it can."""
    refused = game.variant.refusal(game.position, cell)
    return None if refused is None else Refused(f"The cell is {refused.words}. Try again.", refused.causes)
