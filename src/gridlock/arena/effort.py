"""Limits on the engine's search, counted in positions, which unlike seconds give the same result on any machine."""

from gridlock.core.rulebook import Variant
from gridlock.engine.kernels.interface import CELLS

PLAIN = 50  # how many times as long a position takes without a kernel


def effort(variant: Variant, positions: int) -> int:
    """Return how many positions of this game take about as long to search as `positions` positions in a kernel."""
    return positions if variant.shape is not None and variant.grid.size <= CELLS else positions // PLAIN
