"""Tests that the learned agent sees what other agents see, can play on any board, and reports missing packages."""

import subprocess
import sys
from dataclasses import replace
from importlib.resources import files
from random import Random

import numpy as np
import pytest

from gridlock import RULE_BOOKS, Game, GridLockError, agents, cells_of, variant
from gridlock.envs.planes import seen
from gridlock.players import learned
from hermit import HERMIT

BOARDS = [(name, board) for name in RULE_BOOKS for board in ("3x3", "4x6")]


@pytest.mark.parametrize(("name", "board"), BOARDS)
def test_it_plays_to_the_end_on_any_board(name: str, board: str) -> None:
    rng = Random(f"{name} {board}")
    for swap in (False, True):
        game = Game(name, board, swap=swap)
        while game.outcome is None:
            before = len(game.moves)
            game.push(agents["learned"](game, rng, 0.1) if rng.random() < 0.5 else agents["random"](game, rng, 0.1))
            assert len(game.moves) == before + 1


def test_it_sees_what_every_agent_sees(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = []
    monkeypatch.setattr(learned, "network", lambda _weights, features: shown.append(features) or (np.zeros(99), 0.0))
    rng, game = Random(3), Game("trails", "4x5")
    while game.outcome is None:
        learned.evaluate(game.variant, game.position)
        planes, mask = seen(game.variant.grid, game.position, game.legal, 20)
        assert (np.moveaxis(shown[-1], -1, 0)[:4] == planes).all()
        assert (shown[-1][..., 4].ravel() == mask).all()
        game.push(rng.choice(cells_of(game.legal)))
    properties = shown[-1][..., 5:]
    assert (properties == learned.properties(game.variant)).all()
    assert len(shown) > 2


def test_games_are_distinguished() -> None:
    assert len({learned.properties(variant(name)) for name in RULE_BOOKS}) == len(RULE_BOOKS)


@pytest.mark.slow  # requires the test-all extra
def test_the_network_is_small_and_says_the_same_wherever_it_runs() -> None:
    jnp = pytest.importorskip("jax.numpy")
    assert files("gridlock.players").joinpath("learned.npz").stat().st_size < 2_000_000
    rng = np.random.default_rng(1)
    shown = rng.integers(0, 2, (3, 4, 5, learned.FEATURES)).astype(np.float32)
    for here, there in zip(
        learned.network(learned.trained(), shown),
        learned.network(learned.trained(), jnp.asarray(shown), jnp),
        strict=True,
    ):
        assert here.shape == there.shape
        np.testing.assert_allclose(here, there, atol=1e-3)


def test_it_has_its_name_to_itself_and_is_in_no_list() -> None:
    assert "learned" not in list(agents)
    with pytest.raises(GridLockError, match="There is already an agent called learned"):
        agents["learned"] = agents["random"]


def test_a_game_without_a_shape_is_refused() -> None:
    own = {"legal": lambda grid, position: grid.cells & ~position.taken, "causes": lambda _grid, _position, _cell: 0}
    game = Game(replace(HERMIT, shape=None, **own))
    with pytest.raises(GridLockError, match="The 'learned' agent cannot play"):
        agents["learned"](game, Random(1), 0.1)


def test_without_numpy_a_sentence_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['numpy'] = None; sys.argv = ['gridlock', 'play', 'chain', '--player1', 'learned',"
        " '--player2', 'random']; from gridlock.entry import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode
    assert "needs NumPy. Install it with: pip install 'gridlock-games[learned]'" in done.stderr
    assert "Traceback" not in done.stderr
