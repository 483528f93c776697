"""Tests of the Gymnasium environment: Gymnasium's own checker, the rules, opponents, labels and rejections."""

import copy
import pickle
from random import Random

import pytest

gymnasium = pytest.importorskip("gymnasium")

import numpy as np
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from gridlock import RULE_BOOKS, BadGame, Game, GridLockError, IllegalMove, agents, cells_of
from gridlock.core.rules import BUILT_IN
from gridlock.envs.gymnasium import Against, vector
from gridlock.envs.planes import seen
from hermit import HERMIT

pytestmark = pytest.mark.slow  # it needs the test-all extra
NAME = "gridlock.envs.gymnasium:GridLock-v0"


@pytest.mark.parametrize("game", [*RULE_BOOKS.values(), HERMIT], ids=lambda book: book.name)
@pytest.mark.parametrize("opponent", ["perfect", "random"])
def test_gymnasiums_own_checker_is_content(game, opponent):
    check_env(gymnasium.make(NAME, game=game, opponent=opponent).unwrapped)


def play(env, rng):
    """Play one random game, and return the observations and the winner."""
    observation, _ = env.reset()
    story = [observation.tolist()]
    while True:
        observation, reward, over, _, info = env.step(rng.choice(np.flatnonzero(env.action_masks())))
        story.append(observation.tolist())
        assert info["action_mask"].tolist() == env.action_masks().astype(int).tolist()
        if over:
            assert reward in (1.0, -1.0)
            assert env.action_masks().all()  # never all zeros, since a vector asks for one more action
            return story, reward


@pytest.mark.parametrize("name", RULE_BOOKS)
@pytest.mark.parametrize("side", ["first", "second"])
def test_the_agent_sees_its_own_side_of_a_game_by_the_rules(name, side):
    env = Against(name, "4x4", opponent="random", side=side)
    env.reset(seed=5)
    rng = Random(5)
    for _ in range(5):
        observation, _ = env.reset()
        while True:
            game = Game(env.variant)
            for move in env._game.moves:
                game.push(move)  # which a rule would reject
            assert game.turn == env._player == (1 if side == "first" else 2)
            planes, mask = seen(env.variant.grid, game.position, game.legal, 16)
            assert observation.tolist() == planes.tolist()
            assert env.action_masks().tolist() == mask.astype(bool).tolist()
            action = rng.choice(np.flatnonzero(mask))
            observation, reward, over, _, _ = env.step(action)
            if over:
                assert reward == (1.0 if env._game.outcome.winner == env._player else -1.0)
                break


def test_the_perfect_level_always_wins_a_won_game():
    env = Against("showdown", "3x4", opponent="perfect", side="second")
    rng = Random(1)
    assert {play(env, rng)[1] for _ in range(20)} == {
        -1.0 if Game("showdown", "3x4").analyse().verdict == "win" else 1.0
    }


def test_a_seed_decides_everything_that_is_left_to_chance():
    stories = []
    for seed in (1, 1, 2):
        env = Against("chain", opponent="random")
        env.reset(seed=seed)
        stories.append([play(env, Random(9)) for _ in range(5)])
    assert stories[0] == stories[1] != stories[2]


