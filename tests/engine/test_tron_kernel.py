"""Tests that the Tron search, both compiled and interpreted, agrees with brute force, with each technique on or off."""

from __future__ import annotations

import random
from functools import cache
from types import ModuleType
from typing import Any

import pytest

from gridlock.core.grid import Adjacency, Grid
from gridlock.engine.kernels import tron_kernel as kernel
from gridlock.engine.kernels.interpreted import plain

FLAGS = kernel.TECHNIQUES
SUBSETS = {
    "all": kernel.ALL,
    "none": 0,
    **{f"only {name}": flag for name, flag in FLAGS.items()},
    **{f"without {name}": kernel.ALL & ~flag for name, flag in FLAGS.items()},
}
MEMORY = 1 << 20
COMPILED = kernel.__file__.endswith((".so", ".pyd"))
too_slow_in_plain_python = pytest.mark.skipif(not COMPILED, reason="takes minutes without the compiled kernel")
SMALL_BOARDS = [(rows, cols) for rows in range(1, 10) for cols in range(1, 10) if 2 <= rows * cols <= 9]


SOURCE = plain("tron_kernel")


def search_for(rows: int, cols: int, king: bool, memory: int, techniques: int, module: ModuleType = kernel) -> Any:
    """Return a search, compiled if possible, that immediately treats every position as hard."""
    grid = Grid(rows, cols, Adjacency.KING if king else Adjacency.ORTHOGONAL)
    search = module.TronSearch(grid, memory, techniques)
    search.patience = 0
    return search


class Oracle:
    """A brute-force solver that uses sets of (row, column) pairs and caches the result of every position."""

    def __init__(self, rows: int, cols: int, king: bool) -> None:
        self.cells = [(row, col) for row in range(rows) for col in range(cols)]
        self.cols = cols
        self.king = king
        self.known: dict[tuple[frozenset, tuple, tuple], bool] = {}

    def adjacent(self, a: tuple[int, int], b: tuple[int, int]) -> bool:
        down, across = abs(a[0] - b[0]), abs(a[1] - b[1])
        return max(down, across) == 1 if self.king else down + across == 1

    def wins(self, free: frozenset, me: tuple[int, int], them: tuple[int, int]) -> bool:
        key = (free, me, them)
        if key not in self.known:
            # Every move is tried even after a winning move is found, so that all reachable positions become known.
            replies = [self.wins(free - {cell}, them, cell) for cell in free if self.adjacent(me, cell)]
            self.known[key] = not all(replies)
        return self.known[key]

    def numbers(self, free: frozenset, me: tuple[int, int], them: tuple[int, int]) -> tuple[int, int, int]:
        bits = sum(1 << row * self.cols + col for row, col in free)
        return bits, me[0] * self.cols + me[1], them[0] * self.cols + them[1]


@cache
def small_positions(rows: int, cols: int, king: bool) -> list[tuple[tuple[int, int, int], bool]]:
    """Return all positions reachable from any pair of starting cells, and whether the player to move wins in each."""
    oracle = Oracle(rows, cols, king)
    for me in oracle.cells:
        for them in oracle.cells:
            if me != them:
                oracle.wins(frozenset(oracle.cells) - {me, them}, me, them)
    return [(oracle.numbers(*key), wins) for key, wins in oracle.known.items()]


@cache
def middle_positions(seed: int, count: int) -> list[tuple[int, int, bool, tuple[int, int, int], bool]]:
    """Return random positions on boards up to 5x5: some irregular, some with a full-height wall, and some symmetric."""
    dice = random.Random(seed)
    found = []
    while len(found) < count:
        rows, cols, king = dice.randint(3, 5), dice.randint(3, 5), dice.random() < 0.4
        most = 12 if king else 17
        oracle = Oracle(rows, cols, king)
        me, them = dice.sample(oracle.cells, 2)
        free = set(dice.sample(oracle.cells, min(rows * cols, dice.randint(most - 6, most + 1))))
        shape = dice.randrange(4)
        if shape == 0:
            wall = dice.randrange(cols)
            free = {cell for cell in oracle.cells if cell[1] != wall and dice.random() < 0.8}
        elif shape == 1:
            them = (rows - 1 - me[0], cols - 1 - me[1])
            free = {(r, c) for r, c in free if (rows - 1 - r, cols - 1 - c) in free}
        elif shape == 2:
            them = (me[0], cols - 1 - me[1])
            free = {(r, c) for r, c in free if (r, cols - 1 - c) in free}
        free -= {me, them}
        if me == them or len(free) > most:
            continue
        position = (frozenset(free), me, them)
        found.append((rows, cols, king, oracle.numbers(*position), oracle.wins(*position)))
    return found


