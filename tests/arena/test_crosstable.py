"""Tests of cross-tables as terminal output, web pages and pictures."""

import random
import re
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simulated_results import game, renamed, round_robin

from gridlock.arena.crosstable import Crosstable, Record, crosstable
from gridlock.arena.crosstable_html import as_html
from gridlock.arena.crosstable_svg import as_svg
from gridlock.arena.crosstable_text import as_text
from gridlock.arena.intervals import Axis
from gridlock.arena.ratings import Rating
from gridlock.drawing.text import printed_width

SVG = "{http://www.w3.org/2000/svg}"
NASTY = "</title></text><script>alert(1)</script>\"' onload=alert(1)\x1b[2J\x00\u202e&amp;"
JAPANESE = [
    "将棋の達人",
    "ミニマックス探索エンジン",
    "佐藤",
    "강한 선수",
    "モンテカルロ木探索によるとても長い名前のプレイヤー",
]


def played(count: int, pairs: int = 2, names: list[str] | None = None, **more: Any) -> list[dict[str, Any]]:
    """Return the games of a round robin between players listed from strongest to weakest."""
    names = names or [f"player {number}" for number in range(1, count + 1)]
    return [one | more for one in round_robin(
        {name: -0.4 * at for at, name in enumerate(names[:count])}, pairs, random.Random(count)
    )]  # fmt: skip


def table(count: int = 4, **more: Any) -> Crosstable:
    return crosstable(played(count, **more), "A tournament")


class Tags(HTMLParser):
    """A parser that checks that every element is properly closed and collects the text, elements and attributes."""

    VOID = ("meta",)

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.attributes: set[str] = set()
        self.texts: list[str] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.attributes |= {name for name, _ in attrs}
        self.open += [] if tag in self.VOID else [tag]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


# -- what it says ------------------------------------------------------------------------------------------------------


def test_every_result_is_counted_once_for_each_side() -> None:
    games = played(5, 3)
    found = crosstable(games)
    names = [line.name for line in found.lines]
    for line in found.lines:
        for other, record in zip(names, line.against, strict=True):
            between = [one for one in games if {one["a"], one["b"]} == {line.name, other}]
            if not between:
                assert record is None
                continue
            wins = sum(one[one["winner"]] == line.name for one in between)
            assert record == Record(wins, len(between) - wins)
        met = [record for record in line.against if record]
        assert line.total == Record(sum(one.won for one in met), sum(one.lost for one in met))
        assert line.first.games + line.second.games == line.total.games
    assert [line.rating.elo for line in found.lines] == sorted((line.rating.elo for line in found.lines), reverse=True)


def test_what_exact_knowledge_says_is_added_up_over_the_games_where_it_is_known() -> None:
    games = [
        game("x", "y", "a", 1, kept=[5, 0], blunders=[0, 0], regret=[0.0, 1.0]),
        game("y", "x", "a", 1, kept=[3, 2], blunders=[1, 2], regret=[2.0, 4.0]),
        game("x", "y", "a", 2),
    ]
    x, y = crosstable(games).lines
    assert (x.name, x.kept, x.blunders, x.regret) == ("x", 7, 2, 2.0)
    assert (y.name, y.kept, y.blunders, y.regret) == ("y", 3, 1, 1.5)
    text = "\n".join(as_text(crosstable(games)))
    assert "Wins kept  Blunders  Regret  Forfeits" in text
    assert "77.8%         2    2.00" in text
    unknown = "\n".join(as_text(table()))
    assert "Blunders" not in unknown
    assert "Wins kept" not in unknown


def test_forfeits_are_listed_with_their_reasons() -> None:
    games = [game("x", "y", "a", reason=reason) for reason in ("time", "time", "illegal move", "stuck", "adjudicated")]
    found = crosstable(games)
    assert found.lines[1].forfeits == {"illegal move": 1, "out of time": 2}
    assert "y forfeited 3 games: illegal move (1), out of time (2)." in found.notes
    assert not any("x forfeited" in note for note in found.notes)
    many = crosstable(played(14, reason="time"))
    assert len([note for note in many.notes if "forfeited" in note]) == 11
    assert re.search(r"^\d more players forfeited \d+ games\.$", many.notes[-1], re.MULTILINE)


