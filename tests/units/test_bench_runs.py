"""Tests of resuming long benchmarks from their ledgers."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from bench import dailies

from gridlock.core.rules import RULE_BOOKS
from gridlock.units.ledger import Ledger

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_levels_resume_and_take_more_games(tmp_path):
    def played(games):
        words = ["--games", str(games), "--game", "chain", "--board", "4x4", "--ledger", str(tmp_path / "l")]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
        return subprocess.run(
            [sys.executable, "-m", "bench.levels", *words],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    first = played(2)
    written = (tmp_path / "l").read_bytes()
    assert played(2) == first
    assert (tmp_path / "l").read_bytes() == written
    played(4)
    more = (tmp_path / "l").read_bytes()
    assert more.startswith(written)
    assert more.count(b"\n") == 2 * written.count(b"\n") - 1


def test_puzzles_of_a_ledger_are_not_made_again(monkeypatch):
    """If the ledger already has enough puzzles, no more are made.

    Within each difficulty, the puzzles are returned from easiest to hardest, and no two have the same position.
    """
    monkeypatch.setattr(dailies, "_known", lambda _book: [])
    ledger = Ledger(None, {})
    made = [[3, 9.0, "p", "hard"], [3, 8.0, "q", "easy"], [3, 1.0, "p", "same"], [5, 1.0, "r", "other"]]
    for number in range(dailies.AT_ONCE):
        ledger.add(f"trails 3 {number}", made if not number else [])
    found = dailies._collect(RULE_BOOKS["trails"], {3: 1, 4: 1}, ledger, "nowhere")
    assert found == {3: ["easy", "hard"]}
    assert Counter(dailies.WEEK[day] for day in (3, 4)) == {3: 2}
