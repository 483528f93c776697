"""Tests that batches follow the rules in every game and at every move.

The compiled, interpreted and NumPy versions are all tested.
"""

import copy
import pickle
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridlock import RULE_BOOKS, Adjacency, BadBoard, BadGame, Game, Grid, IllegalMove, Variant, variant
from gridlock.core.grid import LONGEST_SIDE
from gridlock.engine.kernels import batch_kernel
from gridlock.engine.kernels.interpreted import plain
from gridlock.envs import batch as batches
from gridlock.envs.batch import Batch
from gridlock.envs.numbers import Numbers
from gridlock.envs.planes import seen
from hermit import HERMIT
from nameless import BOOKS, PASSING

KINDS = [False, *[True] * batch_kernel.COMPILED]
every_kind = pytest.mark.parametrize("compiled", KINDS, ids=lambda kind: "compiled" if kind else "numpy")
EVERY_BOOK = {**RULE_BOOKS, **BOOKS, **PASSING}


def check_games(chosen, compiled, seed, games=5, steps=40):
    """Play random games both in a batch and with the rules core, and check that the observations are the same."""
    batch = Batch(chosen, count=games, seed=seed, compiled=compiled)
    size = chosen.grid.size
    played = [Game(chosen) for _ in range(games)]
    for _ in range(steps):
        mask, planes, turns = batch.mask(), batch.planes(), batch.turns
        for number, game in enumerate(played):
            position = game.position
            assert batch.position(number) == position
            there, allowed = seen(chosen.grid, position, game.legal, size)
            assert np.array_equal(planes[number], there)
            assert np.array_equal(mask[number], allowed)
            assert turns[number] == position.turn
        actions = batch.sample()
        winners = batch.step(actions)
        for number, game in enumerate(played):
            game.push(int(actions[number]))  # which a rule would reject
            assert winners[number] == (game.outcome.winner if game.outcome else 0)
            if game.outcome:
                played[number] = Game(chosen)


