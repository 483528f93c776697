"""Tests of disk errors at every operation: no acknowledged move is lost, failures are reported, and play continues."""

import json
import random
from pathlib import Path

import pytest
from fault_disk import layer, run

pytestmark = pytest.mark.slow


def fail(folder: Path, error: str, times: int, first: int, every: int) -> None:
    """Play games on a failing disk, in several runs.

    In the first run, the errors start at operation number `first`; from each run to the next, this number
    increases by `every`.
    """
    numbers = map(str, (times, first, every))
    said = run("disk_driver.py", "errors", error, *numbers, library=layer(folder), disk=folder / "disk")
    found = json.loads(said)
    assert found["operations"] > 60
    assert found["refused"] > (found["operations"] - first) // every


# For each number of consecutive disk errors: from each run of the driver to the next, the errors start this many
# operations later.
TIMES = {1: 3, 4: 6, 1000: 12}


@pytest.mark.parametrize("error", ["EIO", "ENOSPC"])
@pytest.mark.parametrize("times", TIMES)
def test_errors_at_some_operations(tmp_path: Path, error: str, times: int, rng: random.Random) -> None:
    fail(tmp_path, error, times, rng.randint(1, TIMES[times]), TIMES[times])


@pytest.mark.deep
@pytest.mark.parametrize("error", ["EIO", "ENOSPC"])
@pytest.mark.parametrize("times", TIMES)
def test_errors_at_every_operation(tmp_path: Path, error: str, times: int) -> None:
    fail(tmp_path, error, times, 1, 1)


def test_health_reports_disk_errors(tmp_path: Path) -> None:
    said = run("disk_driver.py", "health", library=layer(tmp_path), disk=tmp_path / "disk").splitlines()
    fine = [200, "Everything works.", 200]
    full, broken = [503, "The disk is full.", 503], [503, "The disk reports errors.", 503]
    assert [json.loads(line) for line in said] == [fine, full, fine, broken, fine]
