"""Tests that the atlas shows each board with the right winner and evidence, in the table and in the picture."""

import json
import os
import runpy
import signal
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from bench import reference
from click.testing import CliRunner
from truth import EVERY_GAME

from gridlock.cli.commands.atlas import LEGEND, evidence, picture, table
from gridlock.cli.terminal import Progress
from gridlock.command import cli, run
from gridlock.core.rules import RULE_BOOKS, variant
from gridlock.engine.atlas import Entry, entry, recorded, sizes
from gridlock.engine.clock import Clock
from gridlock.engine.evidence import Method, Verdict
from gridlock.engine.hard_boards import HardBoard, Run

SCRIPT = Path(__file__).parents[2] / "bench" / "atlas.py"


@pytest.mark.parametrize(("game", "adjacency"), EVERY_GAME)
def test_winners_and_evidence(game, adjacency):
    boards = sizes(RULE_BOOKS[game], (3, 4))
    smallest = RULE_BOOKS[game].smallest
    assert boards == [(r, c) for r in range(1, 4) for c in range(r, 5) if r * c >= smallest]
    known = {}
    for rows, cols in boards:
        played = variant(game, f"{rows}x{cols}", adjacency)
        found = entry(played, Clock(10.0), 1 << 24)
        assert (found.rows, found.cols) == (rows, cols)
        known[rows, cols] = evidence(found)
        if rows * cols <= 10:
            won = reference.solve(played, played.start()).win
            assert found.verdict is (Verdict.WIN if won else Verdict.LOSS)
    if game == "trails":
        assert known.pop((1, 2)) == "theorem"  # neither player can move
    known = set(known.values())
    assert known <= ({"theorem"} if game in ("keepaway", "chain") else {"mirror", "search", "theorem"})
    assert "search" not in known or game in ("scatter", "trails")


ENTRIES = [
    Entry(1, 1, Verdict.WIN, Method.MATCHING),
    Entry(1, 2, Verdict.LOSS, Method.MIRROR),
    Entry(1, 3, Verdict.WIN, Method.SEARCH),
    Entry(2, 2, Verdict.LOSS, Method.SEARCH),
    Entry(2, 3, Verdict.UNKNOWN, Method.SEARCH),
]


def test_the_table_holds_every_board_and_its_twin():
    assert table(ENTRIES, (2, 3)) == [
        "      1   2   3",
        "  1  1t  2m  1s",
        "  2  2m  2s  ?",
    ]
    assert table(ENTRIES, (3, 2)) == [
        "      1   2",
        "  1  1t  2m",
        "  2  2m  2s",
        "  3  1s  ?",
    ]


def test_boards_fit_the_documented_maximum():
    assert sizes(RULE_BOOKS["chain"], (2, 3)) == [(1, 1), (1, 2), (1, 3), (2, 2), (2, 3)]
    assert sizes(RULE_BOOKS["chain"], (3, 2)) == [(1, 1), (1, 2), (3, 1), (2, 2), (3, 2)]


def test_the_picture_has_a_square_for_every_board_and_its_twin():
    root = ElementTree.fromstring(picture(ENTRIES, "<Title> & more", (2, 3)))
    space = "{http://www.w3.org/2000/svg}"
    assert root.find(f"{space}title").text == "<Title> & more"
    assert root.find(f"{space}desc").text == "The first player wins on 2 boards, the second on 2; open: 1."
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
        "  1  1m  2m  2t",
        "  2  2m  2m  2m",
        "  3  2t  2m  2t",
    ]
    ElementTree.parse(svg)
    facts = json.loads(CliRunner().invoke(cli, ["atlas", "scatter", "--up-to", "2x3", "--json"]).output)
    assert (facts["game"], facts["adjacency"]) == ("scatter", "king")
    cheap = {"positions": 0, "recorded": False}
    assert all(board.pop("seconds") < 5 for board in facts["boards"])
    assert facts["boards"][:2] == [
        {"board": "1x1", "winner": 1, "method": "mirror", **cheap},
        {"board": "1x2", "winner": 2, "method": "mirror", **cheap},
    ]
    assert [board["board"] for board in facts["boards"]] == ["1x1", "1x2", "1x3", "2x2", "2x3"]


def test_the_command_refuses_boards_that_do_not_exist(capsys):
    result = CliRunner().invoke(cli, ["atlas", "scatter", "--up-to", "101x3"])
    assert result.exit_code == 2
    assert "--up-to" in result.output
    assert run(["atlas", "trails", "--up-to", "1x1"]) == 2
    assert "--up-to: Trails needs a board of at least 2 cells." in capsys.readouterr().err