@every_kind
@pytest.mark.parametrize("name", EVERY_BOOK)
@settings(max_examples=6)
@given(data=st.data())
def test_random_games_of_every_shape_follow_the_rules(name, compiled, data):
    rows = data.draw(st.integers(1, 11), "rows")
    cols = data.draw(st.integers(1, min(batches.MOST_CELLS // rows, LONGEST_SIDE)), "columns")
    grid = Grid(rows, cols, data.draw(st.sampled_from(list(Adjacency)), "adjacency"))
    book = EVERY_BOOK[name]
    if grid.size < book.smallest or not Variant(book, grid).legal(Variant(book, grid).start()):
        return
    check_games(Variant(book, grid), compiled, data.draw(st.integers(0, 2**70), "seed"))


@pytest.mark.parametrize(
    ("name", "sides"),
    [
        *((name, (5, 7)) for name in EVERY_BOOK if not name.startswith("near-closes_own")),
        *((name, (9, 13)) for name in RULE_BOOKS),  # sets of two words
    ],
)
def test_compiled_interpreted_and_numpy_play_the_same_games(name, sides, monkeypatch):
    chosen = Variant(EVERY_BOOK[name], Grid(*sides, Adjacency.KING))
    batch = Batch(chosen, count=50, seed=3, compiled=False)
    steps = [batch.step_random() for _ in range(60)]
    others = [batch_kernel.Lockstep, plain("batch_kernel").Lockstep]
    for kernel in others:
        for deposit in (True, False):  # the processor's instruction, and the loop for processors without it
            loops = kernel(*batch._tables, batches.new_state(batch._tables, 50), deposit)
            with monkeypatch.context() as patch:
                patch.setattr(batches, "_loops", lambda *_, loops=loops: loops)
                other = Batch(chosen, count=50, seed=3)
            for actions, winners in steps:
                assert np.array_equal(other.sample(), actions)
                assert np.array_equal(other.step(actions), winners)
            assert np.array_equal(other.planes(), batch.planes())
            assert np.array_equal(other.mask(), batch.mask())
            assert np.array_equal(other.turns, batch.turns)


@every_kind
@pytest.mark.parametrize(
    ("name", "length"),
    [("keepaway", 6.74), ("chain", 11.71), ("scatter", 11.77), ("trails", 5.38), ("showdown", 14.74)],
)
def test_random_games_are_as_long_as_they_should_be(name, length, compiled):
    batch = Batch(name, count=4000, seed=5, compiled=compiled)
    first, begun = np.zeros(4000, int), np.ones(4000, bool)
    for step in range(1, 26):  # no game on these boards is longer
        _, winners = batch.step_random()
        first[begun & (winners > 0)] = step
        begun &= winners == 0
    assert not begun.any()
    assert abs(first.mean() - length) < 5 * first.std() / 4000**0.5 + 0.01


@every_kind
def test_every_action_is_as_likely_as_any_other(compiled):
    batch = Batch("showdown", "3x3", count=9000, seed=2, compiled=compiled)
    counts = np.bincount(batch.sample(), minlength=9)
    assert abs(counts - 1000).max() < 5 * 1000**0.5


@every_kind
def test_the_same_seed_gives_the_same_games_and_another_seed_others(compiled):
    one, two, other = (Batch("trails", "5x5", count=64, seed=seed, compiled=compiled) for seed in (7, 7, 8))
    actions = [[batch.step_random()[0].tolist() for _ in range(5)] for batch in (one, two, other)]
    assert actions[0] == actions[1] != actions[2]
    one.reset(7)
    assert [one.step_random()[0].tolist() for _ in range(5)] == actions[0]


@every_kind
@pytest.mark.parametrize("twin", [copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_a_copy_continues_independently(twin, compiled):
    batch = Batch("scatter", count=32, seed=1, compiled=compiled)
    for _ in range(9):
        batch.step_random()
    other = twin(batch)
    before = other.planes().tolist()
    assert before == batch.planes().tolist()
    expected = [batch.step_random()[0].tolist() for _ in range(9)]
    assert other.planes().tolist() == before
    assert [other.step_random()[0].tolist() for _ in range(9)] == expected
    assert other.compiled == compiled


@every_kind
def test_a_move_that_is_not_possible_is_refused_and_nothing_has_changed(compiled):
    batch = Batch("showdown", "5x5", count=3, compiled=compiled)
    batch.step([12, 12, 12])
    before = batch.planes().tolist()
    with pytest.raises(
        IllegalMove, match=r"Action 12 of game 1 is not possible: the cell is already occupied\. See mask"
    ):
        batch.step([0, 12, 6])
    with pytest.raises(IllegalMove, match="Action 6 of game 2 is not possible: the cell is adjacent to your opponent"):
        batch.step(np.array([0, 1, 6], np.uint8))
    for outside in (25, 63, 64, 255, 256 + 1, -1, 2**40):
        with pytest.raises(
            IllegalMove, match=f"Action {outside} of game 0 is not possible: the cell is outside the grid"
        ):
            batch.step([outside, 0, 0])
    assert batch.planes().tolist() == before
    for actions in ([0, 1], 0, [0.0, 1.0, 2.0], [[0, 1, 2]], [True, False, True]):
        with pytest.raises(IllegalMove, match="A batch of 3 games takes 3 whole numbers, not an array of"):
            batch.step(actions)


def test_invalid_batch_input_gets_a_clear_error():
    with pytest.raises(BadBoard, match=r"12x11 is too large for a batch: batches support .* up to 128 cells\."):
        Batch("showdown", "12x11")
    with pytest.raises(BadBoard, match="trails on 1x2 is over before the first move: choose a larger board"):
        Batch("trails", "1x2")
    with pytest.raises(BadGame, match="A batch has at least one game, not 0"):
        Batch("trails", count=0)
    own = HERMIT.__class__(
        **{**HERMIT.__dict__, "shape": None, "legal": lambda grid, _: grid.cells, "causes": lambda *_: 0, "name": "odd"}
    )
    with pytest.raises(BadGame, match="odd has its own rule functions, which batches do not support"):
        Batch(own)
    with pytest.raises(BadBoard, match=r"contiguous one of bytes with shape \(2, 25\)"):
        Batch("showdown", count=2).mask(np.zeros((2, 24), bool))


@every_kind
def test_what_is_seen_can_be_written_into_an_array_that_is_there(compiled):
    batch = Batch(variant("keepaway", "4x5"), count=6, seed=1, compiled=compiled)
    batch.step_random()
    mask, planes = np.ones((6, 20), bool), np.ones((6, 4, 4, 5), np.int8)
    assert batch.mask(mask) is mask
    assert batch.planes(planes) is planes
    assert np.array_equal(mask, batch.mask())
    assert np.array_equal(planes, batch.planes())
    assert repr(batch) == "<Batch of 6 games: keepaway 4x5 king>"


def test_where_nothing_is_compiled_numpy_does_it(monkeypatch):
    monkeypatch.setattr(batch_kernel, "COMPILED", False)
    assert isinstance(Batch("chain")._loops, Numbers)
    with pytest.raises(BadGame, match="compiled=True needs compiled code, which this installation lacks"):
        Batch("chain", compiled=True)


@pytest.mark.parametrize("board", ["8x8", "8x9", "16x8"])
@every_kind
def test_whole_games_on_boards_of_one_and_two_words_follow_the_rules(board, compiled):
    for name in ("scatter", "trails", "showdown"):
        check_games(variant(name, board), compiled, seed=4, games=3, steps=variant(name, board).grid.size)


@pytest.mark.parametrize("kind", [np.int64, np.uint32, np.int8])
def test_numbers_of_numpy_are_numbers(kind):
    batch, same = Batch("showdown", count=kind(4), seed=kind(5)), Batch("showdown", count=4, seed=5)
    assert batch.sample().tolist() == same.sample().tolist()
    batch.reset(kind(3))
    same.reset(3)
    assert batch.step_random()[0].tolist() == same.step_random()[0].tolist()
    assert batch.position(kind(2)) == same.position(2)


def test_a_seed_is_a_whole_number_or_drawn():
    drawn = {tuple(Batch("showdown", count=20, seed=None).sample().tolist()) for _ in range(3)}
    assert len(drawn) == 3
    for seed in ("7", 1.5, [1]):
        with pytest.raises(BadGame, match="A seed is a whole number, not"):
            Batch("showdown", count=4, seed=seed)
    with pytest.raises(BadGame, match=r"The number of games is a whole number, not '2\.5'"):
        Batch("showdown", count=2.5)


def test_a_choice_of_moves_from_outside_leads_to_the_end():
    rng, batch = Random(1), Batch("chain", "2x3", count=10)
    ended = 0
    for _ in range(30):
        ended += int((batch.step([rng.choice(np.flatnonzero(row).tolist()) for row in batch.mask()]) > 0).sum())
    assert ended > 40
