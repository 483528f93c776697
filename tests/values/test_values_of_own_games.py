"""Tests of value tables, and of users' own games (such as Nim), which are defined by functions that list options."""

from fractions import Fraction
from functools import reduce
from operator import xor
from random import Random

import pytest
from naive_games import naive_of_value, random_game, value_of_naive

from gridlock.values import Value, evaluation, nimber, star, switch, up, value_of
from gridlock.values.shapes import followers


def domineering(cells):
    """Left places vertical dominoes, and Right places horizontal dominoes."""
    return (
        [cells - {(row, col), (row + 1, col)} for row, col in cells if (row + 1, col) in cells],
        [cells - {(row, col), (row, col + 1)} for row, col in cells if (row, col + 1) in cells],
    )


def components(cells):
    """Return the connected components of a set of cells."""
    rest, parts = set(cells), []
    while rest:
        part, border = set(), [rest.pop()]
        while border:
            row, col = border.pop()
            part.add((row, col))
            around = {(row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)} & rest
            rest -= around
            border += around
        parts.append(frozenset(part))
    return parts


def rectangle(rows, cols):
    return frozenset((row, col) for row in range(rows) for col in range(cols))


def nim(heaps):
    after = [
        tuple(sorted((*heaps[:place], left, *heaps[place + 1 :])))
        for place in range(len(heaps))
        for left in range(heaps[place])
    ]
    return after, after


# Sources: Berlekamp, Conway and Guy, Winning Ways, chapter 5; Conway, On Numbers and Games, chapter 10.
# Left places vertical dominoes.
PUBLISHED = {
    (1, 1): "0",
    (2, 1): "1",
    (4, 1): "2",
    (1, 5): "-2",
    (2, 2): "±1",
    (2, 3): "{2|-1/2}",
    (3, 2): "{1/2|-2}",
    (3, 3): "±1",
    (2, 4): "⧿_2",
    (2, 5): "1/2",
    (4, 3): "3/2",
    (4, 4): "±{0,{{2|0},{2||2|0}|{2|0},⧿_2}}",
}


@pytest.mark.parametrize("size", PUBLISHED)
def test_domineering_as_published(size):
    value = value_of(rectangle(*size), domineering, components)
    assert value == Value(PUBLISHED[size])
    if size != (4, 4):
        assert value_of(rectangle(*size[::-1]), domineering, components) == -value


def test_splitting_changes_no_value(rng):
    for _ in range(10):
        cells = frozenset(rng.sample(sorted(rectangle(4, 4)), 9))
        assert value_of(cells, domineering, components) == value_of(cells, domineering)


def test_nim_as_published():
    # Bouton (1902): the heap sizes are added in binary without carrying.
    for heaps in [(), (1,), (5,), (1, 2, 3), (2, 2), (1, 3, 4), (2, 5, 6)]:
        assert value_of(heaps, nim) == nimber(reduce(xor, heaps, 0))
    alone = value_of((1, 3, 4), nim, lambda heaps: [(heap,) for heap in heaps])
    assert alone == nimber(6)


def test_toads_and_frogs_as_published():
    # Winning Ways, chapter 1: toads (T) move right, and frogs (F) move left. Each move is one step, or a jump over a
    # single animal of the other kind.
    def options(lane):
        moves = ([], [])
        for place in range(len(lane)):
            for player, old, new in ((0, "T.", ".T"), (0, "TF.", ".FT"), (1, ".F", "F."), (1, ".TF", "FT.")):
                if lane.startswith(old, place):
                    moves[player].append(lane[:place] + new + lane[place + len(old) :])
        return moves

    assert value_of("T.F", options) == star
    assert value_of("TT.FF", options) == star


def test_loops_and_endless_games_are_rejected(monkeypatch):
    with pytest.raises(ValueError, match="This game is loopy: a position can recur"):
        value_of(0, lambda position: ([(position + 1) % 3], []))
    assert value_of(0, lambda position: ([position + 1] if position < 3000 else [], [])) == 3000
    monkeypatch.setattr(evaluation, "DEEPEST", 1000)
    with pytest.raises(ValueError, match="This game is too deep: a line of play has more than 1,000 moves"):
        value_of(0, lambda position: ([position + 1], []))


