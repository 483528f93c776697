"""Tests that engine processes end when their parent process ends, for whatever reason."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

WAIT = 300.0  # seconds to wait for an event; reached only if it never happens


def children(pid: int) -> set[int]:
    """Return the descendants of a process."""
    found: set[int] = set()
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(entry.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == pid:
            found |= {int(entry.parent.name)} | children(int(entry.parent.name))
    return found


def working(pid: int) -> bool:
    """Return whether a process has used more than half a second of processor time."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return int(fields[11]) > 50


SOLVING = ["-m", "gridlock", "solve", "scatter", "--board", "9x9", "--openings", "--threads", "2"]
PLAYING = [  # asks the engine as full-screen mode does, but without a terminal that would signal the end
    "-c",
    "import asyncio\n"
    "from gridlock.core.game import Game\n"
    "from gridlock.core.rules import rule_book, variant\n"
    "from gridlock.play.match import choose_move\n"
    "from gridlock.play.thinking.process import Thinker\n"
    "game = Game(variant(rule_book('showdown'), '11x11'))\n"
    "game.push(60)\n"
    "asyncio.run(Thinker().ask(choose_move, game, 'perfect', '', 3600.0))",
]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
@pytest.mark.parametrize(("command", "workers"), [(SOLVING, 2), (PLAYING, 1)], ids=["solving", "playing"])
def test_what_is_killed_leaves_no_process_behind(command: list[str], workers: int) -> None:
    parent = subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + WAIT
    try:
        while sum(map(working, children(parent.pid))) < workers and time.monotonic() < end:
            time.sleep(0.1)
        started = children(parent.pid)
        assert sum(map(working, started)) >= workers
    finally:
        os.kill(parent.pid, signal.SIGKILL)
        parent.wait()
    while any(Path(f"/proc/{pid}").exists() for pid in started) and time.monotonic() < end:
        time.sleep(0.1)
    left = [pid for pid in started if Path(f"/proc/{pid}").exists()]
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert left == []
