"""Many games with the same rules and board, played in lockstep by a compiled loop on NumPy arrays.

>>> from gridlock.envs.batch import Batch
>>> batch = Batch("showdown", count=4096, seed=1)
>>> winners = batch.step(batch.sample())  # 0 for a game in progress, otherwise the player who has won
>>> batch.planes().shape, batch.mask().shape
((4096, 4, 5, 5), (4096, 25))

Observations and actions are described in `gridlock.envs.planes`. A finished game restarts at once: `winners` refers to
the game that has ended, and everything else refers to the new game. Games start from the empty board, or from the
positions given to `reset`.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gridlock.core import rules
from gridlock.core.errors import BadBoard, BadGame, BadPosition, IllegalMove
from gridlock.core.position import Position
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.envs import needs
from gridlock.envs.numbers import NOWHERE, WORD, Numbers, Row, Tables, in_words
from gridlock.envs.planes import why_illegal
from gridlock.envs.starts import Start, check_first_move, game_from, whole

with needs("batch"):
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


MOST_CELLS = 128  # the number of bits in two words
_ODD = 0x9E3779B97F4A7C15  # the step of SplitMix64's counter
_WORD = 0xFFFFFFFFFFFFFFFF


class Batch:
    """A batch of games that are played on the same board and advance together."""

    def __init__(
        self,
        game: str | Path | RuleBook | Variant,
        board: str | None = None,
        adjacency: str | None = None,
        *,
        count: int = 1024,
        seed: int | None = 0,
        compiled: bool | None = None,
    ) -> None:
        """Start `count` games, by default with compiled loops if they are available.

        Set `compiled` to True to require compiled loops, or to False to use NumPy. If the seed is None, a random seed
        is drawn.
        """
        self.variant = rules.chosen(game, board, adjacency)
        self.count = whole(count, "The number of games")
        if self.count < 1:
            raise BadGame(f"A batch has at least one game, not {self.count}.")
        self._tables = _tables(self.variant)
        self._loops = _loops(self._tables, self.count, compiled)
        self._starts: list[NDArray[Any]] | None = None  # the given positions that games restart from
        self.reset(secrets.randbits(64) if seed is None else seed)

    @property
    def compiled(self) -> bool:
        """Whether the batch uses compiled loops rather than NumPy."""
        return not isinstance(self._loops, Numbers)

    @property
    def turns(self) -> NDArray[np.uint8]:
        """The side to move in every game: 1 or 2."""
        turns = np.empty(self.count, np.uint8)
        self._loops.turns(turns)
        return turns

    def reset(self, seed: int | None = None, positions: Sequence[Start] | None = None) -> None:
        """Restart all games; if `seed` is given, also reseed the random generator for `sample` and `step_random`.

        `positions` gives each game its own starting position, from which the game also restarts once it is over. A
        starting position can be a `Position`, a position's text, or a `Game`.
        """
        if seed is not None:
            seed = whole(seed, "A seed")
        if positions is not None:
            rows = self._rows(positions)
            self._loops.begin(rows)
            self._starts = self._loops.saved()
        else:
            self._starts = None
            self._loops.reset()
        if seed is not None:
            self._dice = seed * 0x2545F4914F6CDD1D & _WORD

    def _rows(self, positions: Sequence[Start]) -> list[Row]:
        if isinstance(positions, str) or len(positions) != self.count:
            given = "a string" if isinstance(positions, str) else len(positions)
            raise BadPosition(f"A batch of {self.count} games starts from {self.count} positions, not from {given}.")
        return [_row(self.variant, game_from(self.variant, start).position) for start in positions]

    # -- moves ------------------------------------------------------------------------------------------------

    def step(self, actions: ArrayLike) -> NDArray[np.uint8]:
        """Make one move in every game; return the winners: 1, 2, or 0 for a game in progress."""
        cells = self._cells(actions)
        winners = np.empty(self.count, np.uint8)
        wrong = self._loops.step(cells, winners)
        if wrong >= 0:
            action = int(np.asarray(actions)[wrong])
            why = why_illegal(self.variant, self.position(wrong), action)
            raise IllegalMove(
                f"Action {action} of game {wrong} is not possible: the cell is {why}. See mask() for the legal actions."
            )
        self._restart(winners)
        return winners

    def sample(self) -> NDArray[np.uint8]:
        """Return a random legal action for every game."""
        actions = np.empty(self.count, np.uint8)
        self._loops.choose(self._next_dice(), actions)
        return actions

    def step_random(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Make a random legal move in every game; return the actions and the winners."""
        actions, winners = np.empty(self.count, np.uint8), np.empty(self.count, np.uint8)
        self._loops.step_random(self._next_dice(), actions, winners)
        self._restart(winners)
        return actions, winners

    def _restart(self, winners: NDArray[np.uint8]) -> None:
        """If `reset` was called with positions, reset each finished game to its starting position."""
        if self._starts is not None and winners.any():
            self._loops.restore(self._starts, np.flatnonzero(winners))

    def _next_dice(self) -> int:
        dice, self._dice = self._dice, self._dice + _ODD * self.count & _WORD
        return dice

    def _cells(self, actions: ArrayLike) -> NDArray[np.uint8]:
        given = np.asarray(actions)
        if given.shape != (self.count,) or given.dtype.kind not in "iu":
            raise IllegalMove(
                f"A batch of {self.count} games takes {self.count} whole numbers, not an array of "
                f"{given.dtype} with shape {given.shape}."
            )
        if given.dtype == np.uint8:
            return np.ascontiguousarray(given)
        inside = (given >= 0) & (given < MOST_CELLS)
        return np.where(inside, given, 255).astype(np.uint8)

    # -- observations ------------------------------------------------------------------------------------------

    def mask(self, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """Return an array of shape (count, cells), in which 1 marks the legal actions in each game."""
        out = self._room(out, (self.count, self.variant.grid.size))
        self._loops.mask(out)
        return out

    def planes(self, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """Return the observation for the side to move in each game, as one array of shape (count, 4, rows, cols)."""
        grid = self.variant.grid
        out = self._room(out, (self.count, 4, grid.rows, grid.cols))
        self._loops.planes(out)
        return out

    def _room(self, out: NDArray[Any] | None, shape: tuple[int, ...]) -> NDArray[Any]:
        if out is None:
            return np.empty(shape, np.uint8)
        if out.shape != shape or out.dtype.itemsize != 1 or not out.flags.c_contiguous:
            raise BadBoard(f"The array to write into must be a contiguous one of bytes with shape {shape}.")
        return out

    def position(self, game: int) -> Position:
        """Return the position of one game."""
        mine, theirs, my_head, their_head, turn = self._loops.game(game)
        mine_at, theirs_at = (None if head == NOWHERE else head for head in (my_head, their_head))
        return Position(mine, theirs, mine_at, theirs_at, turn)

    # -- copies -----------------------------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_loops": (self.compiled, self._loops.saved())}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Give a copied batch its own games, so that moves in the copy do not change the original."""
        compiled, saved = state["_loops"]
        self.__dict__.update(state)
        self._loops = _loops(self._tables, self.count, compiled)
        self._loops.restore(saved)

    def __repr__(self) -> str:
        grid = self.variant.grid
        return f"<Batch of {self.count} games: {self.variant.book.name} {grid} {grid.adjacency}>"


def _tables(variant: Variant) -> Tables:
    """Return lookup tables with the effects of every move."""
    shape, grid = variant.shape, variant.grid
    if shape is None:
        raise BadGame(f"{variant.book.name} has its own rule functions, which batches do not support.")
    if grid.size > MOST_CELLS:
        raise BadBoard(f"{grid} is too large for a batch: batches support boards of up to {MOST_CELLS} cells.")
    check_first_move(variant)
    words, beyond = -(-grid.size // WORD), [0] * (NOWHERE - grid.size)
    keeps, leaves, reach = (
        in_words([*(effect(grid, cell) for cell in range(grid.size)), *beyond, grid.cells], words)
        for effect in (shape.keeps, shape.leaves, shape.reach)
    )
    start = _row(variant, variant.start())
    return Tables(keeps, leaves, reach, start, variant.book.passes, bool(shape.follows), shape.pawn, grid.size)


def _row(variant: Variant, position: Position) -> Row:
    """Return a position as the tuple that the compiled and the NumPy loops expect."""
    assert variant.shape is not None  # _tables has checked it
    heads = (NOWHERE if head is None else head for head in (position.my_head, position.their_head))
    opened = variant.shape.open_to_both(variant.grid, position)
    return (*opened, position.mine, position.theirs, *heads, position.turn)


def _loops(tables: Tables, count: int, compiled: bool | None) -> Any:
    """Return the compiled loops if they are available, otherwise the NumPy loops."""
    from gridlock.engine.kernels import batch_kernel

    if compiled and not batch_kernel.COMPILED:
        raise BadGame(
            "compiled=True needs compiled code, which this installation lacks. Install GridLock on a machine with a C "
            "compiler."
        )
    if compiled is not False and batch_kernel.COMPILED:
        return batch_kernel.Lockstep(*tables, new_state(tables, count))
    return Numbers(tables, count)


def new_state(tables: Tables, count: int) -> NDArray[np.uint64]:
    """Return an array that stores the games for the compiled loops.

    Each game takes up one 64-bit word for both sides' last moves and the side to move, plus one or two 64-bit words for
    each of its four sets of cells.
    """
    return np.empty((count, 1 + 4 * len(tables.reach)), np.uint64)