def test_a_tall_atlas():
    result = CliRunner().invoke(cli, ["atlas", "trails", "--up-to", "3x2"], catch_exceptions=False)
    assert result.stdout.splitlines()[:-1] == ["      1   2", "  1      2t", "  2  2t  2m", "  3  1s  2m"]
    assert "r: " not in result.stdout
    facts = json.loads(CliRunner().invoke(cli, ["atlas", "trails", "--up-to", "3x2", "--json"]).output)
    costs = [board.pop("positions") for board in facts["boards"]]
    assert costs[1] > 0 == costs[0] == costs[2]
    assert all(board.pop("seconds") < 5 and not board.pop("recorded") for board in facts["boards"])
    assert facts["boards"] == [
        {"board": "1x2", "winner": 2, "method": "rules"},
        {"board": "3x1", "winner": 1, "method": "search"},
        {"board": "2x2", "winner": 2, "method": "mirror"},
        {"board": "3x2", "winner": 2, "method": "mirror"},
    ]


def test_ctrl_c_leaves_the_rest_open(monkeypatch, capsys, tmp_path):
    def interrupted_at_the_third(variant, clock, memory, _checkpoint):
        if variant.grid.size == 3:
            os.kill(os.getpid(), signal.SIGINT)
        return entry(variant, clock, memory)

    monkeypatch.setattr("gridlock.engine.atlas.entry", interrupted_at_the_third)
    svg = tmp_path / "a.svg"
    assert run(["atlas", "scatter", "--up-to", "2x3", "--svg", str(svg)]) == 130
    out, err = capsys.readouterr()
    assert out.splitlines()[:-1] == ["      1   2   3", "  1  1m  2m  ?", "  2  2m  ?   ?"]
    assert err == "Interrupted: 2 of 5 boards are finished. No picture was written.\n"
    assert not svg.exists()


def test_progress_names_the_board(monkeypatch):
    def takes_a_while(variant, clock, memory, _checkpoint):
        clock._progress(1234, 2.0)
        return entry(variant, clock, memory)

    named = []
    monkeypatch.setattr("gridlock.engine.atlas.entry", takes_a_while)
    monkeypatch.setattr(Progress, "tell", lambda progress, words: named.append((progress.what, words)))
    assert run(["atlas", "chain", "--up-to", "1x2"]) == 0
    words = "1,234 positions, 2 s"
    assert named == [("Atlas of chain, 1x1", words), ("Atlas of chain, 1x2", words)]


def test_a_checkpoint_holds_the_finished_boards(monkeypatch, capsys, tmp_path):
    """A resumed run solves only the missing boards; it retries an unsolved board if the time limit has changed."""
    asked = []

    def counted(variant, clock, memory, _checkpoint):
        asked.append((str(variant.grid), clock.left > 5))
        if variant.grid.size == 6 and clock.left < 5:
            return Entry(2, 3, Verdict.UNKNOWN, Method.SEARCH)
        if (rows_and_time := asked[-1]) == ("2x2", False) and asked.count(rows_and_time) == 1:
            os.kill(os.getpid(), signal.SIGINT)
        return entry(variant, clock, memory)

    monkeypatch.setattr("gridlock.engine.atlas.entry", counted)
    path = tmp_path / "boards"
    words = ["atlas", "scatter", "--up-to", "2x3", "--checkpoint", str(path)]
    assert run([*words, "--time", "3"]) == 130
    err = f"Interrupted: 3 of 5 boards are finished. Run the same command again to resume from {path}.\n"
    assert capsys.readouterr().err == err
    assert run([*words, "--time", "3"]) == 0
    assert capsys.readouterr().out.splitlines()[:-1] == ["      1   2   3", "  1  1m  2m  2t", "  2  2m  2m  ?"]
    assert run([*words, "--time", "3"]) == 0
    assert run([*words, "--time", "9"]) == 0
    assert capsys.readouterr().out.splitlines()[-2] == "  2  2m  2m  2m"
    boards = [board for board, _ in asked]
    assert boards == ["1x1", "1x2", "1x3", "2x2", "2x2", "2x3", "2x3"]
    assert asked[-1] == ("2x3", True)
    assert run(["atlas", "chain", "--checkpoint", str(path)]) == 3
    assert "is a ledger of another run" in capsys.readouterr().err
    assert run(["atlas", "chain", "--checkpoint", ""]) == 2


