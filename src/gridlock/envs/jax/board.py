"""Apply the rules to whole batches of games: `Shape.legal` and `Position.after` as operations on sets of cells.

These functions support every `Shape`.

A set is stored as one array per 32-bit word, so that all operations are elementwise. JAX has 64-bit integers only if a
program enables them globally. 32-bit words need no such setting, and halve the work for boards of up to 32 cells.
All functions accept single games as well as batches with any number of axes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import pairwise
from operator import add, or_
from typing import NamedTuple, cast

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from gridlock.core.errors import BadBoard, BadGame
from gridlock.core.grid import Bitboard, Cell
from gridlock.core.position import Position, Side
from gridlock.core.rulebook import Variant
from gridlock.core.shape import Follow

MOST_CELLS = 128
Words = tuple[jax.Array, ...]  # a set of cells: word n has cells 32 n to 32 n + 31

BITS = 32
_WORD = np.uint32  # other types would widen results to 64 bits in programs that enable 64-bit numbers


def constant(bits: Bitboard, count: int) -> Words:
    """Return a set of cells as a tuple of constant 32-bit words."""
    words = tuple(_WORD(bits >> BITS * number & 0xFFFFFFFF) for number in range(count))
    return cast(Words, words)  # JAX accepts NumPy numbers as arrays


def single(cell: jax.Array, count: int) -> Words:
    """Return the set that contains a single cell, or an empty set if the cell's number is out of range."""
    bit = _WORD(1) << (cell & BITS - 1).astype(_WORD)
    return tuple(jnp.where(cell >> 5 == number, bit, _WORD(0)) for number in range(count))


def cell_of(place: Words) -> jax.Array:
    """Convert a set that contains exactly one cell to that cell's number."""
    found = (
        jnp.where(word != 0, lax.population_count(word - _WORD(1)) + _WORD(BITS * number), _WORD(0))
        for number, word in enumerate(place)
    )
    return reduce(or_, found).astype(jnp.int32)


def both(one: Words, other: Words) -> Words:
    """Return the intersection of two sets."""
    return tuple(a & b for a, b in zip(one, other, strict=True))


def either(one: Words, other: Words) -> Words:
    """Return the union of two sets."""
    return tuple(a | b for a, b in zip(one, other, strict=True))


def without(one: Words, other: Words) -> Words:
    """Return the cells of the first set that are not in the second."""
    return tuple(a & ~b for a, b in zip(one, other, strict=True))


def select(condition: jax.Array, one: Words, other: Words) -> Words:
    """Return, for each game, the first set if the game's condition holds, and the second set otherwise."""
    return tuple(jnp.where(condition, a, b) for a, b in zip(one, other, strict=True))


def some(cells: Words) -> jax.Array:
    """Return whether a set contains any cells."""
    return reduce(or_, cells) != 0


def up(cells: Words, by: int) -> Words:
    """Shift a set towards higher cell numbers; bits beyond the last word are lost."""
    whole, part = divmod(by, BITS)
    return tuple(_joined(cells, number - whole, part, number - whole - 1) for number in range(len(cells)))


def down(cells: Words, by: int) -> Words:
    """Shift a set towards lower cell numbers."""
    whole, part = divmod(by, BITS)
    if not part:
        return tuple(_joined(cells, number + whole, 0, -1) for number in range(len(cells)))
    return tuple(_joined(cells, number + whole + 1, BITS - part, number + whole) for number in range(len(cells)))


def _joined(cells: Words, higher: int, by: int, lower: int) -> jax.Array:
    """Shift a word up and fill the gap with bits from the word below; a word outside the set counts as zero."""
    zero = jnp.zeros_like(cells[0])
    raised = cells[higher] << _WORD(by) if 0 <= higher < len(cells) else zero
    return raised | cells[lower] >> _WORD(BITS - by) if by and 0 <= lower < len(cells) else raised


def unpacked(cells: Words, size: int) -> jax.Array:
    """Return a set as one boolean per cell, along a new last axis."""
    places = jnp.arange(BITS, dtype=_WORD)
    bits = [(word[..., None] >> places & _WORD(1)).astype(bool) for word in map(jnp.asarray, cells)]
    return jnp.concatenate(bits, axis=-1)[..., :size]


def total(cells: Words) -> jax.Array:
    """Return the number of cells in a set."""
    return reduce(add, map(lax.population_count, cells))


def nth(cells: Words, index: jax.Array) -> Words:
    """Return the cell at position `index` in a set, counting from 0, as a set of one cell."""
    part, before = cells[0], jnp.zeros_like(index)
    beyond: list[jax.Array] = []
    for number in range(1, len(cells)):  # find the word that contains the cell
        upto = total(cells[:number])
        beyond.append(index >= upto)
        part, before = jnp.where(beyond[-1], cells[number], part), jnp.where(beyond[-1], upto, before)
    index = index - before
    at = jnp.zeros_like(part)
    for half in (16, 8, 4, 2, 1):  # find the half of the remaining bits that contains the cell
        count = lax.population_count(part >> at & _WORD((1 << half) - 1))
        higher = index >= count
        index, at = jnp.where(higher, index - count, index), jnp.where(higher, at + _WORD(half), at)
    bit = _WORD(1) << at
    if not beyond:
        return (bit,)
    none = _WORD(0)
    here = [~beyond[0], *(one & ~after for one, after in pairwise(beyond)), beyond[-1]]
    return tuple(jnp.where(found, bit, none) for found in here)


