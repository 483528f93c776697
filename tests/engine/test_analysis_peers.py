"""Tests that exact values agree with those derived from the rules of Col and Snort by pycgt, an independent program."""

from functools import cache
from random import Random

import pytest
from truth import ADJACENCIES, late_position

from gridlock.core.grid import cells_of
from gridlock.core.rules import variant
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Verdict
from oracle import GAMES

pycgt = pytest.importorskip("pycgt", reason="pycgt is part of the test-all extra: pip install -e '.[test-all]'")
pytestmark = pytest.mark.slow


def valuer(game, rows, cols, adjacency):
    """Return a function that computes a value from the cells open to each player; the first player is Left."""
    board = GAMES[game](rows, cols, adjacency == "king")
    cells = [(row, col) for row in range(rows) for col in range(cols)]
    around = {cell: board.touching(cell) | {cell} for cell in cells}

    @cache
    def value(left, right):
        def after(own, others, cell):
            """Make a move; return the cells that are then open to the mover, and those open to the opponent."""
            if game == "scatter":
                return own - around[cell], others - {cell}
            return own - {cell}, others - around[cell]

        lefts = [value(*after(left, right, cell)) for cell in left]
        rights = [value(*after(right, left, cell)[::-1]) for cell in right]
        return pycgt.Game.of(lefts, rights).canonical

    return lambda left, right: value(frozenset(left), frozenset(right))


def whole(rows, cols):
    return [(row, col) for row in range(rows) for col in range(cols)]


@pytest.mark.parametrize(
    ("game", "rows", "cols", "expected"),
    [
        ("scatter", 3, 3, "0"),
        ("scatter", 3, 4, "0"),
        ("showdown", 3, 3, "{8|-8}"),
        ("showdown", 3, 4, "{{10|3}|{-3|-10}}"),
    ],
)
def test_values_of_empty_boards(game, rows, cols, expected):
    cells = whole(rows, cols)
    value = valuer(game, rows, cols, "king")(cells, cells)
    assert value == pycgt.parse(expected)
    played = variant(game, f"{rows}x{cols}", "king")
    verdict = Engine(played, 1 << 22).verdict(played.start(), Clock())
    assert verdict is (Verdict.LOSS if value.is_zero else Verdict.WIN)


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("game", ["scatter", "showdown"])
def test_winners_of_random_positions(game, adjacency):
    rng = Random(f"{game} {adjacency}")
    zero = pycgt.parse("0")
    for rows, cols in ((3, 3), (2, 5), (4, 4), (5, 5)):
        played = variant(game, f"{rows}x{cols}", adjacency)
        engine = Engine(played, 1 << 22)
        value = valuer(game, rows, cols, adjacency)
        for _ in range(25):
            position = late_position(played, rng, 8)
            mine, theirs = (
                [divmod(cell, cols) for cell in cells_of(played.legal(seen))] for seen in (position, position.passed())
            )
            wins = not value(mine, theirs) <= zero  # if Left is to move, Left wins unless the value is zero or less
            analysis = engine.weigh(position, Clock())
            assert analysis.verdict is (Verdict.WIN if wins else Verdict.LOSS)
