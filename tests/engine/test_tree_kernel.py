"""Tests of the compiled and interpreted versions of the search tree.

The tests cover estimates and proofs, and the reference solver checks the proofs.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from bench import reference
from shapes import EVERY_SHAPE, game, label

from gridlock.core.grid import Adjacency, Grid, set_of
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.core.rules import variant
from gridlock.core.shape import SHAPES, Shape
from gridlock.engine.choice import choose, grow
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine
from gridlock.engine.kernels import tree_kernel
from gridlock.engine.kernels.interface import state_of, tree
from gridlock.engine.kernels.interpreted import plain

INTERPRETED = plain("tree_kernel")
MEMORY = 1 << 20
TAKEN = [(shape, adjacency) for shape, adjacency in EVERY_SHAPE if shape in tree_kernel.TELLING]
every_shape = pytest.mark.parametrize(("shape", "adjacency"), TAKEN, ids=label)


def never(_nodes: int) -> bool:
    """A clock that never runs out."""
    return False


def tree_for(rules: Variant, module: Any = tree_kernel, memory: int = MEMORY) -> Any:
    """Return a search tree for a variant."""
    return module.TreeSearch(rules.shape, rules.grid, memory)


def positions(rules: Variant, count: int) -> Iterator[Position]:
    """Yield all positions of random games, except the last position of each game."""
    rng = Random(5)
    for _ in range(count):
        position = rules.start()
        while cells := rules.legal_cells(position):
            yield position
            position = position.after(rng.choice(cells))


@every_shape
def test_what_is_proved_is_true_and_small_positions_are_proved(shape: Shape, adjacency: Adjacency) -> None:
    rules = game(shape, 3, 3, adjacency)
    grown, memo = tree_for(rules), reference.Memo()
    for position in positions(rules, 8):
        results = reference.results(rules, position, memo)
        found = grown.search(*state_of(position), 100_000, never)
        assert sorted(cell for cell, *_ in found) == rules.legal_cells(position)
        for cell, _visits, proved, worth in found:
            assert proved in (0, 1 if results[cell].win else -1), (position, cell)
            assert worth == (proved + 1) / 2 if proved else 0 <= worth <= 1
        if any(result.win for result in results.values()):
            assert any(proved == 1 for _, _, proved, _ in found), position
        else:
            assert all(proved == -1 for _, _, proved, _ in found), position


@every_shape
def test_plain_python_grows_the_same_tree(shape: Shape, adjacency: Adjacency) -> None:
    assert not INTERPRETED.cython.compiled
    rules = game(shape, 5, 6, adjacency)
    for position in positions(rules, 1):
        asked = *state_of(position), 60, never
        assert tree_for(rules).search(*asked) == tree_for(rules, INTERPRETED).search(*asked)


def test_other_shapes_are_left_alone() -> None:
    grid = Grid(3, 3, Adjacency.KING)
    for shape in SHAPES:
        assert (tree(game(shape, 3, 3, Adjacency.KING), MEMORY) is not None) == (shape in tree_kernel.TELLING)
    with pytest.raises(ValueError, match="cannot be estimated"):
        tree_kernel.TreeSearch(Shape(closes_own=True, closes_other=True), grid, MEMORY)


def test_every_simulation_is_counted_and_the_clock_is_obeyed() -> None:
    rules = variant("showdown", "11x11")
    grown = tree_for(rules)
    start = state_of(rules.start())
    assert sum(visits for _, visits, *_ in grown.search(*start, 500, never)) == 500
    asked: list[int] = []

    def third_time(nodes: int) -> bool:
        asked.append(nodes)
        return len(asked) == 3

    done = sum(visits for _, visits, *_ in grown.search(*start, 10**9, third_time))
    assert len(asked) == 3
    assert asked[-1] == 500 + done < 600

    def interrupted(_nodes: int) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        grown.search(*start, 10**9, interrupted)


@pytest.mark.parametrize("module", [tree_kernel, INTERPRETED], ids=["compiled", "plain"])
def test_a_full_tree_can_still_be_searched(module: Any) -> None:
    """When its memory is full, the tree stops growing, but the search continues in the existing nodes."""
    rules = variant("scatter", "5x5")
    found = tree_for(rules, module, 1).search(*state_of(rules.start()), 200, never)
    assert [cell for cell, *_ in found] == rules.legal_cells(rules.start())
    assert sum(visits for _, visits, *_ in found) == 200


def test_the_largest_board() -> None:
    rules = variant("showdown", "100x100")
    found = tree_for(rules).search(*state_of(rules.start()), 3, never)
    assert len(found) == 10_000
    assert sum(visits for _, visits, *_ in found) == 3


def test_a_pawn_does_not_walk_into_a_corner() -> None:
    """On a large board, the engine does not move a pawn into an enclosed corner."""
    rules = variant("trails", "15x15")
    mine = set_of([15 * row + 4 for row in range(5)] + [15 * 4 + col for col in range(5)] + [15 * 2 + 5, 15 * 3 + 6])
    me, them = 15 * 3 + 4, 15 * 14 + 14
    inside, outside = me - 1, me + 1
    position = Position(mine, 1 << them, me, them, 1)
    assert rules.legal_cells(position) == [inside, outside]
    assert choose(Engine(rules), position, Clock(0.05), Random(1)) == outside


def test_without_a_limit_the_tree_is_deterministic() -> None:
    rules = variant("scatter", "9x9")
    position = rules.start().after(20)
    first = grow(rules, position, Clock())
    assert first is not None
    assert first == grow(rules, position, Clock())
    assert sorted(first.order) == rules.legal_cells(position)
    assert grow(variant("chain"), variant("chain").start(), Clock()) is None
