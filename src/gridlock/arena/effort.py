"""How much the engine may search, counted in positions: unlike seconds, that gives the same result on any machine."""

from gridlock.core.rulebook import Variant
from gridlock.engine.kernels.interface import CELLS

PLAIN = 50  # how many times longer a position takes where no kernel searches


def effort(variant: Variant, positions: int) -> int:
    """Return how many positions take about as long in this game as the given number does in a kernel."""
    return positions if variant.shape is not None and variant.grid.size <= CELLS else positions // PLAIN