def test_sides_are_counted_over_all_games_and_by_board() -> None:
    games = [game("x", "y", "a", first="a"), game("x", "y", "a", first="b"), game("y", "x", "a", board="9x9")]
    notes = crosstable(games).notes
    assert "The player who moved first won 2 of 3 games (67%)." in notes
    assert "By game and board: showdown 7x7 1 of 2 games (50%); showdown 9x9 1 of 1 game (100%)." in notes


def test_names_that_would_look_the_same_are_numbered() -> None:
    long = "a" * 32
    games = [game("x\x00", "x", "a"), game(f"{long}1", f"{long}2", "a"), game("x", f"{long}1", "a"), game("", "x", "a")]
    names = sorted(line.name for line in crosstable(games).lines)
    assert names == ["(no name)", long, f"{long} (2)", "x", "x (2)"]


def test_without_games_there_is_a_sentence() -> None:
    empty = crosstable([])
    for drawn in ("\n".join(as_text(empty)), as_html(empty), as_svg(empty)):
        assert "No game has been finished yet." in drawn


# -- on the terminal ---------------------------------------------------------------------------------------------------


def test_a_small_table_as_text() -> None:
    games = [game("hard", "easy", "a", number, first=first) for number in range(4) for first in "ab"]
    games += [game("hard", "easy", "b", 5, first=first) for first in "ab"]
    assert as_text(crosstable(games, "Two levels"))[:8] == [
        "Two levels",
        "",
        "#  Player   Elo  +/-  Games  Score    1    2",
        "1  hard    +112  169     10  80.0%    .  8-2",
        "2  easy    -112  169     10  20.0%  2-8    .",
        "",
        "#  Player    LOS  Forfeits  First  Second",
        "1  hard    90.4%         0  80.0%   80.0%",
    ]


@pytest.mark.parametrize("count", [2, 5, 8, 30, 60])
@pytest.mark.parametrize("names", [None, JAPANESE])
@pytest.mark.parametrize("columns", [80, 120])
def test_a_table_fits_the_window_and_says_what_is_left_out(count: int, names: list[str] | None, columns: int) -> None:
    names = names and [f"{names[at % 5]}{at or ''}" for at in range(count)]
    found = table(count, names=names, kept=[30, 25], blunders=[1, 12], regret=[0.5, 100.25], pairs=1)
    lines = as_text(found, columns)
    assert max(map(printed_width, lines)) <= columns
    shown = min(count, 40)
    assert [line.split()[0] for line in lines[3 : 3 + shown]] == [str(at) for at in range(1, shown + 1)]
    heads = [int(head) for head in lines[2].split()[6:]]
    assert heads == list(range(1, len(heads) + 1))
    left_out = [line for line in lines if line.startswith("Left out")]
    assert len(left_out) == (len(heads) < count)
    if count == 60:
        assert f"columns against players {len(heads) + 1} to 40 and players 41 to 60" in " ".join(lines)


def test_columns_line_up_below_wide_characters() -> None:
    lines = as_text(table(5, names=JAPANESE))
    ends = {printed_width(re.match(r".*%", line)[0]) for line in lines[3:8]}  # type: ignore[index]
    assert len(ends) == 1


def test_groups_that_no_game_connects_stand_apart() -> None:
    games = [game("u", "v", "a", reason="time"), game("v", "w", "a"), game("x", "y", "a")]
    found = crosstable(games)
    assert [line.begins_group for line in found.lines] == [False, False, False, True, False]
    assert [line.superiority is None for line in found.lines] == [False, False, True, False, True]
    lines = as_text(found)
    assert lines[6] == ""
    assert found.notes[0].startswith("No games connect these 2 groups")


