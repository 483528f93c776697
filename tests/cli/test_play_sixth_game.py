"""Tests that a newly registered game can be played, saved and resumed without any further code."""

import io
import sys
from pathlib import Path

import pytest

from gridlock.command import run
from gridlock.core.rules import RULE_BOOKS
from hermit import HERMIT


def test_a_sixth_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(RULE_BOOKS, "hermit", HERMIT)
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)

    def session(command: str, *lines: str) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        assert run(command.split()) == 0
        return capsys.readouterr().out

    out = session("play hermit --rounds 2", "1 1", "1 2", "1 1", "7 7", "moves", "save game.txt", "2 3")
    for line in (
        "Invalid move. Cell is adjacent to a marker. Try again.",
        "Invalid move. Cell is already occupied. Try again.",
        "Invalid move. Cell is outside the grid. Try again.",
        "9 moves: (1,3) (1,4) (2,2) (2,3) (2,4) (3,1) (3,2) (3,3) (3,4)",
        "Saved to game.txt.",
        "2  . | . | O | .",
    ):
        assert line in out.splitlines()
    assert '[Game "hermit"]' in (tmp_path / "game.txt").read_text()
    out = session("resume", "3 1", "undo", "3 2", "1 4", "3 4", "2 3")
    assert "Round 1 of 2. Score: Player 1: 0, Player 2: 0." in out
    assert "No valid moves remaining for Player 2. Player 1 wins!" in out
    assert "Round 2 of 2: Player 2 starts." in out
    assert "hermit 3x4, Player 1 1 - 0 Player 2, round 2 of 2" in session("games")
    assert "wins!" in session("play hermit --player1 random --player2 random --board 6x6 --adjacency king")
