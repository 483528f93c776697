"""Tests that, at the end of a game, the correct markers are highlighted: those that lock out the loser."""

from random import Random

import pytest

from gridlock import Game
from gridlock.core.game import Termination
from gridlock.core.grid import cells_of
from gridlock.core.rules import RULE_BOOKS
from gridlock.web.referee import views


def ended(name: str, board: str, *moves: str) -> Game:
    game = Game(name, board)
    for move in moves:
        game.push(move)
    assert game.is_over
    return game


@pytest.mark.parametrize(
    ("game", "lock"),
    [
        (ended("showdown", "3x3", "2,2"), ["2,2"]),
        (ended("showdown", "2x3", "1,1", "1,3", "2,1", "2,3"), ["1,3"]),  # 2,3 closes no other cells
        (ended("keepaway", "3x3", "2,2"), ["2,2"]),
        (ended("chain", "1x3", "1,2", "1,1"), ["1,2"]),  # the only neighbour of the last marker
        (ended("trails", "2x2", "0,1", "1,0"), ["0,0", "1,1"]),  # the cells around the stuck pawn
        (ended("scatter", "1x3", "1,2", "1,1", "1,3"), []),  # the board is full
    ],
)
def test_only_the_markers_that_matter_are_causes(game: Game, lock: list[str]) -> None:
    assert [game.variant.name(cell) for cell in views.board(game).causes] == lock


@pytest.mark.parametrize("name", RULE_BOOKS)
def test_every_end_has_a_lock_and_a_resignation_has_none(name: str) -> None:
    seed = Random().randrange(10**9)
    random = Random(seed)
    for _ in range(20):
        game = Game(name, "4x5", random.choice(["king", "orthogonal"]))
        while not game.is_over:
            game.push(random.choice(cells_of(game.legal)))
        lock = views.board(game).causes
        assert all(game.position.taken >> cell & 1 for cell in lock), f"seed {seed}"
        empty = cells_of(game.variant.grid.cells & ~game.position.taken)
        assert lock or not empty, f"seed {seed}"
        # Every empty cell is closed by at least one marker in `lock`.
        if game.variant.shape.placing:
            causes = [set(cells_of(game.variant.refusal(game.positions[-1], cell).causes)) for cell in empty]
            assert all(one & set(lock) for one in causes), f"seed {seed}"
        before = game.at(len(game.moves) - 1)
        assert views.board(before).causes == []
        before.resign(before.turn, Termination.TIME)
        assert views.board(before).causes == []


def test_a_game_with_passes_says_that_neither_can_move() -> None:
    both = views.outcome(ended("scatter", "1x3", "1,2", "1,1", "1,3"))
    assert both is not None
    assert both.both
    one = views.outcome(ended("showdown", "3x3", "2,2"))
    assert one is not None
    assert not one.both
