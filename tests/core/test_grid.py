"""Grids, cells and sets of cells."""

import pickle
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridlock import Adjacency, BadBoard, Grid, cells_of, set_of
from gridlock.core.grid import board_size, first_of

grids = st.builds(Grid, st.integers(1, 12), st.integers(1, 12), st.sampled_from(Adjacency))
some_bits = st.integers(0, 2**200) | st.integers(0, 2**38)


def touch(grid, one, two):
    """Return whether two cells are adjacent, judging only by the distance between them."""
    down, right = (abs(a - b) for a, b in zip(divmod(one, grid.cols), divmod(two, grid.cols), strict=True))
    return max(down, right) == 1 if grid.adjacency is Adjacency.KING else down + right == 1


@given(grids)
def test_near_is_what_the_distance_says(grid):
    for cell in range(grid.size):
        assert cells_of(grid.near[cell]) == [other for other in range(grid.size) if touch(grid, cell, other)]
        assert set_of(grid.neighbours(cell)) == grid.near[cell]


@given(grids, st.data())
def test_around_is_the_cells_and_all_that_are_near_them(grid, data):
    bits = data.draw(st.integers(0, grid.cells))
    expected = bits
    for cell in cells_of(bits):
        expected |= grid.near[cell]
    assert grid.around(bits) == expected


@pytest.mark.parametrize("adjacency", Adjacency)
def test_around_on_the_largest_board(adjacency):
    grid, random = Grid(100, 100, adjacency), Random(1)
    for share in (1, 30, 3000):
        cells = random.sample(range(grid.size), share)
        expected = set_of(cells)
        for cell in cells:
            expected |= grid.near[cell]
        assert grid.around(set_of(cells)) == expected


def test_neighbours_are_listed_up_down_left_right_first():
    assert Grid(3, 3, Adjacency.ORTHOGONAL).neighbours(4) == [1, 7, 3, 5]
    assert Grid(3, 3, Adjacency.KING).neighbours(4) == [1, 7, 3, 5, 0, 2, 6, 8]


@given(some_bits)
def test_cells_of_lists_the_set_bits_in_order(bits):
    assert cells_of(bits) == [cell for cell in range(201) if bits >> cell & 1]
    assert set_of(cells_of(bits)) == bits
    assert first_of(bits) == (cells_of(bits)[0] if bits else None)


@given(grids)
def test_a_pickled_grid_is_equal(grid):
    assert grid.near  # the tables are not copied
    assert len(pickle.dumps(grid)) < 200
    twin = pickle.loads(pickle.dumps(grid))
    assert twin == grid
    assert hash(twin) == hash(grid)
    assert twin.near == grid.near
    with pytest.raises(AttributeError):
        grid.rows = 3


def test_adjacency_by_its_plain_word():
    assert Grid(3, 3, "king").neighbours(0) == Grid(3, 3, Adjacency.KING).neighbours(0)
    with pytest.raises(BadBoard, match="Adjacency must be king or orthogonal, not 'hex'"):
        Grid(3, 3, "hex")


@pytest.mark.parametrize("sides", [(0, 3), (3, 0), (-1, 5), (101, 1), (1, 101), (10**9, 10**9)])
def test_impossible_boards(sides):
    with pytest.raises(BadBoard, match="boards go from 1x1 to 100x100"):
        Grid(*sides, Adjacency.KING)


@pytest.mark.parametrize(
    ("text", "sides"), [("5x6", (5, 6)), (" 5X6\n", (5, 6)), ("100x100", (100, 100)), ("0x3", (0, 3)), ("05x6", (5, 6))]
)
def test_boards_as_text(text, sides):
    assert board_size(text) == sides


@pytest.mark.parametrize(
    "text",
    ["", "x", "5", "5x", "x5", "5x5x5", "5*5", "-1x5", "+1x5", "5 x 5", "٣x3", "3x²", "a", "1e3x2", "9" * 99 + "x1"],
)
def test_texts_that_are_no_board(text):
    with pytest.raises(BadBoard, match="is not a board"):
        board_size(text)
