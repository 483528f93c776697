"""Tests of the best moves in regions.

The value after each best move agrees with a value computed from the rules alone. Each option of a region's value is
either listed with the move that leads to it or reported as one that no single move can reach.
"""

from random import Random

import pytest
from test_region_words import played, slow_value, taken

from gridlock.core.errors import GridLockError
from gridlock.core.game import Game
from gridlock.core.grid import cells_of
from gridlock.core.rules import variant
from gridlock.engine.clock import Clock
from gridlock.engine.regions import open_cells, regions
from gridlock.play.region_options import Opened, drawn, open_region, worth_words
from gridlock.values import Value


def check(game: Game, opened: Opened) -> None:
    """Check a region, and both sides' moves in it, against values computed from the rules alone."""
    rules, here = game.variant, opened.region.open_to
    value = slow_value(rules, here)
    assert opened.region.value == value
    for side, options in zip((1, 2), opened.options, strict=True):
        sign = 1 if side == 1 else -1
        after = {cell: slow_value(rules, taken(rules, here, side - 1, cell)) for cell in cells_of(here[side - 1])}
        for option in options:
            assert option.left.value == after[option.cell]
            assert option.words.startswith(worth_words(option.left))
            assert not any(other * sign > after[option.cell] * sign for other in after.values()), "it is a best move"
        left = [option.left.value for option in options]
        assert len(set(left)) == len(left)
        if not value.is_number:
            wanted = value.left if side == 1 else value.right
            assert all(option in left or option in opened.unreached for option in wanted)
        assert bool(options) == bool(after)
    assert all(one in value.left + value.right for one in opened.unreached)


@pytest.mark.parametrize("name", ["showdown", "scatter"])
def test_options_leave_what_the_rules_say(name: str, rng: Random) -> None:
    for moves in (1, 2, 3, 4):
        game = played(name, "3x3", moves, rng)
        for region in regions(game.variant, game.position, Clock()).regions:
            path: list[tuple[int, int]] = []
            for _ in range(3):
                opened = open_region(game, cells_of(region.cells)[0], path, 9.0)
                check(game, opened)
                options = [option for side in opened.options for option in side]
                if not options:
                    break
                option = rng.choice(options)
                path.append((option.side, option.cell))


def test_a_region_is_drawn_with_its_moves() -> None:
    game = Game(variant("showdown", "6x6"))
    for move in ("3,2", "5,4", "2,3", "1,6", "6,6", "2,6"):
        game.push(move)
    opened = open_region(game, 24, [], 9.0)
    assert drawn(opened, opened.region, []) == ["11#", "..2", "..2"]
    assert worth_words(opened.region) == "±5, temperature 5"
    ((one,), (two,)) = opened.options
    assert drawn(opened, one.left, [(1, one.cell)]) == ["11#", "1L#", "11#"]
    assert (one.words, two.words, opened.note) == ("5", "-5", "")
    deeper = open_region(game, 24, [(2, two.cell), (2, 25)], 9.0)
    assert worth_words(deeper.region) == "-4"
    assert drawn(deeper, deeper.region, deeper.path)[1][:2] == "RR"
    assert deeper.options[0] == ()


def test_options_that_no_move_leaves_are_named() -> None:
    """Canonical forms bypass reversible moves, so some of their options cannot be reached in a single move."""
    notes = []
    for seed in (41, 76, 111):
        rng, game = Random(seed), Game(variant("showdown", "4x4", "orthogonal"))
        for _ in range(2 + seed % 5):
            game.push(rng.choice(cells_of(game.legal)))
        for region in regions(game.variant, game.position, Clock()).regions:
            opened = open_region(game, cells_of(region.cells)[0], [], 9.0)
            check(game, opened)
            notes += [opened.note] if opened.note else []
    assert notes == [
        "No single move leaves this option of the canonical form: *.",
        "No single move leaves these options of the canonical form: 2, 0.",
        "No single move leaves this option of the canonical form: 0.",
    ]


def test_what_is_not_known_is_said() -> None:
    opened = open_region(Game(variant("showdown", "12x12")), 0, [], 0.1)
    assert opened.region.value is None
    assert (opened.options, opened.note) == (((), ()), "The region's value isn't known, so its options can't be shown.")
    assert worth_words(opened.region) == "not worked out in time"


@pytest.mark.parametrize(
    ("name", "cell", "path", "words"),
    [
        ("chain", 0, [], "Only games in which a marker may go on any open cell have regions."),
        ("showdown", 4, [], "This cell is not in any region."),
        ("showdown", 100_000, [], "This cell is not in any region."),
        ("showdown", 0, [(2, 0)], "Cell 1,1 isn't open to O in this region."),
        ("showdown", 0, [(1, 99)], "Cell 99 isn't open to X in this region."),
        ("showdown", 0, [(1, 0), (1, 0)], "Cell 1,1 isn't open to X in this region."),
    ],
)
def test_impossible_moves_are_rejected(name: str, cell: int, path: list[tuple[int, int]], words: str) -> None:
    game = Game(variant(name, "3x3"))
    game.push("2,2")
    with pytest.raises(GridLockError) as refused:
        open_region(game, cell, path, 1.0)
    assert str(refused.value) == words


def test_nothing_is_left_of_a_region_at_its_end() -> None:
    game = Game(variant("showdown", "1x1"))
    opened = open_region(game, 0, [(1, 0)], 1.0)
    assert (opened.region.value, opened.options, drawn(opened, opened.region, opened.path)) == (
        Value(0),
        ((), ()),
        ["L"],
    )
    assert open_cells(game.variant, game.position) == (1, 1)
