"""The loops of a batch in NumPy, used if nothing is compiled; moves and random numbers are the same."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

from gridlock.envs import needs

with needs("batch"):
    import numpy as np
    from numpy.typing import NDArray

NOWHERE = 64  # a head before the first move: the move that follows it may go anywhere
_ODD = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_HALF = np.uint64(32)
_LITTLE = sys.byteorder == "little"
_LOWEST = slice(0 if _LITTLE else 3, None, 4)  # of the quarters of words
_MIDDLE = slice(4 if _LITTLE else 3, None, 8)  # of their bytes, the lowest of the upper half
_BITS = np.uint64(1) << np.arange(64, dtype=np.uint64)
_PLACES = np.append(_BITS, np.uint64(0))  # the last for NOWHERE
# For every set of eight cells (times eight) and index, the cell of that set with `index` others before it.
_IN_EIGHT = np.array(
    [([cell for cell in range(8) if cells >> cell & 1] + 8 * [0])[:8] for cells in range(256)], np.uint8
).ravel()


class Tables(NamedTuple):
    """The effects of moves in one game on one board."""

    keeps: NDArray[np.uint64]  # for every cell, the cells that a move there leaves open to its player
    leaves: NDArray[np.uint64]  # ... to the opponent
    reach: NDArray[np.uint64]  # where the move that follows may go; NOWHERE is the last
    start: tuple[int, ...]  # for each side, mover first: open cells, then taken cells, then heads
    passes: bool
    follows: bool  # whether the last move limits the next one
    pawn: bool
    size: int


class Numbers:
    """`batch_kernel.Lockstep`, a whole array at a time."""

    def __init__(self, tables: Tables, count: int) -> None:
        self.tables = tables
        self.open_mine, self.open_theirs, self.mine, self.theirs = np.empty((4, count), np.uint64)
        self.my_head, self.their_head, self.turn = np.empty((3, count), np.uint8)
        self.legal = np.empty(count, np.uint64)  # the cells that may be played now
        opening = tables.start[0] & int(tables.reach[tables.start[4 if tables.pawn else 5]])
        self.start = (*tables.start, 1, opening)
        self.keeps, self.leaves = (  # None: all but the cell itself
            table if (table[: tables.size] | _BITS[: tables.size] != tables.reach[NOWHERE]).any() else None
            for table in (tables.keeps, tables.leaves)
        )
        with np.errstate(over="ignore"):
            self.counters = _ODD * np.arange(count, dtype=np.uint64)
        self.bits, self.more = np.empty((2, count), np.uint64)
        self.shown = np.empty((count, 4), np.uint64)  # the planes of every game, a word for each

    def arrays(self) -> tuple[NDArray[Any], ...]:
        """Return all arrays that moves change."""
        taken = self.open_mine, self.open_theirs, self.mine, self.theirs
        return (*taken, self.my_head, self.their_head, self.turn, self.legal)

    def reset(self) -> None:
        """Restart all games."""
        for array, value in zip(self.arrays(), self.start, strict=True):
            array.fill(value)

    def turns(self, out: NDArray[np.uint8]) -> None:
        """Write the side to move in every game."""
        out[:] = self.turn

    def game(self, game: int) -> tuple[int, ...]:
        """Return one game: each side's cells, beginning with the side to move, the heads, and the side to move."""
        return tuple(int(array[game]) for array in self.arrays()[2:7])

    def step(self, actions: NDArray[np.uint8], winners: NDArray[np.uint8]) -> int:
        """Make one move in every game; return -1, or the first game with an illegal move (then no move is made)."""
        fine = (self.legal >> np.minimum(actions, 63) & np.uint64(1)).astype(bool) & (actions < self.tables.size)
        if not fine.all():
            return int(np.argmin(fine))
        self._play(actions, winners)
        return -1

    def choose(self, dice: int, actions: NDArray[np.uint8]) -> None:
        """Choose a random legal move for every game, each equally likely."""
        bits, more = self.bits, self.more
        np.add(self.counters, np.uint64(dice), out=bits)
        for shift, factor in ((30, _FIRST), (27, _SECOND)):
            np.right_shift(bits, np.uint64(shift), out=more)
            np.bitwise_xor(bits, more, out=bits)
            np.multiply(bits, factor, out=bits)
        np.right_shift(bits, np.uint64(31), out=more)
        np.bitwise_xor(bits, more, out=bits)
        np.right_shift(bits, _HALF, out=bits)
        np.multiply(bits, np.bitwise_count(self.legal), out=bits)
        self._nth(bits.view(np.uint8)[_MIDDLE].copy(), actions)

    def step_random(self, dice: int, actions: NDArray[np.uint8], winners: NDArray[np.uint8]) -> None:
        """Choose random legal moves, and make them."""
        self.choose(dice, actions)
        self._play(actions, winners)

    def _nth(self, index: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
        """Find the legal cell with `index` others before it: halve down to eight cells, then use a table."""
        left, out[:] = self.legal, 0
        for half in (32, 16, 8):
            if half < self.tables.size:
                lower = left.view(np.uint16)[_LOWEST] if half == 16 else left & np.uint64((1 << half) - 1)
                low = np.bitwise_count(lower)
                beyond = (index >= low).view(np.uint8)
                index -= low * beyond
                beyond *= np.uint8(half)
                out += beyond
                left = left >> beyond
        place = left.astype(np.uint8).astype(np.uint16)
        place <<= 3
        place += index
        out += _IN_EIGHT.take(place, mode="clip")

    def _play(self, actions: NDArray[np.uint8], winners: NDArray[np.uint8]) -> None:
        tables, turn, more = self.tables, self.turn, self.more
        cells = actions.astype(np.intp)
        rest = _BITS.take(cells, out=self.bits, mode="clip")
        np.bitwise_or(self.mine, rest, out=self.mine)
        np.invert(rest, out=rest)
        for table, array in ((self.keeps, self.open_mine), (self.leaves, self.open_theirs)):
            np.bitwise_and(array, rest if table is None else table.take(cells, out=more, mode="clip"), out=array)
        self.my_head[:] = actions
        self.open_mine, self.open_theirs = self.open_theirs, self.open_mine
        self.mine, self.theirs = self.theirs, self.mine
        self.my_head, self.their_head = self.their_head, self.my_head
        if tables.follows:
            followed = self.my_head.astype(np.intp) if tables.pawn else cells
            np.bitwise_and(self.open_mine, tables.reach.take(followed, out=more, mode="clip"), out=self.legal)
        else:
            self.legal = self.open_mine
        np.bitwise_xor(turn, 3, out=turn)
        over = np.flatnonzero(self.legal == 0)
        if tables.passes and len(over):
            over = self._passed(over)
        winners.fill(0)
        winners[over] = turn[over] ^ 3
        for array, value in zip(self.arrays(), self.start, strict=True):
            array[over] = value

    def _passed(self, stuck: NDArray[np.intp]) -> NDArray[np.intp]:
        """Let the other side move in the stuck games where it can; return the other games, which are over."""
        goes_on = self.open_theirs[stuck] != 0  # games with passes have no moves that follow another
        again: NDArray[np.intp] = stuck[goes_on]
        for one, other in (
            (self.open_mine, self.open_theirs),
            (self.mine, self.theirs),
            (self.my_head, self.their_head),
        ):
            one[again], other[again] = other[again], one[again]
        self.turn[again] ^= 3
        ended: NDArray[np.intp] = stuck[~goes_on]
        return ended

    def mask(self, out: NDArray[Any]) -> None:
        """Write the legal moves of every game, a byte per cell."""
        self._spread(self.legal, out)

    def planes(self, out: NDArray[Any]) -> None:
        """Write the planes of every game as `gridlock.envs.planes` defines them, a byte per cell."""
        shown = self.shown
        shown[:, 0], shown[:, 1] = self.mine, self.theirs
        shown[:, 2], shown[:, 3] = (_PLACES.take(heads, mode="clip") for heads in (self.my_head, self.their_head))
        self._spread(shown, out)

    def _spread(self, cells: NDArray[np.uint64], out: NDArray[Any]) -> None:
        octets = cells.astype("<u8", copy=False).view(np.uint8).reshape(-1, 8)
        spread = np.unpackbits(octets, axis=1, count=self.tables.size, bitorder="little")
        out[...] = spread.reshape(out.shape)
