"""Tests that the Snort search, with and without each technique, compiled and uncompiled, agrees with a plain search."""

import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridlock.core.grid import Grid
from gridlock.engine.kernels import snort_kernel as built
from gridlock.engine.kernels.interpreted import plain

interpreted = plain("snort_kernel")
COMPILED = built is not interpreted
FORMS = [interpreted, built] if COMPILED else [interpreted]
compiled_only = pytest.mark.skipif(not COMPILED, reason="too slow interpreted")

TECHNIQUES = built.TECHNIQUES
FLAGS = list(TECHNIQUES.values())
SUBSETS = sorted({0, built.ALL, *FLAGS, *(built.ALL & ~flag for flag in FLAGS)})
SMALL = [(rows, cols) for rows in range(1, 10) for cols in range(1, 10) if rows * cols <= 9]


def make(form, rows, cols, king, memory, techniques):
    """Return a search that uses the given form of the kernel, compiled or interpreted."""
    return form.SnortSearch(Grid(rows, cols, "king" if king else "orthogonal"), memory, techniques)


class Oracle:
    """A simple Snort solver, which knows only the rules and remembers the positions it has solved."""

    def __init__(self, rows, cols, king):
        self.cols = cols
        cells = [(row, col) for row in range(rows) for col in range(cols)]
        self.beside = {
            (row, col): {
                (r, c) for r, c in cells if 0 < max(abs(r - row), abs(c - col)) <= 1 and (king or r == row or c == col)
            }
            for row, col in cells
        }
        self.memo = {}

    def wins(self, mine, theirs):
        """Return whether the player to move wins."""
        key = mine, theirs
        if key not in self.memo:
            self.memo[key] = any(not self.wins(*self.after(mine, theirs, cell)) for cell in mine)
        return self.memo[key]

    def after(self, mine, theirs, cell):
        """Return the position after a move, as the opponent sees it.

        The move may be to a cell that is not on the board; such a cell has no neighbours.
        """
        return theirs - self.beside.get(cell, set()) - {cell}, mine - {cell}

    def reachable(self):
        """Return every position that is reachable from the empty board."""
        everything = frozenset(self.beside)
        seen = {(everything, everything)}
        waiting = list(seen)
        while waiting:
            mine, theirs = waiting.pop()
            for cell in mine:
                child = self.after(mine, theirs, cell)
                if child not in seen:
                    seen.add(child)
                    waiting.append(child)
        return seen

    def bits(self, cells):
        """Return a set of cells in the kernel's form."""
        return sum(1 << row * self.cols + col for row, col in cells)

    def cells(self, bits):
        """Convert a set in the kernel's form to a set of cells."""
        return frozenset(divmod(cell, self.cols) for cell in range(bits.bit_length()) if bits >> cell & 1)


@cache
def oracle(rows, cols, king):
    return Oracle(rows, cols, king)


@cache
def search(form, rows, cols, king, techniques):
    """Return a search that, like the engine's, is shared by all positions on a board and reuses results."""
    return make(form, rows, cols, king, 1 << 16, techniques)


def never(_nodes):
    return False


def openings(form, rows, cols, king, techniques=built.ALL):
    """Return the winning first moves."""
    book = Oracle(rows, cols, king)
    kernel = make(form, rows, cols, king, 1 << 24, techniques)
    everything = frozenset(book.beside)
    winning = set()
    for cell in everything:
        p, q = book.after(everything, everything, cell)
        if kernel.solve(book.bits(p), book.bits(q), never) == 0:
            winning.add(cell)
    return winning


@pytest.mark.slow
@pytest.mark.parametrize("king", [True, False], ids=["king", "orthogonal"])
@pytest.mark.parametrize("techniques", SUBSETS)
def test_every_reachable_position_of_every_board_up_to_nine_cells(king, techniques):
    for size in SMALL:
        book = oracle(*size, king)
        positions = sorted((book.bits(p), book.bits(q), book.wins(p, q)) for p, q in book.reachable())
        for form in FORMS:
            chosen = (
                positions if form is built else random.Random(techniques).sample(positions, min(60, len(positions)))
            )
            kernel = search(form, *size, king, techniques)
            assert [(p, q, kernel.solve(p, q, never)) for p, q, _ in chosen] == chosen


@st.composite
def scattered(draw):
    """Return a board with arbitrary open cells for each player; the position need not be reachable in a game."""
    rows, cols = draw(st.sampled_from([(1, 12), (2, 6), (3, 4), (4, 3), (4, 4), (3, 5), (4, 5)]))
    cell = st.tuples(st.integers(0, rows - 1), st.integers(0, cols - 1))
    cells = st.frozensets(cell, max_size=9)
    return rows, cols, draw(st.booleans()), draw(cells), draw(cells)


