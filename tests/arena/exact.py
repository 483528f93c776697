"""The winner of a position, found by applying the rules recursively, without the engine or its kernels."""

from functools import cache

from gridlock.core.position import Position
from gridlock.core.rulebook import Variant


@cache
def wins(variant: Variant, position: Position) -> bool:
    """Return whether the side to move wins; a side that must pass has lost."""
    return any(not wins(variant, position.after(cell)) for cell in variant.legal_cells(position))


def winning(variant: Variant, position: Position) -> list[int]:
    """Return the moves that win."""
    return [cell for cell in variant.legal_cells(position) if not wins(variant, position.after(cell))]
