"""Tests that the hot loops of the rules, whether compiled or interpreted, agree with the plain definitions."""

import json
import pickle
import shutil
import subprocess
import sys
from dataclasses import replace
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridlock
from gridlock import RULE_BOOKS, Adjacency, Game, Grid, IllegalMove, Outcome, Termination, Variant
from gridlock.core import kernel
from gridlock.core.perft import perft
from gridlock.core.position import Position
from gridlock.core.shape import SHAPES


def plain_python():
    """Load the kernel from its source as plain Python, even if a compiled version exists."""
    loader = SourceFileLoader("core_kernel_as_python", str(Path(kernel.__file__).with_name("kernel.py")))
    module = module_from_spec(spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    assert not module.COMPILED
    return module


both = pytest.mark.parametrize("kernel", [kernel, plain_python()], ids=["as installed", "interpreted"])
sides, small_sides = st.integers(1, 12), st.integers(1, 8)
shapes, adjacencies = st.sampled_from(SHAPES), st.sampled_from(Adjacency)
grids = st.builds(Grid, sides, sides, adjacencies) | st.builds(
    Grid, st.integers(1, 2), st.integers(60, 70), adjacencies
)
small_grids = st.builds(Grid, small_sides, small_sides, adjacencies) | st.builds(
    Grid, st.just(1), st.just(64), adjacencies
)


def variant_of(shape, grid):
    return Variant(replace(RULE_BOOKS["showdown"], shape=shape), grid)


@st.composite
def positions(draw, grid):
    """Return a position with arbitrary markers and arbitrary last moves, even if no game can reach it."""
    bits = st.integers(0, grid.cells)
    mine, theirs = draw(bits), draw(bits)
    thin = draw(st.sampled_from([grid.cells, *grid.near]))  # crowded boards have no legal cell left
    head = st.none() | st.integers(0, grid.size - 1)
    return Position(mine & thin, theirs & thin & ~mine, draw(head), draw(head), draw(st.sampled_from([1, 2])))


@both
@given(shape=shapes, grid=small_grids, data=st.data())
def test_legal_cells_of_small_boards_are_those_of_the_shape(kernel, shape, grid, data):
    legal = kernel.LegalCells(shape, grid)
    position = data.draw(positions(grid))
    assert legal(position) == shape.legal(grid, position)


@both
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("adjacency", Adjacency)
def test_legal_cells_all_through_random_games(kernel, shape, adjacency):
    for rows, cols in [(1, 1), (1, 2), (3, 3), (5, 5), (4, 7), (8, 8), (1, 64), (64, 1), (2, 32), (32, 2)]:
        grid, random = Grid(rows, cols, adjacency), Random(rows)
        legal, position = kernel.LegalCells(shape, grid), Position(0, 0, None, None, 1)
        while cells := kernel.cells_of(legal(position)):
            assert legal(position) == shape.legal(grid, position)
            position = kernel.after(position, random.choice(cells))
        assert shape.legal(grid, position) == 0


@given(shape=shapes, grid=grids, data=st.data())
def test_a_variant_says_what_its_shape_says_on_boards_of_any_size(shape, grid, data):
    variant = variant_of(shape, Grid(1, 2, grid.adjacency) if grid.size < 2 else grid)
    position = data.draw(positions(variant.grid))
    legal = shape.legal(variant.grid, position)
    assert variant.legal(position) == legal
    assert variant.legal_cells(position) == [cell for cell in range(variant.grid.size) if legal >> cell & 1]


def test_what_is_compiled_is_used_on_small_boards_only():
    for sides in [(8, 8), (1, 64), (5, 13), (100, 100)]:
        legal = variant_of(SHAPES[1], Grid(*sides, "king")).legal
        small = sides[0] * sides[1] <= kernel.MOST_CELLS
        assert isinstance(legal, kernel.LegalCells) == (kernel.COMPILED and small)
    assert (Position.after is kernel.after) == kernel.COMPILED


@both
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "position",
    [
        Position(1 << 64, 0, None, None, 1),
        Position(1 << 9, 1 << 200, 3, 3, 1),
        Position(-2, 4, 0, 1, 2),
        Position(1, 2, 25, 25, 1),
        Position(1, 2, -1, -3, 1),
        Position(1, 2, 10**30, 10**30, 1),
    ],
)
def test_unreachable_positions_follow_the_shapes_rules(kernel, shape, position):
    grid = Grid(4, 4, "king")

    def answer(legal):
        try:
            return legal(position)
        except IndexError as error:
            return type(error)

    assert answer(kernel.LegalCells(shape, grid)) == answer(lambda position: shape.legal(grid, position))


