"""Tests of `gridlock engine --check`, which lists a program's faults in order, with the lines sent and received."""

import sys

import pytest

from bot_checks import BOTS, nothing_remains, spec
from gridlock.command import run as command_line
from gridlock.players import check as players_check
from gridlock.players import conversations, program_players
from gridlock.players.check import check

FIRST = f"{BOTS / 'functions.py'}:first"
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what remains is looked up in /proc")


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raise the time limits so that correct programs meet them even on a busy machine."""
    for place in (program_players, players_check):
        monkeypatch.setattr(place, "MARGIN", 60.0)
    monkeypatch.setattr(players_check, "PATIENCE", 60.0)


def run(command: str, *options: str) -> int:
    return command_line(["engine", "--check", command, *options])


@pytest.mark.usefixtures("patience")
def test_a_good_function_passes(capsys: pytest.CaptureFixture[str]) -> None:
    with nothing_remains():
        assert run(FIRST) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "ok    starts and speaks UGI"
    assert told[-2:] == ["ok    ends after 'quit'", "All 9 checks passed."]


@pytest.mark.usefixtures("patience")
def test_a_good_line_bot_passes() -> None:
    with nothing_remains():
        findings = check(spec("line_bot", "process"), ["scatter"])
    assert [(one.what, one.wrong) for one in findings] == [
        ("starts", ""),
        ("plays a game of scatter with legal moves, one for each turn", ""),
        ("says nothing unasked", ""),
        ("ends when its input ends", ""),
    ]


@pytest.mark.usefixtures("patience")
def test_a_fault_is_shown_with_the_conversation(capsys: pytest.CaptureFixture[str]) -> None:
    with nothing_remains():
        assert run(spec("plays_illegally"), "--game", "chain") == 4
    assert capsys.readouterr().out.splitlines() == [
        "ok    starts and speaks UGI",
        "FAIL  plays a game of chain with legal moves, one for each turn",
        "      The computer (plays_illegally.py) failed: it played '99,99', which is not possible: "
        "the cell is outside the grid.",
        "        sent:      uginewgame",
        "        sent:      position fen chain:orthogonal:4/4/4/4:X:-:-:-",
        "        sent:      go movetime 200",
        "        came back: bestmove 99,99",
        "ok    ignores a command that it does not know",
        "ok    answers 'stop' with a move",
        "ok    says nothing unasked",
        "ok    ends after 'quit'",
        "1 of 6 checks failed.",
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bot", "wrong"),
    [
        ("dies_at_once", ["starts"]),
        ("never_greets", ["starts"]),
        ("hangs", ["plays a game", "answers 'stop'"]),
        ("ignores_everything", ["plays a game", "ends after 'quit'"]),
        ("moves_out_of_turn", ["plays a game", "says nothing unasked"]),
    ],
)
def test_each_fault_is_found_in_its_place(bot: str, wrong: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    if bot == "never_greets":
        monkeypatch.setattr(conversations, "STARTING", 0.5)
    with nothing_remains():
        found = [one.what for one in check(spec(bot), ["showdown"]) if one.wrong]
    for words, what in zip(wrong, found, strict=True):
        assert what.startswith(words), found


def test_wrong_usage_gets_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("./nowhere") == 2
    assert "there is no program './nowhere'" in capsys.readouterr().err
    assert run(FIRST, "--game", "chess") == 2
    assert "chess" in capsys.readouterr().err
    assert command_line(["engine", "--game", "showdown"]) == 2
    assert "--game needs --check, the program to test." in capsys.readouterr().err
