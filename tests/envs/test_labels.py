"""Tests that labels have the same values with and without distances, and arrive in time or not at all."""

import copy
from random import Random

import pytest

from gridlock import RULE_BOOKS, Game, cells_of
from gridlock.envs.labels import UNCOUNTED, Labels, judged


@pytest.mark.parametrize("name", RULE_BOOKS)
def test_values_without_distances_are_those_with_them(name, monkeypatch):
    labels, hurried = Labels(name, "4x4"), Labels(Game(name, "4x4").variant)
    monkeypatch.setattr(hurried._distances, "of_moves", lambda *_: {})  # as if the time were up
    rng = Random(name)
    for _ in range(20):
        game = Game(name, "4x4")
        for _ in range(rng.randrange(6)):
            if game.legal:
                game.push(rng.choice(cells_of(game.legal)))
        if game.outcome:
            continue
        full, short = labels.of(game.position), hurried.of(game.position, seconds=60)
        assert (short.value, short.distance) == (full.value, 0)
        assert short.values.tolist() == full.values.tolist()
        assert not short.distances.any()
        scores = hurried.scores(game.position, seconds=60)
        assert {abs(score) for score in scores.values()} == {UNCOUNTED}
        for cell in scores:
            whole = judged(labels.scores(game.position), cell)
            assert judged(scores, cell) == whole._replace(distance=0)


def test_a_label_comes_in_time_or_not_at_all():
    assert Labels("showdown", "9x9").of(Game("showdown", "9x9").position, seconds=0) is None
    label = Labels("keepaway", "5x5").of(Game("keepaway", "5x5").position, seconds=0.2)  # otherwise a minute
    assert label is None or label.value == 1


def test_a_copy_of_labels_has_the_same_board_and_memory():
    twin = copy.deepcopy(Labels("chain", "3x3", "king", memory=1 << 20))
    assert (str(twin.variant.grid), twin.variant.grid.adjacency, twin.memory) == ("3x3", "king", 1 << 20)
