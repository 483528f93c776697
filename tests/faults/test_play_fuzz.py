"""Tests that a session ends properly whatever is typed, and that the saved game is the one that was played."""

import contextlib
import io
import os
import sys
import tempfile
import unicodedata
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridlock.command import run
from gridlock.core.rules import RULE_BOOKS
from gridlock.userdata.saves import entries

pytestmark = pytest.mark.slow

COMMANDS = ["help", "board", "board 1 1", "moves", "undo", "history", "resign", "swap", "quit", "save", "SWAP now"]
NASTY = [
    "save ~nobody-at-all/x",
    "save " + "x" * 300,
    "save .",
    "save a\0b",
    "save ../no/such",
    "save game.txt",
    "save \t",
]
NUMBERS = st.integers(-2, 5).map(str) | st.integers().map(str)
MOVES = st.tuples(NUMBERS, st.sampled_from([" ", ",", " , ", "\n"]), NUMBERS).map("".join)
LINES = st.one_of(
    st.sampled_from(COMMANDS + NASTY), MOVES, MOVES, MOVES, st.text(max_size=40), st.text("()rowcl, 0123PXOAB")
)


def session(arguments: list[str], typed: str) -> tuple[int, str]:
    """Run a command with the given text as its standard input, and return its exit code and output."""
    out = io.StringIO()
    with patch.object(sys, "stdin", io.StringIO(typed)), contextlib.redirect_stdout(out):
        return run(arguments), out.getvalue()


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from(list(RULE_BOOKS)),
    st.sampled_from(["1x2", "2x2", "3x3", "2x5"]),
    st.sampled_from([[], ["--swap"], ["--rounds", "2"], ["--player2", "random"], ["--starts", "2"]]),
    st.lists(LINES, max_size=25),
)
def test_any_input(game: str, board: str, options: list[str], lines: list[str]) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.chdir(folder),
        patch.dict(os.environ, {"GRIDLOCK_HOME": folder}),
    ):
        code, printed = session(["play", game, "--board", board, *options], "\n".join(lines))
        assert code == 0
        assert not {char for char in printed if unicodedata.category(char)[0] == "C"} - {"\n"}
        found = list(entries())
        assert len(found) <= 1
        assert all(entry.saved is not None for entry in found)
        if not found:
            assert printed.endswith("No moves were made, so the game isn't saved.\n")
        elif found[0].saved and not found[0].saved.match.finished:
            assert printed.endswith("Your game is saved. Resume it with: gridlock resume\n")
            code, resumed = session(["resume"], "history\n")
            assert code == 0
            board_drawn = printed.rstrip().split("\n\n")[-2]
            assert board_drawn in resumed  # it continues from the board that was last seen
        assert not list(Path(folder).rglob("*.part"))
