"""The atlas: every board once, the right winner and evidence, and a table and a picture that say the same."""

import json
import runpy
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from truth import EVERY_GAME

from gridlock.cli.atlas import evidence, picture, table
from gridlock.cli.main import cli
from gridlock.engine import reference
from gridlock.engine.analysis import Method, Verdict
from gridlock.engine.atlas import Entry, atlas
from gridlock.grid import Adjacency
from gridlock.rules import RULE_BOOKS, variant

SCRIPT = Path(__file__).parents[2] / "bench" / "atlas.py"


@pytest.mark.parametrize(("game", "adjacency"), EVERY_GAME)
def test_winners_and_evidence(game, adjacency):
    entries = list(atlas(RULE_BOOKS[game], Adjacency(adjacency), (3, 4), 10.0, 1 << 24))
    boards = [(entry.rows, entry.cols) for entry in entries]
    smallest = RULE_BOOKS[game].smallest
    assert boards == [(r, c) for r in range(1, 4) for c in range(r, 5) if r * c >= smallest]
    for entry in entries:
        if entry.rows * entry.cols <= 10:
            played = variant(game, f"{entry.rows}x{entry.cols}", adjacency)
            won = reference.solve(played, played.start()).win
            assert entry.verdict is (Verdict.WIN if won else Verdict.LOSS)
    known = {evidence(entry) for entry in entries}
    assert known <= ({"theorem"} if game in ("keepaway", "chain") else {"mirror", "search", "rules"})
    assert "search" not in known or game in ("scatter", "trails")


ENTRIES = [
    Entry(1, 1, Verdict.WIN, Method.MATCHING),
    Entry(1, 2, Verdict.LOSS, Method.MIRROR),
    Entry(1, 3, Verdict.WIN, Method.SEARCH),
    Entry(2, 2, Verdict.LOSS, Method.SEARCH),
    Entry(2, 3, Verdict.UNKNOWN, Method.SEARCH),
]


def test_the_table_holds_every_board_and_its_twin():
    assert table(ENTRIES) == [
        "      1   2   3",
        "  1  1t  2m  1s",
        "  2  2m  2s  ?",
    ]


def test_the_picture_has_a_square_for_every_board_and_its_twin():
    root = ElementTree.fromstring(picture(ENTRIES, "<Title> & more"))
    space = "{http://www.w3.org/2000/svg}"
    assert root.find(f"{space}title").text == "<Title> & more"
    assert root.find(f"{space}desc").text == "First player wins on 2 boards, second on 2, 1 are open."
    words = [text.text for text in root.findall(f"{space}text")]
    squares = [word for word in words if word in ("1t", "2m", "1s", "2s", "?")]
    assert squares == ["1t", "2m", "2m", "1s", "2s", "?"]  # 3x1 and 3x2 would be below the picture
    fills = [rect.get("fill") for rect in root.findall(f"{space}rect")]
    assert fills.count("url(#open)") == 1


def test_the_command(tmp_path):
    svg = tmp_path / "atlas.svg"
    arguments = ["atlas", "scatter", "--up-to", "3x3", "--svg", str(svg)]
    result = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert result.stdout.splitlines()[:4] == [
        "      1   2   3",
        "  1  1m  2m  2s",
        "  2  2m  2m  2m",
        "  3  2s  2m  2s",
    ]
    ElementTree.parse(svg)
    facts = json.loads(CliRunner().invoke(cli, ["atlas", "scatter", "--up-to", "2x3", "--json"]).output)
    assert (facts["game"], facts["adjacency"]) == ("scatter", "king")
    assert facts["boards"][:2] == [
        {"board": "1x1", "winner": "first", "evidence": "mirror"},
        {"board": "1x2", "winner": "second", "evidence": "mirror"},
    ]
    assert [board["board"] for board in facts["boards"]] == ["1x1", "1x2", "1x3", "2x2", "2x3"]


def test_the_command_refuses_boards_that_do_not_exist():
    result = CliRunner().invoke(cli, ["atlas", "scatter", "--up-to", "101x3"])
    assert result.exit_code == 2
    assert "--up-to" in result.output


def test_the_page_is_written_by_the_documented_command(tmp_path, monkeypatch):
    """On tiny boards here; it holds a table and a picture for every game and adjacency."""
    monkeypatch.setattr(sys, "argv", ["atlas.py", "--seconds", "30", "--docs", str(tmp_path), "--largest", "3x3"])
    runpy.run_path(str(SCRIPT), run_name="__main__")
    page = (tmp_path / "atlas.md").read_text()
    for game, adjacency in EVERY_GAME:
        assert f"(atlas/{game}-{adjacency}.svg)" in page
        ElementTree.parse(tmp_path / "atlas" / f"{game}-{adjacency}.svg")
    assert page.count("\n```\n") == 2 * len(EVERY_GAME)
    assert "Of 6 boards the first player wins 1 and the second 5 (4 by mirror, 2 by search). None is open." in page
