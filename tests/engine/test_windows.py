"""Tests of the window rule in docs/theory.md: they compare bench.windows with the reference solver and the engine."""

import pytest
from bench.reference import solve
from bench.windows import Window

from gridlock.core import rules
from gridlock.engine.solve import Solver


@pytest.mark.parametrize("rows", [3, pytest.param(5, marks=pytest.mark.slow)])
@pytest.mark.parametrize("cols", [3])
def test_a_window_that_is_the_board_is_the_game(rows, cols):
    window = Window(rows, cols, True)
    variant = rules.variant("scatter", f"{rows}x{cols}", "king")
    start = variant.start()
    memo = {}
    assert window.survives(window.cells, window.cells) == (not solve(variant, start, memo).win)
    for cell in variant.legal_cells(start):
        for reply in variant.legal_cells(start.after(cell)):
            position = start.after(cell).after(reply)
            open_to = [variant.legal(position), variant.legal(position.passed())]
            assert window.survives(*open_to) == (not solve(variant, position, memo).win)


def test_three_rows_need_a_window_of_three_columns():
    window = Window(3, 3, False)
    assert window.survives(window.cells, window.cells)
    for cols in (3, 5, 7, 9):
        assert Solver(rules.variant("scatter", f"3x{cols}", "king"), "search").solve().verdict == "loss"


@pytest.mark.parametrize("cols", [3, 5])
def test_five_rows_are_not_decided_by_small_windows(cols):
    window = Window(5, cols, False)
    assert not window.survives(window.cells, window.cells)
    assert Solver(rules.variant("scatter", f"5x{cols}", "king"), "search").solve().verdict == "loss"
