"""Tests that every claim on the datasets page is true."""

import doctest
import re
from pathlib import Path

import pytest

from gridlock.datasets.card import COLUMNS, DISTANCES

pytest.importorskip("pyarrow")
pytestmark = pytest.mark.slow
PAGE = Path(__file__).parents[2] / "docs" / "datasets.md"


def test_the_examples_run():
    results = doctest.testfile(str(PAGE), module_relative=False)
    assert results.failed == 0
    assert results.attempted > 12


def test_the_page_has_the_columns_of_the_card():
    listed = re.findall(r"^\| (`.*?`) \|", PAGE.read_text(), re.MULTILINE)
    assert [one.replace("`", "") for one in listed] == [*COLUMNS, *DISTANCES]
