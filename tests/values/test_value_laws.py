"""Tests that values agree with a naive implementation of games, and obey the laws of arithmetic and order."""

import copy
import pickle
from fractions import Fraction
from itertools import pairwise, product

import pytest
from naive_games import at_least, canonical, naive_of_value, opposite, random_game, total, value_of_naive

from gridlock.values import Value, clear_memory, down, miny, nimber, star, switch, tiny, up


def random_values(rng, count, depth=3):
    return [value_of_naive(random_game(rng, depth)) for _ in range(count)]


def born_next(values):
    """Return all values born by the next day; antichains of options suffice, because dominated options add nothing."""
    antichains = [()]
    for value in values:
        antichains += [(*chain, value) for chain in antichains if all(value.confused(other) for other in chain)]
    return {Value.game(left, right) for left, right in product(antichains, repeat=2)}


def test_as_many_games_are_born_each_day_as_published():
    days = [{Value(0)}]
    for _ in range(3):
        days.append(born_next(sorted(days[-1], key=str)))
    assert [len(day) for day in days] == [1, 4, 22, 1474]  # Siegel, Combinatorial Game Theory (2013), section III.1
    assert all(earlier < later for earlier, later in pairwise(days))
    assert [max(value.birthday for value in day) for day in days] == [0, 1, 2, 3]
    assert {value.birthday for value in days[3] - days[2]} == {3}


def test_canonical_forms_are_those_of_the_definition(rng):
    for _ in range(150):
        game = random_game(rng, 3)
        assert naive_of_value(value_of_naive(game)) == canonical(game)


def test_order_and_sums_are_those_of_the_definition(rng):
    for _ in range(150):
        one, other = random_game(rng, 2), random_game(rng, 3)
        a, b = value_of_naive(one), value_of_naive(other)
        above, below = at_least(one, other), at_least(other, one)
        assert (a >= b, a <= b) == (above, below)
        assert (a > b, a < b, a == b) == (above and not below, below and not above, above and below)
        assert a.confused(b) == (not above and not below)
        assert a.compare(b) == {(1, 1): "=", (1, 0): ">", (0, 1): "<", (0, 0): "||"}[above, below]
        assert value_of_naive(total(one, other)) == a + b
        assert value_of_naive(opposite(one)) == -a


def test_laws_of_arithmetic(rng):
    a, b, c = (random_values(rng, 25) for _ in range(3))
    for x, y, z in zip(a, b, c, strict=True):
        assert (x + y) + z == x + (y + z)
        assert x + y == y + x
        assert x - x == 0
        assert x + 0 == x == 0 - -x
        assert -(x + y) == -x - y
        assert x - y == x + -y
        assert 0 * x == 0
        assert 3 * x == x + x + x == x * 3
        assert -2 * x == -x - x
        assert 2 * (x + y) == 2 * x + 2 * y


def test_laws_of_order(rng):
    values = random_values(rng, 14)
    for x, y, z in product(values, repeat=3):
        assert (x >= y) == (x + z >= y + z)
        if x >= y and y >= z:
            assert x >= z
    for x, y in product(values, repeat=2):
        assert (x >= y and y >= x) == (x == y)
        assert (x >= y) == (-y >= -x)
        assert x.compare(y) == (x - y).compare(0)


def test_a_number_moves_every_option_and_nothing_else(rng):
    for value in random_values(rng, 40):
        number = Fraction(rng.randint(-40, 40), 8)
        if not value.is_number:
            moved = value + number
            assert set(moved.left) == {option + number for option in value.left}
            assert set(moved.right) == {option + number for option in value.right}
            assert moved.temperature == value.temperature
            assert moved.mean == value.mean + number
            assert Value.game(moved.left, moved.right) == moved


def test_numbers_are_equal_to_pythons_and_hash_alike():
    for number in (0, 1, -7, 10**30, Fraction(1, 2), Fraction(-13, 1024)):
        assert Value(number) == number
        assert number == Value(number)
        assert hash(Value(number)) == hash(number)
        assert Value(number).number == number
        assert {number: "found"}[Value(number)] == "found"
        assert Value(str(number)) == number
    assert Value(True) == 1
    assert Value(1) != "1"
    assert star != 0
    assert Value(star) is not star
    assert Value(star) == star
    assert bool(star)
    assert not Value(0)
    assert sum([star, star, up], 0) == up
    assert 1 - star == Value("1*") == star + 1
    assert 1 > up > 0 > down
    assert Fraction(1, 1000) > tiny(1) > 0
    assert [star.compare(Fraction(number, 3)) for number in (-1, 0, 1)] == [">", "||", "<"]