class Brief(Clock):
    """A clock that stops a search after a given number of positions."""

    def __init__(self, most):
        super().__init__()
        self.most = most

    def __call__(self, nodes):
        return self.over or nodes > self.most


@pytest.mark.slow
def test_a_long_search_is_resumed_in_the_middle(monkeypatch, tmp_path):
    monkeypatch.setattr("gridlock.engine.atlas.MOMENT", 0.0)
    played, path = variant("trails", "5x7", "king"), tmp_path / "boards.5x7"
    whole = entry(played, Clock())
    assert (whole.verdict, whole.seconds > 0) == (Verdict.WIN, True)
    assert entry(played, Brief(whole.positions // 2), checkpoint=path).verdict is Verdict.UNKNOWN
    assert path.exists()
    resumed = entry(played, Clock(), checkpoint=path)
    assert resumed.verdict is Verdict.WIN
    assert resumed.positions < whole.positions
    assert not path.exists()


def test_recorded_results(monkeypatch, capsys):
    """A recorded result is used for both orientations of a board, unless --no-recorded is given."""
    runs = (Run("gridlock solve", "0.1.0", (), 1234, 7200),)
    board = HardBoard("trails", 2, 3, "orthogonal", 1, None, runs)  # false on purpose
    monkeypatch.setattr("gridlock.engine.hard_boards.hard_boards", lambda: (board,))
    assert run(["atlas", "trails", "--up-to", "2x3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2] == "  2  2t  2m  1s"
    rest = "Solved boards that are not listed here took less than 1 s each."
    assert lines[-1] == f"Processor time: 2.0 h for 2x3 (recorded earlier). {rest}"
    on_gpu = board._replace(runs=(runs[0]._replace(machine="one GPU"),))
    monkeypatch.setattr("gridlock.engine.hard_boards.hard_boards", lambda: (on_gpu,))
    assert run(["atlas", "trails", "--up-to", "2x3"]) == 0
    assert "2.0 h for 2x3 (recorded earlier, on one GPU)." in capsys.readouterr().out
    monkeypatch.setattr("gridlock.engine.hard_boards.hard_boards", lambda: (board,))
    assert run(["atlas", "trails", "--up-to", "3x2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["boards"][-1]
    cost = {"positions": 1234, "seconds": 7200, "recorded": True}
    assert told == {"board": "3x2", "winner": 1, "method": "search", **cost}
    assert run(["atlas", "trails", "--up-to", "2x3", "--no-recorded"]) == 0
    assert capsys.readouterr().out.splitlines()[2:] == ["  2  2t  2m  2m", LEGEND]
    assert recorded(RULE_BOOKS["trails"], "king", (2, 3)) is None
    lost = board._replace(winner=None)
    monkeypatch.setattr("gridlock.engine.hard_boards.hard_boards", lambda: (lost,))
    assert recorded(RULE_BOOKS["trails"], "orthogonal", (2, 3)) is None


@pytest.mark.slow
def test_processes_find_the_same(capsys, tmp_path):
    words = ["atlas", "trails", "--up-to", "4x4"]
    assert run(words) == 0
    alone = capsys.readouterr().out
    assert run([*words, "--processes", "2", "--checkpoint", str(tmp_path / "c")]) == 0
    assert capsys.readouterr().out == alone


def test_the_page_is_written_by_the_documented_command(tmp_path, monkeypatch):
    """Even if only tiny boards are solved, the page has a table and a picture for every game and adjacency."""
    data = tmp_path / "atlas.json"
    places = ["--docs", str(tmp_path), "--data", str(data)]
    monkeypatch.setattr(sys, "argv", ["atlas.py", "--seconds", "30", "--largest", "3x3", *places])
    runpy.run_path(str(SCRIPT), run_name="__main__")
    page = (tmp_path / "atlas.md").read_text()
    for game, adjacency in EVERY_GAME:
        assert f"(atlas/{game}-{adjacency}.svg)" in page
        ElementTree.parse(tmp_path / "atlas" / f"{game}-{adjacency}.svg")
    assert page.count("\n```\n") == 2 * len(EVERY_GAME)
    for how in ("2 (theorem), 4 (mirror)", "1 (theorem), 4 (mirror), 1 (search)"):
        assert (
            "Of the 6 boards, the first player wins on 1, and the second player on 5. "
            f"Boards solved, by method of proof: {how}. No board is open."
        ) in page
    written = json.loads(data.read_text())
    assert (written["side"], len(written["tables"])) == (3, len(EVERY_GAME))
