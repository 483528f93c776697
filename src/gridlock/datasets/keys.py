"""Keys for many positions at once; equivalent positions and symmetric images of a position have equal keys.

All that matters in a position is which cells are still open to each side and, in some games, where the last marker or
the pawns are. In equivalent positions, the same cell may have been taken by different players. A position's hash is a
sum of random numbers: one for each open cell and, if needed, one for the last marker or for each pawn. A position's key
is the smallest of the hashes of its symmetric images, so all images have the same key. Two positions that are not
equivalent, even up to symmetry, share a key only by chance, about once in 10^19 pairs.
"""

from __future__ import annotations

from typing import Any

from gridlock.core.errors import needs
from gridlock.core.grid import Adjacency, Grid
from gridlock.core.rulebook import Variant
from gridlock.core.shape import Shape
from gridlock.engine.mirror import symmetries

with needs("dataset"):
    import numpy as np
    from numpy.typing import NDArray

_ODD = np.uint64(0x9E3779B97F4A7C15)  # the increment of SplitMix64


class Keys:
    """Computes keys for positions of one game on one board."""

    def __init__(self, variant: Variant) -> None:
        assert variant.shape is not None  # callers have checked
        self._shape, self._grid = variant.shape, variant.grid
        images = np.array(symmetries(variant.grid)).T  # (cells, symmetries)
        size = variant.grid.size
        drawn = stirred(np.arange(4 * size, dtype=np.uint64)).reshape(4, size)
        self._open, self._open_to_other = drawn[0][images], drawn[1][images]
        nowhere = np.zeros((1, images.shape[1]), np.uint64)  # index -1: there is no such marker
        self._my_head, self._their_head = (np.concatenate([one[images], nowhere]) for one in drawn[2:])
        self._board = stirred(np.array([variant.grid.rows << 16 | variant.grid.cols], np.uint64))

    def of(self, board: NDArray[Any], my_head: NDArray[Any], their_head: NDArray[Any]) -> NDArray[np.uint64]:
        """Return the keys of positions.

        `board` contains the markers of each position (1: side to move, -1: other side, 0: none). A head is the cell of
        a side's last marker, or -1 if there is no such marker.
        """
        mine, theirs = open_cells(self._shape, self._grid, board)
        hashes = mine.astype(np.uint64) @ self._open
        if self._shape.closes:  # otherwise the same cells are open to both sides
            hashes += theirs.astype(np.uint64) @ self._open_to_other
        if self._shape.follows:
            hashes += self._their_head[their_head]
        if self._shape.pawn:
            hashes += self._my_head[my_head]
        found: NDArray[np.uint64] = hashes.min(axis=1) + self._board
        return found


def stirred(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return a pseudorandom number for each number, using SplitMix64."""
    bits = (numbers + np.uint64(1)) * _ODD
    bits = (bits ^ bits >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ bits >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return bits ^ bits >> np.uint64(31)


def open_cells(shape: Shape, grid: Grid, board: NDArray[Any]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return, for every board, the cells that are open to the side to move, and those open to the other side."""
    empty, mine, theirs = board == 0, board > 0, board < 0
    if not shape.closes:
        return empty, empty
    around_mine, around_theirs = _around(grid, mine), _around(grid, theirs)
    none = np.zeros_like(empty)
    own = (around_mine if shape.closes_own else none) | (around_theirs if shape.closes_other else none)
    other = (around_theirs if shape.closes_own else none) | (around_mine if shape.closes_other else none)
    return empty & ~own, empty & ~other


def _around(grid: Grid, cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the given cells and their neighbours."""
    boards = cells.reshape(-1, grid.rows, grid.cols)
    wide = boards.copy()
    wide[:, :, 1:] |= boards[:, :, :-1]
    wide[:, :, :-1] |= boards[:, :, 1:]
    tall = wide.copy() if grid.adjacency is Adjacency.KING else boards
    found = wide
    found[:, 1:] |= tall[:, :-1]
    found[:, :-1] |= tall[:, 1:]
    return found.reshape(cells.shape)
