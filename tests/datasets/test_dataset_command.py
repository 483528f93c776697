"""Tests of the `gridlock dataset` command."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gridlock.command import run
from gridlock.datasets import load
from gridlock.param_types import Count

pytest.importorskip("pyarrow")
pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
KILLS = int(os.environ.get("GRIDLOCK_KILLS", "1"))
COMMAND = [sys.executable, "-m", "gridlock", "dataset"]


def ask(capsys, *arguments):
    """Return a command's exit code, standard output and standard error."""
    code = run(["dataset", *map(str, arguments)])
    return code, *capsys.readouterr()


@pytest.mark.parametrize(
    ("text", "number"),
    [("5", 5), ("1e6", 10**6), ("100k", 100_000), ("2.5M", 2_500_000), ("1,000", 1000), ("1.50e1", 15), ("1E+3", 1000)],
)
def test_numbers_as_people_write_them(text, number):
    assert Count(1, 10**8).convert(text, None, None) == number


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--positions", "-3"], "-3 is not between 1 and 100,000,000"),
        (["--positions", "1e99"], "1e99 is not between 1 and 100,000,000"),
        (["--positions", "1e999999999"], "is not between 1 and 100,000,000"),
        (["--positions", "0"], "0 is not between"),
        (["--positions", "many"], "'many' is not a whole number, such as 5000, 100k or 1e6"),
        (["--positions", "1.5"], "'1.5' is not a whole number"),
        (["--positions", ""], "'' is not a whole number"),
        (["--nodes", "1"], "1 is not between 1,000 and"),
        (["--board", "9"], "is not a board"),
        (["--held-out", "4x4", "--board", "4x4"], "4x4 twice"),
        (["--format", "csv"], "'csv' is not one of 'parquet', 'npz'"),
        (["--processes", "0"], "0 is not between 1 and 256"),
        (["--time", "-1"], "too short"),
    ],
)
def test_nonsense_gets_a_sentence(capsys, tmp_path, arguments, words):
    code, out, err = ask(capsys, "chain", "--out", tmp_path / "new", *arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert not (tmp_path / "new").exists()


def test_a_missing_package_is_named_with_its_extra(capsys, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    code, _, err = ask(capsys, "chain", "--out", tmp_path / "new")
    assert code == 3
    assert "pyarrow is missing. Install it with: pip install 'gridlock-games[dataset]'" in err


def test_the_help_needs_no_package(capsys, monkeypatch):
    for name in ("numpy", "pyarrow"):
        monkeypatch.setitem(sys.modules, name, None)
    assert run(["dataset", "--help"]) == 0
    assert "Example: gridlock dataset" in capsys.readouterr().out


def test_a_game_from_a_file_and_the_card(capsys, tmp_path):
    (tmp_path / "lonely.toml").write_text(
        'title = "Lonely"\nboard = "3x3"\n[shape]\ncloses_own = true\ncloses_other = true\n'
    )
    folder = tmp_path / "made"
    options = ["--board", "4x4", "--held-out", "2x2", "--positions", "99", "--distances", "--out", folder]
    code, out, err = ask(capsys, tmp_path / "lonely.toml", *options)
    assert code == 0
    found = int(re.search(r"contains (\d+) positions in \d+ files", out)[1])
    assert found == sum(len(load(folder, split)["key"]) for split in ("train", "validation", "test", "heldout"))
    assert "different positions were found" in err
    _, header, card = (folder / "README.md").read_text().split("---\n", 2)
    assert "license: mit\n" in header
    assert re.findall(r"split: (\w+)", header) == ["train", "validation", "test", "heldout"]
    for name in load(folder):
        assert re.search(rf"\| (\w+, )?{name}(, \w+)? \|", card), name
    assert ask(capsys, tmp_path / "lonely.toml", *options)[0] == 0  # it is complete, and checked
    code, _, err = ask(capsys, "chain", "--out", folder)
    assert code == 3
    assert "contains another dataset" in err


def test_a_run_that_is_out_of_time_says_how_to_resume(capsys, tmp_path):
    code, out, err = ask(capsys, "chain", "--time", "0.000001", "--out", tmp_path / "new")
    assert (code, out) == (5, "")
    assert (
        err
        == f"Out of time: the dataset in {tmp_path / 'new'} is not complete. Run the same command again to resume.\n"
    )


def start(folder):
    """Start the command in its own process group, as a shell does, with enough work for a few seconds."""
    return subprocess.Popen(
        [*COMMAND, "chain", "--board", "6x6", "--positions", "30k", "--processes", "2", "--out", folder],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_for_units(folder, units):
    """Wait until the given number of units of work are done, or the run is complete."""
    while len(list(folder.glob("work/*.npz"))) < units and not (folder / "dataset.json").exists():
        time.sleep(0.02)


def test_ctrl_c_and_kills_leave_a_dataset_that_the_same_command_completes(tmp_path, rng):
    folder = tmp_path / "made"
    process = start(folder)
    wait_for_units(folder, 1)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.strip() == f"Interrupted: the dataset in {folder} is not complete. Run the same command again to resume."
    for _ in range(KILLS):
        process = start(folder)
        wait_for_units(folder, rng.randint(1, 5))
        time.sleep(rng.random())
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    for one in (folder, tmp_path / "whole"):
        assert start(one).communicate(timeout=120) == (None, "")
    made, whole = ({path.name: path.read_bytes() for path in one.iterdir()} for one in (folder, tmp_path / "whole"))
    assert made == whole
