"""Tests that modules load only when needed, and that pressing Ctrl-C while they load is not treated as a failure."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import gridlock

ALLOWED = {"gridlock", "click", "platformdirs"}
COMPILED = ("_cython_", "_cyutility", "cython_runtime")  # names that compiled files register; Cython is not loaded
SCRIPT = """
import sys
before = set(sys.modules)
from gridlock.command import run
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
    packages = {name.partition(".")[0] for name in loaded if not name.startswith(COMPILED)}
    assert "gridlock.command" in loaded
    assert packages - ALLOWED <= set(sys.stdlib_module_names)
    agents = ("gridlock.players.learned", "gridlock.players.levels")
    assert not {name for name in loaded if name.startswith(("gridlock.engine", *agents))}
    slow = {"asyncio", "subprocess", "http", "email", "multiprocessing", "logging"}
    assert not packages & slow, "these cost time at every start"


INTERRUPTED_WHILE_LOADING = """
import os, signal, sys
from gridlock.entry import main

class Interrupting:
    def find_spec(self, name, path, target=None):
        if name == "click":
            os.kill(os.getpid(), signal.SIGINT)

sys.modules.pop("click", None)
sys.meta_path.insert(0, Interrupting())
main()
"""


def test_ctrl_c_while_it_is_loading() -> None:
    command = [sys.executable, "-c", INTERRUPTED_WHILE_LOADING, "rules", "chain"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


def test_ctrl_c_is_as_it_was_once_it_has_loaded() -> None:
    script = "import signal; from gridlock.entry import main; main()"
    for handler in ("default_int_handler", "SIG_IGN"):
        after = f"import atexit, signal; signal.signal(signal.SIGINT, signal.{handler}); "
        after += f"atexit.register(lambda: print(signal.getsignal(signal.SIGINT) is signal.{handler}));"
        done = subprocess.run(
            [sys.executable, "-c", after + script, "--version"], capture_output=True, text=True, timeout=60
        )
        assert done.stdout.endswith("True\n")
