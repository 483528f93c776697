"""Tests of the `gridlock suite` command."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gridlock.command import run

ROOT = Path(__file__).parents[2]
BOT = ROOT / "tests" / "bots" / "suite_solver.py"
SHIPPED = ROOT / "src" / "gridlock" / "arena" / "suite" / "positions.txt"


def ask(capsys, *arguments):
    """Return the exit code, standard output and standard error of a command."""
    code = run(["suite", *map(str, arguments)])
    return code, *capsys.readouterr()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--grades", "3-1"], "'3-1' is not a grade or a range of grades"),
        (["--grades", "x"], "'x' is not a grade"),
        (["--grades", "77"], "the suite has no such problems"),
        (["--game", "chess"], "chess"),
        (["--count", "0"], "0 is not between"),
        (["--json"], "--json needs --engine"),
        (["--out", "x"], "--out needs --engine"),
        (["--unsolved", "x"], "--unsolved needs --engine"),
        (["--engine", "easy", "--unsolved", __file__], "already exists and is not a suite"),
        (["--compare", "a", "b", "--engine", "easy"], "--compare cannot be combined with --engine"),
        (["--list", "--engine", "easy"], "--list cannot be combined"),
        (["--seed", "2"], "--seed needs --make"),
        (["--power", "4"], "--power needs --make"),
        (["--make", "x", "--engine", "easy"], "--make cannot be combined with --engine"),
        (["--make", __file__], "there is already a file"),
        (["--engine", "ugi:no-such-program"], "there is no program"),
        (["--engine", "human"], "a person cannot play here"),
        (["--engine", "easy", "--time", "0"], "too short"),
    ],
)
def test_nonsense_gets_a_sentence(capsys, tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    code, out, err = ask(capsys, *arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_none(capsys, tmp_path):
    assert ask(capsys, "--file", tmp_path / "none")[0] == 3
    assert "is not a suite" in ask(capsys, "--file", __file__)[2]


def test_what_the_suite_holds(capsys):
    code, out, _ = ask(capsys)
    assert code == 0
    assert out.splitlines()[0].split()[0] == "10^0"
    count = len(SHIPPED.read_text().splitlines()) - 1
    assert f"{count} (" in next(line for line in out.splitlines() if line.startswith("all "))
    assert "(" in out  # some problems are unsolved


def test_problems_as_lines(capsys):
    code, out, _ = ask(capsys, "--list", "--game", "chain", "--grades", "2", "--count", "3")
    assert code == 0
    lines = out.splitlines()
    assert len(lines) == 3
    assert all(line in SHIPPED.read_text().splitlines() for line in lines)


def test_unsolved_problems_are_a_suite_and_runs_are_compared(capsys, tmp_path):
    names, left = {}, tmp_path / "left.txt"
    for mode in ("wrong", "right"):
        names[mode] = tmp_path / f"{mode}.txt"
        engine = f"ugi:{sys.executable} {BOT} {SHIPPED} {mode}"
        part = ["--game", "chain", "--grades", "0-1", "--count", 4]
        code, out, err = ask(capsys, "--engine", engine, *part, "--out", names[mode], "--unsolved", left)
        assert code == 0
        assert ("4 unsolved problems in" if mode == "wrong" else "0 unsolved problems in") in err
        if mode == "wrong":
            listed = ask(capsys, "--list", *part)[1]
            assert ask(capsys, "--list", "--file", left)[1] == listed
            assert "Wrong: 4. Unknown: 0." in out
    code, out, _ = ask(capsys, "--compare", names["wrong"], names["right"])
    assert code == 0
    assert "all    0 +2  0 +2  0 +4" in out
    found = json.loads(ask(capsys, "--compare", names["right"], names["wrong"], "--json")[1])
    assert (found["old"]["solved"], len(found["regressed"]), found["gained"]) == (4, 4, [])
    assert ask(capsys, "--compare", names["right"], tmp_path / "none")[0] == 3


@pytest.mark.slow
def test_the_example_solver_is_right_where_it_knows(capsys):
    engine = f"ugi:{sys.executable} {ROOT / 'examples' / 'bots' / 'solver.py'}"
    code, out, _ = ask(capsys, "--engine", engine, "--count", 2, "--grades", "0", "--time", "1", "--json")
    found = json.loads(out)
    assert (code, found["wrong"], found["failed"], found["late"]) == (0, 0, 0, 0)
    assert found["solved"] + found["unknown"] == found["asked"] == 10
    assert found["solved"] > 3


@pytest.mark.slow
def test_making_a_suite_and_scoring_an_agent(capsys, tmp_path):
    path = tmp_path / "mine.txt"
    made = ask(capsys, "--make", path, "--game", "trails", "--count", 8, "--power", 3)
    assert made == (0, f"8 problems in {path}.\n", "")
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]
    code, out, _ = ask(capsys, "--file", path, "--engine", "random", "--json")
    found = json.loads(out)
    assert (code, found["complete"], found["winners_asked"]) == (0, True, 0)
    assert found["moves_asked"] == found["asked"] > 0


def test_a_program_that_always_fails(capsys):
    engine = f"ugi:{sys.executable} -c pass"
    code, out, _ = ask(capsys, "--engine", engine, "--count", 4, "--game", "chain", "--grades", "0")
    assert code == 4
    assert "Winners: not asked, because only programs that answer UGI's 'query value' can be." in out
    assert "Moves: 0 of " in out


@pytest.mark.slow
@pytest.mark.parametrize(("count", "grades"), [(2, "0-3"), pytest.param(20, "0-4", marks=pytest.mark.deep)])
def test_our_own_engine_solves_what_is_not_open(capsys, count, grades):
    engine = f"ugi:{sys.executable} -m gridlock engine"
    code, out, _ = ask(capsys, "--engine", engine, "--count", count, "--grades", grades, "--json", "--time", "60")
    found = json.loads(out)
    assert code == 0
    assert found["mistakes"] == []
    assert found["solved"] == found["asked"] == found["winners_right"] == 5 * count
    assert found["moves_right"] == found["moves_asked"] > count


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_shows_what_is_known_and_the_same_command_continues(tmp_path):
    out = tmp_path / "answers"
    command = [sys.executable, "-m", "gridlock", "suite", "--game", "chain", "--count", "40", "--json"]
    command += ["--engine", f"ugi:{sys.executable} {BOT} {SHIPPED} slow", "--out", str(out)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not (out.exists() and out.read_text().count("\n") > 3):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    answer, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Run the same command again to continue." in errors
    assert 3 <= json.loads(answer)["asked"] < 40
    again = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert json.loads(again.stdout)["solved"] == 40
