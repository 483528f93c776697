"""Tests that every kind of game has the same legal moves, turns and winners on JAX as in gridlock.core."""

import doctest
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from operator import itemgetter
from pathlib import Path
from random import Random
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

jax = pytest.importorskip("jax")
import jax.numpy as jnp
import numpy as np

from gridlock.core import rules
from gridlock.core.errors import BadBoard, BadGame, BadPosition
from gridlock.core.game import Game
from gridlock.core.grid import LONGEST_SIDE, Adjacency, Grid
from gridlock.core.rulebook import Variant
from gridlock.core.shape import SHAPES, Shape
from gridlock.envs import jax as envs
from gridlock.envs.planes import seen
from hermit import HERMIT
from nameless import shape_name

pytestmark = pytest.mark.slow  # each compiles its own code

GAMES = 16


@pytest.fixture(autouse=True)
def _compiled_in_a_hurry() -> Iterator[None]:
    """Make JAX compile quickly rather than well, because code that runs once need not be fast."""
    jax.config.update("jax_disable_most_optimizations", True)
    yield
    jax.config.update("jax_disable_most_optimizations", False)


def some_board(rng: Random, most: int, least: int) -> Grid:
    """Return a random board with at most this many cells; unusual sizes are as likely as common ones."""
    rows = rng.randint(1, min(most // 2, 12))
    cols = rng.randint(1 if rows >= least else 2, min(most // rows, LONGEST_SIDE))
    rows, cols = rng.choice([(rows, cols), (cols, rows)])
    return Grid(rows, cols, rng.choice(list(Adjacency)))


class Seen(NamedTuple):
    """Arrays of states, observations and next actions, with a row for every step and a column for every game."""

    state: envs.State
    mask: np.ndarray
    planes: np.ndarray
    action: np.ndarray


def played(env: envs.Env, seed: int, moves: int) -> Seen:
    """Play random games with random starting players; about one action in fifty is a random number, legal or not."""

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
    """Play random games, and check every step against the rules in gridlock.core."""
    env = envs.Env(variant)
    seen_there = played(env, seed, variant.grid.size + 2)
    assert seen_there.planes.shape[2:] == env.observation_shape
    for number in range(GAMES):
        state, masks, planes, actions = jax.tree.map(itemgetter((slice(None), number)), seen_there)
        game = Game(variant, starts=int(state.current_player[0]) + 1)
        lost, told = 0, False  # who took an illegal cell; whether the winner has been rewarded
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
    with jax.enable_x64(name == "chain"):  # a program that has enabled 64 bits gets the same games
        check(rules.variant(name), seed=1)


@pytest.mark.parametrize("shape", SHAPES, ids=shape_name)
def test_every_shape_goes_as_the_rules_say(shape: Shape, request: pytest.FixtureRequest) -> None:
    rng = Random(request.node.name)
    book = replace(HERMIT, shape=shape, passes=shape.placing and rng.random() < 0.5)
    most = 32 if rng.random() < 0.7 else envs.MOST_CELLS  # one word, or several
    check(Variant(book, some_board(rng, most, book.smallest)), rng.getrandbits(32))


# The mean lengths of random games played with the rules in gridlock.core. If the JAX code broke any rule, the mean
# length of its random games would differ noticeably.
LENGTHS = {"keepaway": 6.74, "chain": 11.71, "scatter": 11.77, "trails": 5.38, "showdown": 14.74}


@pytest.mark.parametrize("name", sorted(rules.BUILT_IN))
def test_random_games_are_as_long_as_they_should_be(name: str) -> None:
    env = envs.make(name)
    before = envs.random_moves(env, envs.rolling(env, 4096, 1), 128)
    after = envs.random_moves(env, before, 128)
    ended = np.asarray(after.ended).sum() - np.asarray(before.ended).sum()
    assert 4096 * 128 / ended == pytest.approx(LENGTHS[name], abs=0.04)


def test_a_board_without_a_first_move_is_over_at_once() -> None:
    book = replace(HERMIT, shape=Shape(follows="away", pawn=True))
    state = envs.Env(Variant(book, Grid(1, 2, Adjacency.KING))).init()
    assert state.terminated
    assert state.rewards.tolist() == [-1, 1]


@pytest.mark.parametrize("name", ["scatter", "trails"])
def test_a_batch_starts_from_positions(name: str) -> None:
    rng, games = Random(name), []
    while len(games) < GAMES:
        game = Game(name, "6x6")
        for _ in range(rng.randrange(8)):
            if not game.outcome:
                game.push(rng.choice(list(game.legal_moves)))
        games += [game] * (not game.outcome)
    env = envs.make(name, "6x6")
    state = env.from_positions([games[0].position_text(), games[1].position, *games[2:]])
    step = jax.jit(jax.vmap(env.step))
    for _ in range(12):
        assert env.positions(state) == [game.position for game in games]
        masks = np.asarray(state.legal_action_mask)
        expected = [seen(game.variant.grid, game.position, game.legal, 36)[1] for game in games]
        assert [mask.tolist() for mask in masks if not mask.all()] == [
            mask.tolist() for mask, game in zip(expected, games, strict=True) if not game.outcome and not mask.all()
        ]
        actions = [rng.choice(np.flatnonzero(mask).tolist()) for mask in masks]
        state = step(state, jnp.array(actions))
        for game, action in zip(games, actions, strict=True):
            if not game.outcome:
                game.push(action)
        games_over = [game.outcome is not None for game in games]
        assert state.terminated.tolist() == games_over
    with pytest.raises(BadPosition, match="A batch needs a non-empty list of starting positions"):
        env.from_positions([])


def test_finished_games_restart_as_pgx_restarts_them() -> None:
    env = envs.make("trails")

    def by_hand(state: envs.State, action: jax.Array, key: jax.Array) -> envs.State:
        """Reset finished games by hand, using the state operations that Pgx requires: `replace` and `cond`."""
        now, later = jax.random.split(key)
        awake = state.replace(terminated=jnp.bool_(False), rewards=jnp.zeros_like(state.rewards))
        state = env.step(jax.lax.cond(state.terminated, lambda: awake, lambda: state), action, now)
        new = env.init(later).replace(terminated=state.terminated, rewards=state.rewards)
        return jax.lax.cond(state.terminated, lambda: new, lambda: state)

    ours, theirs = (jax.jit(jax.vmap(step)) for step in (envs.auto_reset(env.step, env.init), by_hand))
    keys = jax.random.split(jax.random.key(1), (20, GAMES))
    state = jax.vmap(env.init)(keys[0])
    ended, rng = 0, np.random.default_rng(1)
    for key in keys:
        mask = np.asarray(state.legal_action_mask)
        assert (mask.sum(axis=1) <= 3).all()  # a restarted game shows the mask of its first move
        action = jnp.array((rng.random(mask.shape) * mask).argmax(axis=1))
        state, same = ours(state, action, key), theirs(state, action, key)
        assert all(map(np.array_equal, jax.tree.leaves(state), jax.tree.leaves(same)))
        ended += int(state.terminated.sum())
        assert (np.abs(state.rewards).sum(axis=1) == 2 * np.asarray(state.terminated)).all()
        assert not np.asarray(state._step_count)[np.asarray(state.terminated)].any()
    assert ended > GAMES


def test_an_environment_says_what_it_is(tmp_path: Path) -> None:
    env = envs.make("showdown")
    assert (env.id, env.version, repr(env)) == ("gridlock_showdown", "v0", "<Env gridlock_showdown v0: 5x5 king>")
    state = env.init()
    assert state.env_id == env.id
    assert len(repr(state)) < 1000
    assert not np.signbit(state.rewards).any()
    assert state.to_svg().count("<svg") == 1
    batch = env.from_positions([Game("showdown").position] * 7)
    batch.save_svg(tmp_path / "seven.svg")
    root = ElementTree.parse(tmp_path / "seven.svg").getroot()
    assert [(one.get("x"), one.get("y")) for one in root if one.get("class")][3:5] == [("0", "370"), ("363", "370")]
    with pytest.raises(BadGame, match=r"must end with \.svg"):
        state.save_svg(tmp_path / "board.png")
    assert envs.dice(np.int64(4), np.int64(7)).tolist() == envs.dice(4, 7).tolist()


def test_what_cannot_be_is_refused_in_a_sentence() -> None:
    with pytest.raises(BadBoard, match="12x11 is too large: the JAX environment supports boards of up to 128 cells"):
        envs.make("chain", "12x11")
    own = {"legal": lambda grid, position: grid.cells & ~position.taken, "causes": lambda _grid, _position, _cell: 0}
    with pytest.raises(BadGame, match="hermit has its own rule functions, which the JAX environment does not support"):
        envs.make(replace(HERMIT, shape=None, **own))


def test_the_page_about_jax_is_true() -> None:
    results = doctest.testfile(str(Path(__file__).parents[2] / "docs" / "jax.md"), module_relative=False)
    assert results.failed == 0
    assert results.attempted > 10


def test_without_jax_a_sentence_says_what_to_install() -> None:
    code = "import sys; sys.modules['jax'] = None\nimport gridlock.envs.jax"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    last = done.stderr.splitlines()[-1]
    assert last.endswith("MissingExtra: jax is missing. Install it with: pip install 'gridlock-games[jax]'")