@pytest.mark.slow
@settings(max_examples=250, deadline=None)
@given(scattered())
def test_any_two_sets_of_open_cells(case):
    rows, cols, king, mine, theirs = case
    book = oracle(rows, cols, king)
    p, q, expected = book.bits(mine), book.bits(theirs), book.wins(mine, theirs)
    for form in FORMS:
        for techniques in SUBSETS if form is built else (0, built.ALL):
            assert search(form, rows, cols, king, techniques).solve(p, q, never) == expected, techniques


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(scattered(), st.sampled_from([(11, 11), (9, 14), (8, 16), (16, 8), (32, 4), (6, 12)]), st.data())
def test_a_small_position_anywhere_on_a_large_board(case, size, data):
    _, _, king, mine, theirs = case
    large = Oracle(*size, king)
    rows, cols = size
    down = data.draw(st.integers(0, rows - 4))
    right = data.draw(st.integers(0, max(0, cols - 12)))
    p, q = (frozenset((r + down, c + right) for r, c in cells if c < cols) for cells in (mine, theirs))
    for techniques in (0, built.ALL):
        kernel = search(FORMS[-1], *size, king, techniques)
        assert kernel.solve(large.bits(p), large.bits(q), never) == large.wins(p, q)


@pytest.mark.parametrize("size", [(1, 100), (100, 1)], ids=str)
def test_a_single_line_of_100_cells(size):
    book = Oracle(*size, True)
    line = sorted(book.beside)
    kernel = search(FORMS[-1], *size, True, built.ALL)
    chance = random.Random(5)
    for start in (0, 59, 90):
        for _ in range(30):
            p, q = (frozenset(cell for cell in line[start : start + 10] if chance.random() < 0.7) for _ in "pq")
            assert kernel.solve(book.bits(p), book.bits(q), never) == book.wins(p, q)


@pytest.mark.slow
@compiled_only
@pytest.mark.parametrize("king", [True, False], ids=["king", "orthogonal"])
@pytest.mark.parametrize("techniques", SUBSETS)
def test_compiled_and_interpreted_search_the_same_positions(king, techniques):
    chance = random.Random(techniques)
    kernels = [make(form, 4, 5, king, 4096, techniques) for form in (built, interpreted)]
    for _ in range(8):
        p, q = (sum(1 << cell for cell in chance.sample(range(20), 10)) for _ in "pq")
        first, second = ((kernel.solve(p, q, never), kernel.nodes) for kernel in kernels)
        assert first == second


@pytest.mark.parametrize("form", FORMS)
def test_a_table_of_one_place_only_costs_time(form):
    book = oracle(3, 3, False)
    kernel = make(form, 3, 3, False, 0, built.ALL & ~TECHNIQUES["PACKING"])
    for p, q in random.Random(1).sample(sorted(book.reachable(), key=lambda pair: (*map(book.bits, pair),)), 200):
        assert kernel.solve(book.bits(p), book.bits(q), never) == book.wins(p, q)


@pytest.mark.slow
def test_entries_in_one_slot_are_distinguished_by_every_cell():
    book = Oracle(8, 16, True)
    halves = [[(row, col) for col in range(5, 10)] for row in (3, 4)]  # in either half of the 128 bits
    chance = random.Random(3)

    def some(cells):
        return frozenset(cell for cell in cells if chance.random() < 0.6)

    def agree(positions):
        kernel = make(FORMS[-1], 8, 16, True, 0, TECHNIQUES["ORDER"] | TECHNIQUES["DOMINANCE"])
        for mine, theirs in positions:
            assert kernel.solve(book.bits(mine), book.bits(theirs), never) == book.wins(mine, theirs)

    for _ in range(40):
        p, q = some(halves[0] + halves[1]), some(halves[0] + halves[1])
        for half in halves:
            agree([(p - set(half) | some(half), q) for _ in range(6)])
            agree([(p, q - set(half) | some(half)) for _ in range(6)])


TURNS = {
    "upside down": lambda row, col: (3 - row, col),
    "left to right": lambda row, col: (row, 3 - col),
    "half-turn": lambda row, col: (3 - row, 3 - col),
    "diagonal": lambda row, col: (col, row),
    "other diagonal": lambda row, col: (3 - col, 3 - row),
    "quarter-turn": lambda row, col: (col, 3 - row),
    "quarter-turn back": lambda row, col: (3 - col, row),
}


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("king", [True, False], ids=["king", "orthogonal"])
def test_positions_that_are_their_own_mirror_image(king, turn):
    book = oracle(4, 4, king)
    chance = random.Random(turn)
    for _ in range(60):
        p = frozenset(chance.sample(sorted(book.beside), chance.randrange(2, 9)))
        q = frozenset(TURNS[turn](*cell) for cell in p)
        for techniques in (TECHNIQUES["MIRROR"], built.ALL):
            kernel = search(FORMS[-1], 4, 4, king, techniques)
            assert kernel.solve(book.bits(p), book.bits(q), never) == book.wins(p, q)


@pytest.mark.parametrize("form", FORMS)
def test_openings_known_from_brute_force(form):
    assert openings(form, 3, 3, True) == {(1, 1)}
    assert openings(form, 4, 4, True) == {(1, 1), (1, 2), (2, 1), (2, 2)}
    assert openings(form, 5, 5, True) == {(2, 2)}


