"""Tests of the page about values: its examples, its claims and its pictures."""

import doctest
import runpy
from pathlib import Path

from gridlock.values import Value, star, switch, thermograph_svg, value_of

DOCS = Path(__file__).parents[2] / "docs"


def test_the_examples_are_true():
    results = doctest.testfile(str(DOCS / "values.md"), module_relative=False)
    assert results.failed == 0
    assert results.attempted > 15


def test_the_pictures_are_those_that_the_package_draws():
    pictures = runpy.run_path(str(DOCS / "thermographs.py"))["PICTURES"]
    page = (DOCS / "values.md").read_text()
    for name, value in pictures.items():
        drawn = (DOCS / "images" / f"thermograph-{name}.svg").read_text()
        assert drawn == thermograph_svg(Value(value)), "run: python docs/thermographs.py"
        assert f"(images/thermograph-{name}.svg)" in page


def test_rows_of_cells_in_showdown_are_the_switches_of_the_page():
    def options(row):
        """Return the positions that each player can reach with one move in a single row of cells.

        Each cell is open to Left (l), Right (r), both (b) or neither (-).
        """

        def taken(place, own, others):
            closed = {"b": own, others: "-"}
            around = [closed.get(cell, cell) if abs(other - place) == 1 else cell for other, cell in enumerate(row)]
            return "".join(around[:place]) + "-" + "".join(around[place + 1 :])

        return [[taken(place, *who) for place, cell in enumerate(row) if cell in ("b", who[0])] for who in ("lr", "rl")]

    assert [value_of(row, options) for row in ("b", "bb", "bbb", "lll")] == [star, switch(1, -1), switch(2, -2), 3]


def test_taking_the_hotter_switch_first_is_better():
    total = switch(2, -2) + switch(1, -1)
    assert total.stops == (1, -1)
    assert (2 + switch(1, -1)).stops[1] == 1
    assert (1 + switch(2, -2)).stops[1] == -1