def test_a_table_of_forms_gives_the_value_back(rng):
    for value in [Value(3), star, *(value_of_naive(random_game(rng, 3)) for _ in range(30))]:
        rows, row, number = value.forms()
        assert Value.from_forms(rows, row, number) == value
        fine = [tuple([(x * 1024, option) for x, option in side] for side in both) for both in rows]
        assert Value.from_forms(fine, row, number * 1024, Fraction(1, 1024)) == value


def test_a_stored_value_keeps_its_thermograph(rng):
    for value in (value_of_naive(random_game(rng, 3)) for _ in range(20)):
        drawn = value.thermograph()
        rebuild, words = value.__reduce__()
        walls = words[4]
        assert (walls is None) == value.is_number
        if walls:
            for wall, ours in zip(walls, (drawn.left, drawn.right), strict=True):
                assert tuple((t, x + value.stops[0]) for t, x in wall) == ours
            for shape in followers(value._shape):
                shape.walls = None
            assert rebuild(*words)._shape.walls is not None
        assert value.thermograph() == drawn


def test_subpositions_are_counted_without_numbers_and_up_to_numbers():
    counts = {"3": 0, "*": 1, "{5|1}": 1, "{4|{2|-1}}": 2, "{{3|2}|{1|0}}": 2, "^3": 4, "{{7|5}|{4|1}}": 3}
    assert {name: Value(name).subpositions for name in counts} == counts


def test_forms_are_taken_over_as_they_are():
    star_row, up_row = ([(0, -1)], [(0, -1)]), ([(0, -1)], [(0, 0)])
    assert Value.from_forms([star_row, up_row], 1, 3) == 3 + up
    assert Value.from_forms([([(0, -1)], [(-4, -1)])], 0, 4) == switch(4, 0)
    assert Value.from_forms([], -1, Fraction(1, 2)) == Fraction(1, 2)
    for rows, row, reason in (
        ([([(0, -1)], [])], 0, "Row 0 must have an option for each player"),
        ([([(0, 0)], [(0, -1)])], 0, "Row 0 has an option that does not refer to an earlier row"),
        ([([(1, -1)], [(0, -1)])], 0, "Row 0 has the left stop 1: forms must be shifted so that it is 0"),
        ([star_row], 1, "There is no row 1: the table has 1 rows"),
    ):
        with pytest.raises(ValueError, match=reason):
            Value.from_forms(rows, row)


@pytest.mark.slow
def test_pycgt_agrees():
    pycgt = pytest.importorskip("pycgt", reason="pycgt is part of the test-all extra: pip install -e '.[test-all]'")
    rng = Random("values")

    def theirs(naive):
        return pycgt.Game.of([theirs(option) for option in naive[0]], [theirs(option) for option in naive[1]]).canonical

    for _ in range(100):
        one, other = random_game(rng, 3), random_game(rng, 2)
        a, b, x, y = value_of_naive(one), value_of_naive(other), theirs(one), theirs(other)
        for ours, peer in (
            (a, x),
            (a + b, pycgt.add(x, y)),
            (-a, pycgt.negate(x)),
            (a.cool(Fraction(3, 8)), pycgt.cool(x, Fraction(3, 8))),
        ):
            assert theirs(naive_of_value(ours)) == pycgt.canonical(peer)
        assert Value(pycgt.render(x)) == a
        # The reduced form in pycgt can keep options that are dominated up to an infinitesimal.
        assert Value(pycgt.render(pycgt.reduced_canonical_form(x))).reduced == a.reduced
        assert (a >= b) == pycgt.geq(x, y)
        assert a.stops == pycgt.stops(x)
        assert a.birthday == pycgt.birthday(x)
        if not a.is_number:
            assert (a.mean, a.temperature) == (pycgt.mean(x), pycgt.temperature(x))
