"""Tests that a line of best play reaches the end of the game, even if a mirror or pairing strategy decides who wins."""

import pytest

from gridlock.core.game import Game
from gridlock.core.notation import play_moves
from gridlock.engine.clock import Clock
from gridlock.engine.engine import engine_for


@pytest.mark.parametrize(
    ("name", "board", "moves"),
    [
        ("showdown", "3x5", ""),
        ("chain", "3x4", ""),
        ("keepaway", "3x4", "1,1"),
        ("scatter", "3x4", "1,1"),
        ("trails", "3x3", ""),
    ],
)
def test_the_best_line_is_legal_and_as_long_as_the_distance(name: str, board: str, moves: str) -> None:
    game = Game(name, board)
    play_moves(game, moves)
    solver = engine_for(game.variant)
    analysis = solver.analyse(game, Clock(10), None)
    assert analysis.distance is not None
    line = solver.best_line(analysis, Clock(10))
    winner = game.turn if analysis.verdict == "win" else 3 - game.turn
    for cell in line:
        game.push(cell)
    assert game.outcome
    assert game.outcome.winner == winner
    assert len(line) == analysis.distance


def test_there_is_no_line_while_a_swap_is_open() -> None:
    game = Game("showdown", "3x3", swap=True)
    solver = engine_for(game.variant)
    assert solver.best_line(solver.analyse(game, Clock(10), None), Clock(10)) == ()
