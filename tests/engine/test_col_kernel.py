"""Tests that compare the Col search with brute force.

Both the compiled and the interpreted versions of the search are tested, with each search technique on and off.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridlock.core.grid import Adjacency, Grid
from gridlock.engine.kernels import col_kernel
from gridlock.engine.kernels.interpreted import plain

pytestmark = pytest.mark.slow

MEMORY = 1 << 18
TECHNIQUES = col_kernel.TECHNIQUES
SUBSETS = {
    "all": col_kernel.ALL,
    "none": 0,
    **{f"only {name}": flag for name, flag in TECHNIQUES.items()},
    **{f"no {name}": col_kernel.ALL - flag for name, flag in TECHNIQUES.items()},
}
Cells = frozenset[tuple[int, int]]
Loses = Callable[[Cells, Cells], bool]


INTERPRETED = plain("col_kernel")


def search_for(rows: int, cols: int, king: bool, memory: int, techniques: int, module: ModuleType = col_kernel) -> Any:
    """Return a search, compiled if possible."""
    return module.ColSearch(Grid(rows, cols, Adjacency.KING if king else Adjacency.ORTHOGONAL), memory, techniques)


def touching(a: tuple[int, int], b: tuple[int, int], king: bool) -> bool:
    """Return whether two cells are equal or adjacent."""
    y, x = abs(a[0] - b[0]), abs(a[1] - b[1])
    return max(y, x) <= 1 if king else y + x <= 1


@cache
def mover_wins(p: Cells, q: Cells, king: bool) -> bool:
    """Decide by the rules alone whether the player to move wins."""
    return any(not mover_wins(q - {c}, frozenset(d for d in p if not touching(c, d, king)), king) for c in p)


def all_cells(rows: int, cols: int) -> Cells:
    return frozenset((y, x) for y in range(rows) for x in range(cols))


def bits(cells: Cells, cols: int) -> int:
    return sum(1 << y * cols + x for y, x in cells)


def never(_nodes: int) -> bool:
    return False


def reachable(rows: int, cols: int, king: bool) -> Iterator[tuple[Cells, Cells]]:
    """Yield every reachable position."""
    start = all_cells(rows, cols)
    seen, waiting = {(start, start)}, [(start, start)]
    while waiting:
        p, q = waiting.pop()
        yield p, q
        for c in p:
            after = (q - {c}, frozenset(d for d in p if not touching(c, d, king)))
            if after not in seen:
                seen.add(after)
                waiting.append(after)


def at_random(rows: int, cols: int, how_many: int, seed: int) -> Iterator[tuple[Cells, Cells]]:
    """Yield random positions; the share of cells open to each player is also random."""
    chance = random.Random(seed)
    for _ in range(how_many):
        mine, theirs = chance.random(), chance.random()
        cells = sorted(all_cells(rows, cols))
        p = frozenset(c for c in cells if chance.random() < mine)
        yield p, frozenset(c for c in cells if chance.random() < theirs)


@pytest.mark.slow
@pytest.mark.parametrize("king", [True, False], ids=["king", "orthogonal"])
@pytest.mark.parametrize("subset", SUBSETS)
def test_every_position_of_small_boards(subset: str, king: bool) -> None:
    for rows, cols in [(1, 1), (1, 6), (1, 9), (9, 1), (2, 3), (3, 2), (2, 4), (3, 3)]:
        search = search_for(rows, cols, king, MEMORY, SUBSETS[subset])
        for p, q in reachable(rows, cols, king):
            assert search.solve(bits(p, cols), bits(q, cols), never) == mover_wins(p, q, king), (rows, cols, p, q)


@pytest.mark.slow
@pytest.mark.parametrize("king", [True, False], ids=["king", "orthogonal"])
@pytest.mark.parametrize("subset", SUBSETS)
def test_positions_at_random(subset: str, king: bool) -> None:
    remembers = SUBSETS[subset] & TECHNIQUES["TABLE"]  # without it, larger boards take too long
    boards = [(3, 4, 120), (1, 12, 40)] + [(4, 4, 50), (2, 8, 50), (6, 3, 20), (4, 5, 12)] * (remembers > 0)
    for rows, cols, how_many in boards:
        search = search_for(rows, cols, king, MEMORY, SUBSETS[subset])
        for p, q in at_random(rows, cols, how_many, seed=rows * 100 + cols):
            for mine, theirs in [(p, q), (q, p), (p, q)]:  # what one remembers must serve the other
                result = search.solve(bits(mine, cols), bits(theirs, cols), never)
                assert result == mover_wins(mine, theirs, king), (rows, cols, mine, theirs)


def exchanged(rows: int, cols: int, how_many: int, seed: int) -> Iterator[tuple[Cells, Cells]]:
    """Yield positions in which a half-turn or reflection exchanges the sides; the centre is usually open to both."""
    chance = random.Random(seed)
    for _ in range(how_many):
        share, down, across = chance.random(), *chance.choice([(True, True), (True, True), (True, False)])
        p = frozenset(c for c in sorted(all_cells(rows, cols)) if chance.random() < share)
        p |= {(rows // 2, cols // 2)} if chance.random() < 0.8 else set()
        yield p, frozenset((rows - 1 - y if down else y, cols - 1 - x if across else x) for y, x in p)


@pytest.mark.parametrize("king", [True, False], ids=["king", "orthogonal"])
@pytest.mark.parametrize("subset", ["all", "none", "only REPLY", "only CENTRE", "no REPLY", "no CENTRE", "no MIRROR"])
def test_positions_that_a_symmetry_exchanges_and_those_after_them(subset: str, king: bool) -> None:
    for rows, cols in [(3, 3), (3, 5), (5, 3), (1, 9), (4, 3), (3, 4)]:
        search = search_for(rows, cols, king, MEMORY, SUBSETS[subset])
        for p, q in exchanged(rows, cols, 12 if rows * cols < 15 else 5, seed=rows * 100 + cols):
            after = [(q - {c}, frozenset(d for d in p if not touching(c, d, king))) for c in p]
            for mine, theirs in [(p, q), *after]:
                result = search.solve(bits(mine, cols), bits(theirs, cols), never)
                assert result == mover_wins(mine, theirs, king), (rows, cols, mine, theirs)


@pytest.mark.parametrize("king", [True, False], ids=["king", "orthogonal"])
def test_the_first_move_tried_restores_the_symmetry(king: bool) -> None:
    """After a move, a search tries that move's mirror image first, even if several processes share the work."""
    full, row, col = (1 << 49) - 1, 1, 4
    zone = sum(1 << y * 7 + x for y, x in all_cells(7, 7) if touching((y, x), (row, col), king))
    after = (full & ~(1 << row * 7 + col), full & ~zone)
    search = search_for(7, 7, king, 1 << 22, col_kernel.ALL)
    assert search.moves(*after)[0] == 48 - (row * 7 + col)
    if king:
        other = search_for(7, 7, king, 1 << 22, SUBSETS["no REPLY"])
        assert other.moves(*after)[0] != 48 - (row * 7 + col)
        assert search.solve(*after, never) == other.solve(*after, never) == 1


