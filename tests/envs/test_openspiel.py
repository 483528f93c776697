"""Tests that our OpenSpiel games follow the rules, match recorded playthroughs, and pass OpenSpiel's own tests.

OpenSpiel's minimax search must find the same winners as our engine.
"""

import copy
import json
from pathlib import Path
from random import Random

import pytest

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.algorithms import generate_playthrough, minimax
from open_spiel.python.tests import games_sim_test

import gridlock as gl
from gridlock.envs import openspiel
from gridlock.envs.planes import seen
from hermit import HERMIT
from nameless import PASSING, book_of

pytestmark = pytest.mark.slow  # it needs the test-all extra
GOLDEN = Path(__file__).with_name("playthroughs")
NAMES = list(gl.RULE_BOOKS)[:5]
OWN = openspiel.register(HERMIT)
every_game = pytest.mark.parametrize("name", [*(f"gridlock_{name}" for name in NAMES), OWN])


@every_game
@pytest.mark.parametrize("parameters", ["", "(rows=3,cols=4)", "(rows=2,cols=3,adjacency=king,swap=True)"])
def test_openspiels_own_tests_pass(name, parameters):
    game = pyspiel.load_game(name + parameters)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    games_sim_test.GamesSimTest().sim_game(game)


@pytest.mark.parametrize("name", NAMES)
def test_a_playthrough_is_what_it_was(name):
    """After an intentional change, rewrite the playthroughs with: python tests/envs/test_openspiel.py"""
    text = (GOLDEN / f"{name}.txt").read_text()
    assert generate_playthrough.playthrough(**golden(name)) == text


def golden(name):
    """Return the settings of a playthrough: a small board, and random moves with a fixed seed."""
    return {"game_string": f"gridlock_{name}(rows=2,cols=3)", "action_sequence": None, "seed": 1}


@every_game
@pytest.mark.parametrize("board", ["2x3", "3x3"])
@pytest.mark.parametrize("swap", [False, True])
def test_openspiels_minimax_finds_the_same_winner(name, board, swap):
    rows, cols = board.split("x")
    game = pyspiel.load_game(f"{name}(rows={rows},cols={cols},swap={swap})")
    value, _ = minimax.alpha_beta_search(game)
    book = HERMIT if name == OWN else gl.RULE_BOOKS[name.removeprefix("gridlock_")]
    start = gl.Game(book, board, swap=swap)
    assert value == (1 if start.analyse().verdict == "win" else -1)


@pytest.mark.parametrize(
    "book", [*(gl.RULE_BOOKS[name] for name in NAMES), *PASSING.values()], ids=lambda book: book.name
)
def test_random_games_follow_the_rules(book):
    name = f"gridlock_{book.name}" if book.name in NAMES else openspiel.register(renamed(book))
    for seed in range(4):
        rng = Random(seed)
        rows, cols, swap = rng.randint(2, 9), rng.randint(2, 9), bool(seed % 2)
        state = pyspiel.load_game(f"{name}(rows={rows},cols={cols},swap={swap})").new_initial_state()
        game = gl.Game(book, f"{rows}x{cols}", swap=swap)
        while game.outcome is None:
            assert state.current_player() == game.turn - 1
            swaps = [rows * cols] if game.can_swap else []
            assert state.legal_actions() == gl.cells_of(game.legal) + swaps
            planes = seen(game.variant.grid, game.position, 0, 0)[0]
            assert state.observation_tensor() == planes.ravel().tolist()
            assert (
                state.observation_tensor(2 - game.turn)
                == seen(game.variant.grid, game.position.passed(), 0, 0)[0].ravel().tolist()
            )
            action = rng.choice(state.legal_actions())
            game.push(gl.SWAP if action == rows * cols else action)
            state.apply_action(action)
        assert state.is_terminal()
        assert state.returns() == ([1.0, -1.0] if game.outcome.winner == 1 else [-1.0, 1.0])


def renamed(book, count=iter(range(1000))):  # noqa: B008  # one counter for all
    """Return a copy of a game, with a name that is not registered with OpenSpiel."""
    return book_of(book.shape, book.passes, name=f"passing_{next(count)}")


def test_a_clone_is_independent_and_shares_what_never_changes():
    state = pyspiel.load_game("gridlock_showdown").new_initial_state()
    state.apply_action(12)
    other = state.clone()
    other.apply_action(0)
    assert state.history() == [12]
    assert other.history() == [12, 0]
    assert str(state).splitlines()[-1] == "showdown king 5/5/2X2/5/5 O 3,3 - -"
    for value in (state._variant, state._variant.grid, state._variant.book, state._position):
        assert copy.deepcopy(value) is value


def test_every_state_of_a_small_board_has_a_text_of_its_own():
    todo, seen_texts = [pyspiel.load_game("gridlock_chain(rows=2,cols=2,swap=True)").new_initial_state()], {}
    while todo:
        state = todo.pop()
        facts = (state.current_player(), tuple(state.legal_actions()), tuple(state.returns()))
        assert seen_texts.setdefault(str(state), facts) == facts
        todo += [state.child(action) for action in state.legal_actions()]
    assert len(seen_texts) > 40


@every_game
@pytest.mark.parametrize("swap", [False, True])
def test_a_struct_has_the_whole_state(name, swap):
    game, rng = pyspiel.load_game(f"{name}(rows=3,cols=4,swap={swap})"), Random(name)
    for _ in range(4):
        state = game.new_initial_state()
        while True:
            for again in (json.loads(state.to_json()), state.to_struct(), state.to_observation_struct(0).to_dict()):
                same = game.new_initial_state(again)
                assert str(same) == str(state)
                assert (same.legal_actions(), same.returns()) == (state.legal_actions(), state.returns())
                assert same.current_player() == state.current_player()
            if state.is_terminal():
                break
            action = rng.choice(state.legal_actions())
            struct, after = state.action_to_struct(state.current_player(), action), state.child(action)
            state.apply_action_struct(struct)
            assert str(state) == str(after)


def test_a_move_cannot_be_undone_and_a_sentence_says_what_to_do():
    state = pyspiel.load_game("gridlock_showdown").new_initial_state()
    state.apply_action(12)
    with pytest.raises(gl.IllegalMove, match=r"call clone\(\) before making a move"):
        state.undo_action(0, 12)


def test_an_impossible_request_gets_a_clear_error():
    with pytest.raises(gl.BadBoard, match="A board of 0x5 is not possible"):
        pyspiel.load_game("gridlock_showdown(rows=0)")
    with pytest.raises(gl.GridLockError, match="Adjacency must be king or orthogonal, not 'hex'"):
        pyspiel.load_game("gridlock_showdown(adjacency=hex)")
    with pytest.raises(gl.BadGame, match="OpenSpiel already knows a game called gridlock_hermit"):
        openspiel.register(HERMIT)
    state = pyspiel.load_game("gridlock_showdown").new_initial_state()
    state.apply_action(12)
    with pytest.raises(gl.IllegalMove, match=r"Action 12 is not possible. See legal_actions\(\)"):
        state.apply_action(12)
    with pytest.raises(gl.BadGame, match="An observation takes no parameters"):
        state.get_game().make_py_observer(None, {"size": 3})


if __name__ == "__main__":
    for game in NAMES:
        (GOLDEN / f"{game}.txt").write_text(generate_playthrough.playthrough(**golden(game)))
