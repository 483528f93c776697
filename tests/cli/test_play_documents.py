"""Tests that play the sample game from each game's rules document.

When a test types the moves of a sample game, the program must print every line of the sample, in the same order.
"""

import io
import sys
from pathlib import Path

import pytest

from gridlock.command import run

# Each sample game, including the players' input, is copied from a document; only the full list of available cells has
# been added. Keep-Away's sample game stops when X takes the centre, because that move ends the game under the rules.
KEEPAWAY = """\
Player 1 (X), enter your move (row and column): 2 2
No valid moves remaining for Player 2. Player 1 wins!"""
CHAIN = """\
Player 1, it's your turn.
Enter the row number (1-4): 2
Enter the column number (1-4): 2
Player 2, it's your turn.
Last move was at Row 2, Column 2.
Available adjacent cells:
- Row 1, Column 2
- Row 3, Column 2
- Row 2, Column 1
- Row 2, Column 3
Enter the row number (1-4): 2
Enter the column number (1-4): 3
Player 1, it's your turn.
Last move was at Row 2, Column 3.
Available adjacent cells:
- Row 1, Column 3
- Row 3, Column 3
- Row 2, Column 2 (occupied)
- Row 2, Column 4
Enter the row number (1-4): 3
Enter the column number (1-4): 3"""
SCATTER = """\
_ _ _ _ _
_ _ _ _ _
_ _ _ _ _
_ _ _ _ _
_ _ _ _ _
Player 1 (X), enter your move (row column): 3 3
_ _ _ _ _
_ _ _ _ _
_ _ X _ _
_ _ _ _ _
_ _ _ _ _
Player 2 (O), enter your move (row column): 2 2
_ _ _ _ _
_ O _ _ _
_ _ X _ _
_ _ _ _ _
_ _ _ _ _
Player 1 (X), enter your move (row column): 1 5
_ _ _ _ X
_ O _ _ _
_ _ X _ _
_ _ _ _ _
_ _ _ _ _
Player 2 (O), enter your move (row column): 5 1
_ _ _ _ X
_ O _ _ _
_ _ X _ _
_ _ _ _ _
O _ _ _ _"""
TRAILS = """\
Player A's turn.
Your current position: (0, 0)
Available moves:
- (0, 1)
- (1, 0)
Enter your move (row,column): 0,1
You moved to (0,1) and blocked (0,0).
Player B's turn.
Your current position: (2, 2)
Available moves:
- (1, 2)
- (2, 1)
Enter your move (row,column): 1,2
You moved to (1,2) and blocked (2,2).
Player A's turn.
Your current position: (0, 1)
Available moves:
- (0, 2)
- (1, 1)
Enter your move (row,column): 1,1
You moved to (1,1) and blocked (0,1).
Player B's turn.
Your current position: (1, 2)
Available moves:
- (0, 2)
Enter your move (row,column): 0,2
You moved to (0,2) and blocked (1,2).
Player A's turn.
Your current position: (1, 1)
Available moves:
- (1, 0)
- (2, 1)
Enter your move (row,column): 1,0
You moved to (1,0) and blocked (1,1).
Player B's turn.
Your current position: (0, 2)
Available moves:
- None
No valid moves available. Player A wins!"""
SHOWDOWN = """\
Player 1 (X), enter your move (row and column): 3 3
You placed an X at (3, 3).
Player 2 (O), enter your move (row and column): 2 2
Invalid move. The cell is adjacent to your opponent's marker.
Player 2 (O), enter your move (row and column): 1 1
You placed an O at (1, 1).
Player 1 (X), enter your move (row and column): 2 2
Invalid move. The cell is adjacent to your opponent's marker.
Player 1 (X), enter your move (row and column): 5 5
You placed an X at (5, 5)."""
SAMPLES = {"keepaway": KEEPAWAY, "chain": CHAIN, "scatter": SCATTER, "trails": TRAILS, "showdown": SHOWDOWN}


@pytest.mark.parametrize("game", SAMPLES)
def test_the_documents_sample_comes_out_in_order(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sample = SAMPLES[game].splitlines()
    typed = [line.rpartition(": ")[2] for line in sample if "nter " in line]
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(typed) + "\n"))
    assert run(["play", game]) == 0
    printed = iter(capsys.readouterr().out.splitlines())
    for line in sample:
        assert line in printed, f"missing, or out of order: {line}"