@pytest.mark.parametrize("number", ["1/3", "7/12"])
def test_other_fractions_are_not_values(number):
    with pytest.raises(
        ValueError, match=f"{number} is not the value of a game: the denominator must be a power of two"
    ):
        Value(Fraction(number))


def test_wrong_types_are_rejected():
    with pytest.raises(TypeError, match="made from text, an int or a Fraction, not from float"):
        Value(0.5)
    for wrong in (lambda: star + "1", lambda: star * Fraction(1, 2), lambda: star >= "0", lambda: star < 0.5):
        with pytest.raises(TypeError):
            wrong()
    assert star != 0.5


def test_numbers_as_options_give_the_simplest_number_between():
    half = Fraction(1, 2)
    table = {
        ((), ()): 0,
        ((3,), ()): 4,
        ((-3,), ()): 0,
        ((), (2,)): 0,
        ((), (-2,)): -3,
        ((half,), ()): 1,
        ((0,), (1,)): half,
        ((half,), (1,)): Fraction(3, 4),
        ((-1,), (5,)): 0,
        ((2,), (7,)): 3,
        ((Fraction(1, 4),), (3,)): 1,
        ((Fraction(-9, 8),), (Fraction(-1, 2),)): -1,
        ((Fraction(5, 8),), (Fraction(3, 4),)): Fraction(11, 16),
        ((-7,), (-2,)): -3,
        ((star,), (star,)): 0,
        ((star,), (1,)): 0,
        ((up,), (1,)): half,
        ((tiny(2),), ()): 1,
    }
    for (left, right), expected in table.items():
        assert Value.game(left, right) == expected


def test_identities_from_the_books():
    # Conway, On Numbers and Games; Berlekamp, Conway and Guy, Winning Ways, chapters 2, 3 and 5.
    assert star + star == 0
    assert up == Value.game([0], [star])
    assert up.confused(star)
    assert 2 * up > star
    assert 2 * up + star == Value.game([0], [up])
    assert up + star == Value.game([0, star], [0])
    assert 2 * up == Value.game([0], [up + star])
    assert switch(1, -1) + switch(1, -1) == 0
    assert switch(5, 1) == 3 + switch(2, -2)
    assert switch(3, 3) == 3 + star
    assert miny(3) == -tiny(3) == Value("{3|0||0}")
    assert tiny(1) > tiny(2) > tiny(3) > 0  # the larger the threat, the smaller the game
    assert 20 * tiny(2) < tiny(1) < up


def test_sums_of_ups_and_nimbers_are_those_of_the_definition():
    stars = [naive_of_value(nimber(size)) for size in range(4)]
    arrows = naive_of_value(up)
    values = {}
    for count, size in product(range(-3, 4), range(4)):
        game = stars[size]
        for _ in range(abs(count)):
            game = canonical(total(game, arrows if count > 0 else opposite(arrows)))
        values[count, size] = Value(f"{'^' if count > 0 else 'v'}{abs(count)}*{size}")
        assert naive_of_value(values[count, size]) == game
    for (one, other), (third, fourth) in product(values, repeat=2):
        if abs(one + third) <= 3:
            assert values[one, other] + values[third, fourth] == values[one + third, other ^ fourth]
    assert nimber(100) + nimber(101) == star


def test_copies_and_pickles_are_the_same_value(rng):
    for value in [*random_values(rng, 20), Value(3), star]:
        assert pickle.loads(pickle.dumps(value)) == copy.deepcopy(value) == value
        assert pickle.loads(pickle.dumps(value))._shape is value._shape


def test_nothing_changes_when_memory_is_cleared(rng):
    values = random_values(rng, 8)
    before = [(x + y, x.compare(y), str(x - y)) for x, y in product(values, repeat=2)]
    clear_memory()
    assert [(x + y, x.compare(y), str(x - y)) for x, y in product(values, repeat=2)] == before