@compiled_only
@pytest.mark.parametrize(
    ("rows", "cols", "king", "count"),
    [(7, 7, True, 25), (8, 8, True, 56), (5, 6, False, 30), (5, 5, False, 21), (5, 7, False, 27)],
)
def test_number_of_winning_openings(rows, cols, king, count):
    assert len(openings(built, rows, cols, king)) == count


@pytest.mark.slow
@compiled_only
@pytest.mark.parametrize("rows", range(1, 7))
def test_the_empty_board_without_mirrors_agrees_with_the_mirror_strategies(rows):
    for cols in range(rows, 7):
        everything = (1 << rows * cols) - 1
        for king in (True, False):
            kernel = make(built, rows, cols, king, 1 << 24, built.ALL & ~TECHNIQUES["MIRROR"])
            assert kernel.solve(everything, everything, never) == (king or rows % 2 or cols % 2)


@pytest.mark.parametrize("form", FORMS)
def test_a_stopped_search_can_be_resumed(form):
    full = (1 << 36) - 1
    techniques = form.ALL & ~TECHNIQUES["MIRROR"] & ~TECHNIQUES["PACKING"]
    kernel = make(form, 6, 6, False, 1 << 22, techniques)
    seen = []
    assert kernel.solve(full, full, lambda nodes: seen.append(nodes) or len(seen) == 3) == -1
    assert len(seen) == 3
    assert kernel.nodes == seen[-1] > seen[0] > 0
    book = oracle(2, 4, False)  # the search still works for another position: the board's first two rows
    p, q = (frozenset((r, c) for r in range(2) for c in range(4)),) * 2
    places = sum(1 << r * 6 + c for r, c in p)
    assert kernel.solve(places, places, never) == book.wins(p, q)


@pytest.mark.parametrize("form", FORMS)
def test_an_exception_from_tick_comes_through(form):
    def interrupt(_nodes):
        raise KeyboardInterrupt

    full = (1 << 36) - 1
    kernel = make(form, 6, 6, False, 1 << 20, form.ALL & ~TECHNIQUES["MIRROR"] & ~TECHNIQUES["PACKING"])
    with pytest.raises(KeyboardInterrupt):
        kernel.solve(full, full, interrupt)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("king", [True, False])
def test_free_moves_are_cells_far_away(form, king, rng):
    oracle, search = Oracle(2, 3, king), make(form, 2, 3, king, 1 << 16, built.ALL)
    cells = sorted(oracle.beside)
    for _ in range(20):
        mine, theirs = (frozenset(cell for cell in cells if rng.random() < 0.7) for _ in range(2))
        for k in range(-3, 4):
            spare = frozenset(("free", number) for number in range(abs(k)))
            expected = oracle.wins(mine | spare if k > 0 else mine, theirs if k > 0 else theirs | spare)
            assert search.solve(oracle.bits(mine), oracle.bits(theirs), lambda _nodes: False, k) == expected
    with pytest.raises(ValueError, match="The search cannot handle 500 free moves"):
        search.solve(1, 1, lambda _nodes: False, 500)


@pytest.mark.parametrize("form", FORMS)
def test_the_journal_is_true_and_can_be_learnt(form):
    book = oracle(3, 5, False)
    full = (1 << 15) - 1
    for techniques in (TECHNIQUES["REDUCE"] | TECHNIQUES["SYMMETRY"], TECHNIQUES["DOMINANCE"]):
        kernel = make(form, 3, 5, False, 1 << 20, techniques)
        kernel.solve(full, full & ~1, never)
        assert kernel.journal == []
        kernel = make(form, 3, 5, False, 1 << 20, techniques)
        kernel.journal_work = 8
        result = kernel.solve(full, full & ~1, never)
        assert len(kernel.journal) > 3
        for p, q, k, won in random.Random(2).sample(kernel.journal, 4):
            spare = frozenset(("free", number) for number in range(abs(k)))
            mine, theirs = book.cells(p) | (spare if k > 0 else set()), book.cells(q) | (spare if k < 0 else set())
            assert book.wins(mine, theirs) == won
        again = make(form, 3, 5, False, 1 << 20, techniques)
        for entry in kernel.journal:
            again.learn(*entry)
        assert again.solve(full, full & ~1, never) == result
        assert again.nodes == 0
        partly = make(form, 3, 5, False, 1 << 20, techniques)
        for entry in kernel.journal[:-1]:
            partly.learn(*entry)
        assert partly.solve(full, full & ~1, never) == result
        assert 0 < partly.nodes < kernel.nodes


@pytest.mark.parametrize("form", FORMS)
def test_cells_off_the_board_and_boards_too_large_are_refused(form):
    with pytest.raises(ValueError, match="not on the board"):
        make(form, 2, 2, True, 0, form.ALL).solve(16, 0, never)
    with pytest.raises(ValueError, match="not on the board"):
        make(form, 2, 2, True, 0, form.ALL).learn(1, 1 << 200, 0, 1)
    with pytest.raises(ValueError, match="too large"):
        make(form, 10, 13, True, 0, form.ALL)
