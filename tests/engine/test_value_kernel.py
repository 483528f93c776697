"""Tests of the values of Snort's regions.

The values are compared with those of a general evaluator, with plain searches, and with temperatures that were computed
by a separate program.
"""

import itertools
from fractions import Fraction

import pytest
from games_by_the_book import Book

from gridlock.core.grid import Grid
from gridlock.engine.kernels import value_kernel as built
from gridlock.engine.kernels.interpreted import plain
from gridlock.engine.kernels.walls import UNIT, GaveUp, heat, stops_at
from gridlock.engine.worth import exported
from gridlock.values import Value
from gridlock.values.shapes import followers

interpreted = plain("value_kernel")
COMPILED = built is not interpreted
FORMS = [interpreted, built] if COMPILED else [interpreted]
compiled_only = pytest.mark.skipif(not COMPILED, reason="too slow interpreted")
BOARDS = [(1, 6), (2, 3), (2, 4), (3, 3), (3, 4)]
MEMORY = 1 << 26
SIDE = 11


def kernel(form, king, techniques=built.ALL, cooled=0, memory=MEMORY):
    """Return a kernel for exact values, or for cooled values if `cooled` is not 0."""
    grid = Grid(SIDE, SIDE, "king" if king else "orthogonal")
    exact = form.SnortValues(grid, memory, techniques)
    return form.SnortValues(grid, memory, techniques, cooled, exact) if cooled else exact


def never(_steps):
    return False


def value(found, book, left, right):
    """Return a position's value, computed by a kernel."""
    return exported(found.store, found.value(book.bits(left, SIDE), book.bits(right, SIDE), never))


def whole(rows, cols):
    return sum(1 << row * SIDE + col for row in range(rows) for col in range(cols))


def books(king):
    return [Book("showdown", rows, cols, king) for rows, cols in BOARDS]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("king", [True, False])
def test_the_general_evaluator_and_plain_play_agree(form, king, rng):
    found = kernel(form, king)
    for book in books(king):
        for _ in range(6):
            left, right = book.random(rng, 11)
            ours = value(found, book, left, right)
            assert ours == book.value(left, right)
            assert ours.outcome == book.outcome(left, right)


@pytest.mark.slow
@pytest.mark.parametrize("king", [True, False])
@pytest.mark.parametrize("off", list(built.TECHNIQUES))
def test_every_technique_on_and_off_agrees(king, off, rng):
    everything, less = kernel(built, king), kernel(built, king, built.ALL & ~built.TECHNIQUES[off])
    none = kernel(built, king, 0)
    for book in books(king):
        for _ in range(10):
            left, right = book.random(rng, 14)
            ours = value(everything, book, left, right)
            assert ours == value(less, book, left, right) == value(none, book, left, right)


@pytest.mark.slow
@compiled_only
@pytest.mark.parametrize("cooled", [0, UNIT])
@pytest.mark.parametrize("off", list(built.TECHNIQUES))
def test_every_technique_on_and_off_agrees_on_larger_boards(off, cooled):
    for king, rows, cols in ((True, 4, 6), (False, 3, 4)):
        cells = whole(rows, cols)
        everything = kernel(built, king, cooled=cooled)
        less = kernel(built, king, built.ALL & ~built.TECHNIQUES[off], cooled)
        assert exported(*_asked(everything, cells)) == exported(*_asked(less, cells))


@pytest.mark.slow
@compiled_only
@pytest.mark.parametrize("king", [True, False])
def test_compiled_and_interpreted_kernels_build_the_same_store(king, rng):
    for cooled in (0, UNIT):
        one, other = kernel(built, king, cooled=cooled), kernel(interpreted, king, cooled=cooled)
        for book in books(king):
            for _ in range(10):
                left, right = (book.bits(side, SIDE) for side in book.random(rng, 16))
                assert one.value(left, right, never) == other.value(left, right, never)
        assert one.store.shapes == other.store.shapes
        for shape in range(1, one.store.shapes):
            assert one.store.options(shape) == other.store.options(shape)


