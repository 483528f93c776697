"""Why a cell cannot be the answer to a lesson or a puzzle."""

from gridlock.core.game import Game
from gridlock.core.grid import Cell
from gridlock.core.rulebook import Refusal


def refusal(game: Game, cell: Cell | None) -> Refusal | None:
    """Return why a cell (None for one outside the grid) cannot be taken, in a sentence, or None if it can."""
    refused = game.variant.refusal(game.position, cell)
    return None if refused is None else refused._replace(words=f"The cell is {refused.words}. Try again.")
