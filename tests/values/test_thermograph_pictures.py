"""Thermographs as pictures."""

import re
from xml.etree import ElementTree

import pytest

from gridlock.values import Value, switch, thermograph_svg

SVG = "{http://www.w3.org/2000/svg}"


def lines(picture):
    """Return the points of every line in a picture, keyed by the line's colour."""
    found = {}
    for path in ElementTree.fromstring(picture).iter(f"{SVG}path"):
        points = re.findall(r"([\d.]+) ([\d.]+)", path.get("d"))
        found[path.get("stroke")] = [(float(x), float(y)) for x, y in points]
    return found


@pytest.mark.parametrize(
    "name", ["0", "-1/2", "*", "±8", "{4||2|-1}", f"{{{10**200}|-1}}", "{1000000|-1}", "{1/1024|0}", "{{3|2}|{-6|-10}}"]
)
def test_every_picture_is_well_formed_and_says_what_it_shows(name):
    value = Value(name)
    tree = ElementTree.fromstring(thermograph_svg(value))
    assert tree.find(f"{SVG}title").text == f"Thermograph of {value.name(40) or 'A game'}"
    left, right = value.stops
    words = f"Left stop {left}, right stop {right}, mean {value.mean}, temperature {value.temperature}."
    assert tree.find(f"{SVG}desc").text == words
    shown = [text.text for text in tree.iter(f"{SVG}text")]
    assert f"mean {value.mean}" in shown
    assert {str(left), str(right)} <= set(shown)
    assert (f"temperature {value.temperature}" in shown) == (value.temperature > 0)
    numbers = [
        float(x)
        for points in re.findall(r' d="M([^"]*)"', thermograph_svg(value))
        for x in re.findall(r"-?[\d.]+", points)
    ]
    assert all(-10 <= x <= 400 for x in numbers)


def test_lefts_good_is_on_the_left_and_heat_rises():
    drawn = lines(thermograph_svg(switch(5, 1)))
    (left_x, bottom), (meeting_x, top) = drawn["#1f6f8b"]
    (right_x, _), (same_x, same_y) = drawn["#b8641a"]
    assert left_x < meeting_x < right_x
    assert (same_x, same_y) == (meeting_x, top)
    assert top < bottom
    assert meeting_x - left_x == right_x - meeting_x == bottom - top  # both walls lean by 45 degrees


def test_notebooks_show_the_same_picture():
    assert Value("±8")._repr_svg_() == thermograph_svg(Value("±8"))
    assert thermograph_svg(3) == Value(3)._repr_svg_()