@pytest.mark.slow
@pytest.mark.parametrize("king", [True, False])
def test_pycgt_agrees(king, rng):
    pycgt = pytest.importorskip("pycgt", reason="pycgt is part of the test-all extra: pip install -e '.[test-all]'")
    found = kernel(built, king)
    for book in books(king):
        known = {}

        def theirs(position, book=book, known=known):
            if position not in known:
                known[position] = pycgt.Game.of(*(map(theirs, side) for side in book.options(position))).canonical
            return known[position]

        for _ in range(20):
            left, right = book.random(rng, 12)
            ours, peer = value(found, book, left, right), theirs((left, right))
            assert Value(pycgt.render(peer)) == ours
            if not ours.is_number:
                store, number = found.store, found.value(book.bits(left, SIDE), book.bits(right, SIDE), never)
                assert heat(store, number) == (pycgt.mean(peer), pycgt.temperature(peer))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("king", [True, False])
def test_walls_are_those_of_the_values_package(form, king, rng):
    found = kernel(form, king)
    for book in books(king):
        for _ in range(6):
            left, right = book.random(rng, 14)
            number = found.value(book.bits(left, SIDE), book.bits(right, SIDE), never)
            exact = exported(found.store, number)
            handed_on = exact.thermograph()
            for shape in followers(exact._shape):
                shape.walls = None  # let the package compute them itself
            drawn = exact.thermograph()
            assert handed_on == drawn
            assert heat(found.store, number) == (drawn.mean, drawn.temperature)
            for t in (Fraction(0), Fraction(1, 2), Fraction(5, 4), Fraction(3)):
                assert stops_at(found.store, number, t) == (drawn.left_at(t), drawn.right_at(t))


def test_a_thermograph_that_is_too_fine_is_given_up_and_not_rounded():
    store = kernel(interpreted, True).store
    store.ours[:2], store.theirs[:2] = [0, 3], [0, 0]
    with pytest.raises(GaveUp, match="cannot be stored exactly"):
        store.meet(1, 2, 2)
    store.theirs[:2] = [0, 1]
    store.meet(1, 2, 2)
    assert store.walls_of(1) == (((0, 3), (2, 1)), ((0, -1), (2, 1)))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("king", [True, False])
def test_regions_of_every_form_have_the_same_value_in_and_out_of_squares(form, king, rng):
    in_squares, others = kernel(form, king), kernel(form, king, built.ALL & ~built.TECHNIQUES["SQUARES"])
    for rows, cols in ((1, 8), (8, 1), (8, 8), (5, 8), (9, 2), (1, 11), (10, 10)):
        cells = [(row, col) for row in range(rows) for col in range(cols)]
        for _ in range(3):
            # Walk to the opposite corner, so that the region extends over all rows and columns.
            place, walk = (0, 0), {(0, 0)}
            while place != (rows - 1, cols - 1):
                steps = [(place[0] + 1, place[1]), (place[0], place[1] + 1)]
                place = rng.choice([step for step in steps if step in cells])
                walk.add(place)
            walk = sorted(walk)
            ends = {0, len(walk) - 1}
            sides = [{spot for i, spot in enumerate(walk) if i in ends or rng.random() < 0.6} for _ in range(2)]
            expected = None
            for turn in range(8):
                images = [{_image(spot, rows, cols, turn) for spot in side} for side in sides]
                bits = [sum(1 << row * SIDE + col for row, col in side) for side in images]
                ours = exported(in_squares.store, in_squares.value(*bits, never))
                expected = ours if expected is None else expected
                assert ours == expected == exported(others.store, others.value(*bits, never))
                assert exported(in_squares.store, in_squares.value(*bits[::-1], never)) == -ours


def _image(spot, rows, cols, turn):
    """Return a cell's image under one of the eight rotations and reflections."""
    row, col = (rows - 1 - spot[0] if turn & 1 else spot[0]), (cols - 1 - spot[1] if turn & 2 else spot[1])
    return (col, row) if turn & 4 else (row, col)


