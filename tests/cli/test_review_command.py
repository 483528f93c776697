"""Tests of `gridlock review`: its JSON output, its text, and where it saves its picture."""

import json
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from gridlock.command import cli, run
from gridlock.core import records
from gridlock.play.review import review_game
from sample_games import a_game


def recorded(tmp_path, game):
    path = tmp_path / "game.txt"
    path.write_text(records.dump_text(game))
    return str(path)


def told(tmp_path, game, *arguments):
    """Return the command's output, and fail the test if the command fails."""
    arguments = ["review", recorded(tmp_path, game), *arguments]
    result = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def test_the_text_is_the_report(tmp_path):
    game = a_game("showdown", "3x3", "1,1 3,3")
    assert told(tmp_path, game).splitlines() == review_game(game, 10.0).report()


def test_every_step_is_in_the_json(tmp_path):
    game = a_game("showdown", "3x3", "1,1 3,3")  # the only winning opening is the centre
    facts = json.loads(told(tmp_path, game, "--json"))
    assert facts["steps"][0] == {
        "ply": 1,
        "kind": "move",
        "player": 1,
        "side": 1,
        "move": [1, 1],
        "passed": False,
        "winning_before": 1,
        "winning_after": 2,
        "mistake": True,
        "better": [[2, 2]],
    }
    assert (facts["game"], facts["board"], facts["adjacency"], facts["swap"]) == ("showdown", "3x3", "king", False)
    assert (facts["players"], facts["winner"], facts["termination"]) == (["Player 1", "Player 2"], None, None)


def test_swaps_resignations_and_passes_are_in_the_json(tmp_path):
    game = a_game("chain", "3x3", "1,2 swap 1,1 2,1 3,1", swap=True, names=("Ada", "Bob"))
    facts = json.loads(told(tmp_path, game, "--json"))
    assert [step["ply"] for step in facts["steps"]] == [1, 2, 3, 4, 5]
    swap = facts["steps"][1]
    assert (swap["kind"], swap["move"], swap["mistake"]) == ("swap", "swap", True)
    assert (swap["player"], swap["side"]) == (2, 2)
    assert swap["better"] == [[1, 1], [1, 3], [2, 2]]
    game = a_game("showdown", "5x5", "3,3 1,1 3,1", swap=True)
    assert json.loads(told(tmp_path, game, "--json"))["steps"][1]["better"] == ["swap"]
    game = a_game("showdown", "5x5", "3,3 swap 1,1 3,1 1,5", swap=True, names=("Ada", "Bob"))
    game.resign(2)
    facts = json.loads(told(tmp_path, game, "--json"))
    assert (facts["winner"], facts["termination"], facts["players"]) == (1, "resigned", ["Ada", "Bob"])
    last = facts["steps"][-1]
    assert (last["ply"], last["kind"], last["player"], last["side"], last["move"]) == (6, "resign", 2, 1, None)
    assert last["better"][:2] == [[1, 3], [2, 3]]
    facts = json.loads(told(tmp_path, a_game("scatter", "3x3", "2,2 1,1 1,3 3,1"), "--json"))
    assert [step["passed"] for step in facts["steps"]] == [False, False, True, True]


@pytest.fixture
def no_work(monkeypatch):
    """Make every review and every atlas search fail."""

    def work(*_):
        raise AssertionError("the work was begun")

    monkeypatch.setattr("gridlock.cli.commands.show.review_game", work)
    monkeypatch.setattr("gridlock.cli.commands.atlas.entry", work)


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize("command", ["review", "atlas"])
def test_a_picture_that_cannot_be_written_stops_the_command_at_once(tmp_path, capsys, command):
    source = recorded(tmp_path, a_game("chain", "3x3", "1,2")) if command == "review" else "chain"
    taken = tmp_path / "taken.txt"
    taken.write_text("mine")
    for target, code in ((tmp_path / "nowhere" / "a.svg", 1), (taken, 2), (tmp_path / f"{'a' * 300}.svg", 1)):
        assert run([command, source, "--svg", str(target)]) == code
        out, err = capsys.readouterr()
        assert out == ""
        assert str(tmp_path) in err
        assert len(err.splitlines()) <= 2
    assert run([command, source, "--svg", "-", "--json"]) == 2
    assert "'--svg -' and --json" in capsys.readouterr().err
    assert run([command, source, "--svg", ""]) == 2
    assert "'--svg': the file name is empty." in capsys.readouterr().err
    assert taken.read_text() == "mine"
    assert {path.name for path in tmp_path.iterdir()} <= {"game.txt", "taken.txt"}


@pytest.mark.parametrize("command", ["review", "atlas"])
def test_a_picture_that_fails_in_the_end_takes_nothing_else_with_it(tmp_path, capsys, monkeypatch, command):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("gridlock.cli.files.write_safely", full)
    source = [recorded(tmp_path, a_game("chain", "3x3", "1,2"))] if command == "review" else ["chain", "--up-to", "2x2"]
    for extra, words in (([], {"review": "Decided", "atlas": "theorem"}[command]), (["--json"], '"game": "chain"')):
        assert run([command, *source, "--svg", str(tmp_path / "a.svg"), *extra]) == 1
        out, err = capsys.readouterr()
        assert words in out
        assert "No space left on device" in err


@pytest.mark.parametrize("command", ["review", "atlas"])
def test_a_picture_on_the_output_comes_alone(tmp_path, capsys, command):
    source = [recorded(tmp_path, a_game("chain", "3x3", "1,2"))] if command == "review" else ["chain", "--up-to", "2x2"]
    assert run([command, *source, "--svg", "-"]) == 0
    ElementTree.fromstring(capsys.readouterr().out)


def test_help_says_which_games_can_be_reviewed():
    words = " ".join(CliRunner().invoke(cli, ["review", "--help"]).output.split())
    assert "GAME is a number or an id from 'gridlock games', or a file that contains a record" in words
    assert "Without GAME, review your last game" in words
