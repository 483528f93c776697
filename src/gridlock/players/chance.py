"""An agent that leaves everything to chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridlock.core.game import SWAP, Game
from gridlock.core.grid import cells_of

if TYPE_CHECKING:
    from random import Random


def chance(game: Game, rng: Random, _think: float) -> int:
    """Any legal cell, each as likely as the others; where a swap is possible, that on the toss of a coin."""
    cells = cells_of(game.legal)
    if game.can_swap and (not cells or rng.random() < 0.5):
        return SWAP
    return rng.choice(cells)
