"""Tests of the PettingZoo environment: the rules, copies, masks, labels and error messages.

PettingZoo's own test suite is also run.
"""

import copy
import pickle
from random import Random

import pytest

pettingzoo = pytest.importorskip("pettingzoo")

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from pettingzoo.test import api_test, seed_test

from gridlock import RULE_BOOKS, SWAP, Adjacency, BadBoard, BadGame, Game, Grid, IllegalMove, Variant
from gridlock.core.rules import BUILT_IN
from gridlock.envs.pettingzoo import AGENTS, env, raw_env
from gridlock.envs.planes import seen
from hermit import HERMIT
from nameless import BOOKS, PASSING

pytestmark = pytest.mark.slow  # it needs the test-all extra
EVERY_BOOK = {**RULE_BOOKS, **BOOKS, **PASSING}
# PettingZoo warns about every empty board and, even in its own games, about every observation that is a dictionary.
HARMLESS = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation numpy array is all zeros:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
)


@HARMLESS
@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("game", [*RULE_BOOKS.values(), HERMIT], ids=lambda book: book.name)
def test_pettingzoos_own_tests_pass(game, swap, capsys):
    api_test(env(game=game, board="3x4", swap=swap), num_cycles=40)
    seed_test(lambda: env(game=game, board="3x4", swap=swap), num_cycles=20)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("name", EVERY_BOOK)
@settings(max_examples=5)
@given(data=st.data())
def test_random_games_follow_the_rules(name, data):
    book = EVERY_BOOK[name]
    rows = data.draw(st.integers(2, 11), "rows")
    grid = Grid(
        rows, data.draw(st.integers(2, 11), "columns"), data.draw(st.sampled_from(list(Adjacency)), "adjacency")
    )
    swap, rng = data.draw(st.booleans(), "swap"), Random(data.draw(st.integers(0, 10**9), "seed"))
    if not (chosen := Variant(book, grid)).legal(chosen.start()):
        with pytest.raises(
            BadBoard, match=f"{book.name} on {grid} is over before the first move: choose a larger board"
        ):
            raw_env(chosen, swap=swap)
        return
    played, raw = Game(chosen, swap=swap), raw_env(chosen, swap=swap)
    raw.reset()
    while played.outcome is None:
        agent = AGENTS[played.turn - 1]
        assert raw.agent_selection == agent
        actions = played.legal | (1 << grid.size if played.can_swap else 0)
        planes, mask = seen(grid, played.position, actions, grid.size + swap)
        observation = raw.observe(agent)
        assert observation["observation"].tolist() == planes.tolist()
        assert observation["action_mask"].tolist() == mask.tolist()
        assert raw.observation_space(agent).contains(observation)
        other = raw.observe(AGENTS[2 - played.turn])
        assert other["observation"].tolist() == seen(grid, played.position.passed(), 0, 0)[0].tolist()
        assert not other["action_mask"].any()
        action = rng.choice(mask.nonzero()[0])
        played.push(SWAP if action == grid.size else int(action))
        raw.step(action)
    winner = played.outcome.winner
    assert raw.terminations == dict.fromkeys(AGENTS, True)
    assert raw.rewards == {AGENTS[winner - 1]: 1, AGENTS[2 - winner]: -1}