@pytest.mark.parametrize("king", [True, False])
@pytest.mark.parametrize("cooled", [UNIT // 2, UNIT])
def test_cooled_values_keep_mean_temperature_and_stops(king, cooled, rng):
    exact, cool, tax = kernel(built, king), kernel(built, king, cooled=cooled), Fraction(cooled, UNIT)
    for book in books(king):
        for _ in range(10):
            left, right = (book.bits(side, SIDE) for side in book.random(rng, 16))
            one, other = exact.value(left, right, never), cool.value(left, right, never)
            mean, temperature = heat(exact.store, one)
            less_mean, less = heat(cool.store, other)
            assert less_mean == mean
            if exported(cool.store, other).is_number:
                assert temperature <= tax
            else:
                assert less + tax == temperature
            for t in (tax, tax + 1, tax + Fraction(5, 2)):
                assert stops_at(exact.store, one, t) == stops_at(cool.store, other, t - tax)


# The temperatures of empty boards, found by a separate program and, on small boards, confirmed by cgt-py.
KING = {
    (3, 3): 8, (4, 4): Fraction(23, 4), (4, 5): 5, (5, 5): Fraction(9, 2), (4, 6): Fraction(3, 2), (4, 7): 4,
    (5, 6): Fraction(7, 2),
}  # fmt: skip
ORTHOGONAL = {(3, 5): Fraction(9, 4), (3, 6): 1}


@pytest.mark.parametrize(("rows", "cols"), [*KING, *itertools.product((2, 4), (2, 3))])
def test_temperatures_of_empty_king_boards(rows, cols):
    found = kernel(built, True)
    cells = whole(rows, cols)
    number = found.value(cells, cells, never)
    assert exported(found.store, number) == -exported(found.store, number)
    if (rows, cols) in KING:
        assert heat(found.store, number) == (0, KING[rows, cols])


@pytest.mark.slow
@compiled_only
def test_larger_empty_boards():
    found = kernel(built, True)
    assert exported(found.store, found.value(whole(6, 6), whole(6, 6), never)) == Value("*")
    assert heat(found.store, found.value(whole(5, 7), whole(5, 7), never)).temperature == 3
    assert exported(found.store, found.value(whole(5, 5), whole(5, 5), never)).stops == (2, -2)
    found = kernel(built, False)
    assert exported(found.store, found.value(whole(4, 4), whole(4, 4), never)) == 0
    for (rows, cols), temperature in ORTHOGONAL.items():
        assert heat(found.store, found.value(whole(rows, cols), whole(rows, cols), never)).temperature == temperature


@pytest.mark.deep
@compiled_only
@pytest.mark.parametrize(
    ("king", "rows", "cols", "temperature"),
    [(False, 4, 5, 1), (False, 3, 7, Fraction(9, 4)), (True, 6, 7, Fraction(3, 2)), (True, 5, 8, Fraction(7, 2)),
     (False, 5, 5, Fraction(3, 2)), (True, 7, 7, 3)],
)  # fmt: skip
def test_temperatures_of_the_largest_empty_boards(king, rows, cols, temperature):
    found = kernel(built, king, memory=160 << 20)
    assert heat(*_asked(found, whole(rows, cols))) == (0, temperature)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("cooled", [0, UNIT])
def test_an_interrupted_store_still_gives_right_answers(form, cooled):
    cells = whole(5, 5) if form is interpreted else whole(5, 7) if cooled else whole(6, 6)
    expected = heat(*_asked(kernel(form, True, cooled=cooled), cells))
    found = kernel(form, True, cooled=cooled)
    stopped = 0
    while found.value(cells, cells, lambda _steps: True) is None:  # stops at the first opportunity, every time
        assert found.failure == "Time is up."
        stopped += 1
        assert stopped < 10_000
    assert stopped
    assert heat(*_asked(found, cells)) == expected


def _asked(found, cells):
    return found.store, found.value(cells, cells, never)


@pytest.mark.parametrize("form", FORMS)
def test_a_full_store_says_so_and_keeps_its_limit(form):
    found = kernel(form, True, memory=300_000)
    assert found.value(whole(5, 7), whole(5, 7), never) is None
    assert found.failure == "The store of game values is full."
    assert found.store.used <= 300_000
    fresh = kernel(form, True)
    for rows, cols in itertools.product((1, 2, 3), (1, 2, 3, 4)):  # what it still finds is right
        cells = whole(rows, cols)
        number = found.value(cells, cells, never)
        assert number is None or exported(found.store, number) == exported(*_asked(fresh, cells))


def test_cells_outside_the_board_are_rejected():
    with pytest.raises(ValueError, match="not on the board"):
        kernel(built, True).value(1 << 125, 1, never)
