"""Tests that `gridlock rules` fits on one screen for every game, and that its diagram agrees with the rules."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from window import window

from gridlock import RULE_BOOKS, Variant, variant
from gridlock.cli.commands.rules import explain
from gridlock.command import run
from gridlock.play.lessons import tips

SHOWDOWN = """\
SHOWDOWN. Never put a marker next to one of your opponent's.

Players take turns to put a marker on an empty cell that touches none of the
opponent's markers. Your own markers don't hinder you, and the cells around them
are safe for you. If no cell is open to you on your turn, you lose.

    1 2 3 4 5
  1 . . . . .    After X at 3,3:
  2 . : : : .    . open to O, who is next
  3 . : X : .    : closed to O: the cell is adjacent to your opponent's marker
  4 . : : : .
  5 . . . . .

Board:   5x5, or another size with --board; cells touch at sides and corners
Moves:   row and column, such as 1 1 or 1,1; both count from 1
Goal:    leave the opponent no open cell on their turn; there are no draws
Theory:  the first player wins on 5x5, by a mirror strategy
Try it:  gridlock play showdown --player2 medium
"""


def fits(text: str) -> bool:
    lines = text.splitlines()
    return len(lines) <= 23 and max(map(len, lines)) <= 80 and all(line.isprintable() for line in lines)


def grid_of(lines: list[str], chosen: Variant) -> list[list[str]]:
    """Return the diagram's cells, row by row."""
    first, cols = chosen.book.origin, chosen.grid.cols
    header = [str(first + col) for col in range(cols)]
    top = next(at for at, line in enumerate(lines) if line.split()[:cols] == header)
    return [line.split()[1 : cols + 1] for line in lines[top + 1 : top + 1 + chosen.grid.rows]]


@pytest.mark.parametrize("name", RULE_BOOKS)
def test_every_game_fits_one_screen(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", name]) == 0
    out = capsys.readouterr().out
    explained, _, tips = out.partition("\n\nTips from the document")
    assert fits(explained)
    assert max(map(len, tips.splitlines())) <= 80
    assert f"gridlock play {name}" in explained
    assert RULE_BOOKS[name].summary in explained


@pytest.mark.parametrize("name", RULE_BOOKS)
def test_the_diagram_is_what_the_rules_say(name: str) -> None:
    chosen = variant(name)
    position = chosen.start()
    for row, col in chosen.book.example:
        cell = chosen.cell(row, col)
        assert cell is not None
        position = position.after(cell)
    cells = [glyph for row in grid_of(explain(chosen), chosen) for glyph in row]
    assert len(cells) == chosen.grid.size
    for cell, glyph in enumerate(cells):
        expected = chosen.content(position, cell)
        assert glyph == (expected or (":" if chosen.refusal(position, cell) else "."))
    assert "." in cells
    assert ":" in cells


def test_showdown_reads_as_it_should(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "Showdown"]) == 0
    assert capsys.readouterr().out.startswith(SHOWDOWN + "\nTips from the document, and what the engine says")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("chain", "the second player wins on 4x4; pairs of cells decide every position"),
        ("keepaway", "the first player wins on 3x3; pairs of cells decide every position"),
        ("showdown", "the first player wins on 5x5, by a mirror strategy"),
        ("trails", "no theorem decides 3x3; 'gridlock solve' works out who wins"),
    ],
)
def test_what_theory_says_stands_there(name: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", name]) == 0
    assert f"Theory:  {words}\n" in capsys.readouterr().out


def test_without_a_game_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules"]) == 0
    out = capsys.readouterr().out
    assert fits(out)
    for book in RULE_BOOKS.values():
        assert [line for line in out.splitlines() if line.startswith(book.name) and line.endswith(book.summary)]


def test_an_unknown_game_is_a_usage_error_that_names_the_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "chess"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "no game called 'chess'" in captured.err
    assert "keepaway, chain, scatter, trails, showdown" in captured.err


@pytest.mark.parametrize("board", [(2, 2), (12, 12), (100, 100)])
def test_a_sixth_game_is_explained_by_itself(
    board: tuple[int, int], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    last = board[0]
    sixth = replace(
        RULE_BOOKS["showdown"], name="sixth", title="Sixth", board=board, example=((last, last),), marks=("F", "K")
    )
    monkeypatch.setitem(RULE_BOOKS, "sixth", sixth)
    assert run(["rules", "sixth"]) == 0
    out = capsys.readouterr().out
    assert fits(out)
    assert f"After F at {last},{last}:" in out
    assert run(["rules"]) == 0
    assert "sixth" in capsys.readouterr().out


@pytest.mark.parametrize("name", RULE_BOOKS)
def test_it_ends_with_every_tip_and_what_the_engine_says_of_it(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", name]) == 0
    said = " ".join(capsys.readouterr().out.split())
    places = [said.index(text) for tip in tips(RULE_BOOKS[name]) for text in (f"- {tip.tip}", tip.finding)]
    assert len(places) >= 6
    assert places == sorted(places)
    assert said.endswith(f"gridlock learn {name}")


@pytest.mark.parametrize("name", RULE_BOOKS)
def test_the_example_of_a_move_is_possible(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", name]) == 0
    chosen = variant(name)
    example = re.search(r"such as (\d) (\d) or (\d),(\d)", capsys.readouterr().out)
    assert example is not None
    cell = chosen.cell(int(example[1]), int(example[2]))
    assert (example[1], example[2]) == (example[3], example[4])
    assert chosen.refusal(chosen.start(), cell) is None


@pytest.mark.parametrize(
    ("lines", "settings", "paged"),
    [
        (24, {"PAGER": "sed s/^/paged:/"}, True),
        (100, {"PAGER": "sed s/^/paged:/"}, False),
        (24, {"PAGER": "cat"}, False),
        (24, {"PAGER": "sed s/^/paged:/", "ACCESSIBLE": "1"}, False),
        (24, {"PAGER": "sed s/^/paged:/", "TERM": "dumb"}, False),
    ],
    ids=str,
)
def test_what_is_longer_than_the_window_is_paged(
    lines: int, settings: dict[str, str], paged: bool, tmp_path: Path
) -> None:
    with window("rules showdown", tmp_path, lines=lines, **settings) as told:
        assert told.exit_code() == 0
        assert ("paged:SHOWDOWN." in told.plain) is paged
        assert "gridlock learn showdown" in told.plain


def test_less_shows_the_first_page_and_q_leaves(tmp_path: Path) -> None:
    if not shutil.which("less"):
        pytest.skip("there is no less")
    with window("rules showdown", tmp_path) as told:
        told.wait_for(":")
        assert "SHOWDOWN." in told.plain
        assert "gridlock learn showdown" not in told.plain
        told.type("q")
        assert told.exit_code() == 0


def test_the_text_is_wrapped_once_in_a_narrow_window(tmp_path: Path) -> None:
    with window("rules chain", tmp_path, columns=60, PAGER="cat") as told:
        assert told.exit_code() == 0
        lines = told.plain.splitlines()
    tip = next(number for number, line in enumerate(lines) if line.startswith("- Control"))
    assert lines[tip : tip + 3] == [
        "- Control the Center: placing your markers near the center",
        "  increases your options for adjacency.",
        "  The centre does increase your options, but options alone",
    ]
