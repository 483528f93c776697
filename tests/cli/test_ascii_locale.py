"""Check that commands replace characters that the locale cannot print, instead of failing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gridlock.core.records import loads

pytestmark = pytest.mark.slow


def gridlock(home: Path, words: str, typed: str = "") -> bytes:
    """Run a command in the C locale, and return its output."""
    settings = {"GRIDLOCK_HOME": str(home), "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "gridlock", *words.split()],
        input=typed.encode(),
        capture_output=True,
        env={**os.environ, **settings},
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


def test_names_and_squares(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "gridlock", "play", "keepaway", "--name1", "Zo\u00eb", "--player2", "easy"],
        input=b"2 2\n",
        capture_output=True,
        env={**os.environ, "GRIDLOCK_HOME": str(tmp_path), "PYTHONUTF8": "1"},
        timeout=60,
        check=True,
    )
    assert b"Zo? beat Player 2 (easy)" in gridlock(tmp_path, "games")
    assert gridlock(tmp_path, "review --share").splitlines()[1] == b"#"
    assert b"\nx missed\n" in gridlock(tmp_path, "puzzle --today", "show\n")
    assert loads(gridlock(tmp_path, "save 1 -").decode())[0].player_name(1) == "Zo\u00eb", "a record is UTF-8"


def test_values_have_ascii_names(tmp_path: Path) -> None:
    assert b"  Value: +-8" in gridlock(tmp_path, "value showdown --board 3x3").splitlines()


def test_regions(tmp_path: Path) -> None:
    shown = gridlock(tmp_path, "play showdown --board 5x5", "3 3\n1 1\n5 3\n1 3\nregions\nquit\n")
    assert b"5 | A   A | X | B   B |\n  +-------+   +-------+\n" in shown
    assert b"A, 7 cells: hot, 3 1/4. First there" in shown