def test_images_are_good_replies_on_king_boards_also_off_the_symmetry() -> None:
    """On 5x9, first trying the mirror image of the opponent's last move saves over 25% of the positions searched.

    Trying the mirror image first only in symmetric positions saves under 20%.
    """
    whole = (1 << 45) - 1
    nodes = []
    for subset in ("all", "no REPLY"):
        search = search_for(5, 9, True, 1 << 25, SUBSETS[subset])
        assert search.solve(whole, whole, never) == 0
        nodes.append(search.nodes)
    assert nodes[0] < 0.75 * nodes[1]


@pytest.mark.parametrize("king", [True, False], ids=["king", "orthogonal"])
def test_large_regions_are_valued_apart(king: bool) -> None:
    """In positions with up to three regions of up to 12 cells, the exact values of the regions determine who wins."""
    chance, differing = random.Random(5), 0
    whole = sum(0b1111 << shift for shift in (0, 14, 28))
    for _ in range(60):
        searches = [search_for(3, 14, king, MEMORY, subset) for subset in (col_kernel.ALL, SUBSETS["no SPLIT"])]
        p = q = number = star = 0
        for column in (0, 5, 10):
            mine, theirs = (whole & (chance.getrandbits(42) | chance.getrandbits(42)) for _ in range(2))
            found = searches[0].value(mine << column, theirs << column)
            p, q, number, star = p | mine << column, q | theirs << column, number + (found >> 1), star ^ found & 1
        for search in searches:
            assert search.solve(p, q, never) == (number > 0 or (number == 0 and star)), (p, q)
        differing += searches[0].nodes != searches[1].nodes
    assert differing > 0


@pytest.mark.parametrize("king", [True, False], ids=["king", "orthogonal"])
@pytest.mark.parametrize("subset", ["all", "none", "no REGIONS", "no TABLE", "no ORDER"])
def test_interpreted_and_compiled_search_the_same_positions(subset: str, king: bool) -> None:
    for rows, cols, how_many in [(3, 3, 25), (3, 4, 8), (2, 6, 8)]:
        twins = [search_for(rows, cols, king, 1 << 14, SUBSETS[subset], module) for module in (col_kernel, INTERPRETED)]
        for p, q in at_random(rows, cols, how_many, seed=7):
            results = [twin.solve(bits(p, cols), bits(q, cols), never) for twin in twins]
            assert results == [mover_wins(p, q, king)] * 2
            assert twins[0].nodes == twins[1].nodes
            if rows * cols <= 9:
                assert twins[0].value(bits(p, cols), bits(q, cols)) == twins[1].value(bits(p, cols), bits(q, cols))


