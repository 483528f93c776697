"""Search limits that count positions, not seconds, so that the engine gives the same results on any machine."""

from gridlock.core.rulebook import Variant
from gridlock.engine.kernels.interface import CELLS

PLAIN = 50  # how many times as long a position takes without a kernel


def effort(variant: Variant, positions: int) -> int:
    """Return the maximum number of positions to search; the maximum is lower if the search has no kernel."""
    return positions if variant.shape is not None and variant.grid.size <= CELLS else positions // PLAIN
