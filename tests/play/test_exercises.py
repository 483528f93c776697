"""Tests of exercise sheets about values: the same seed gives the same bytes, and the answers are correct."""

import re
from html.parser import HTMLParser
from random import Random

import pytest

from gridlock.core.grid import cells_of
from gridlock.engine.clock import Clock
from gridlock.engine.regions import regions
from gridlock.play import exercises as module
from gridlock.play.exercises import NAMES, exercises, value_by_rules, winning_cells
from gridlock.play.sheet import sheet_html
from gridlock.values import Value

SEED = 7


@pytest.fixture(scope="module")
def made():
    return list(exercises(SEED))


def test_the_same_seed_gives_the_same_bytes(made):
    assert sheet_html(SEED) == sheet_html(SEED)
    assert sheet_html(SEED) != sheet_html(SEED + 1)
    assert [one.title for one in made] == [
        *["Find the value"] * 4,
        *["Which region first?"] * 2,
        *["Why does mirroring work here?"] * 2,
    ]


def test_values_are_those_of_the_rules(made):
    for one, length in zip(made, NAMES, strict=False):
        value = value_by_rules(one.variant, one.position)
        assert one.value == value
        assert len(str(value)) in length
        assert f"alue is {value}." in one.answer[0]
        assert one.answer[1] == f"Its mean is {value.mean}, its temperature {value.temperature}."
    assert len({one.value for one in made[: len(NAMES)]}) == len(NAMES)


def test_the_winning_moves_are_in_the_key(made):
    for one in made[4:6]:
        names = re.search(r"wins with ([\d, ]+), and loses", one.answer[-1])[1].split(", ")
        found = [cell for cell in one.variant.legal_cells(one.position) if one.variant.name(cell) in names]
        assert found == winning_cells(one.variant, one.position)
        temperatures = [region.temperature for region in regions(one.variant, one.position, Clock()).regions]
        assert [sentence.partition("temperature ")[2].split(" ")[0].rstrip(".") for sentence in one.answer[:-1]] == [
            str(temperature) for temperature in temperatures
        ]


def test_a_mirror_answers_every_move(made):
    for one in made[6:]:
        pairs = dict(re.findall(r"(\d,\d) → (\d,\d)", one.answer[0]))
        legal = one.variant.legal_cells(one.position)
        assert list(pairs) == [one.variant.name(cell) for cell in legal]
        for cell in legal:
            answers = map(one.variant.name, cells_of(one.variant.legal(one.position.after(cell))))
            assert pairs[one.variant.name(cell)] in answers


def test_a_disagreement_makes_no_sheet(monkeypatch):
    monkeypatch.setattr(module, "value_by_rules", lambda *_: Value("*5"))
    with pytest.raises(AssertionError, match="disagree about the value"):
        list(exercises(SEED))
    monkeypatch.undo()
    monkeypatch.setattr(module.Engine, "weigh", lambda *_: type("Nothing", (), {"winning": [-1]}))
    with pytest.raises(AssertionError, match="disagree about the winning moves"):
        list(exercises(SEED))


class Page(HTMLParser):
    """A parser that checks whether a page's tags are closed in the right order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.text = [], []
        self.feed(text)

    def handle_starttag(self, tag, _attributes):
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, _attributes):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def test_the_page_stands_alone(made):
    html = sheet_html(SEED)
    page = Page(html)
    assert page.open == []
    assert html.count('<svg xmlns="http://www.w3.org/2000/svg"') == len(made) == 8
    assert not re.search(r"<script|<link|<img|url\(|(?:src|href)=", html)
    questions, key = html.split('<div class="key">')
    for one in made:
        assert one.question.replace("'", "&#x27;") in questions
        assert one.answer[-1].replace("'", "&#x27;") in key
    assert "wins with" not in questions
    assert "break-before:page" in html


def test_any_seed_makes_a_sheet(rng):
    assert len(list(exercises(rng.randrange(10**6)))) == 8


@pytest.mark.slow
def test_many_seeds_make_a_sheet():
    for seed in Random(1).sample(range(10**6), 10):
        assert len(list(exercises(seed))) == 8
