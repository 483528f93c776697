"""Search limits that count positions, not seconds, so that the engine gives the same results on any machine."""

from gridlock.core.rulebook import Variant
from gridlock.engine.kernels.interface import CELLS

PLAIN = 50  # how many times as long it takes to search a position without a kernel


def effort(variant: Variant, positions: int) -> int:
    """Return the maximum number of positions to search, which is lower if no kernel supports the game or the board.

    Kernels search fast, but support only games whose rules are described by a `Shape`, on boards of up to 128 cells.
    """
    return positions if variant.shape is not None and variant.grid.size <= CELLS else positions // PLAIN