def first_wins(search: Any, rows: int, cols: int) -> int:
    """Count the ordered pairs of starting cells from which the first player wins."""
    size = rows * cols
    pairs = [(me, them) for me in range(size) for them in range(size) if me != them]
    return sum(search.solve((1 << size) - 1 & ~(1 << me | 1 << them), me, them, never) for me, them in pairs)


def never(_nodes: int) -> bool:
    return False


@pytest.mark.parametrize("king", [False, True], ids=["orthogonal", "king"])
@pytest.mark.parametrize("techniques", SUBSETS.values(), ids=SUBSETS.keys())
def test_every_position_of_every_small_board(techniques: int, king: bool) -> None:
    for rows, cols in SMALL_BOARDS:
        positions = small_positions(rows, cols, king)
        search = search_for(rows, cols, king, MEMORY, techniques)
        step = 1 if COMPILED else 1 + len(positions) // 50
        for position, wins in positions[::step]:
            assert search.solve(*position, never) == wins, (rows, cols, position)


@pytest.mark.slow
@pytest.mark.parametrize("techniques", SUBSETS.values(), ids=SUBSETS.keys())
def test_random_positions_of_middling_boards(techniques: int) -> None:
    for rows, cols, king, position, wins in middle_positions(seed=1, count=300 if COMPILED else 20):
        search = search_for(rows, cols, king, MEMORY, techniques)
        assert search.solve(*position, never) == wins, (rows, cols, king, position)


def test_random_sets_of_techniques_with_hardly_any_memory() -> None:
    dice = random.Random(2)
    for rows, cols, king, position, wins in middle_positions(seed=2, count=300):
        search = search_for(rows, cols, king, dice.choice([0, 200, 1000]), dice.randrange(kernel.ALL + 1))
        assert search.solve(*position, never) == wins, (rows, cols, king, position)


@pytest.mark.parametrize("techniques", [kernel.ALL, FLAGS["RACE"] | FLAGS["PATHS"], FLAGS["TABLE"]])
def test_tables_of_one_entry_never_mistake_one_position_for_another(techniques: int) -> None:
    # On a 2x64 board, the rival has 4 moves in the upper row. The player to move can move only in the lower row, which
    # lies beyond the first 64 cells. The player to move has 5 moves in the first position of each pair, and only 3 in
    # the second. The two positions of each pair differ in only one part of the table key.
    rival = cells(59, 60, 61, 62)
    one_arm, two_arms, from_the_end = cells(75, 76, 77, 78, 79), cells(72, 73, 75, 76, 77), cells(73, 74, 75, 76, 77)
    for positions in [
        [(one_arm | rival, 74, 63), (two_arms | rival, 74, 63)],
        [(from_the_end | rival, 72, 63), (from_the_end | rival, 11, 63)],
    ]:
        for order in (positions, positions[::-1]):
            search = search_for(2, 64, False, 0, techniques)
            for position in order:
                assert search.solve(*position, never) == (position == positions[0])


def cells(*numbers: int) -> int:
    return sum(1 << number for number in numbers)


@pytest.mark.slow
@pytest.mark.parametrize("techniques", SUBSETS.values(), ids=SUBSETS.keys())
def test_plain_python_searches_the_very_same_positions(techniques: int) -> None:
    for rows, cols, king, position, wins in middle_positions(seed=3, count=40):
        both = [search_for(rows, cols, king, 2000, techniques, module) for module in (kernel, SOURCE)]
        assert [search.solve(*position, never) for search in both] == [wins, wins]
        assert both[0].nodes == both[1].nodes
        assert both[0].steps == both[1].steps


