"""Tests of stops, means, temperatures and cooling: on named games, and against a step-by-step definition."""

from fractions import Fraction
from itertools import product

import pytest
from naive_games import canonical, random_game, stops_by_temperature, value_of_naive

from gridlock.values import Value, down, nimber, star, switch, tiny, up

HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("name", "stops", "mean", "temperature"),
    [
        ("0", (0, 0), 0, -1),
        ("5", (5, 5), 5, -1),
        ("3/4", (Fraction(3, 4), Fraction(3, 4)), Fraction(3, 4), Fraction(-1, 4)),
        ("*", (0, 0), 0, 0),
        ("1/2↑", (HALF, HALF), HALF, 0),
        ("⧾_2", (0, 0), 0, 0),
        ("±8", (8, -8), 0, 8),
        ("{5|1}", (5, 1), 3, 2),
        ("{3|{1|-1}}", (3, 1), Fraction(3, 2), Fraction(3, 2)),  # Right's threat is answered below temperature 1
        ("{4||2|-1}", (4, 2), Fraction(9, 4), Fraction(7, 4)),
        ("{{3|2}|-1}", (2, -1), Fraction(3, 4), Fraction(7, 4)),  # le Bruyn's Snort endgame: mean (5/2 - 1) / 2
        ("{10|0||-1}", (0, -1), 0, 1),  # a sente move: Left starts it and Right answers, at no cost
        ("{10||0|-10}", (10, 0), Fraction(5, 2), Fraction(15, 2)),
        ("{{3|2}|{-6|-10}}", (2, -6), Fraction(-11, 4), Fraction(21, 4)),
    ],
)
def test_named_games(name, stops, mean, temperature):
    value = Value(name)
    assert value.stops == stops
    assert (value.mean, value.temperature) == (mean, temperature)
    assert all(type(number) is Fraction for number in (*value.stops, value.mean, value.temperature))


@pytest.mark.parametrize("step", [Fraction(1, 1 << 63), Fraction(1, 1 << 64), Fraction(1, 1 << 70)])
def test_temperatures_may_be_as_fine_as_numbers(step):
    value = switch(step, 0)
    assert (value.mean, value.temperature) == (step / 2, step / 2)
    value = Value.game([switch(3, 2 + step)], [-1])
    assert value.mean == (Fraction(5) + step) / 4 - HALF
    assert value.thermograph().left_at(0) == 2 + step
    assert value.cool(step).temperature == value.temperature - step


def test_a_thermograph_point_by_point():
    graph = Value("{4||2|-1}").thermograph()
    assert graph.left == ((0, 4), (Fraction(7, 4), Fraction(9, 4)))
    assert graph.right == ((0, 2), (Fraction(3, 2), 2), (Fraction(7, 4), Fraction(9, 4)))
    assert [graph.left_at(t) for t in (0, HALF, 1, 2, 100)] == [4, Fraction(7, 2), 3, Fraction(9, 4), Fraction(9, 4)]
    assert [graph.right_at(t) for t in (0, 1, Fraction(13, 8))] == [2, 2, Fraction(17, 8)]
    with pytest.raises(ValueError, match="A thermograph starts at temperature 0, not at -1"):
        graph.left_at(-1)


def test_walls_follow_the_definition_step_by_step(rng):
    step = Fraction(1, 32)
    for _ in range(25):
        game = random_game(rng, 3, largest=3)
        graph = value_of_naive(game).thermograph()
        for index, stops in enumerate(stops_by_temperature(canonical(game), step, 32 * 6)):
            assert (graph.left_at(index * step), graph.right_at(index * step)) == stops


def test_a_taxed_game_has_the_stops_of_the_thermograph(rng):
    for _ in range(40):
        value = value_of_naive(random_game(rng, 3))
        graph = value.thermograph()
        for tax in (0, HALF, 1, Fraction(9, 8), 2, 5):
            assert value.cool(tax).stops == (graph.left_at(tax), graph.right_at(tax))
        assert value.cool(0) == value
        assert value.cool(max(value.temperature, 0) + HALF) == value.mean
        if value.temperature > 0:
            at_last = value.cool(value.temperature)
            assert at_last.stops == (value.mean, value.mean)


def test_cooling_keeps_sums_and_order(rng):
    values = [value_of_naive(random_game(rng, 3)) for _ in range(8)]
    for one, other in product(values, repeat=2):
        assert (one + other).cool(HALF) == one.cool(HALF) + other.cool(HALF)
        assert (one + other).mean == one.mean + other.mean
        assert (one + other).temperature <= max(one.temperature, other.temperature)
        if one >= other:
            assert one.cool(1) >= other.cool(1)
    for value in values:
        assert value.cool(HALF).cool(HALF) == value.cool(1)
        assert (-value).mean == -value.mean
        assert (-value).temperature == value.temperature


def test_a_tax_is_never_negative():
    with pytest.raises(ValueError, match="cannot be cooled by -1: the temperature must be at least 0"):
        star.cool(-1)
    with pytest.raises(ValueError, match="1/3 is not the value of a game"):
        star.cool(Fraction(1, 3))


def test_reduced_forms_forget_infinitesimals_and_nothing_else(rng):
    small = [star, up, down + star, nimber(3), tiny(2)]
    for _ in range(60):
        value = value_of_naive(random_game(rng, 3))
        reduced = value.reduced
        assert (value - reduced).stops == (0, 0)
        assert reduced.reduced == reduced
        assert (value + rng.choice(small)).reduced == reduced
        assert reduced.birthday <= value.birthday
        assert (reduced.mean, reduced.cool(HALF)) == (value.mean, value.cool(HALF))


def test_reduced_forms_of_named_games():
    assert up.reduced == star.reduced == 0
    assert (HALF + up).reduced == HALF
    assert Value("{*|1}").reduced == 0  # although its options reduce to those of 1/2
    assert switch(1 + star, -1 + up).reduced == switch(1, -1)
    assert Value("{1,1*|-1}").reduced == Value("{1|-1}")


def test_incentives_and_outcomes():
    assert switch(3, 1).incentives("left") == switch(3, 1).incentives("right") == (switch(2, 0),)
    assert Value(0).incentives("left") == ()
    assert Value(2).incentives("left") == (Value(-1),)
    assert up.incentives("left") == (down,)
    assert up.incentives("right") == (up + star,)
    with pytest.raises(ValueError, match="The player is 'left' or 'right', not 'middle'"):
        up.incentives("middle")
    assert [value.outcome for value in (Value(0), star, up, down, switch(9, -1), Value("1*"))] == list("PNLRNL")


def test_numbers_say_so():
    assert Value("{0|1}").is_number
    assert not star.is_number
    with pytest.raises(ValueError, match="This value is not a number"):
        star.number  # noqa: B018
    assert [Value(text).birthday for text in ("0", "-3", "1/2", "3/4", "5/2", "*", "*3", "↑", "±1")] == [
        *(0, 3, 2, 3, 4),
        *(1, 3, 2, 2),
    ]