@given(st.integers(0, col_kernel.ALL), st.booleans(), st.integers(0, 2**12 - 1), st.integers(0, 2**12 - 1))
def test_any_set_of_techniques(techniques: int, king: bool, p: int, q: int) -> None:
    cells = sorted(all_cells(3, 4))
    mine, theirs = (frozenset(c for i, c in enumerate(cells) if x >> i & 1) for x in (p, q))
    search = search_for(3, 4, king, MEMORY, techniques)
    assert search.solve(p, q, never) == mover_wins(mine, theirs, king)


def first_wins_with(p: Cells, q: Cells, king: bool, number: tuple[int, int], star: bool, first: bool) -> bool:
    """Return whether a given player wins the sum of a position, a number and (if `star` is true) a star.

    In the position, the cells in `p` are open to the given player, and the cells in `q` to the opponent. If `first` is
    true, the given player moves first. The winner is found by a plain search.
    """

    @cache
    def mover(p: Cells, q: Cells, whole: int, parts: tuple[tuple[int, int], ...], star: bool) -> bool:
        # whole: free moves of the mover; parts: for each game 1/2^k (negated: sign -1), the k still left.
        for c in p:
            if not mover(q - {c}, frozenset(d for d in p if not touching(c, d, king)), -whole, flip(parts), star):
                return True
        if whole > 0 and not mover(q, p, 1 - whole, flip(parts), star):
            return True
        if star and not mover(q, p, -whole, flip(parts), False):
            return True
        for i, (sign, k) in enumerate(parts):
            rest = parts[:i] + parts[i + 1 :]
            # 1/2^k is {0 | 1/2^(k-1)}: its owner moves to 0, the other to twice as much.
            if sign > 0:
                after = (whole, rest)
            elif k == 1:
                after = (whole - 1, rest)
            else:
                after = (whole, tuple(sorted((*rest, (sign, k - 1)))))
            if not mover(q, p, -after[0], flip(after[1]), star):
                return True
        return False

    def flip(parts: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
        return tuple(sorted((-sign, k) for sign, k in parts))

    top, k = number
    # A number is its whole part plus 1/2^i for every i such that the ith binary digit after the point is 1.
    whole = top >> k
    parts = tuple(sorted((1, place) for place in range(1, k + 1) if top >> (k - place) & 1))
    return mover(p, q, whole, parts, star) if first else not mover(q, p, -whole, flip(parts), star)


def value_of(search: Any, p: int, q: int) -> tuple[int, int, int]:
    """Return the value that a search finds for a position, as (numerator, log2 of the denominator, star)."""
    found = search.value(p, q)
    number, scale = found >> 1, 16
    while scale and not number & 1:
        number, scale = number >> 1, scale - 1
    return number, scale, found & 1


def has_value(p: Cells, q: Cells, king: bool, value: tuple[int, int, int]) -> bool:
    """Return whether a position minus its supposed value is zero, that is, lost for the side that moves first."""
    top, k, star = value
    return not first_wins_with(p, q, king, (-top, k), bool(star), True) and first_wins_with(
        p, q, king, (-top, k), bool(star), False
    )


@pytest.mark.slow
@pytest.mark.parametrize("king", [True, False], ids=["king", "orthogonal"])
@pytest.mark.parametrize("subset", ["all", "none", "no SYMMETRY", "no MIRROR"])
def test_values_balance_their_positions(subset: str, king: bool) -> None:
    seen = set()
    for rows, cols, how_many in [(1, 7, 40), (2, 3, 60), (2, 4, 60), (3, 3, 40)]:
        search = search_for(rows, cols, king, MEMORY, SUBSETS[subset])
        for p, q in at_random(rows, cols, how_many, seed=rows + cols):
            value = value_of(search, bits(p, cols), bits(q, cols))
            assert has_value(p, q, king, value), (rows, cols, p, q, value)
            top, k, star = value
            assert not has_value(p, q, king, (top, k, 1 - star))
            assert not has_value(p, q, king, (2 * top + 1, k + 1, star))
            seen.add((Fraction(top, 2**k), star))
    assert len(seen) > 10  # whole numbers, halves, quarters, with and without a star


def test_known_values() -> None:
    """The values of small positions (for example, star for one cell) agree with those of two independent programs."""
    for rows, cols, star in [(3, 3, 0), (3, 4, 0), (4, 4, 0), (1, 1, 1), (1, 2, 0)]:
        search = search_for(rows, cols, True, 1 << 24, col_kernel.ALL - TECHNIQUES["MIRROR"])
        full = (1 << rows * cols) - 1
        assert value_of(search, full, full) == (0, 0, star)
    row = search_for(1, 4, True, MEMORY, col_kernel.ALL)
    assert value_of(row, 0b0011, 0b0010) == (1, 1, 0)
    assert value_of(row, 0b0010, 0b0011) == (-1, 1, 0)
    assert value_of(row, 0b1101, 0b0000) == (2, 0, 0)


def test_a_position_too_large_has_no_value_here() -> None:
    search = search_for(3, 6, True, MEMORY, col_kernel.ALL)
    assert search.value((1 << 18) - 1, (1 << 18) - 1) is None
    assert search.value(0b11, (1 << 16) - 1) is not None  # sixteen cells


@pytest.mark.parametrize(
    ("rows", "cols", "king"), [(5, 5, True), (5, 7, True), (4, 5, True), (3, 7, False), (5, 5, False)]
)
def test_second_wins_boards_that_are_known(rows: int, cols: int, king: bool) -> None:
    full = (1 << rows * cols) - 1
    for techniques in (col_kernel.ALL, col_kernel.ALL - TECHNIQUES["MIRROR"]):
        assert search_for(rows, cols, king, 1 << 22, techniques).solve(full, full, never) == 0


@pytest.mark.parametrize(("rows", "cols"), [(1, 100), (100, 1), (8, 16), (16, 8), (2, 64), (43, 2)])
def test_boards_as_large_as_they_come(rows: int, cols: int) -> None:
    """All open cells are near the corners of the board, where shifting a bitboard moves bits past the edges."""
    ends = frozenset((y, x) for y, x in all_cells(rows, cols) if min(y, rows - 1 - y) < 2 and min(x, cols - 1 - x) < 2)
    chance = random.Random(rows)
    for king in (True, False):
        search = search_for(rows, cols, king, MEMORY, col_kernel.ALL)
        for _ in range(30):
            p, q = (frozenset(c for c in ends if chance.random() < 0.6) for _ in range(2))
            assert search.solve(bits(p, cols), bits(q, cols), never) == mover_wins(p, q, king)
    full = (1 << rows * cols) - 1
    assert search.solve(full, full, never) == 0  # the half-turn


def test_a_small_table_forgets_but_does_not_err() -> None:
    for king in (True, False):
        search = search_for(4, 4, king, 0, col_kernel.ALL)
        for p, q in at_random(4, 4, 60, seed=3):
            assert search.solve(bits(p, 4), bits(q, 4), never) == mover_wins(p, q, king)


def test_stopping_preserves_what_is_known() -> None:
    fresh = search_for(5, 5, False, MEMORY, col_kernel.ALL, INTERPRETED)
    full = (1 << 25) - 1
    rounds = 0
    while (result := fresh.solve(full, full, lambda _nodes: True)) < 0:
        rounds += 1
        assert rounds < 100
    assert result == 0
    assert rounds > 0


def test_an_interrupt_comes_through() -> None:
    def interrupt(_nodes: int) -> bool:
        raise KeyboardInterrupt

    search = search_for(5, 9, False, 1 << 20, col_kernel.ALL - TECHNIQUES["MIRROR"])
    with pytest.raises(KeyboardInterrupt):
        search.solve((1 << 45) - 1, (1 << 45) - 1, interrupt)


@pytest.mark.parametrize("techniques", [col_kernel.ALL, col_kernel.ALL - TECHNIQUES["SYMMETRY"]])
def test_a_journal_can_be_learnt(techniques: int) -> None:
    first = search_for(5, 5, False, 1 << 20, techniques & ~TECHNIQUES["MIRROR"])
    first.journal_work = 20
    start = ((1 << 25) - 2, (1 << 25) - 1 - 0b100011)  # after a token in the corner
    result = first.solve(*start, never)
    assert result == 1
    assert first.journal
    second = search_for(5, 5, False, 1 << 20, techniques & ~TECHNIQUES["MIRROR"])
    for entry in first.journal:
        second.learn(*entry)
    assert second.solve(*start, never) == result
    assert second.nodes * 5 < first.nodes


def test_cells_outside_the_board_are_refused() -> None:
    search = search_for(2, 2, True, MEMORY, col_kernel.ALL)
    for call in (lambda: search.solve(16, 0, never), lambda: search.value(0, 16), lambda: search.learn(16, 0, 0, 1)):
        with pytest.raises(ValueError, match="not on the board"):
            call()
    with pytest.raises(ValueError, match="too large"):
        search_for(10, 13, True, MEMORY, col_kernel.ALL)