@pytest.mark.parametrize("twin", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_has_the_same_game_and_is_independent(twin):
    env = Against("showdown", opponent="random", side="first", labels=True)
    env.reset(seed=1)
    env.step(12)
    other = twin(env)
    assert other._game.moves == env._game.moves
    other.step(int(np.flatnonzero(other.action_masks())[0]))
    assert len(other._game.moves) == len(env._game.moves) + 2


def test_labels_are_in_the_infos():
    env = Against("showdown", "4x4", opponent="perfect", side="first", labels=True)
    _, info = env.reset(seed=1)
    assert info["labels"]["value"] == 1
    _, _, _, _, info = env.step(0)  # a corner loses the win
    assert (info["judgement"]["kept"], info["judgement"]["regret"]) == (False, 2)
    assert info["labels"]["value"] == -1


def test_an_impossible_action_loses_and_says_why():
    env = Against("showdown", opponent="random", side="first")
    with pytest.raises(IllegalMove, match=r"There is no game yet: call reset\(\) first"):
        env.step(0)
    env.reset(seed=1)
    env.step(12)
    _, reward, over, _, info = env.step(12)
    assert (reward, over, info["illegal"]) == (-1.0, True, "Action 12: the cell is already occupied.")
    _, reward, over, _, info = env.step(0)
    assert (reward, over, info["illegal"]) == (0.0, True, "The game is over: call reset() to begin another.")
    with pytest.raises(IllegalMove, match="An action is a whole number from 0 to 24, not '3'"):
        env.step("3")


def test_impossible_settings_get_a_clear_error():
    for options, words in (
        ({"side": "third"}, "The side is first, second or either, not 'third'"),
        ({"opponent": "nobody"}, "There is no agent called 'nobody'"),
        ({"render_mode": "human"}, "A game is rendered as text .*, not as 'human'"),
        ({"swap": True, "labels": True}, "Labels are not available with the swap rule"),
    ):
        with pytest.raises(GridLockError, match=words):
            Against("showdown", **options)
    with pytest.raises(GridLockError, match="because a variant already has both"):
        Against(Against("showdown").variant, "4x4")
    with pytest.raises(BadGame, match="There is at least one environment, not 0"):
        vector(0, "showdown")
    env = Against("keepaway", side="second")  # the perfect level takes the centre, and nothing is left
    with pytest.raises(
        BadGame, match="keepaway on 3x3 is over before the agent moves: choose a larger board or the other"
    ):
        env.reset()
    agents["swapper"] = lambda *_: -1
    with pytest.raises(GridLockError, match=r"\(swapper\) failed with IllegalMove: .*this game has no swap rule"):
        Against("showdown", opponent="swapper", side="second").reset()
    del agents["swapper"]


def test_it_is_registered_and_renders_text():
    env = gymnasium.make(NAME, game="trails", opponent="easy", render_mode="ansi")
    env.reset(seed=1)
    assert "A" in env.render()
    assert Against("trails").render() is None


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_a_vector_declares_its_autoreset_mode_and_keeps_to_it(mode):
    envs = vector(3, "chain", "2x2", opponent="random", autoreset_mode=mode)
    assert envs.metadata["autoreset_mode"] is mode
    observations, infos = envs.reset(seed=4)
    assert observations.shape == (3, 4, 2, 2)
    ended = 0
    for _ in range(20):
        actions = np.array([int(np.argmax(mask)) for mask in envs.call("action_masks")])
        observations, rewards, over, _, infos = envs.step(actions)
        ended += over.sum()
        assert (np.abs(rewards) == over).all()
        if mode is AutoresetMode.SAME_STEP and over.any():
            assert infos["_final_obs"].tolist() == over.tolist()
    assert ended > 5


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_a_vectors_masks_are_never_empty_and_its_labels_are_arrays(mode):
    envs = vector(np.int64(3), "showdown", "3x3", opponent="random", labels=True, autoreset_mode=mode)
    _, infos = envs.reset(seed=4)
    for _ in range(12):
        if "labels" in infos:  # unless all games are over
            assert infos["labels"]["values"].shape == infos["labels"]["distances"].shape == (3, 9)
            assert infos["labels"]["values"].dtype == np.int8
            assert infos["labels"]["value"].dtype.kind == "i"
        assert (infos["action_mask"].sum(axis=1) > 0).all()
        _, _, _, _, infos = envs.step(np.array([int(np.argmax(mask)) for mask in infos["action_mask"]]))


def last_cell(game, _rng, _seconds):
    """Return the last legal cell as a NumPy integer."""
    return np.int64(cells_of(game.legal)[-1])


def test_an_opponent_may_be_a_function():
    env = Against("showdown", "10x10", opponent=last_cell, side="second")
    observation, _ = env.reset(seed=np.int64(1))
    assert observation[1, 9, 9] == 1
    twin = pickle.loads(pickle.dumps(env))
    assert twin.step(0)[0].tolist() == env.step(0)[0].tolist()
    with pytest.raises(
        GridLockError, match=r"The computer \(<lambda>\) failed with IllegalMove: .* is outside the grid"
    ):
        Against("showdown", opponent=lambda *_: 999, side="second").reset(seed=1)
    with pytest.raises(BadGame, match=r"An opponent is an agent's name or a function of a game, .*, not 5"):
        Against("showdown", opponent=5)


@pytest.mark.parametrize("side", ["first", "second"])
@pytest.mark.parametrize("opponent", ["perfect", "random"])
def test_games_with_the_swap_rule_follow_the_rules(side, opponent):
    env, rng, swaps = Against("showdown", "3x4", opponent=opponent, side=side, swap=True), Random(2), 0
    env.reset(seed=2)
    for _ in range(8):
        observation, _ = env.reset()
        while True:
            game = Game(env.variant, swap=True)
            for move in env._game.moves:
                game.push(move)  # which a rule would reject
            assert game.turn == env._player
            planes, mask = seen(env.variant.grid, game.position, game.legal | game.can_swap << 12, 13)
            assert observation.tolist() == planes.tolist()
            assert env.action_masks().astype(int).tolist() == mask.tolist()
            observation, reward, over, _, _ = env.step(12 if game.can_swap else rng.choice(np.flatnonzero(mask)))
            if over:
                swaps += env._game.swapped
                assert reward == (1.0 if env._game.winner == env._player else -1.0)
                break
    assert swaps == 8 if side == "second" else swaps > 0
    env = Against("showdown", "3x4", opponent="random", side="first", swap=True)
    env.reset(seed=1)
    assert env.step(12)[4]["illegal"] == "Action 12: a swap is possible only as the second move."


def test_every_game_has_an_id_with_a_version():
    for name in BUILT_IN:
        env = gymnasium.make(f"gridlock.envs.gymnasium:GridLock/{name.capitalize()}-v0", opponent="random")
        assert env.unwrapped.variant.book.name == name
        assert env.spec.version == 0


def test_the_board_is_rendered_as_a_picture():
    env = gymnasium.make(NAME, game="trails", opponent="random", render_mode="rgb_array")
    env = gymnasium.wrappers.RenderCollection(env)
    env.reset(seed=1)
    env.step(int(np.argmax(env.unwrapped.action_masks())))
    first, second = env.render()
    assert first.shape == second.shape == (169, 169, 3)
    assert first.dtype == np.uint8
    assert (first != second).any()
