"""The exact search against the reference solver, compiled and not."""

import importlib.util
import random
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from gridlock.engine import reference
from gridlock.engine.kernels import exact_kernel
from gridlock.grid import set_of
from gridlock.position import Position
from gridlock.rulebook import Variant
from gridlock.rules import RULE_BOOKS, variant

CODES = {name: getattr(exact_kernel, name.upper()) for name in RULE_BOOKS}
SMALL = [(rows, cols) for rows in range(1, 10) for cols in range(1, 10) if 2 <= rows * cols <= 9]
EVERYTHING = (-1001, 1001)


def interpreted() -> ModuleType:
    """The kernel's source as plain Python, as if Cython had never been there."""
    path = Path(exact_kernel.__file__).with_name("exact_kernel.py")
    name = "gridlock.engine.kernels.exact_kernel_interpreted"
    loader = SourceFileLoader(name, str(path))
    spec = importlib.util.spec_from_loader(name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "cython", None)
        loader.exec_module(module)
    return module


def search_for(rules: Variant, module: Any = exact_kernel, memory: int = 1 << 20) -> Any:
    """A search for a variant."""
    grid = rules.grid
    return module.ExactSearch(CODES[rules.book.name], grid.rows, grid.cols, grid.adjacency == "king", memory)


def never(_nodes: int) -> bool:
    """A clock that never runs out."""
    return False


def state(position: Position) -> tuple[int, int, int, int]:
    """A position as the kernel takes it."""
    heads = (-1 if head is None else head for head in (position.my_head, position.their_head))
    return (position.mine, position.theirs, *heads)


def score(result: reference.Result) -> int:
    """A result as the kernel gives it."""
    return 1000 - result.distance if result.win else result.distance - 1000


def expected_moves(rules: Variant, position: Position, memo: reference.Memo) -> list[tuple[int, int]]:
    """The score of every move by the reference."""
    return [(cell, score(result)) for cell, result in reference.results(rules, position, memo).items()]


def reachable(rules: Variant, limit: int) -> list[Position]:
    """The positions that can come about, or as many of them, picked at random."""
    rng = random.Random(repr(rules))
    seen = {rules.start()}
    todo = [rules.start()]
    while todo and len(seen) < limit:
        position = todo.pop(rng.randrange(len(todo)))
        for after in map(position.after, rules.legal_cells(position)):
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return sorted(seen, key=repr)


