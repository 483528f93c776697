"""The NumPy version of the batch loops: a fallback for the compiled loops, with the same moves and random numbers.

A set of cells is one 64-bit word for boards of up to 64 cells, and two words for larger boards. In an array
of sets, the first index selects the word, and the second selects the game. The first words of all sets are therefore
adjacent in memory, and so are the second words.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

from gridlock.envs import needs

with needs("batch"):
    import numpy as np
    from numpy.typing import NDArray

NOWHERE = 128  # a side's head before its first move; the move that follows may be anywhere
WORD = 64
_ODD = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_HALF = np.uint64(32)
_LITTLE = sys.byteorder == "little"
_LOWEST = slice(0 if _LITTLE else 3, None, 4)  # the lowest quarter of each word
_MIDDLE = slice(4 if _LITTLE else 3, None, 8)  # the lowest byte of each word's upper half
# For a set of up to eight cells, entry 8 * cells + index is the set's cell with that index, counting from 0.
_IN_EIGHT = np.array(
    [([cell for cell in range(8) if cells >> cell & 1] + 8 * [0])[:8] for cells in range(256)], np.uint8
).ravel()


Row = tuple[int, ...]  # a game: open cells, taken cells and last moves (the mover's first), then the side to move


def in_words(sets: Sequence[int], words: int) -> NDArray[np.uint64]:
    """Return sets of cells as 64-bit words."""
    cut = [[cells >> WORD * word & (1 << WORD) - 1 for cells in sets] for word in range(words)]
    return np.array(cut, np.uint64)


class Tables(NamedTuple):
    """The effects of moves in one game on one board."""

    keeps: NDArray[np.uint64]  # for every cell, the cells that a move there leaves open to its player
    leaves: NDArray[np.uint64]  # for every cell, the cells that a move there leaves open to the opponent
    reach: NDArray[np.uint64]  # for every cell, where the next move may follow it; NOWHERE is the last
    start: Row
    passes: bool
    follows: bool  # whether the last move limits the next one
    pawn: bool
    size: int


class Numbers:
    """The NumPy version of `batch_kernel.Lockstep`, in which every operation works on whole arrays."""

    def __init__(self, tables: Tables, count: int) -> None:
        self.tables = tables
        self.words = words = len(tables.reach)
        self.open_mine, self.open_theirs, self.mine, self.theirs = np.empty((4, words, count), np.uint64)
        self.my_head, self.their_head, self.turn = np.empty((3, count), np.uint8)
        self.legal = np.empty((words, count), np.uint64)  # the cells that may be played now
        self.places = in_words([*(1 << cell for cell in range(NOWHERE)), 0], words)  # the last set is for NOWHERE
        self.keeps, self.leaves = (  # None means that a move closes only its own cell
            table if (table | self.places != tables.reach[:, NOWHERE:])[:, : tables.size].any() else None
            for table in (tables.keeps, tables.leaves)
        )
        with np.errstate(over="ignore"):
            self.counters = _ODD * np.arange(count, dtype=np.uint64)
        self.bits, self.more = np.empty((2, words, count), np.uint64)
        self.shown = np.empty((count, 4, words), np.uint64)  # the planes of every game
        self.begin([tables.start])
        self.start = [row[0] for row in self.rows()]

    def arrays(self) -> tuple[NDArray[Any], ...]:
        """Return all arrays that are updated after each move."""
        taken = self.open_mine, self.open_theirs, self.mine, self.theirs
        return (*taken, self.my_head, self.their_head, self.turn, self.legal)

    def rows(self) -> list[NDArray[Any]]:
        """Return one-dimensional views of all data in `arrays`, because NumPy handles one-dimensional arrays faster."""
        return [row for array in self.arrays() for row in (array if array.ndim == 2 else (array,))]

    def begin(self, rows: Sequence[Row]) -> None:
        """Start each game from its own entry in `rows`; if `rows` has only one entry, start all games from it."""
        sets, places = zip(*((row[:4], row[4:]) for row in rows), strict=True)
        for array, cells in zip(self.arrays(), zip(*sets, strict=True), strict=False):
            array[:] = in_words(cells, self.words)
        for array, numbers in zip(self.arrays()[4:], zip(*places, strict=True), strict=False):
            array[:] = numbers
        followed = self.my_head if self.tables.pawn else self.their_head
        self.legal = self.open_mine & self.tables.reach[:, followed] if self.tables.follows else self.open_mine.copy()

    def reset(self) -> None:
        """Restart all games."""
        for row, value in zip(self.rows(), self.start, strict=True):
            row.fill(value)

    def saved(self) -> list[NDArray[Any]]:
        """Return a copy of the state of all games."""
        return [array.copy() for array in self.arrays()]

    def restore(self, saved: list[NDArray[Any]], games: Any = slice(None)) -> None:
        """Restore some games to their earlier state."""
        for array, values in zip(self.arrays(), saved, strict=True):
            array[..., games] = values[..., games]

    def turns(self, out: NDArray[np.uint8]) -> None:
        """Store in `out` which side is to move in each game."""
        out[:] = self.turn

    def game(self, game: int) -> tuple[int, ...]:
        """Return a game: both sides' cells and latest moves (the side to move comes first), and whose turn it is."""
        mine, theirs = (
            sum(int(word) << WORD * place for place, word in enumerate(array[:, game]))
            for array in (self.mine, self.theirs)
        )
        return mine, theirs, int(self.my_head[game]), int(self.their_head[game]), int(self.turn[game])

    def step(self, actions: NDArray[np.uint8], winners: NDArray[np.uint8]) -> int:
        """Make a move in every game and return -1.

        If a move is illegal, make no moves and return the number of the first game whose move is illegal.
        """
        cells = np.minimum(actions, NOWHERE).astype(np.intp)
        wrong = _empty(self.places.take(cells, axis=1) & self.legal)
        if wrong.any():
            return int(np.argmax(wrong))
        self._play(actions, winners)
        return -1

    def choose(self, dice: int, actions: NDArray[np.uint8]) -> None:
        """Choose a random legal move for every game, with equal probabilities."""
        bits, more = self.bits[0], self.more[0]
        np.add(self.counters, np.uint64(dice), out=bits)
        for shift, factor in ((30, _FIRST), (27, _SECOND)):
            np.right_shift(bits, np.uint64(shift), out=more)
            np.bitwise_xor(bits, more, out=bits)
            np.multiply(bits, factor, out=bits)
        np.right_shift(bits, np.uint64(31), out=more)
        np.bitwise_xor(bits, more, out=bits)
        np.right_shift(bits, _HALF, out=bits)
        counts = np.bitwise_count(self.legal)
        np.multiply(bits, counts[0] if self.words == 1 else counts[0] + counts[1], out=bits)
        self._nth(bits.view(np.uint8)[_MIDDLE].copy(), actions)

    def step_random(self, dice: int, actions: NDArray[np.uint8], winners: NDArray[np.uint8]) -> None:
        """Make a random legal move in every game."""
        self.choose(dice, actions)
        self._play(actions, winners)

    def _nth(self, index: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
        """Find the legal cell with the given index: bisect until eight cells are left, then use a table."""
        left, out[:] = self.legal[0], 0
        if self.words > 1:
            low = np.bitwise_count(left)
            beyond = (index >= low).view(np.uint8)
            index -= low * beyond
            out += beyond * np.uint8(WORD)
            left = np.where(beyond, self.legal[1], left)
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
        rest = _taken(self.places, cells, self.bits)
        np.bitwise_or(self.mine, rest, out=self.mine)
        np.invert(rest, out=rest)
        for table, array in ((self.keeps, self.open_mine), (self.leaves, self.open_theirs)):
            np.bitwise_and(array, rest if table is None else _taken(table, cells, more), out=array)
        self.my_head[:] = actions
        self.open_mine, self.open_theirs = self.open_theirs, self.open_mine
        self.mine, self.theirs = self.theirs, self.mine
        self.my_head, self.their_head = self.their_head, self.my_head
        if tables.follows:
            followed = self.my_head.astype(np.intp) if tables.pawn else cells
            np.bitwise_and(self.open_mine, _taken(tables.reach, followed, more), out=self.legal)
        else:
            self.legal = self.open_mine
        np.bitwise_xor(turn, 3, out=turn)
        over = np.flatnonzero(_empty(self.legal))
        if tables.passes and len(over):
            over = self._passed(over)
        winners.fill(0)
        winners[over] = turn[over] ^ 3
        for row, value in zip(self.rows(), self.start, strict=True):
            row[over] = value

    def _passed(self, stuck: NDArray[np.intp]) -> NDArray[np.intp]:
        """Pass the turn if only the player to move is stuck; return the games in which both players are stuck."""
        goes_on = ~_empty(self.open_theirs[:, stuck])  # in games with passes, moves need not follow one another
        again: NDArray[np.intp] = stuck[goes_on]
        for one, other in (
            *zip(self.open_mine, self.open_theirs, strict=True),
            *zip(self.mine, self.theirs, strict=True),
            (self.my_head, self.their_head),
        ):
            one[again], other[again] = other[again], one[again]
        self.turn[again] ^= 3
        ended: NDArray[np.intp] = stuck[~goes_on]
        return ended

    def mask(self, out: NDArray[Any]) -> None:
        """Write the legal moves of every game, using a byte per cell."""
        self._spread(self.legal.T, out)

    def planes(self, out: NDArray[Any]) -> None:
        """Write the planes of every game, using a byte per cell; `gridlock.envs.planes` defines the planes."""
        shown = self.shown
        shown[:, 0], shown[:, 1] = self.mine.T, self.theirs.T
        for plane, heads in ((2, self.my_head), (3, self.their_head)):
            shown[:, plane] = self.places.take(heads, axis=1, mode="clip").T
        self._spread(shown, out)

    def _spread(self, cells: NDArray[np.uint64], out: NDArray[Any]) -> None:
        octets = np.ascontiguousarray(cells, "<u8").view(np.uint8).reshape(-1, 8 * self.words)
        spread = np.unpackbits(octets, axis=1, count=self.tables.size, bitorder="little")
        out[...] = spread.reshape(out.shape)


def _empty(cells: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return, for each set, whether it is empty."""
    found: NDArray[np.bool_] = (cells[0] if len(cells) == 1 else cells[0] | cells[1]) == 0
    return found


def _taken(table: NDArray[np.uint64], cells: NDArray[np.intp], out: NDArray[np.uint64]) -> NDArray[np.uint64]:
    for word, found in zip(table, out, strict=True):  # faster than along an axis
        word.take(cells, out=found, mode="clip")
    return out
