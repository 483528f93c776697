"""Tests that `gridlock` without arguments asks questions in a terminal, and otherwise prints help."""

import subprocess
import sys
from pathlib import Path

import pytest
from window import window

from gridlock.command import run

pytestmark = pytest.mark.slow


def test_enter_enter_enter_starts_a_game(tmp_path: Path) -> None:
    with window("--plain", tmp_path) as asked:
        asked.wait_for("Which game [showdown]? ")
        asked.enter("", "Which opponent [medium]? ")
        asked.enter("", "Which board [5x5]? ")
        asked.enter("", "Who starts [1]? ")
        asked.enter("", "Player 1 (X), enter your move (row and column): ")
        asked.enter("3 3", "Player 1 (X), enter your move (row and column): ")  # the computer has answered
        assert "Player 2 (O) plays " in asked.plain


def test_answers_by_number_name_and_beginning(tmp_path: Path) -> None:
    with window("--plain", tmp_path) as asked:
        asked.wait_for("Which game [showdown]? ")
        asked.enter("2", "Which opponent [medium]? ")
        asked.enter("HUM", "Which board [4x4]? ")
        asked.enter(" 2 X 3 ", "Who starts [1]? ")
        asked.enter("", "Enter the row number (1-2): ")


def test_nonsense_is_asked_again(tmp_path: Path) -> None:
    with window("--plain", tmp_path) as asked:
        asked.wait_for("Which game [showdown]? ")
        for nonsense in ("0", "99", "s", "chess", "\udcff", "\x1b[31m", "٣", "9" * 500):
            asked.enter(nonsense, "Which game [showdown]? ")
            assert "Enter a number from 1 to 5, or one of: keepaway," in asked.plain
        asked.enter("sh", "]? ")
        asked.enter("human", "Which board [5x5]? ")
        for nonsense in ("5", "0x0", "101x101", "axb", "5x5x5", "\udcff", "9" * 500):
            asked.enter(nonsense, "Which board [5x5]? ")
            assert "board" in asked.plain.partition("\n")[2].partition("\n")[0]
        asked.enter("3x3", "Who starts [1]? ")
        asked.enter("9", "Who starts [1]? ")
        assert "Enter a number from 1 to 3." in asked.plain
        asked.enter("", "enter your move (row and column): ")


def test_your_own_game(tmp_path: Path) -> None:
    (tmp_path / "lone.toml").write_text('title = "Lone"\nboard = "4x4"\n[shape]\ncloses_own = true\n')
    (tmp_path / "torn.toml").write_text("title = ")
    with window("--plain", tmp_path) as asked:
        asked.wait_for("Which game [showdown]? ")
        asked.enter("lone", "Which game [showdown]? ")
        assert "or a file such as ./hermit.toml." in asked.plain
        asked.enter("./nowhere.toml", "Which game [showdown]? ")
        assert "nowhere.toml cannot be read" in asked.plain
        asked.enter("torn.toml", "Which game [showdown]? ")
        assert "torn.toml, line 1: invalid TOML" in asked.plain
        asked.enter("./lone.toml", "Which opponent [medium]? ")
        asked.enter("human", "Which board [4x4]? ")
        asked.enter("", "Who starts [1]? ")
        asked.enter("", "Player 1 (X), enter your move (row and column): ")


@pytest.mark.parametrize(("keys", "code"), [("\x03", 130), ("\x04", 0), ("q\r", 0)])
@pytest.mark.parametrize("question", [0, 1, 2, 3])
def test_leaving_the_menu(question: int, keys: str, code: int, tmp_path: Path) -> None:
    with window("--plain", tmp_path) as asked:
        asked.wait_for("Which game [showdown]? ")
        for _ in range(question):
            asked.enter("", "]? ")
        asked.type(keys)
        assert asked.exit_code() == code
        assert "Traceback" not in asked.plain
    assert not list(tmp_path.rglob("*.json"))


def test_without_a_window_it_prints_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("Usage: gridlock")
    assert "play" in printed


def test_a_pipe_gets_the_help_too() -> None:
    done = subprocess.run([sys.executable, "-m", "gridlock"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Usage: gridlock")
