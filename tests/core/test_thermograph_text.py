"""Tests that text thermographs are drawn exactly or not at all."""

from fractions import Fraction

import pytest

from gridlock.drawing.thermograph import HIGHEST, thermograph_text
from gridlock.values import Value


def test_it_is_drawn_as_on_paper():
    assert thermograph_text(Value("{{3|2}|-1}").thermograph()) == [
        "         |",
        "  2      |",
        "7/4      |",
        "        / \\",
        "       /   \\",
        "  1   /     \\",
        "     /       \\",
        "    /         \\",
        "    |          \\",
        "  0 |           \\",
        "    2    3/4    -1",
    ]


@pytest.mark.parametrize("text", ["{2|-1}", "{{3|2}|-1}", "{9|{{6|4}|{1|-1}}}", "+-8", "{4|{2|0}}"])
def test_every_line_shows_both_walls(text):
    graph = Value(text).thermograph()
    *lines, axis = thermograph_text(graph)
    lines.reverse()
    margin = len(axis) - len(axis.lstrip())
    left = graph.left[0][1]
    parts = (len(lines) - 3) / graph.temperature  # lines for one unit
    for number, line in enumerate(lines):
        t = Fraction(number) / parts
        walls = {int((left - wall) * parts) for wall in (graph.left_at(t), graph.right_at(t))}
        assert {place - margin for place, sign in enumerate(line) if place >= margin and sign != " "} == walls
    assert lines[-3].split()[0] == str(graph.temperature)


@pytest.mark.parametrize("text", ["0", "1/2", "*", "^", "+-50", "{{3|17/8}|-1}"])
def test_a_cold_a_large_and_a_fine_one_are_not_drawn(text):
    assert Value("+-50").temperature > HIGHEST
    assert thermograph_text(Value(text).thermograph()) == []
