"""The rules of any shape on words: what `Shape.legal` and `Position.after` say, for as many games as one likes."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from gridlock.core.errors import BadBoard, BadGame
from gridlock.core.grid import Bitboard, Cell
from gridlock.core.position import Position, Side
from gridlock.core.rulebook import Variant
from gridlock.core.shape import Follow
from gridlock.envs.jax import words
from gridlock.envs.jax.words import Words, both, either, select, some, without

MOST_CELLS = 128


class Board(NamedTuple):
    """A position as sets of cells, seen by the side to move; a head is the cell that a side took last, if any."""

    mine: Words
    theirs: Words
    my_head: Words
    their_head: Words

    def passed(self) -> "Board":
        """The same board, seen by the other side."""
        return Board(self.theirs, self.mine, self.their_head, self.my_head)

    def after(self, place: Words) -> "Board":
        """The board once the side to move has taken a cell."""
        return Board(self.theirs, either(self.mine, place), self.their_head, place)


def chosen(condition: jax.Array, one: Board, other: Board) -> Board:
    """The first board where the condition holds, otherwise the second."""
    return Board(*(select(condition, a, b) for a, b in zip(one, other, strict=True)))


@dataclass(frozen=True)
class Rules:
    """What a variant's shape allows, as elementwise functions."""

    variant: Variant

    def __post_init__(self) -> None:
        book, grid = self.variant.book, self.variant.grid
        if book.shape is None:
            raise BadGame(f"{book.name} has functions of its own for its rules; here a game needs a shape.")
        if grid.size > MOST_CELLS:
            raise BadBoard(f"A board of {grid} is too large here: it may have up to {MOST_CELLS} cells.")

    @cached_property
    def count(self) -> int:
        """How many words a set of cells has."""
        return words.count_words(self.variant.grid.size)

    def _known(self, bits: Bitboard) -> Words:
        return words.constant(bits, self.count)

    @cached_property
    def _inner(self) -> Words:
        """All cells but those of the first column."""
        grid = self.variant.grid
        return self._known(sum(1 << cell for cell in range(grid.size) if cell % grid.cols))

    def start(self, starts: Side = 1) -> Board:
        """The board before the first move."""
        position = self.variant.start(starts)
        heads = (0 if head is None else 1 << head for head in (position.my_head, position.their_head))
        return Board(*map(self._known, (position.mine, position.theirs, *heads)))

    def around(self, cells: Words) -> Words:
        """These cells and all that touch them, and perhaps cells beyond the board."""
        grid = self.variant.grid
        wide = either(cells, either(both(words.up(cells, 1), self._inner), words.down(both(cells, self._inner), 1)))
        tall = wide if grid.adjacency == "king" else cells
        return either(wide, either(words.up(tall, grid.cols), words.down(tall, grid.cols)))

    def legal(self, board: Board) -> Words:
        """The cells open to the side to move."""
        shape = self.variant.shape
        assert shape is not None  # refused at the beginning
        closed, cells = either(board.mine, board.theirs), self._known(self.variant.grid.cells)
        if shape.closes_own:
            closed = either(closed, self.around(board.mine))
        if shape.closes_other:
            closed = either(closed, self.around(board.theirs))
        followed = board.my_head if shape.pawn else board.their_head
        if shape.follows is Follow.AWAY:
            closed = either(closed, self.around(followed))
        if shape.follows is Follow.NEAR:  # nothing to follow yet: the opening move is free
            cells = both(cells, select(some(followed), self.around(followed), cells))
        return without(cells, closed)

    def settled(self, board: Board) -> tuple[Board, Words, jax.Array]:
        """The board that the next move is made from, a pass behind it, its legal cells, and whether there was a pass.

        Where there is no legal cell, the game is over, and the side to move has lost.
        """
        legal = self.legal(board)
        if not self.variant.book.passes:
            return board, legal, jnp.zeros_like(some(legal))
        other = self.legal(board.passed())
        passes = ~some(legal) & some(other)
        return chosen(passes, board.passed(), board), select(passes, other, legal), passes


def positions(board: Board, turns: np.ndarray[tuple[int, ...], np.dtype[np.int32]]) -> list[Position]:
    """The positions of a batch, as the rule books have them; turns are the sides to move, 1 or 2."""

    def whole(cells: Words) -> list[Bitboard]:
        parts = [np.atleast_1d(np.asarray(word)).tolist() for word in cells]
        return [sum(word << words.BITS * number for number, word in enumerate(one)) for one in zip(*parts, strict=True)]

    def last(cells: Bitboard) -> Cell | None:
        return cells.bit_length() - 1 if cells else None

    mine, theirs, my_head, their_head = map(whole, board)
    sides = np.atleast_1d(turns).tolist()
    return list(map(Position, mine, theirs, map(last, my_head), map(last, their_head), sides))