@pytest.mark.parametrize("twin", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("labels", [False, True])
def test_a_copy_has_the_same_board_and_is_independent(twin, labels):
    one = raw_env("scatter", labels=labels)
    one.reset()
    one.step(0)
    two = twin(one)
    assert two.observe(AGENTS[0])["observation"][0, 0, 0] == 1
    two.step(24)
    assert one.observe(AGENTS[0])["observation"].sum() == 2
    one.step(3)
    assert one.agent_selection == two.agent_selection == AGENTS[0]


def test_the_waiting_agents_mask_is_zeros_or_ones():
    for waiting, total in (("zeros", 0), ("ones", 25)):
        raw = raw_env("showdown", waiting_mask=waiting)
        raw.reset()
        raw.step(12)
        assert raw.observe(AGENTS[0])["action_mask"].sum() == total
        assert raw.observe(AGENTS[1])["action_mask"].sum() == 16


def test_labels_give_the_value_of_every_move_and_the_last():
    raw = raw_env("showdown", "4x4", labels=True)
    raw.reset()
    labels = raw.infos[AGENTS[0]]["labels"]
    answer = Game(raw.variant)
    from gridlock.engine.clock import Clock
    from gridlock.engine.engine import engine_for

    values = engine_for(raw.variant).weigh(answer.position, Clock(), None).values
    assert labels.values.tolist() == [1 if move.verdict == "win" else -1 for move in values]
    assert labels.distances.tolist() == [move.distance for move in values]
    assert (labels.value, labels.distance) == (1, min(move.distance for move in values if move.verdict == "win"))
    raw.step(0)  # a corner loses the win
    judged = raw.infos[AGENTS[0]]["judgement"]
    assert (judged.value, judged.kept, judged.regret) == (-1, False, 2)
    best = int((raw.infos[AGENTS[1]]["labels"].values == 1).nonzero()[0][0])
    raw.step(best)
    judged = raw.infos[AGENTS[1]]["judgement"]
    assert (judged.value, judged.kept, judged.regret) == (1, True, 0)
    worst = int((raw.infos[AGENTS[0]]["labels"].values == -1).nonzero()[0][0])
    raw.step(worst)
    assert raw.infos[AGENTS[0]]["judgement"][2:] == (True, 0)  # it had nothing to lose


def test_an_impossible_request_gets_a_clear_error():
    raw = raw_env("showdown", swap=True)
    with pytest.raises(IllegalMove, match=r"The game is over or has not started: call reset\(\) first"):
        raw.step(0)
    raw.reset()
    with pytest.raises(IllegalMove, match="Action 25 swaps sides, which is possible only as the second move"):
        raw.step(25)
    raw.step(12)
    for action, why in (
        (12, "already occupied"),
        (26, "outside the grid"),
        (-1, "outside the grid"),
        (6, "adjacent"),
    ):
        with pytest.raises(IllegalMove, match=f"is not possible: the cell is {why}"):
            raw.step(action)
    for action in (None, "3", 3.5):
        with pytest.raises(IllegalMove, match=f"An action is a whole number from 0 to 25, not {action!r}"):
            raw.step(action)
    for options, words in (
        ({"waiting_mask": "twos"}, "The waiting agent's mask is zeros or ones, not 'twos'"),
        ({"labels": True, "swap": True}, "Labels are not available with the swap rule"),
        ({"render_mode": "human"}, "A game is rendered as text .*, not as 'human'"),
    ):
        with pytest.raises(BadGame, match=words):
            raw_env("showdown", **options)
    with pytest.raises(BadBoard, match="12x12 is too large for labels: the limit is 128 cells"):
        raw_env("showdown", "12x12", labels=True)


def test_labels_go_with_the_position_they_are_for():
    raw = raw_env("showdown", "3x3", labels=True)
    raw.reset()
    while raw.agents:
        observation, _, over, _, info = raw.last()
        if over:
            assert "labels" not in info
            raw.step(None)
            continue
        assert np.array_equal(info["labels"].values != 0, observation["action_mask"])
        assert "labels" not in raw.infos[AGENTS[raw.agent_selection == AGENTS[0]]]
        raw.step(int(np.flatnonzero(observation["action_mask"])[-1]))


def test_a_label_that_takes_too_long_has_values_without_distances(monkeypatch):
    raw = raw_env("keepaway", "5x5", labels=True, label_seconds=120)
    monkeypatch.setattr(raw._labels._distances, "of_moves", lambda *_: {})  # as if half of the time were up
    raw.reset()
    label = raw.infos[AGENTS[0]]["labels"]
    assert (label.value, label.distance) == (1, 0)
    assert label.values.all()
    assert not label.distances.any()
    raw.step(0)
    assert raw.infos[AGENTS[0]]["judgement"][:2] == (label.values[0], 0)
    raw = raw_env("showdown", "9x9", labels=True, label_seconds=0)  # not even the values are known
    raw.reset()
    assert raw.infos == {agent: {} for agent in AGENTS}
    raw.step(0)
    assert raw.infos == {agent: {} for agent in AGENTS}


def test_the_whole_state_is_seen_by_player_1():
    raw = raw_env("scatter", "3x4", swap=True)
    rng = Random(3)
    for _ in range(5):
        raw.reset()
        while not raw.terminations[AGENTS[0]]:
            state, seen_by_one = raw.state(), raw.observe(AGENTS[0])["observation"]
            assert raw.state_space.contains(state)
            assert state[:4].tolist() == seen_by_one.tolist()
            assert (state[4] == (raw.agent_selection == AGENTS[0])).all()
            raw.step(rng.choice(np.flatnonzero(raw.observe(raw.agent_selection)["action_mask"]).tolist()))


def test_every_game_has_an_id_with_a_version():
    for name in BUILT_IN:
        made = pettingzoo.make("aec", f"GridLock/{name.capitalize()}-v0", board="4x5")
        made.reset()
        assert made.metadata["name"] == f"gridlock_{name}_v0"
        assert made.observe(AGENTS[0])["observation"].shape == (4, 4, 5)
    assert env("showdown", "3x3").metadata["name"] == "gridlock_showdown_v0"  # positional, as in raw_env


def test_an_agent_that_does_not_exist_cannot_observe():
    raw = raw_env("showdown")
    raw.reset()
    with pytest.raises(BadGame, match=r"There is no agent called 'player_9'\. The agents are player_1 and player_2"):
        raw.observe("player_9")


@pytest.mark.parametrize("name", ["trails", "showdown"])
def test_the_board_is_rendered_as_a_picture(name):
    raw = raw_env(name, "3x4", render_mode="rgb_array")
    raw.reset()
    before = raw.render()
    assert before.dtype == np.uint8
    assert before.shape == (3 * 48 + 25, 4 * 48 + 25, 3)
    action = int(np.flatnonzero(raw.observe(AGENTS[0])["action_mask"])[-1])
    raw.step(action)
    changed = (raw.render() != before).any(axis=2)
    cells = {(int(row) - 13) // 48 * 4 + (int(col) - 13) // 48 for row, col in np.argwhere(changed)}
    assert cells == ({0, action} if name == "trails" else {action})  # a pawn has left the corner


def test_an_illegal_action_loses_in_pettingzoos_wrappers():
    wrapped = env(game="showdown")
    wrapped.reset()
    wrapped.step(12)
    wrapped.step(12)
    assert wrapped.terminations == dict.fromkeys(AGENTS, True)
    assert wrapped.rewards == {AGENTS[0]: 0, AGENTS[1]: -1}


def test_the_board_is_rendered_as_text():
    raw = raw_env("chain", "2x2", render_mode="ansi")
    raw.reset()
    raw.step(0)
    assert "X" in raw.render()
    assert raw_env("chain").render() is None
