"""Tests that the AlphaZero example learns something in a minute and that its evaluation tells good players from bad."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

import gridlock as gl

FOLDER = Path(__file__).parents[2] / "examples" / "alphazero"
pytest.importorskip("mctx")
pytest.importorskip("optax")
sys.path.insert(0, str(FOLDER))
import alphazero

pytestmark = pytest.mark.slow  # it needs the test-all extra
SHORT = "--boards trails:3x3 --rounds 60 --batch 64 --moves 8 --simulations 8 --width 16 --blocks 1 --exam 100"


@pytest.mark.deep
def test_it_learns_to_play_and_who_wins(tmp_path: Path) -> None:
    report = alphazero.main(
        [*SHORT.split(), "--minibatch", "64", "--rate", "5e-3", "--pause", "1000", "--out", str(tmp_path)]
    )
    first, last = (row["boards"]["trails:3x3"] for row in (report[0], report[-1]))
    assert first["regret"] > 0.2
    assert last["regret"] < 0.05
    assert last["wins kept"] > 0.95
    assert last["winner predicted"] > max(0.9, first["winner predicted"])
    assert report[-1]["positions"] == 60 * 8 * 64
    assert json.loads((tmp_path / "report.json").read_text()) == report
    assert "<polyline" in (tmp_path / "report.svg").read_text()
    with np.load(tmp_path / "network.npz") as arrays:
        assert {"entry", "policy", "first0", "second0", "value1", "value2"} == set(arrays.files)


@pytest.mark.parametrize("better", [True, False])
def test_an_exam_knows_who_plays_well(better: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    exam = alphazero.Exam(gl.variant("showdown", "4x4"), 60, tmp_path)
    assert 20 < exam.wins.any(-1).sum() < 60
    # Prefer winning moves and, in lost positions, the moves that prolong the game most. If `better` is false, prefer
    # the worst moves instead.
    liking = 100.0 * (np.where(exam.wins.any(-1, keepdims=True), exam.wins, exam.lasts))
    values = np.where(exam.wins.any(-1), 1.0, -1.0)
    sign = 1 if better else -1
    monkeypatch.setattr(alphazero, "judge", lambda _weights, _shown: (sign * liking, sign * values))
    marks = exam.marks({})
    if better:
        assert marks == pytest.approx({"regret": 0, "wins kept": 1, "losses made hard": 1, "winner predicted": 1})
        return
    won, legal = exam.wins.any(-1), exam.legal.astype(bool)
    thrown = won & (legal & ~exam.wins).any(-1)  # if there is a way to lose, it is found
    assert 0 < marks["regret"] == pytest.approx(thrown.mean())
    assert marks["wins kept"] == pytest.approx(1 - thrown.sum() / won.sum())
    shortest = np.where(legal, exam.lasts, 99).min(-1)[~won]
    assert marks["losses made hard"] == pytest.approx((shortest == exam.lasts.max(-1)[~won]).mean())
    assert marks["losses made hard"] < 1
    assert marks["winner predicted"] == 0