# -- as a page and a picture -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [2, 7, 30])
def test_the_page_is_well_formed_and_has_every_result(count: int) -> None:
    found = table(count, kept=[3, 2], blunders=[0, 1])
    page = Tags(as_html(found))
    assert page.texts.count("A tournament") == 2
    for line in found.lines:
        assert page.texts.count(line.name) == 2
        for record in line.against:
            assert record is None or str(record) in page.texts
    assert page.seen.count("tr") == 2 * (count + 1)
    assert set(page.seen) == {
        "html", "head", "meta", "title", "style", "body", "h1", "h2", "div", "table", "thead", "tbody", "tr", "th",
        "td", "abbr", "svg", "path", "circle", "ul", "li",
    }  # fmt: skip
    assert not {name for name in page.attributes if name.startswith("on") or name in ("src", "href", "style")}


@pytest.mark.parametrize(
    ("count", "paper", "points"), [(2, "portrait", "8"), (9, "landscape", "8"), (24, "landscape", "4")]
)
def test_a_wide_table_is_printed_in_small_letters_on_wide_paper(count: int, paper: str, points: str) -> None:
    page = as_html(table(count, pairs=1))
    assert f"@page{{size:{paper};" in page
    assert f"@media print{{html{{font-size:{points}pt}}" in page


@pytest.mark.parametrize("count", [2, 7, 30])
def test_the_picture_is_well_formed_and_has_every_result(count: int) -> None:
    found = table(count, kept=[3, 2], blunders=[0, 1])
    root = ElementTree.fromstring(as_svg(found))
    _, _, width, height = map(int, root.get("viewBox", "").split())
    texts = [(text.text, float(text.get("x", "")), float(text.get("y", ""))) for text in root.iter(f"{SVG}text")]
    assert all(0 < x < width and 0 < y < height for _, x, y in texts)
    words = [text for text, _, _ in texts]
    for line in found.lines:
        assert words.count(line.name) == 2
        assert all(record is None or str(record) in words for record in line.against)
    assert len(list(root.iter(f"{SVG}circle"))) == count
    assert f"1. {found.lines[0].name}, Elo +" in (root.findtext(f"{SVG}desc") or "")
    rules = [line for line in (root.findtext(f"{SVG}style") or "").split("\n") if line not in ("", "}")]
    assert all(line.startswith((".gridlock-table", "@media")) for line in rules)


@settings(max_examples=40)
@given(st.text(max_size=60) | st.just(NASTY), st.text(max_size=40) | st.just(NASTY))
def test_a_name_or_reason_can_never_become_anything_but_text(name: str, reason: str) -> None:
    games = renamed(played(3, 1), {"player 1": name, "player 2": f"{name}2", "player 3": "x3"})
    found = crosstable([{**one, "reason": reason, "board": reason} for one in games], name)
    page, picture = as_html(found), as_svg(found)
    for drawn in (page, picture, "\n".join(as_text(found))):
        drawn.encode()
        assert all(char.isprintable() or char == "\n" for char in drawn.replace("\u200d", ""))  # it joins emoji
    assert "script" not in Tags(page).seen
    assert not {attribute for attribute in Tags(page).attributes if attribute.startswith("on")}
    root = ElementTree.fromstring(picture)
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        "svg", "title", "desc", "style", "rect", "path", "circle", "g", "text"
    }  # fmt: skip
    assert not [attribute for element in root.iter() for attribute in element.attrib if attribute.startswith("on")]


def test_the_axis_has_room_for_every_interval_and_few_ticks() -> None:
    for ratings in (
        [Rating(0, 1)],
        [Rating(0, 1e-9)],
        [Rating(900, 300), Rating(-900, 300)],
        [Rating(40, 13), Rating(-40, 13)],
    ):
        axis = Axis(ratings, 150)
        for elo, margin in ratings:
            assert 0 <= axis.place(elo - margin) <= axis.place(elo + margin) <= 150
        assert 0 in axis.ticks
        assert len(axis.ticks) <= 6


def test_shades_follow_the_share_of_wins() -> None:
    assert [Record(won, 10 - won).shade for won in (0, 3, 5, 7, 10)] == ["least", "lost", "even", "won", "most"]