def test_plain_python_agrees_from_the_start_of_a_game() -> None:
    for rows, cols, king in [(5, 5, False), (7, 7, False), (3, 41, False), (4, 5, True), (3, 5, True)]:
        start = start_of(rows, cols)
        both = [search_for(rows, cols, king, MEMORY, kernel.ALL, module) for module in (kernel, SOURCE)]
        assert both[0].solve(*start, never) == both[1].solve(*start, never)
        assert both[0].nodes == both[1].nodes
        assert both[0].steps == both[1].steps


@too_slow_in_plain_python
def test_a_hard_search_begins_again_and_looks_ahead() -> None:
    # 67,427 positions without looking ahead, in which the search loses patience once.
    at_once, later, easy = (search_for(5, 7, True, 1 << 24, techniques) for techniques in [kernel.ALL] * 3)
    later.patience, easy.patience = 65536, 1 << 40
    assert [search.solve(*start_of(5, 7), never) for search in (at_once, later, easy)] == [1, 1, 1]
    assert len({at_once.nodes, later.nodes, easy.nodes}) == 3


@too_slow_in_plain_python
def test_a_hard_search_can_be_stopped_while_it_begins_again() -> None:
    search = search_for(5, 7, True, 1 << 24, kernel.ALL)
    search.patience = 20000
    for most in range(0, 60000, 5000):
        assert search.solve(*start_of(5, 7), lambda nodes, most=most: nodes > most) in (-1, 1)
    assert search.solve(*start_of(5, 7), never) == 1


def start_of(rows: int, cols: int) -> tuple[int, int, int]:
    last = rows * cols - 1
    return (1 << last) - 2, 0, last


@pytest.mark.parametrize(
    ("rows", "cols"),
    [
        *[(3, 3), (3, 5), (5, 5), (7, 7)],
        *[pytest.param(*board, marks=too_slow_in_plain_python) for board in [(9, 9), (9, 11), (11, 11)]],
    ],
)
def test_first_wins_from_opposite_corners_of_odd_boards(rows: int, cols: int) -> None:
    # 3x3 to 9x11 from an earlier, separate program; 11x11 is the same without mirrors, walls or tables.
    search = search_for(rows, cols, False, 1 << 24, kernel.ALL)
    assert search.solve(*start_of(rows, cols), never) == 1


@pytest.mark.parametrize("king", [False, True], ids=["orthogonal", "king"])
def test_a_mirror_wins_even_boards_without_search(king: bool) -> None:
    for rows, cols in [(1, 2), (2, 2), (3, 4), (8, 8), (8, 16), (2, 64), (64, 2), (100, 1), (1, 100)]:
        search = search_for(rows, cols, king, MEMORY, kernel.ALL)
        assert search.solve(*start_of(rows, cols), never) == 0
        assert search.nodes == 1


@pytest.mark.parametrize("king", [False, True], ids=["orthogonal", "king"])
@pytest.mark.parametrize("techniques", [kernel.ALL, kernel.ALL & ~FLAGS["MIRROR"], 0], ids=["all", "no mirror", "none"])
def test_a_single_row_or_column_is_a_count(king: bool, techniques: int) -> None:
    for length in range(2, 101) if COMPILED else (2, 3, 63, 64, 65, 99, 100):
        for rows, cols in [(1, length), (length, 1)]:
            search = search_for(rows, cols, king, 0, techniques)
            assert search.solve(*start_of(rows, cols), never) == length % 2


@pytest.mark.parametrize("king", [False, True], ids=["orthogonal", "king"])
def test_pairs_of_starting_cells_by_brute_force(king: bool) -> None:
    for rows, cols in [*SMALL_BOARDS, (3, 4) if not king else (2, 5)]:
        oracle = Oracle(rows, cols, king)
        everything = frozenset(oracle.cells)
        wins = sum(
            oracle.wins(everything - {me, them}, me, them) for me in oracle.cells for them in oracle.cells if me != them
        )
        for techniques in (kernel.ALL, 0):
            search = search_for(rows, cols, king, MEMORY, techniques)
            assert first_wins(search, rows, cols) == wins


@too_slow_in_plain_python
def test_pairs_of_starting_cells_known_from_another_program() -> None:
    assert first_wins(search_for(6, 6, False, 1 << 24, kernel.ALL), 6, 6) == 632


