"""Tests that every kind of environment, started from given positions, follows the rules."""

from random import Random

import numpy as np
import pytest

from gridlock import RULE_BOOKS, SWAP, BadGame, BadPosition, Game, cells_of, variant
from gridlock.engine.kernels import batch_kernel
from gridlock.envs.batch import Batch
from gridlock.envs.planes import seen
from gridlock.envs.starts import game_from

KINDS = [False, *[True] * batch_kernel.COMPILED]
TEXT = "showdown king 4/1X2/4/4 O 2,2 - -"


def some_games(name, board, count, seed=1):
    """Return unfinished games with up to five random moves each."""
    rng, games = Random(seed), []
    while len(games) < count:
        game = Game(name, board)
        for _ in range(rng.randrange(6)):
            if not game.outcome:
                game.push(rng.choice(cells_of(game.legal)))
        if not game.outcome:
            games.append(game)
    return games


@pytest.mark.parametrize("compiled", KINDS, ids=lambda kind: "compiled" if kind else "numpy")
@pytest.mark.parametrize("board", ["4x4", "9x9"])
@pytest.mark.parametrize("name", RULE_BOOKS)
def test_a_batch_starts_from_positions_and_returns_to_them(name, board, compiled):
    games = some_games(name, board, 8)
    forms = [game if number % 3 else game.position for number, game in enumerate(games)]
    forms[-1] = games[-1].position_text()
    batch = Batch(name, board, count=8, seed=1, compiled=compiled)
    batch.reset(2, positions=forms)
    played, ended = [game.copy() for game in games], 0
    for _ in range(100):
        assert [batch.position(number) for number in range(8)] == [game.position for game in played]
        planes, mask = batch.planes(), batch.mask()
        for number, game in enumerate(played):
            expected, legal = seen(game.variant.grid, game.position, game.legal, game.variant.grid.size)
            assert np.array_equal(planes[number], expected)
            assert np.array_equal(mask[number], legal)
        actions, winners = batch.step_random()
        for number, (action, winner) in enumerate(zip(actions.tolist(), winners.tolist(), strict=True)):
            played[number].push(action)
            assert winner == (played[number].winner or 0)
            if winner:
                ended += 1
                played[number] = games[number].copy()
    assert ended >= 8
    batch.reset()
    assert batch.position(0) == variant(name, board).start()


def test_a_batch_rejects_positions_that_do_not_fit():
    batch = Batch("showdown", "4x4", count=2)
    for positions, words in (
        ([TEXT], "A batch of 2 games starts from 2 positions, not from 1"),
        (TEXT, "starts from 2 positions, not from a string"),
        ([TEXT, Game("showdown", "5x5")], "position of showdown 5x5 king, but the environment plays showdown 4x4 king"),
        ([TEXT, "showdown king XXXX/4/OOOO/4 X 1,1 3,1 -"], "In this position the game is over"),
        ([TEXT, 5], "A start is a Position, its text or a Game, not '5'"),
    ):
        with pytest.raises(BadPosition, match=words):
            batch.reset(positions=positions)
    assert batch.position(0) == variant("showdown", "4x4").start()


def test_a_position_with_the_swap_rule_needs_an_environment_with_it():
    game = Game("showdown", "4x4", swap=True)
    game.push(5)
    assert game_from(game.variant, game).can_swap
    assert game_from(game.variant, game.position_text()).can_swap
    with pytest.raises(BadPosition, match=r"a swap is still possible[.] Use an environment that has the swap rule"):
        game_from(game.variant, game, swap=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", RULE_BOOKS)
def test_pettingzoo_starts_from_a_position(name):
    pytest.importorskip("pettingzoo")
    zoo = pytest.importorskip("gridlock.envs.pettingzoo")
    raw, rng = zoo.raw_env(name, "4x4", swap=True), Random(name)
    for number in range(12):
        game = Game(name, "4x4", swap=number % 2 == 1)
        for _ in range(number % 4):
            if not game.outcome:
                game.push(SWAP if game.can_swap and number % 3 else rng.choice(cells_of(game.legal)))
        if game.outcome:
            continue
        raw.reset(options={"position": game if number % 2 else game.position_text()})
        while not game.outcome:
            agent = zoo.AGENTS[game.turn - 1]
            assert raw.agent_selection == agent
            actions = game.legal | game.can_swap << 16
            planes, mask = seen(game.variant.grid, game.position, actions, 17)
            assert raw.observe(agent)["observation"].tolist() == planes.tolist()
            assert raw.observe(agent)["action_mask"].tolist() == mask.tolist()
            action = rng.choice(np.flatnonzero(mask).tolist())
            raw.step(action)
            game.push(SWAP if action == 16 else action)
        assert raw.rewards[zoo.AGENTS[game.winner - 1]] == 1


@pytest.mark.slow
def test_gymnasium_starts_from_a_position():
    pytest.importorskip("gymnasium")
    gym = pytest.importorskip("gridlock.envs.gymnasium")
    env = gym.Against("showdown", "4x4", opponent="random", side="second")
    observation, info = env.reset(seed=1, options={"position": TEXT})
    assert observation[1].sum() == 1  # the opponent has one marker, and the agent moves next
    assert info["action_mask"].sum() == 7
    env.side = "first"
    observation, _ = env.reset(options={"position": TEXT})
    assert (observation[0].sum(), observation[1].sum()) == (1, 1)  # the opponent has replied
    with pytest.raises(BadGame, match=r"There is no option 'opening' for reset\(\). The only option is 'position'"):
        env.reset(options={"opening": 3})


@pytest.mark.slow
def test_openspiel_starts_from_a_position():
    pytest.importorskip("pyspiel")
    spiel = pytest.importorskip("gridlock.envs.openspiel")
    game = spiel.pyspiel.load_game("gridlock_showdown(rows=4,cols=4)")
    for start in (TEXT, Game.from_text(TEXT), {"position": TEXT}):
        state = game.new_initial_state(start)
        assert str(state).endswith(TEXT)
        assert state.current_player() == 1
        assert len(state.legal_actions()) == 7
