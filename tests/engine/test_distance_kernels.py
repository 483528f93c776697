"""Tests that compare the distance searches with the reference solver for every shape.

The compiled and the interpreted versions are both tested.
"""

import random
from itertools import islice, permutations
from types import ModuleType
from typing import Any

import pytest
from bench import reference
from shapes import EVERY_SHAPE, boards, game, label, late_positions, move_scores, score, truth

from gridlock.core.grid import Adjacency, Grid, set_of
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.core.rules import RULE_BOOKS, variant
from gridlock.core.shape import SHAPES, Follow, Shape
from gridlock.engine.kernels import placing_kernel, walking_kernel
from gridlock.engine.kernels.interface import state_of
from gridlock.engine.kernels.interpreted import plain

COMPILED = not placing_kernel.__file__.endswith(".py")
EVERYTHING = (-1001, 1001)
every_shape = pytest.mark.parametrize(("shape", "adjacency"), EVERY_SHAPE, ids=label)


def search_for(rules: Variant, interpreted: bool = False, memory: int = 1 << 20) -> Any:
    """Return a distance search for a variant."""
    assert rules.shape is not None
    module: ModuleType = placing_kernel if rules.shape.placing else walking_kernel
    if interpreted:
        module = plain(module.__name__.rpartition(".")[2])
    make = module.PlacingDistances if rules.shape.placing else module.WalkingDistances
    return make(rules.shape, rules.grid, memory)


def never(_nodes: int) -> bool:
    """A clock that never runs out."""
    return False


def check(rules: Variant, memo: reference.Memo, most: int) -> None:
    """For all or some of the positions in `memo`, check the score of every move against the reference solver."""
    search = search_for(rules)
    keys = list(memo) if COMPILED and len(memo) <= most else random.Random(1).sample(list(memo), min(len(memo), most))
    for mine, theirs, my_head, their_head in keys:
        position = Position(mine, theirs, my_head, their_head, 1)
        assert search.all_moves(*state_of(position), never) == move_scores(rules, position, memo), (rules, position)


@pytest.mark.slow
@every_shape
def test_every_position_of_every_board_up_to_nine_cells(shape: Shape, adjacency: Adjacency) -> None:
    for rows, cols in boards(2 if shape.pawn else 1, 9):
        rules = game(shape, rows, cols, adjacency)
        check(rules, truth(rules), 10**6 if COMPILED else 40)


@pytest.mark.parametrize(
    ("shape", "adjacency"), [(shape, adjacency) for shape, adjacency in EVERY_SHAPE if shape.pawn], ids=label
)
def test_pawns_that_start_anywhere(shape: Shape, adjacency: Adjacency) -> None:
    for rows, cols in [*boards(2, 6), (2, 4), (1, 8), (3, 3)]:
        for heads in permutations(range(rows * cols), 2):
            rules = game(shape, rows, cols, adjacency, heads)
            check(rules, truth(rules), 30)


@pytest.mark.deep
@every_shape
def test_positions_of_boards_with_ten_and_twelve_cells(shape: Shape, adjacency: Adjacency) -> None:
    for rows, cols in ((1, 10), (2, 5), (5, 2), (3, 4)):
        rules = game(shape, rows, cols, adjacency)
        if shape.closes or shape.pawn or shape.follows is Follow.NEAR:
            check(rules, truth(rules), 20_000)
        else:  # too many positions for the reference
            search = search_for(rules)
            for position in islice(late_positions(rules, 7, rows), 60):
                assert search.all_moves(*state_of(position), never) == move_scores(rules, position, {})


@pytest.mark.slow
@every_shape
def test_every_move_of_late_positions_on_larger_boards(shape: Shape, adjacency: Adjacency) -> None:
    for rows, cols in ((3, 4), (4, 4), (5, 5), (2, 9), (9, 11), (1, 100)):
        rules = game(shape, rows, cols, adjacency)
        search = search_for(rules)
        for seed in range(6):
            for position in islice(late_positions(rules, 7 - seed % 3, seed), 3):
                assert search.all_moves(*state_of(position), never) == move_scores(rules, position, {}), (
                    rules,
                    position,
                )


@pytest.mark.parametrize("name", RULE_BOOKS)
def test_the_default_board_from_the_start(name: str) -> None:
    rules = variant(name)
    winning = {"keepaway": {"2,2"}, "trails": {"0,1", "1,0"}, "showdown": {"3,3"}}.get(name, set())
    moves = search_for(rules).all_moves(*state_of(rules.start()), never)
    assert {rules.name(cell) for cell, result in moves if result > 0} == winning
    if rules.grid.size < 20:  # the reference needs minutes for the others
        assert moves == move_scores(rules, rules.start(), {})


