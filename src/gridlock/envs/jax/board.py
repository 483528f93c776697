"""The rules of any shape on words: `Shape.legal` and `Position.after` for any number of games."""

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
    """A position as sets of cells, the side to move first; a head is the cell that a side took last, if any."""

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


def chosen(condition: jax.Array, one: Board, other: Board) -> Board:
    """Return the first board where the condition holds, and the second elsewhere."""
    return Board(*(select(condition, a, b) for a, b in zip(one, other, strict=True)))


@dataclass(frozen=True)
class Rules:
    """The rules of a variant's shape, as elementwise functions."""

    variant: Variant

    def __post_init__(self) -> None:
        book, grid = self.variant.book, self.variant.grid
        if book.shape is None:
            raise BadGame(f"{book.name} has functions of its own for its rules; here a game needs a shape.")
        if grid.size > MOST_CELLS:
            raise BadBoard(f"A board of {grid} is too large here: it may have up to {MOST_CELLS} cells.")

    @cached_property
    def count(self) -> int:
        """The number of words in a set of cells."""
        return words.count_words(self.variant.grid.size)

    def _known(self, bits: Bitboard) -> Words:
        return words.constant(bits, self.count)

    @cached_property
    def _inner(self) -> Words:
        """All cells except those of the first column."""
        grid = self.variant.grid
        return self._known(sum(1 << cell for cell in range(grid.size) if cell % grid.cols))

    def start(self, starts: Side = 1) -> Board:
        """Return the board before the first move."""
        position = self.variant.start(starts)
        heads = (0 if head is None else 1 << head for head in (position.my_head, position.their_head))
        return Board(*map(self._known, (position.mine, position.theirs, *heads)))

    def around(self, cells: Words) -> Words:
        """Return these cells and their neighbours, and perhaps cells beyond the board."""
        grid = self.variant.grid
        wide = either(cells, either(both(words.up(cells, 1), self._inner), words.down(both(cells, self._inner), 1)))
        tall = wide if grid.adjacency == "king" else cells
        return either(wide, either(words.up(tall, grid.cols), words.down(tall, grid.cols)))

    def legal(self, board: Board) -> Words:
        """Return the cells open to the side to move."""
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
        """Return the board after an enforced pass, its legal cells, and whether there was a pass.

        If there is no legal cell, the game is over, and the side to move has lost.
        """
        legal = self.legal(board)
        if not self.variant.book.passes:
            return board, legal, jnp.zeros_like(some(legal))
        other = self.legal(board.passed())
        passes = ~some(legal) & some(other)
        return chosen(passes, board.passed(), board), select(passes, other, legal), passes


def positions(board: Board, turns: np.ndarray[tuple[int, ...], np.dtype[np.int32]]) -> list[Position]:
    """Return the games of a batch as positions of the rules; `turns` are the sides to move, 1 or 2."""

    def whole(cells: Words) -> list[Bitboard]:
        parts = [np.atleast_1d(np.asarray(word)).tolist() for word in cells]
        return [sum(word << words.BITS * number for number, word in enumerate(one)) for one in zip(*parts, strict=True)]

    def last(cells: Bitboard) -> Cell | None:
        return cells.bit_length() - 1 if cells else None

    mine, theirs, my_head, their_head = map(whole, board)
    sides = np.atleast_1d(turns).tolist()
    return list(map(Position, mine, theirs, map(last, my_head), map(last, their_head), sides))