# Searches on these boards are long enough to call `tick` a few times.
STOPPABLE = pytest.mark.parametrize(
    ("module", "side"), [(kernel, 9 if COMPILED else 7), (SOURCE, 7)], ids=["compiled", "plain"]
)


@STOPPABLE
def test_a_search_can_be_stopped_and_taken_up_again(module: ModuleType, side: int) -> None:
    start = start_of(side, side)
    whole = search_for(side, side, False, 1 << 22, kernel.ALL & ~FLAGS["WALL"], module)
    reports: list[int] = []
    assert whole.solve(*start, lambda nodes: bool(reports.append(nodes))) == 1
    assert reports == sorted(reports)
    assert reports[-1] <= whole.nodes
    parts = search_for(side, side, False, 1 << 22, kernel.ALL & ~FLAGS["WALL"], module)
    results = [parts.solve(*start, lambda _nodes: True)]
    while results[-1] < 0:
        calls = iter([False] * len(results) + [True] * 10**6)
        results.append(parts.solve(*start, lambda _nodes, calls=calls: next(calls)))
    assert results[-1] == 1
    assert len(results) > 1


@STOPPABLE
def test_what_tick_raises_comes_through(module: ModuleType, side: int) -> None:
    def interrupt(_nodes: int) -> bool:
        raise KeyboardInterrupt

    search = search_for(side, side, False, 1 << 22, kernel.ALL & ~FLAGS["WALL"], module)
    with pytest.raises(KeyboardInterrupt):
        search.solve(*start_of(side, side), interrupt)
    assert search.solve(*start_of(side, side), lambda _nodes: True) == -1
    assert search.solve(*start_of(side, side), never) == 1


@pytest.mark.parametrize("techniques", [kernel.ALL, FLAGS["TABLE"], kernel.ALL & ~FLAGS["WALL"]])
def test_the_journal_restores_the_table(techniques: int) -> None:
    for rows, cols, king, position, wins in middle_positions(seed=4, count=60):
        search = search_for(rows, cols, king, MEMORY, techniques)
        assert search.journal_work == 0
        search.journal_work = 1
        assert search.solve(*position, never) == wins
        again = search_for(rows, cols, king, MEMORY, techniques)
        for entry in search.journal:
            fresh = search_for(rows, cols, king, MEMORY, kernel.ALL)
            assert fresh.solve(*entry[:3], never) == entry[3]
            again.learn(*entry)
        assert again.solve(*position, never) == wins
        assert again.nodes == 1
        assert again.journal == []


def test_the_journal_stores_only_costly_positions() -> None:
    search = search_for(7, 7, False, MEMORY, kernel.ALL)
    search.journal_work = 100
    search.solve(*start_of(7, 7), never)
    assert 0 < len(search.journal) < search.nodes // 5


def test_a_learned_position_is_known_in_every_turn_of_the_board() -> None:
    # The learned result is deliberately wrong, so a search that returns it must have looked it up in its table.
    truth = search_for(5, 5, False, MEMORY, kernel.ALL).solve(*start_of(5, 5), never)
    search = search_for(5, 5, False, MEMORY, kernel.ALL)
    search.learn(*start_of(5, 5), 1 - truth)
    corners = (1 << 0) | (1 << 24)
    others = (1 << 4) | (1 << 20)
    for cells, me, them in [(corners, 0, 24), (corners, 24, 0), (others, 4, 20), (others, 20, 4)]:
        assert search.solve(((1 << 25) - 1) & ~cells, me, them, never) == 1 - truth


def test_an_invalid_position_is_rejected() -> None:
    search = search_for(3, 3, False, MEMORY, kernel.ALL)
    for position in [(0b110, 0, 0), (0b111, 0, 8), (1 << 9, 0, 8), (0b10, 0, 9)]:
        with pytest.raises(ValueError, match="two pawns"):
            search.solve(*position, never)
        with pytest.raises(ValueError, match="two pawns"):
            search.learn(*position, 1)
    with pytest.raises(ValueError, match="128 cells"):
        search_for(10, 13, False, MEMORY, kernel.ALL)