def late_position(rules: Variant, cells: int, seed: int) -> Position:
    """A position in which few cells still matter."""
    rng = random.Random(seed)
    if rules.book.name in ("scatter", "showdown"):
        position = rules.start()
        while (rules.legal(position) | rules.legal(position.passed())).bit_count() > cells:
            position = (
                position.after(rng.choice(rules.legal_cells(position)))
                if rules.legal_cells(position)
                else position.passed()
            )
        return position
    near, everything = rules.grid.near, range(rules.grid.size)
    heads = rng.sample(everything, 2)
    empty: set[int] = set()  # a patch of cells around both heads, so that there is something to walk on
    for _ in range(min(cells, rules.grid.size - 2)):
        edge = [cell for cell in everything if cell not in {*heads, *empty} and near[cell] & set_of({*heads, *empty})]
        empty.add(rng.choice(edge or [cell for cell in everything if cell not in {*heads, *empty}]))
    others = rng.sample(sorted(set(everything) - empty - set(heads)), k=rules.grid.size - len(empty) - 2)
    mine = set_of([heads[0], *others[: len(others) // 2]])
    return Position(mine, rules.grid.cells & ~mine & ~set_of(empty), *heads, 1)


@pytest.mark.slow
@pytest.mark.parametrize("adjacency", ["king", "orthogonal"])
@pytest.mark.parametrize("game", RULE_BOOKS)
def test_every_position_of_the_smallest_boards(game: str, adjacency: str) -> None:
    for rows, cols in SMALL:
        rules = variant(game, f"{rows}x{cols}", adjacency)
        memo: reference.Memo = {}
        search = search_for(rules)
        for position in reachable(rules, 3000 if rules.grid.size <= 6 else 500):
            if (rules.grid.cells & ~position.taken).bit_count() <= 7:  # the reference needs too long for more
                result = score(reference.solve(rules, position, memo))
                assert search.solve(*state(position), *EVERYTHING, never) == result, (rules, position)


@pytest.mark.slow
@pytest.mark.parametrize("adjacency", ["king", "orthogonal"])
@pytest.mark.parametrize("game", RULE_BOOKS)
def test_every_move_of_late_positions_on_larger_boards(game: str, adjacency: str) -> None:
    for board in ("3x3", "3x4", "4x4", "5x5", "2x9", "9x11"):
        rules = variant(game, board, adjacency)
        search = search_for(rules)
        for seed in range(12):
            most = 8 if game == "keepaway" else 11  # the reference needs too long for more
            position = late_position(rules, most - seed % 6, seed)
            results = expected_moves(rules, position, {})
            assert search.all_moves(*state(position), never) == results, (rules, position)


@pytest.mark.parametrize("game", RULE_BOOKS)
def test_the_default_board_from_the_start(game: str) -> None:
    rules = variant(game)
    winning = {"keepaway": {"2,2"}, "trails": {"0,1", "1,0"}, "showdown": {"3,3"}}.get(game, set())
    moves = search_for(rules).all_moves(*state(rules.start()), never)
    assert {rules.name(cell) for cell, result in moves if result > 0} == winning
    if rules.grid.size < 20:  # the reference needs minutes for the others
        assert moves == expected_moves(rules, rules.start(), {})


@pytest.mark.parametrize("game", ["scatter", "showdown"])
def test_images_of_a_position_score_the_same(game: str) -> None:
    rules = variant(game)
    best = max(result for _cell, result in search_for(rules).all_moves(*state(rules.start()), never))
    assert search_for(rules).solve(*state(rules.start()), *EVERYTHING, never) == best
    moves = dict(search_for(rules).all_moves(*state(rules.start()), never))
    for cell, result in moves.items():
        row, col = divmod(cell, 5)
        assert moves[col * 5 + row] == moves[20 - row * 5 + col] == result


@pytest.mark.parametrize("adjacency", ["king", "orthogonal"])
@pytest.mark.parametrize("game", RULE_BOOKS)
def test_a_window_asks_for_less(game: str, adjacency: str) -> None:
    rules = variant(game, "3x4", adjacency)
    rng = random.Random(game)
    for seed in range(15):
        position = late_position(rules, 8, seed)
        exact = search_for(rules).solve(*state(position), *EVERYTHING, never)
        search = search_for(rules)
        assert (search.solve(*state(position), -1, 1, never) > 0) == (exact > 0)
        for _ in range(10):
            low = exact + rng.randint(-6, 4)
            high = low + rng.randint(1, 5)
            found = search.solve(*state(position), low, high, never)
            assert max(low, min(high, found)) == max(low, min(high, exact)), (position, low, high)


@pytest.mark.parametrize("adjacency", ["king", "orthogonal"])
@pytest.mark.parametrize("game", RULE_BOOKS)
def test_a_tiny_memory_changes_nothing(game: str, adjacency: str) -> None:
    rules = variant(game, "4x4", adjacency)
    searches = [search_for(rules, memory=memory) for memory in (1 << 22, 1, 300, 1000)]  # all states share few entries
    for seed in range(15):
        position = late_position(rules, 9, seed)
        first, *others = (search.all_moves(*state(position), never) for search in searches)
        assert all(other == first for other in others), position


@pytest.mark.parametrize("adjacency", ["king", "orthogonal"])
@pytest.mark.parametrize("game", RULE_BOOKS)
def test_plain_python_searches_just_the_same(game: str, adjacency: str) -> None:
    plain = interpreted()
    assert not plain.cython.compiled
    for board in ("3x3", "4x5", "9x10"):
        rules = variant(game, board, adjacency)
        for seed in range(4):
            position = late_position(rules, 9, seed)
            searches = [search_for(rules, module, 1 << 14) for module in (exact_kernel, plain)]
            first, second = (search.all_moves(*state(position), lambda nodes: nodes > 3000) for search in searches)
            if first is not None and second is not None:
                assert first == second
                assert searches[0].nodes == searches[1].nodes


def test_a_search_stopped_again_and_again_gets_there() -> None:
    compiled = not exact_kernel.__file__.endswith(".py")
    rules = variant("scatter", "5x5" if compiled else "3x5", "orthogonal")  # enough for the clock to be asked often
    search = search_for(rules, memory=1 << 24)
    calls: list[int] = []

    def at_once(nodes: int) -> bool:
        calls.append(nodes)
        return True

    answers = [search.all_moves(*state(rules.start()), at_once) for _ in range(20)]
    assert answers[0] is None
    assert answers[-1] == search_for(rules, memory=1 << 24).all_moves(*state(rules.start()), never)
    assert calls == sorted(set(calls))
    assert search.nodes >= calls[-1]


@pytest.mark.parametrize("game", RULE_BOOKS)
def test_an_exception_of_the_clock_comes_through(game: str) -> None:
    rules = variant(game, "7x9")
    search = search_for(rules)

    def interrupt(_nodes: int) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search.solve(*state(rules.start()), *EVERYTHING, interrupt)
    assert search.solve(*state(rules.start()), *EVERYTHING, lambda _nodes: True) == 0
    assert search.all_moves(*state(rules.start()), lambda _nodes: True) is None


def test_a_long_walk_alone_can_be_stopped_and_goes_on() -> None:
    rules = variant("trails", "9x9")
    holes = [hole for hole in random.Random(45).sample(range(1, 80), 14) if hole > 44]
    mirrored = [80 - hole for hole in holes]  # behind a wall, both pawns have the same walk, and one hard to count
    taken = set_of([0, *range(36, 45), *holes, *mirrored])
    position = Position(taken, 1 << 80, 0, 80, 1)
    search = search_for(rules)
    answers = [0]
    while answers[-1] == 0 and len(answers) < 20_000:  # plain Python is asked to stop far more often
        answers.append(search.solve(*state(position), *EVERYTHING, lambda _nodes: True))
    assert answers[1] == 0
    assert answers[-1] == search_for(rules).solve(*state(position), *EVERYTHING, never)


def test_larger_boards_are_refused() -> None:
    with pytest.raises(ValueError, match="128"):
        exact_kernel.ExactSearch(exact_kernel.SCATTER, 12, 11, True, 1 << 10)
