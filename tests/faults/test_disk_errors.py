"""Disk errors at every operation: nothing acknowledged is lost, failures are reported, and later operations succeed."""

import json
from pathlib import Path

import pytest
from fault_disk import layer, run

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("error", ["EIO", "ENOSPC"])
@pytest.mark.parametrize("times", [1, 4, 1000])  # once, for a while, and until it is repaired
def test_errors_at_every_operation(tmp_path: Path, error: str, times: int) -> None:
    every = {1: 1, 4: 2, 1000: 4}[times]
    said = run(
        "disk_driver.py", "errors", error, str(times), "1", str(every), library=layer(tmp_path), disk=tmp_path / "disk"
    )
    found = json.loads(said)
    assert found["operations"] > 60
    assert found["refused"] > found["operations"] // every


def test_health_reports_disk_errors(tmp_path: Path) -> None:
    said = run("disk_driver.py", "health", library=layer(tmp_path), disk=tmp_path / "disk").splitlines()
    fine = [200, "Everything works.", 200]
    full, broken = [503, "The disk is full.", 503], [503, "The disk reports errors.", 503]
    assert [json.loads(line) for line in said] == [fine, full, fine, broken, fine]
