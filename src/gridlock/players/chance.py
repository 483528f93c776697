"""The agent that moves at random."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridlock.core.game import SWAP, Game
from gridlock.core.grid import cells_of

if TYPE_CHECKING:
    from random import Random


def chance(game: Game, rng: Random, _think: float) -> int:
    """Choose a legal cell at random, or half of the time a swap if there is one."""
    cells = cells_of(game.legal)
    if game.can_swap and (not cells or rng.random() < 0.5):
        return SWAP
    return rng.choice(cells)
