"""Tests of boards with outlines around groups of cells."""

from random import Random

import pytest

from gridlock.core.game import Game
from gridlock.core.rules import variant
from gridlock.drawing.outlines import outlined_board


def test_a_board_with_two_groups() -> None:
    game = Game(variant("showdown", "2x3"))
    game.push(1)
    groups = {0: "A", 3: "A", 4: "A", 2: "B"}
    assert outlined_board(game.variant, game.position, groups, {5: "x"}, ".") == [
        "    1   2   3",
        "  ┌───┐   ┌───┐",
        "1 │ A │ X │ B │",
        "  │   └───┼───┘",
        "2 │ A   A │ x",
        "  └───────┘",
    ]


@pytest.mark.parametrize("plain", [False, True])
def test_a_line_separates_exactly_the_neighbours_in_different_groups(plain: bool, rng: Random) -> None:
    rules = variant("showdown", "7x12")
    groups = {cell: rng.choice("AB") for cell in range(84) if rng.random() < 0.7}
    position = Game(rules).position
    lines = outlined_board(rules, position, groups, {}, ".", plain)[1:]
    drawn = "\n".join(lines)
    assert drawn.isascii() == plain
    rows = {int(line[:2]): at for at, line in enumerate(lines) if line[:2].strip()}
    across, down = "-─", "|│"
    for row in range(7):
        line = lines[rows[row + 1]].ljust(60)
        for col in range(12):
            cell = row * 12 + col
            left = groups.get(cell - 1) if col else None
            assert (line[2 + 4 * col] in down) == (groups.get(cell) != left)
            assert line[4 + 4 * col] == groups.get(cell, ".")
            above = groups.get(cell - 12) if row else None
            rule = lines[rows[row + 1] - 1] if rows[row + 1] else ""
            is_rule = not rule[:2].strip()
            assert (is_rule and rule.ljust(60)[4 + 4 * col] in across) == (groups.get(cell) != above)
