"""Random legal moves at the speed of the device, with one 32-bit random number per game."""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from gridlock.envs.jax import words
from gridlock.envs.jax.board import Board, chosen
from gridlock.envs.jax.env import Env, State
from gridlock.envs.jax.words import Words, select, some

_WORD = np.uint32


def dice(games: int, seed: int) -> jax.Array:
    """Return the initial random number of every game: hashed from the seed, and never 0."""
    bits = jnp.arange(games, dtype=_WORD) + _WORD(seed * 0x9E3779B9 & 0xFFFFFFFF)
    bits = (bits ^ bits >> _WORD(16)) * _WORD(0x85EBCA6B)
    bits = (bits ^ bits >> _WORD(13)) * _WORD(0xC2B2AE35)
    return jnp.maximum(bits ^ bits >> _WORD(16), _WORD(1))


def rolled(dice: jax.Array) -> jax.Array:
    """Return the next random numbers: xorshift by 13, 17 and 5, which visits every number except 0."""
    dice = dice ^ dice << _WORD(13)
    dice = dice ^ dice >> _WORD(17)
    return dice ^ dice << _WORD(5)


def random_place(cells: Words, dice: jax.Array) -> Words:
    """Choose a cell of a set, each equally likely (to one part in thirty million)."""
    count = words.total(cells)
    high, low = dice >> _WORD(16), dice & _WORD(0xFFFF)
    return words.nth(cells, high * count + (low * count >> _WORD(16)) >> _WORD(16))  # dice * count / 2**32


def random_action(state: State, dice: jax.Array) -> jax.Array:
    """Choose a legal action, each equally likely; action 0 in a finished game."""
    return words.cell_of(random_place(state.env.rules.legal(state.board), dice))


class Rolling(NamedTuple):
    """Games of random moves: the boards, the dice, and the number of games each slot has finished."""

    board: Board
    dice: jax.Array
    ended: jax.Array


def rolling(env: Env, games: int, seed: int) -> Rolling:
    """Return new games for `random_moves`."""
    board = jax.tree.map(lambda word: jnp.full(games, word), env.rules.start())
    return Rolling(board, dice(games, seed), jnp.zeros(games, _WORD))


@partial(jax.jit, static_argnums=(0, 2, 3))
def random_moves(env: Env, games: Rolling, moves: int, unroll: int = 1) -> Rolling:
    """Make a number of random moves in every game; a finished game restarts at once."""
    start, opening, _ = env.rules.settled(env.rules.start())

    def one(games: Rolling, _step: None) -> tuple[Rolling, None]:
        board, legal, _ = env.rules.settled(games.board)
        over = ~some(legal)
        board, legal, dice = chosen(over, start, board), select(over, opening, legal), rolled(games.dice)
        return Rolling(board.after(random_place(legal, dice)), dice, games.ended + over.astype(_WORD)), None

    return lax.scan(one, games, None, length=moves, unroll=unroll)[0]