@both
@pytest.mark.parametrize("value", [None, (), (1,), 5, "12345", Position(1, "2", 3, 4, 1), Position(1, 2, "3", "4", 1)])
def test_an_invalid_position_is_an_error(kernel, value):
    with pytest.raises((TypeError, IndexError)):
        kernel.LegalCells(SHAPES[-1], Grid(4, 4, "king"))(value)


@both
@given(bits=st.integers(0, 2**200) | st.integers(0, 2**66) | st.integers(0, 2**27))
def test_cells_of_any_set(kernel, bits):
    expected = [cell for cell in range(201) if bits >> cell & 1]
    assert kernel.cells_of(bits) == expected
    assert getattr(kernel, "listed", kernel.cells_of)(bits) == expected  # compiled code has it inside cells_of
    assert kernel.cells_of(bits) is not kernel.cells_of(bits)  # each caller has its own list


@both
@given(grid=grids, data=st.data())
def test_after_is_the_position_seen_by_the_other_side(kernel, grid, data):
    position, cell = data.draw(positions(grid)), data.draw(st.integers(0, grid.size - 1))
    mine, theirs, _, their_head, turn = position
    expected = Position(theirs, mine | 1 << cell, their_head, cell, 3 - turn)
    for after in (kernel.after(position, cell), position.after(cell), Position.after(position, cell=cell)):
        assert (after, type(after), hash(after), repr(after)) == (expected, Position, hash(expected), repr(expected))
        assert pickle.loads(pickle.dumps(after)) == after


def test_after_a_cell_that_is_none():
    for cell, error in [(-1, ValueError), (None, TypeError), ("1", TypeError), (1.0, TypeError)]:
        with pytest.raises(error):
            Position(0, 0, None, None, 1).after(cell)


@pytest.mark.parametrize("sides", [(5, 5), (9, 9)])
def test_a_used_variant_can_be_pickled(sides):
    variant = variant_of(SHAPES[1], Grid(*sides, "king"))
    position = variant.start().after(7)
    legal = variant.legal(position)
    twin = pickle.loads(pickle.dumps(variant))
    assert (twin, hash(twin), twin.legal(position)) == (variant, hash(variant), legal)
    assert pickle.loads(pickle.dumps(variant.legal))(position) == legal


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("passes", [False, True])
@pytest.mark.parametrize("sides", [(3, 3), (4, 5), (6, 12)])
def test_a_game_takes_just_the_moves_that_are_not_refused(shape, passes, sides):
    book = replace(RULE_BOOKS["showdown"], shape=shape, passes=passes and shape.placing)
    variant, random = Variant(book, Grid(*sides, "orthogonal")), Random(7)
    game = Game(variant)
    while True:
        winner = variant.winner(game.positions[-1])
        assert game.outcome == (winner and Outcome(winner, Termination.STUCK))
        assert game.legal == variant.legal(game.position)
        for move in [None, -2, -7, variant.grid.size, 10**20, *range(variant.grid.size)]:
            refusal, trial = variant.refusal(game.position, move), game.copy()
            if refusal is None:
                trial.push(move)
                assert trial.positions == [*game.positions, game.position.after(move)]
                continue
            with pytest.raises(IllegalMove) as error:
                trial.push(move)
            assert error.value.why == ("the game is over" if winner else f"the cell is {refusal.words}")
        if winner:
            return
        game.push(random.choice(variant.legal_cells(game.position)))


PLAIN = """
import json, sys
import gridlock
from gridlock.core import kernel
from gridlock.core.perft import perft
counts = {name: perft(gridlock.variant(name), 4) for name in gridlock.RULE_BOOKS}
print(json.dumps([kernel.COMPILED, "cython" in sys.modules, counts]))
"""


def test_without_anything_compiled_it_counts_the_same_and_loads_no_cython(tmp_path):
    source = Path(gridlock.__file__).parent
    shutil.copytree(source, tmp_path / "gridlock", ignore=shutil.ignore_patterns("*.so", "*.pyd", "static"))
    done = subprocess.run([sys.executable, "-c", PLAIN], cwd=tmp_path, capture_output=True, text=True, check=True)
    counts = {name: list(perft(gridlock.variant(name), 4)) for name in RULE_BOOKS}
    assert json.loads(done.stdout) == [False, False, counts]
