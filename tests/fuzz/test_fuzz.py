"""Tests that unusual input does no harm: every case that the fuzzer has found before, and some new cases each time.

GRIDLOCK_FUZZ sets the number of new cases; docs/testing.md explains how to run the fuzzer for longer.
"""

import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import pytest
from fuzz_inputs import Case, Source, found
from fuzz_lanes import some_seed

KNOWN = 20251115  # the same inputs each time
COUNT = int(os.environ.get("GRIDLOCK_FUZZ", "4000"))  # messages and requests for each of the tests


def fuzz(folder: Path, *options: str) -> None:
    """Run the fuzzer; if it fails, show its output."""
    command = [sys.executable, str(Path(__file__).parent), "--failures", str(folder), *options]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


@pytest.mark.slow
def test_what_was_ever_found_does_no_harm(tmp_path: Path) -> None:
    assert len(found()) >= 8
    fuzz(tmp_path, "--found")


@pytest.mark.slow
@pytest.mark.parametrize("seed", [KNOWN, some_seed()], ids=["known", "new"])
def test_whatever_is_sent_does_no_harm(seed: int, tmp_path: Path) -> None:
    fuzz(tmp_path, "--seed", str(seed), "--count", str(COUNT))


@pytest.mark.slow
def test_whatever_is_sent_to_a_server_in_its_own_process_does_no_harm(tmp_path: Path) -> None:
    fuzz(tmp_path, "--sockets", "--seed", str(KNOWN), "--count", str(COUNT // 4))


def test_the_same_seed_gives_the_same_cases() -> None:
    ones, others = ([Source(7).case(number).dump() for number in range(200)] for _ in range(2))
    assert ones == others
    assert ones != [Source(8).case(number).dump() for number in range(200)]


def test_a_case_is_the_same_when_it_comes_back_from_a_file(tmp_path: Path) -> None:
    for number in range(200):
        case = Source(3).case(number)
        (tmp_path / "case.json").write_text(case.dump())
        assert Case.load(tmp_path / "case.json") == dataclasses.replace(case, file=tmp_path / "case.json")
