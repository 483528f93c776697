"""Tests of the theorem about three rows in docs/theory.md, with nothing but the rules of Scatter and brute force."""

import random
from functools import cache

import pytest

from gridlock.core import rules
from gridlock.core.grid import Adjacency, Grid
from gridlock.engine.kernels import col_kernel
from gridlock.engine.solve import Solver

Cells = frozenset[tuple[int, int]]  # rows and columns
FIRST, MIDDLE, LAST = "222. 2222 222.", "222. .222 222.", "2 . 2"  # 2: the cells that the second player uses


def zone(cell: tuple[int, int]) -> Cells:
    row, col = cell
    return frozenset({cell, (row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)})


@cache
def wins(mine: Cells, theirs: Cells) -> bool:
    """Return whether the player to move wins, given the cells open to this player and to the opponent."""
    return any(not wins(theirs - {cell}, mine - zone(cell)) for cell in mine)


def block(picture: str, left: int = 0) -> tuple[Cells, Cells]:
    """Return all cells of a block, and the cells that the second player uses."""
    marks = {(row, left + col): mark for row, line in enumerate(picture.split()) for col, mark in enumerate(line)}
    return frozenset(marks), frozenset(cell for cell, mark in marks.items() if mark == "2")


def board(number: int) -> list[tuple[Cells, Cells]]:
    """Return the blocks of a board with 4 * number + 1 columns."""
    pictures = [FIRST, *[MIDDLE] * (number - 1), LAST]
    return [block(picture, 4 * index) for index, picture in enumerate(pictures)]


@pytest.mark.parametrize("picture", [FIRST, MIDDLE, LAST])
def test_the_second_player_wins_every_block(picture: str) -> None:
    assert not wins(*block(picture))


@pytest.mark.parametrize("number", range(1, 6))
def test_the_blocks_cover_the_board_and_the_second_players_cells_do_not_touch(number: int) -> None:
    blocks = board(number)
    cells = [(row, col) for row in range(3) for col in range(4 * number + 1)]
    assert sorted(cell for block_cells, _ in blocks for cell in block_cells) == cells
    for index, (_, used) in enumerate(blocks):
        others = frozenset().union(*(other for k, (_, other) in enumerate(blocks) if k != index))
        assert not any(zone(cell) & others for cell in used)


@pytest.mark.parametrize("seed", range(20))
def test_the_second_player_always_has_a_reply_in_the_same_block(seed: int) -> None:
    dice = random.Random(seed)
    blocks = board(dice.randint(1, 4))
    mine = frozenset().union(*(cells for cells, _ in blocks))  # the cells open to the first player
    used = [cells for _, cells in blocks]
    while mine:
        cell = dice.choice(sorted(mine))
        mine -= zone(cell)
        index = next(k for k, (cells, _) in enumerate(blocks) if cell in cells)
        used[index] -= {cell}
        here = mine & blocks[index][0]
        reply = next(one for one in sorted(used[index]) if not wins(here - {one}, used[index] - zone(one)))
        mine -= {reply}
        used[index] -= zone(reply)


@pytest.mark.parametrize("cols", [1, 5, 9])
def test_the_engine_agrees(cols: int) -> None:
    assert Solver(rules.variant("scatter", f"3x{cols}", "orthogonal"), "search").solve().verdict == "loss"


@pytest.mark.parametrize("cols", [3, 7])
@pytest.mark.parametrize("kept", [[1], [0, 2]])
def test_blocks_for_the_other_odd_numbers_of_columns_fail(cols: int, kept: list[int]) -> None:
    """The first player wins a block of 3 or 7 columns, whichever cells of one end column the second player keeps."""
    grid = Grid(3, cols, Adjacency.ORTHOGONAL)
    used = sum(1 << row * cols + col for row in range(3) for col in range(cols) if col < cols - 1 or row in kept)
    search = col_kernel.ColSearch(grid, 1 << 24, col_kernel.ALL)
    assert search.solve(grid.cells, used, lambda _nodes: False) == 1
