"""Tests of the temperatures of regions.

Temperatures must match values computed from the rules. Reviews must point out when a player made a mistake by not
moving in the hottest region.
"""

import re
from fractions import Fraction
from random import Random
from xml.etree import ElementTree

import pytest

from gridlock.core.game import Game
from gridlock.core.grid import cells_of
from gridlock.core.rules import variant
from gridlock.engine.clock import Clock
from gridlock.engine.regions import open_cells, regions
from gridlock.play import heat
from gridlock.play.heat import heated, left_words, temperatures
from gridlock.play.region_words import amount
from gridlock.play.review import Review, review_game
from gridlock.values import Value, value_of
from sample_games import a_game

LEFT = re.compile(r"It left a region of temperature (\S+(?: \d+/\d+)?) for (?:one of (.+)|a free move|a cold one)\.")


def played(seed: int, board: str = "6x6") -> Game:
    rng, game = Random(seed), Game(variant("showdown", board))
    while not game.outcome:
        game.push(rng.choice(cells_of(game.legal)))
    return game


def slow_temperature(game: Game, ply: int) -> Fraction:
    """Return the temperature of the hottest part of a position, using values computed from the rules."""
    near, position = game.variant.grid.near, game.positions[ply]
    sides = open_cells(game.variant, position)

    def options(now: tuple[int, int]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        ones, twos = now
        left = [(ones & ~(1 << cell), twos & ~(near[cell] | 1 << cell)) for cell in cells_of(ones)]
        right = [(ones & ~(near[cell] | 1 << cell), twos & ~(1 << cell)) for cell in cells_of(twos)]
        return left, right

    found = [
        value_of((sides[0] & region.cells, sides[1] & region.cells), options)
        for region in regions(game.variant, position, Clock(5)).regions
    ]
    return max([Fraction(0), *(value.temperature for value in found)])


def test_temperatures_agree_with_values_from_the_rules() -> None:
    game = played(1, "3x4")
    heats = temperatures(heated(game, 5.0), len(game.moves))
    assert len(heats) == len(game.moves) + 1
    assert heats[3:] == [slow_temperature(game, ply) for ply in range(3, len(game.moves) + 1)]
    assert heats[-1] == 0


@pytest.mark.parametrize("seed", [1, 3, 9])
def test_a_sentence_only_if_the_verdict_agrees(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heat, "LONGEST", 5.0)  # on a busy machine
    game = played(seed)
    found = review_game(game, 5.0)
    assert found.left  # these games have such mistakes
    for ply, words in found.left.items():
        step = next(step for step in found.steps if step.ply == ply)
        assert step.mistake
        here = regions(game.variant, game.positions[ply - 1], Clock(5))
        said = LEFT.fullmatch(words)
        assert said
        hottest = max(here.regions, key=lambda region: region.temperature or -1)
        assert said[1] == amount(hottest.temperature or Fraction(0))
        assert step.move is not None
        assert not hottest.cells >> step.move & 1
        hot = [region for region in here.regions if region.temperature == hottest.temperature]
        assert any(region.cells >> cell & 1 for region in hot for cell in step.better)
        assert words in found.holds(step)
        assert any(words.removesuffix(".") in line for line in found.report())


def test_nothing_is_said_of_other_games_and_other_mistakes() -> None:
    found = review_game(a_game("scatter", "3x3", "1,1 3,3"), 5.0)
    assert (list(found.heats), dict(found.left)) == ([], {})
    game = Game(variant("showdown", "5x5"))
    for cell in (12, 0, 22, 2):
        game.push(cell)
    here = regions(game.variant, game.position, Clock(5))
    assert left_words(here, 18, [15]) == "It left a region of temperature 3¼ for one of 2¾."
    assert left_words(here, 17, [15]) == "It left a region of temperature 3¼ for a free move."
    assert left_words(here, 18, [19]) == ""  # the better move was not in the hottest region
    assert left_words(here, 15, [16]) == ""  # it stayed there
    assert left_words(here, 18, [-1]) == ""  # only a swap was better


def test_an_early_position_that_takes_too_long_is_left_out() -> None:
    heats = temperatures(heated(played(2, "9x9"), 0.01), len(played(2, "9x9").moves))
    assert heats[0] is None
    assert heats[-1] == 0


def test_the_curve_is_drawn_below_the_swing() -> None:
    game = a_game("showdown", "3x3", "1,1 3,3")
    found = review_game(game, 5.0)
    picture = ElementTree.fromstring(found.svg())
    (curve,) = picture.iter("{http://www.w3.org/2000/svg}polyline")
    points = [tuple(map(float, point.split(","))) for point in curve.get("points", "").split()]
    assert len(points) == len(found.heats) == 3
    heights = {one: y for one, (_, y) in zip(found.heats, points, strict=True) if one is not None}
    assert sorted(heights, reverse=True) == sorted(heights, key=heights.__getitem__)  # hotter is higher up
    assert "polyline" not in Review(game, found.steps).svg()


def test_values_survive_the_way_from_a_worker() -> None:
    import pickle

    found = review_game(played(1), 1.0)
    assert pickle.loads(pickle.dumps(found)).heats == found.heats
    assert pickle.loads(pickle.dumps(Value("{3|{1|-1}}"))) == Value("{3|{1|-1}}")
