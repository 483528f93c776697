"""Random legal moves at the speed of the device: one number of 32 bits a game is all the chance there is."""

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
    """A number for every game to begin with, none of them 0: counted from the seed, and stirred."""
    bits = jnp.arange(games, dtype=_WORD) + _WORD(seed * 0x9E3779B9 & 0xFFFFFFFF)
    bits = (bits ^ bits >> _WORD(16)) * _WORD(0x85EBCA6B)
    bits = (bits ^ bits >> _WORD(13)) * _WORD(0xC2B2AE35)
    return jnp.maximum(bits ^ bits >> _WORD(16), _WORD(1))


def rolled(dice: jax.Array) -> jax.Array:
    """The next number: xorshift by 13, 17 and 5, which goes through all but 0."""
    dice = dice ^ dice << _WORD(13)
    dice = dice ^ dice >> _WORD(17)
    return dice ^ dice << _WORD(5)


def random_place(cells: Words, dice: jax.Array) -> Words:
    """One cell of a set, each as likely as the others (to one in some thirty million)."""
    count = words.total(cells)
    high, low = dice >> _WORD(16), dice & _WORD(0xFFFF)
    return words.nth(cells, high * count + (low * count >> _WORD(16)) >> _WORD(16))  # dice * count / 2**32


def random_action(state: State, dice: jax.Array) -> jax.Array:
    """A legal action, each as likely as the others; in a game that is over, action 0."""
    return words.cell_of(random_place(state.env.rules.legal(state.board), dice))


class Rolling(NamedTuple):
    """Games under way by random moves, their dice, and how many have ended in each place."""

    board: Board
    dice: jax.Array
    ended: jax.Array


def rolling(env: Env, games: int, seed: int) -> Rolling:
    """So many new games for `random_moves`."""
    board = jax.tree.map(lambda word: jnp.full(games, word), env.rules.start())
    return Rolling(board, dice(games, seed), jnp.zeros(games, _WORD))


@partial(jax.jit, static_argnums=(0, 2, 3))
def random_moves(env: Env, games: Rolling, moves: int, unroll: int = 1) -> Rolling:
    """Every game so many random moves further; one that is over begins again at once."""
    start, opening, _ = env.rules.settled(env.rules.start())

    def one(games: Rolling, _step: None) -> tuple[Rolling, None]:
        board, legal, _ = env.rules.settled(games.board)
        over = ~some(legal)
        board, legal, dice = chosen(over, start, board), select(over, opening, legal), rolled(games.dice)
        return Rolling(board.after(random_place(legal, dice)), dice, games.ended + over.astype(_WORD)), None

    return lax.scan(one, games, None, length=moves, unroll=unroll)[0]
