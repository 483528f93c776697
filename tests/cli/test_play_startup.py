"""Nothing is loaded before it is needed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import gridlock

ALLOWED = {"gridlock", "click", "platformdirs"}
SCRIPT = """
import sys
before = set(sys.modules)
from gridlock.cli.main import run
run(sys.argv[1:])
loaded = {name for name in set(sys.modules) - before}
print(*sorted(loaded), file=sys.stderr)
"""


@pytest.mark.parametrize("command", ["--help", "play showdown", "play chain --board 18x18", "games"])
def test_only_the_standard_library_click_and_platformdirs(command: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *command.split()],
        env=os.environ | {"XDG_DATA_HOME": str(tmp_path), "PYTHONPATH": str(Path(gridlock.__file__).parents[1])},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    loaded = set(done.stderr.split("\n")[-2].split())
    packages = {name.partition(".")[0] for name in loaded}
    assert "gridlock.cli.main" in loaded
    assert packages - ALLOWED <= set(sys.stdlib_module_names)
    assert not {name for name in loaded if name.startswith(("gridlock.engine", "gridlock.agents."))}
    slow = {"asyncio", "subprocess", "http", "email", "multiprocessing", "logging"}
    assert not packages & slow, "these cost time at every start"
