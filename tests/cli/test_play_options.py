"""Tests of the options of `gridlock play`."""

import io
import re
import sys
from pathlib import Path

import pytest

from gridlock.command import run
from gridlock.core.records import loads


class Played:
    """A helper that runs a command in a temporary folder, and returns the exit code and the output."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def __call__(self, command: str, *lines: str) -> tuple[int, str, str]:
        self._monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        code = run(command.split())
        printed = self._capsys.readouterr()
        return code, printed.out, printed.err


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Played:
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return Played(monkeypatch, capsys)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("play", "which game? For example: gridlock play"),
        ("play chess", "there is no game called 'chess'. The games are keepaway, chain"),
        ("play chain --board 5", "'5' is not a board. Give rows x columns, such as 5x6."),
        ("play chain --board 0x5", "boards go from 1x1 to 100x100"),
        ("play chain --board 101x5", "boards go from 1x1 to 100x100"),
        ("play trails --board 1x1", "Trails needs a board of at least 2 cells"),
        ("play chain --adjacency knight", "king"),
        ("play chain --starts 3", "random"),
        ("play chain --rounds 0", "0"),
        ("play chain --player2 nobody", "human"),
        ("play chain --seed x", "x"),
        ("play chain --clock x", "'x' is not a time control. Give minutes and added seconds, such as 5+3."),
        ("play chain --clock 0+3", "A clock starts with 1 to 180 minutes"),
        ("play chain --clock 5+3", "--clock needs the full screen, which cannot be opened here."),
        ("play chain --record nowhere/game.txt", "there is no folder nowhere"),
        ("play chain --record taken.txt", "already exists"),
        ("play \x1b[2Jchain", "there is no game called"),
    ],
)
def test_wrong_usage(command: str, words: str, played: Played, tmp_path: Path) -> None:
    (tmp_path / "taken.txt").touch()
    code, out, err = played(command)
    assert (code, out) == (2, "")
    assert words in err
    assert "\x1b" not in err
    assert not list(tmp_path.rglob("*.json"))


def test_the_seed_repeats_everything(played: Played) -> None:
    command = "play showdown --player1 random --player2 random --rounds 4 --starts random --swap --seed"
    outputs = [played(f"{command} {seed}")[1] for seed in (1, 1, 2, 3, 4)]
    assert outputs[0] == outputs[1]
    assert len(set(outputs)) == 4
    starters = {re.search(r"Round 1 of 4: (Player \d)", text)[1] for text in outputs}  # type: ignore[index]
    assert starters == {"Player 1", "Player 2"}


def test_a_resumed_match_continues_unchanged(played: Played) -> None:
    command = "play scatter --player2 random --seed 11 --board 4x4"
    whole = played(command, "1 1", "4 4", "1 4")[1]
    first = played(command, "1 1")[1]
    second = played("resume", "4 4", "1 4")[1]
    plays = [[line for line in text.splitlines() if " plays " in line] for text in (whole, first + second)]
    assert plays[0] == plays[1]
    assert len(plays[0]) == 3
    assert whole.split("\n\n")[-2] == second.split("\n\n")[-2]  # the final board is the same


def test_the_record_holds_the_match(played: Played, tmp_path: Path) -> None:
    played("play keepaway --rounds 3 --name1 Ada --record match.txt", "2 2", "1 1", "resign", "1 1", "3 3")
    games = loads((tmp_path / "match.txt").read_text())
    assert [game.moves for game in games] == [[4], [0], [0, 8]]
    assert [game.outcome is None for game in games] == [False, False, True]
    assert games[0].names[0] == "Ada"
    played("resume", "1 3")  # the record continues with the match
    assert loads((tmp_path / "match.txt").read_text())[2].moves == [0, 8, 2]


def test_saving_by_hand(played: Played, tmp_path: Path) -> None:
    out = played("play trails", "0 1", "save  my game.txt", "1 2", "save game2.txt")[1]
    assert "Saved to my game.txt." in out
    (first,) = loads((tmp_path / "my game.txt").read_text())
    (second,) = loads((tmp_path / "game2.txt").read_text())
    assert (first.moves, second.moves) == ([1], [1, 5])


def test_names_are_made_fit_to_be_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "stdin", io.StringIO("3 3\n"))
    assert run(["play", "scatter", "--name1", "\x1b[31mEve\x1b[0m\n\u202e", "--name2", "\udcff" * 50 + "x" * 90]) == 0
    out = capsys.readouterr().out
    assert "Eve (X), enter your move (row column): 3 3" in out
    assert f"{'x' * 32} (O), enter your move (row column): " in out
