"""Tests that the report on a load test lists every problem in its measurements."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from bench.load_report import faults
from bench.soak import growing, slope

ROOT = Path(__file__).parents[2]

NOTICED = {
    "openings": 300,
    "openings_refused": {},
    "challenges_looked_for": 180,
    "challenges_missing": 0,
    "absent": 3,
    "lost_by_claim": [],
    "kept_out_seconds": 1.2,
    "questions": 3,
}
GOOD = {
    "errors": {},
    "lost_or_misplaced": 0,
    "server_memory_grown_mb": 12.0,
    "tracebacks": 0,
    "error_lines": 0,
    "acknowledged_ms": {"p99": 20.0},
    "neighbours_ms": {"p99": 30.0},
    "openings_ms": {"p99": 100.0},
    "seconds": 60.0,
    "noticed": NOTICED,
    "analyses_unanswered": {},
    "analyses_asked": 60,
    "abusers": {"silent": {"faults": []}},
    "scarce": {"few files": {"faults": []}},
}


def test_a_good_run_has_no_faults() -> None:
    assert faults(GOOD) == []


@pytest.mark.parametrize(
    "bad",
    [
        {"errors": {"closed with 1006": 2}},
        {"lost_or_misplaced": 1},
        {"server_memory_grown_mb": 30.1},
        {"error_lines": 1},
        {"acknowledged_ms": {"p99": 100.1}},
        {"neighbours_ms": {"p99": None}},
        {"openings_ms": {"p99": 1000.1}},
        {"noticed": NOTICED | {"openings_refused": {"closed with 4503": 1}}},
        {"noticed": NOTICED | {"challenges_missing": 1}},
        {"noticed": NOTICED | {"lost_by_claim": ["no clock"]}},
        {"noticed": NOTICED | {"kept_out_seconds": 10.1}},
        {"noticed": NOTICED | {"questions": 21}},
        {"analyses_unanswered": {"503": 1}},
        {"abusers": {"silent": {"faults": ["3 connections open for more than 10 s"]}}},
        {"scarce": {"few files": {"faults": ["/health did not answer 2 times"]}}},
    ],
    ids=lambda bad: next(iter(bad)),
)
def test_each_thing_that_must_not_be_is_a_fault(bad: dict) -> None:
    assert len(faults(GOOD | bad)) == 1


def samples(memory: list[float]) -> list[dict]:
    return [{"memory": value, "files": 420, "threads": 7, "tasks": 900} for value in memory]


def test_a_soak_distinguishes_growth_from_warm_up_and_noise() -> None:
    warm = [60.0, 80.0, 95.0, 99.0] + [100.0] * 60
    noise = [100.0 + 8 * (number * 7 % 5 - 2) for number in range(64)]
    leak = [60.0, 80.0, 95.0, 99.0] + [100.0 + number / 5 for number in range(60)]
    assert growing(samples(warm)) == growing(samples(noise)) == []
    assert len(growing(samples(leak))) == 1
    assert slope([3.0, 5.0, 7.0]) == 2.0


@pytest.mark.slow
def test_a_short_run_with_abusers_reports_everything() -> None:
    options = ["--games", "4", "--rate", "8", "--seconds", "3", "--only", "silent", "--only", "stale", "--json"]
    done = subprocess.run([sys.executable, "-m", "bench.load", *options], cwd=ROOT, capture_output=True, text=True)
    report = json.loads(done.stdout)
    assert report["moves_acknowledged"] == 24
    assert report["lost_or_misplaced"] == 0
    assert report["errors"] == {}
    assert report["abusers"]["silent"]["opened"] >= 150
    assert report["abusers"]["stale"]["told"]["stale"] > 0
    assert report["analyses_asked"] > 0
    assert report["neighbours_moves"] > 0
    assert report["faults"] == faults(report)
    assert done.returncode == bool(report["faults"]), done.stderr


@pytest.mark.deep
def test_a_short_run_shows_what_honest_players_notice_of_each_attack() -> None:
    kinds = ["poison game", "lobby", "pages", "nagging", "claims"]
    options = ["--games", "4", "--rate", "8", "--seconds", "9", "--json"]
    command = [sys.executable, "-m", "bench.load", *options, *(word for kind in kinds for word in ("--only", kind))]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    report = json.loads(done.stdout)
    assert report["lost_or_misplaced"] == 0
    assert report["errors"] == {}
    noticed = report["noticed"]
    assert noticed["openings"] > sum(noticed["openings_refused"].values())
    assert noticed["challenges_looked_for"] > 0
    assert noticed["challenges_of_abusers"] > 0
    assert noticed["returns"] > 0
    assert noticed["questions"] > 0
    assert noticed["presences"] > 0
    assert noticed["lost_by_claim"] == []  # no player can have been away for long enough
    told = {kind: found["told"] for kind, found in report["abusers"].items()}
    assert told["poison game"]["accepted"] > 0
    assert told["poison game"]["opened"] > 0
    assert told["lobby"]["joined"] > 0
    assert told["pages"]["200"] > 0
    assert told["claims"].keys() & {"illegal", "turn"}


@pytest.mark.deep
def test_a_soak_ended_by_a_signal_reports_and_leaves_no_traceback(tmp_path: Path) -> None:
    samples = tmp_path / "soak.jsonl"
    options = ["--minutes", "5", "--games", "2", "--rate", "2", "--every", "2", "--out", str(samples)]
    with subprocess.Popen(
        [sys.executable, "-m", "bench.soak", *options],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,  # the abusers' process also writes to standard error
        text=True,
    ) as soak:
        while soak.poll() is None and not (samples.exists() and samples.read_text()):
            time.sleep(0.1)
        soak.send_signal(signal.SIGTERM)
        out, err = soak.communicate()
    assert "Traceback" not in err
    assert out.startswith("minute")
    assert "abusers: silent" in out
    assert soak.returncode == ("fault:" in err)
