"""Tests of `gridlock match` and `gridlock tournament`: tables, JSON, files, progress, Ctrl-C and resuming."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from plans import without_times

from gridlock.arena.plan_file import PlanFile
from gridlock.arena.tournament import Tournament
from gridlock.command import run
from gridlock.play.exits import Exit

QUICK = ["--game", "chain", "--board", "3x3", "--time", "0"]
PLAN = """
agents = ["random", "easy", "medium"]
games = 2
time = 0
margin = 60

[[boards]]
game = "chain"
board = "3x3"
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run the test in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_match_prints_a_table_and_no_progress_into_a_pipe(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    assert run(["match", "random", "easy", "--games", "4", *QUICK]) == Exit.DONE
    shown = capsys.readouterr()
    assert "Chain 3x3: 4 games" in shown.out
    assert "random" in shown.out
    assert shown.err == ""
    assert list(here.iterdir()) == []


@pytest.mark.slow
def test_a_match_as_json_with_a_decided_test(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    board = ["--game", "showdown", "--board", "4x4", "--time", "0.01"]
    command = [
        "match",
        "perfect",
        "random",
        "--games",
        "400",
        *board,
        "--sprt",
        "0",
        "100",
        "--json",
        "--out",
        "folder",
    ]
    assert run(command) == Exit.DONE
    answer = json.loads(capsys.readouterr().out)
    assert answer["sprt"]["decision"] == "H1"
    assert answer["complete"]
    assert answer["games"] < 400
    assert [line["name"] for line in answer["ratings"]] == ["perfect", "random"]
    assert len((here / "folder" / "results.jsonl").read_text().splitlines()) == answer["games"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["easy"], "Missing argument 'B'"),
        (["easy", "human"], "a person cannot play here"),
        (["easy", "mediun"], "Did you mean medium?"),
        (["easy", "medium", "--games", "3"], "give an even number"),
        (["easy", "medium", "--game", "chess"], "Invalid value for '--game': there is no game called 'chess'"),
        (["easy", "medium", "--time", "1", "--clock", "10"], "--time and --clock exclude each other"),
        (["easy", "medium", "--clock", "soon"], "clock is 'soon'"),
        (["easy", "medium", "--sprt", "50", "0"], "Invalid value for '--sprt': elo0 (50) must be below elo1 (0)."),
        (["easy", "medium", "--sprt", "0", "5000"], "Invalid value for '--sprt': elo1 is 5000: give a number from"),
        (["easy", "medium", "--resume"], "--resume needs --out"),
        (["easy", "medium", "--model", "logistic"], "--model needs --sprt, the bounds of the test."),
        (["easy", "medium", "--processes", "2", "--cluster", "tcp://x:1"], "cannot be combined"),
        (["easy", "process:./no-such-program"], "there is no program './no-such-program'"),
    ],
)
def test_wrong_usage_of_match(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str], here: Path) -> None:
    assert run(["match", *arguments]) == Exit.USAGE
    assert words in capsys.readouterr().err
    assert list(here.iterdir()) == []


@pytest.mark.usefixtures("here")
def test_a_match_resumed_with_other_options_names_them(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["match", "random", "easy", "--game", "chain", "--board", "3x3", "--out", "m1"]
    assert run([*words, "--games", "2"]) == Exit.DONE
    other = [word.replace("easy", "medium").replace("3x3", "3x4") for word in words]
    for changed, shown in (
        ([*words, "--games", "8"], "games 2, now 8"),
        ([*words, "--games", "2", "--time", "0.5", "--swap"], "time 0.1, now 0.5, swap false, now true"),
        ([*words, "--games", "2", "--judge"], "judge none, now true"),
        ([*other, "--games", "2"], "agents, boards"),
    ):
        capsys.readouterr()
        assert run([*changed, "--resume"]) == Exit.BAD_INPUT
        advice = "Use the same options, or choose another folder."
        assert f"m1 was started with other options ({shown}). {advice}" in capsys.readouterr().err


def test_a_tournament_writes_its_folder_and_resumes(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    (here / "plan.toml").write_text(PLAN)
    assert run(["tournament", "plan.toml"]) == Exit.DONE
    shown = capsys.readouterr()
    assert "medium" in shown.out
    assert shown.err == "Wrote the games, results and tables to plan.\n"
    assert {path.name for path in (here / "plan").iterdir()} == {
        "ledger", "results.jsonl", "openings.tsv", "games-1.txt", "crosstable.html", "crosstable.svg"
    }  # fmt: skip
    assert run(["tournament", "plan.toml"]) == Exit.BAD_INPUT
    assert "Add --resume to continue the tournament" in capsys.readouterr().err
    before = (here / "plan" / "results.jsonl").read_bytes()
    assert run(["tournament", "plan.toml", "--resume", "--json"]) == Exit.DONE
    assert json.loads(capsys.readouterr().out)["games"] == 6
    assert (here / "plan" / "results.jsonl").read_bytes() == before


def test_a_bad_plan_is_a_sentence(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    (here / "plan.toml").write_text(PLAN.replace("easy", "eesy"))
    assert run(["tournament", "plan.toml"]) == Exit.BAD_INPUT
    assert "plan.toml: agents: There is no agent called 'eesy'." in capsys.readouterr().err
    (here / "plan.toml").write_text(PLAN.replace("games = 2", "games = 3"))
    assert run(["tournament", "plan.toml"]) == Exit.BAD_INPUT
    assert "games must be an even number" in capsys.readouterr().err
    assert run(["tournament", "missing.toml"]) == Exit.BAD_INPUT
    assert [path.name for path in here.iterdir()] == ["plan.toml"]


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "gridlock", *arguments]


@pytest.mark.slow
def test_ctrl_c_stops_in_good_order_and_says_how_to_resume(here: Path) -> None:
    """A resumed tournament plays the same games as an uninterrupted one.

    In a terminal, a tournament shows a progress line.
    """
    (here / "plan.toml").write_text(PLAN.replace("games = 2", "games = 400"))
    ours, theirs = pty.openpty()
    command, environment = _command("tournament", "plan.toml"), {**os.environ, "TERM": "xterm"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, env=environment)
    os.close(theirs)
    seen = b""
    while b" games, " not in seen:
        seen += os.read(ours, 1000)
    process.send_signal(signal.SIGINT)
    until = time.monotonic() + 60
    while b"--resume" not in seen and time.monotonic() < until:
        seen += os.read(ours, 1000)
    out, _ = process.communicate(timeout=60)
    os.close(ours)
    assert process.returncode == Exit.INTERRUPTED
    assert b"Interrupted after" in seen
    assert b"Run the same command with --resume to continue." in seen.replace(b"\r\n", b" ")
    assert b"Chain 3x3" in out
    subprocess.run([*command, "--resume"], check=True, capture_output=True)
    lines = (here / "plan" / "results.jsonl").read_text().splitlines()
    with Tournament(PlanFile(here / "plan.toml").read()[0]) as tournament:
        assert tournament.run(processes=0)
        assert without_times([json.loads(line) for line in lines]) == without_times(tournament.games())


def test_a_misspelt_agent_is_not_offered_a_person(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["match", "easy", "mediom"]) == 2
    err = capsys.readouterr().err
    assert "Did you mean medium?" in err
    assert "human" not in err
