"""The games on JAX against the rules core: the same moves, turns, ends and winners, for every shape on any board."""

from dataclasses import replace
from operator import itemgetter
from random import Random
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from gridlock import rules
from gridlock.envs import jax as envs
from gridlock.envs.planes import seen
from gridlock.game import Game
from gridlock.grid import LONGEST_SIDE, Adjacency, Grid
from gridlock.rulebook import Variant
from gridlock.shape import SHAPES, Shape
from hermit import HERMIT

GAMES = 16


def some_board(rng: Random, most: int, least: int) -> Grid:
    """Any board of so many cells at most, the odd ones as likely as the usual."""
    rows = rng.randint(1, min(most // 2, 12))
    cols = rng.randint(1 if rows >= least else 2, min(most // rows, LONGEST_SIDE))
    rows, cols = rng.choice([(rows, cols), (cols, rows)])
    return Grid(rows, cols, rng.choice(list(Adjacency)))


class Seen(NamedTuple):
    """What a user sees of a state, and the action that follows: a row for every step, a column for every game."""

    state: envs.State
    mask: np.ndarray
    planes: np.ndarray
    action: np.ndarray


def played(env: envs.Env, seed: int, moves: int) -> Seen:
    """Some random games step by step, begun by chance; one action in fifty is any number at all."""

    def play(keys: jax.Array, dice: jax.Array) -> Seen:
        def one(now: tuple[envs.State, jax.Array], _: None) -> tuple[tuple[envs.State, jax.Array], Seen]:
            state, dice = now[0], envs.rolled(now[1])
            anything = (dice >> 8).astype(jnp.int32) % (env.num_actions + 80) - 40
            action = jnp.where(dice % 50 == 0, anything, envs.random_action(state, dice))
            shown = Seen(state, state.legal_action_mask, state.observation, action)
            return (jax.vmap(env.step)(state, action), dice), shown

        return jax.lax.scan(one, (jax.vmap(env.init)(keys), dice), None, moves)[1]

    keys = jax.random.split(jax.random.key(seed), GAMES)
    return jax.tree.map(np.asarray, jax.jit(play)(keys, envs.dice(GAMES, seed)))


def check(variant: Variant, seed: int) -> None:
    """Play, and follow every game by the rules core."""
    env = envs.Env(variant)
    seen_there = played(env, seed, variant.grid.size + 2)
    assert seen_there.planes.shape[2:] == env.observation_shape
    for number in range(GAMES):
        state, masks, planes, actions = jax.tree.map(itemgetter((slice(None), number)), seen_there)
        game = Game(variant, starts=int(state.current_player[0]) + 1)
        lost, told = 0, False  # who took a cell that is not legal; whether the winner has been rewarded
        for ply, (position, action) in enumerate(zip(env.positions(state), actions.tolist(), strict=True)):
            rewards = state.rewards[ply].tolist()
            assert not state.truncated[ply]
            if game.outcome or lost:
                winner = 3 - lost if lost else game.outcome.winner
                assert state.terminated[ply]
                assert masks[ply].all()
                assert rewards == ([0, 0] if told else [1, -1] if winner == 1 else [-1, 1])
                told = True
                continue
            assert not state.terminated[ply]
            assert rewards == [0, 0]
            assert position == game.position
            assert state.current_player[ply] == game.turn - 1
            expected, legal = seen(variant.grid, position, game.legal, variant.grid.size)
            assert (planes[ply] == expected).all()
            assert (masks[ply] == legal).all()
            if 0 <= action < variant.grid.size and game.legal >> action & 1:
                game.push(action)
            else:
                lost = game.turn
        assert told


@pytest.mark.parametrize("name", sorted(rules.BUILT_IN))
def test_games_go_as_the_rules_say(name: str) -> None:
    check(rules.variant(name), seed=1)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_every_shape_goes_as_the_rules_say(shape: Shape, request: pytest.FixtureRequest) -> None:
    rng = Random(request.node.name)
    book = replace(HERMIT, shape=shape, passes=shape.placing and rng.random() < 0.5)
    check(Variant(book, some_board(rng, rng.choice([12, 32, 64]), book.smallest)), rng.getrandbits(32))
