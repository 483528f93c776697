"""Count the moves until the loser is stuck, by an exact search that takes any shape."""

from functools import cached_property

from gridlock.core.grid import Cell
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.engine.evidence import Verdict
from gridlock.engine.kernels import interface
from gridlock.engine.kernels.interface import CELLS, STUCK, DistanceKernel, Tick, state_of


def memory_for(cells: int, limit: int) -> int:
    """Return the table memory for a board: small boards need little, and small tables are quicker to make."""
    return min(limit, 1 << 20 if cells <= 16 else 1 << 23 if cells <= 25 else 1 << 26 if cells <= 36 else limit)


class Distances:
    """The counter of plies to the end for one game on one board."""

    def __init__(self, variant: Variant, memory: int) -> None:
        self.variant = variant
        self.memory = memory

    @cached_property
    def kernel(self) -> DistanceKernel | None:
        """The kernel, made when first needed; None for games and boards that no kernel takes."""
        grid, shape = self.variant.grid, self.variant.shape
        if shape is None or grid.size > CELLS:
            return None
        return interface.distances(shape, grid, memory_for(grid.size, self.memory))

    @property
    def nodes(self) -> int:
        """The number of positions searched so far."""
        kernel = self.__dict__.get("kernel")  # if it has been made
        return int(kernel.nodes) if kernel else 0

    def of_moves(self, position: Position, tick: Tick) -> dict[Cell, int]:
        """Return each move's plies until the loser is stuck, negative if the move loses; empty if stopped."""
        if self.kernel is None or tick(self.nodes):  # kernels call it only every few thousand positions
            return {}
        scores = self.kernel.all_moves(*state_of(position), tick)
        return {cell: STUCK - score if score > 0 else -STUCK - score for cell, score in scores or ()}

    def verdict(self, position: Position, tick: Tick) -> Verdict:
        """Return whether the player to move wins, which is quicker than counting."""
        assert self.kernel is not None  # the caller has checked
        score = self.kernel.solve(*state_of(position), -1, 1, tick)
        return Verdict.of(score > 0) if score else Verdict.UNKNOWN