def random_place(cells: Words, dice: jax.Array) -> Words:
    """Choose a random cell from a set; the probabilities are equal to within one part in thirty million."""
    count = total(cells)
    high, low = dice >> _WORD(16), dice & _WORD(0xFFFF)
    return nth(cells, high * count + (low * count >> _WORD(16)) >> _WORD(16))  # dice * count / 2**32


# -- the rules --------------------------------------------------------------------------------------------------------


class Board(NamedTuple):
    """A position as sets of cells; `mine` belongs to the side to move, and a head is the cell that a side took last."""

    mine: Words
    theirs: Words
    my_head: Words
    their_head: Words

    def passed(self) -> "Board":
        """Return the board from the perspective of the other side."""
        return Board(self.theirs, self.mine, self.their_head, self.my_head)

    def after(self, place: Words) -> "Board":
        """Return the board after the side to move has taken a cell."""
        return Board(self.theirs, either(self.mine, place), self.their_head, place)

    def positions(self, turns: np.ndarray[tuple[int, ...], np.dtype[np.int32]]) -> list[Position]:
        """Return the games of a batch as positions; `turns` are the sides to move, 1 or 2."""

        def whole(cells: Words) -> list[Bitboard]:
            parts = [np.atleast_1d(np.asarray(word)).tolist() for word in cells]
            return [sum(word << BITS * number for number, word in enumerate(one)) for one in zip(*parts, strict=True)]

        def last(cells: Bitboard) -> Cell | None:
            return cells.bit_length() - 1 if cells else None

        mine, theirs, my_head, their_head = map(whole, self)
        sides = np.atleast_1d(turns).tolist()
        return list(map(Position, mine, theirs, map(last, my_head), map(last, their_head), sides))


def chosen(condition: jax.Array, one: Board, other: Board) -> Board:
    """Return, for each game, the first board if the game's condition holds, and the second board otherwise."""
    return Board(*(select(condition, a, b) for a, b in zip(one, other, strict=True)))


@dataclass(frozen=True)
class Rules:
    """The rules of one variant, as elementwise functions; a game with its own rule functions is rejected."""

    variant: Variant

    def __post_init__(self) -> None:
        book, grid = self.variant.book, self.variant.grid
        if book.shape is None:
            raise BadGame(f"{book.name} has its own rule functions, which the JAX environment does not support.")
        if grid.size > MOST_CELLS:
            raise BadBoard(f"{grid} is too large: the JAX environment supports boards of up to {MOST_CELLS} cells.")

    @cached_property
    def count(self) -> int:
        """The number of 32-bit words that represent a set of cells."""
        return -(-self.variant.grid.size // BITS)

    def _known(self, bits: Bitboard) -> Words:
        return constant(bits, self.count)

    @cached_property
    def _inner(self) -> Words:
        """All cells except those in the first column."""
        grid = self.variant.grid
        return self._known(sum(1 << cell for cell in range(grid.size) if cell % grid.cols))

    def start(self, starts: Side = 1) -> Board:
        """Return the board before the first move."""
        position = self.variant.start(starts)
        heads = (0 if head is None else 1 << head for head in (position.my_head, position.their_head))
        return Board(*map(self._known, (position.mine, position.theirs, *heads)))

    def boards(self, positions: Sequence[Position]) -> Board:
        """Return the boards of a batch, given its positions."""

        def batch(sets: Sequence[Bitboard]) -> Words:
            cut = ([cells >> BITS * word & 0xFFFFFFFF for cells in sets] for word in range(self.count))
            return tuple(jnp.array(words, _WORD) for words in cut)

        def place(head: Cell | None) -> Bitboard:
            return 0 if head is None else 1 << head

        mine, theirs, my_heads, their_heads, _ = zip(*positions, strict=True)
        return Board(batch(mine), batch(theirs), batch([*map(place, my_heads)]), batch([*map(place, their_heads)]))

    def around(self, cells: Words) -> Words:
        """Return the given cells and their neighbours, some of which may be off the board."""
        grid = self.variant.grid
        wide = either(cells, either(both(up(cells, 1), self._inner), down(both(cells, self._inner), 1)))
        tall = wide if grid.adjacency == "king" else cells
        return either(wide, either(up(tall, grid.cols), down(tall, grid.cols)))

    def legal(self, board: Board) -> Words:
        """Return the cells open to the side to move."""
        shape = self.variant.shape
        assert shape is not None  # __post_init__ has checked it
        closed, cells = either(board.mine, board.theirs), self._known(self.variant.grid.cells)
        if shape.closes_own:
            closed = either(closed, self.around(board.mine))
        if shape.closes_other:
            closed = either(closed, self.around(board.theirs))
        followed = board.my_head if shape.pawn else board.their_head
        if shape.follows is Follow.AWAY:
            closed = either(closed, self.around(followed))
        if shape.follows is Follow.NEAR:  # the opening move is free, because there is nothing to follow yet
            cells = both(cells, select(some(followed), self.around(followed), cells))
        return without(cells, closed)

    def settled(self, board: Board) -> tuple[Board, Words, jax.Array]:
        """Return the board after any forced pass, its legal cells, and whether there was a pass.

        If there is no legal cell, the game is over, and the side to move has lost.
        """
        legal = self.legal(board)
        if not self.variant.book.passes:
            return board, legal, jnp.zeros_like(some(legal))
        other = self.legal(board.passed())
        passes = ~some(legal) & some(other)
        return chosen(passes, board.passed(), board), select(passes, other, legal), passes