@pytest.mark.parametrize("shape", SHAPES, ids=label)
def test_images_of_a_position_score_the_same(shape: Shape) -> None:
    rules = game(shape, 4, 4, Adjacency.ORTHOGONAL) if shape.pawn else game(shape, 3, 3, Adjacency.KING)
    start, size = rules.start(), rules.grid.cols
    moves = dict(search_for(rules).all_moves(*state_of(start), never))
    best = max(moves.values(), default=-1000)
    assert search_for(rules).solve(*state_of(start), *EVERYTHING, never) == best
    for cell, result in moves.items():
        row, col = divmod(cell, size)
        assert moves[col * size + row] == result
        if not shape.pawn:
            assert moves[(size - 1 - row) * size + col] == result


@pytest.mark.slow
@every_shape
def test_a_window_asks_for_less(shape: Shape, adjacency: Adjacency) -> None:
    rules = game(shape, 3, 4, adjacency)
    rng = random.Random(label(shape))
    for position in islice(late_positions(rules, 8, 3), 12):
        exact = search_for(rules).solve(*state_of(position), *EVERYTHING, never)
        assert exact == score(reference.solve(rules, position, {}))
        search = search_for(rules)
        assert (search.solve(*state_of(position), -1, 1, never) > 0) == (exact > 0)
        for _ in range(10):
            low = exact + rng.randint(-6, 4)
            high = low + rng.randint(1, 5)
            found = search.solve(*state_of(position), low, high, never)
            assert max(low, min(high, found)) == max(low, min(high, exact)), (position, low, high)


@every_shape
def test_a_tiny_memory_changes_nothing(shape: Shape, adjacency: Adjacency) -> None:
    rules = game(shape, 4, 4, adjacency)
    searches = [search_for(rules, memory=memory) for memory in (1 << 22, 1, 300, 1000)]  # all states share few entries
    for position in islice(late_positions(rules, 9, 1), 12):
        first, *others = (search.all_moves(*state_of(position), never) for search in searches)
        assert all(other == first for other in others), position


@pytest.mark.slow
@every_shape
def test_plain_python_searches_just_the_same(shape: Shape, adjacency: Adjacency) -> None:
    for rows, cols in ((3, 3), (4, 5), (9, 10)):
        rules = game(shape, rows, cols, adjacency)
        for position in islice(late_positions(rules, 8, 2), 4):
            searches = [search_for(rules, interpreted, 1 << 14) for interpreted in (False, True)]
            first, second = (search.all_moves(*state_of(position), lambda nodes: nodes > 3000) for search in searches)
            if first is not None and second is not None:
                assert first == second
                assert searches[0].nodes == searches[1].nodes


def test_a_search_stopped_again_and_again_gets_there() -> None:
    rules = variant("scatter", "5x5" if COMPILED else "3x5", "orthogonal")  # enough for the clock to be asked often
    search = search_for(rules, memory=1 << 24)
    calls: list[int] = []

    def at_once(nodes: int) -> bool:
        calls.append(nodes)
        return True

    answers = [search.all_moves(*state_of(rules.start()), at_once) for _ in range(20)]
    assert answers[0] is None
    assert answers[-1] == search_for(rules, memory=1 << 24).all_moves(*state_of(rules.start()), never)
    assert calls == sorted(set(calls))
    assert search.nodes >= calls[-1]


@pytest.mark.parametrize("name", RULE_BOOKS)
def test_an_exception_of_the_clock_comes_through(name: str) -> None:
    rules = variant(name, "7x9")
    search = search_for(rules)

    def interrupt(_nodes: int) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search.solve(*state_of(rules.start()), *EVERYTHING, interrupt)
    assert search.solve(*state_of(rules.start()), *EVERYTHING, lambda _nodes: True) == 0
    assert search.all_moves(*state_of(rules.start()), lambda _nodes: True) is None


def test_a_long_walk_can_be_stopped_and_resumed() -> None:
    rules = variant("trails", "9x9")
    holes = [hole for hole in random.Random(45).sample(range(1, 80), 14) if hole > 44]
    mirrored = [80 - hole for hole in holes]  # behind a wall, both pawns have the same walk, which is hard to count
    taken = set_of([0, *range(36, 45), *holes, *mirrored])
    position = Position(taken, 1 << 80, 0, 80, 1)
    search = search_for(rules)
    answers = [0]
    while answers[-1] == 0 and len(answers) < 20_000:  # plain Python checks the clock far more often
        answers.append(search.solve(*state_of(position), *EVERYTHING, lambda _nodes: True))
    assert answers[1] == 0
    assert answers[-1] == search_for(rules).solve(*state_of(position), *EVERYTHING, never)


def test_larger_boards_and_other_shapes_are_refused() -> None:
    placing, walking = Shape(closes_own=True), Shape(follows=Follow.NEAR)
    large, small = Grid(12, 11, Adjacency.KING), Grid(3, 3, Adjacency.KING)
    for make, right, wrong in (
        (placing_kernel.PlacingDistances, placing, walking),
        (walking_kernel.WalkingDistances, walking, placing),
    ):
        with pytest.raises(ValueError, match="128"):
            make(right, large, 1 << 10)
        with pytest.raises(ValueError, match="any open cell"):
            make(wrong, small, 1 << 10)
