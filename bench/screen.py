"""Measure how fast full-screen mode starts, and how fast it responds to keys while the engine thinks.

The startup time is the CPU time used until the first frame is complete.

python -m bench.screen [--json]
"""

import argparse
import fcntl
import json
import os
import pty
import select
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager

FRAMES = {"home": [], "game": ["play", "showdown", "--screen"]}
LAST_DRAWN = {"home": b"leave", "game": b"give up"}  # at the end of the last line of the first frame
THINKING = ["play", "scatter", "--board", "9x9", "--player2", "perfect", "--time", "60", "--screen"]
RIGHT, LEFT = b"\x1b[C", b"\x1b[D"
CURSOR = "┏".encode()
LIMIT = 60.0  # seconds to wait for anything
TARGET_CPU, TARGET_KEY = 0.6, 0.05  # seconds


@contextmanager
def terminal(command: list[str], lines: int = 24) -> Iterator[tuple[int, "subprocess.Popen[bytes]"]]:
    """Run the command in an 80-column terminal with a temporary home folder."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, 80, 0, 0))
    with tempfile.TemporaryDirectory() as home:
        process = subprocess.Popen(
            [sys.executable, "-m", "gridlock", *command],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=os.environ | {"GRIDLOCK_HOME": home, "TERM": "xterm-256color"},
            start_new_session=True,
        )
        try:
            yield master, process
        finally:
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            os.close(master)
            os.close(slave)


def read_until(master: int, wanted: bytes) -> bytes:
    """Wait for some output, and return all of it."""
    seen, until = b"", time.monotonic() + LIMIT
    while wanted not in seen:
        if not select.select([master], [], [], 0.5)[0]:
            if time.monotonic() > until:
                raise TimeoutError(f"{wanted.decode()} was never printed")
            continue
        seen += os.read(master, 1 << 16)
    return seen


def drain(master: int, seconds: float) -> None:
    """Read until nothing more arrives for a while."""
    while select.select([master], [], [], seconds)[0]:
        os.read(master, 1 << 16)


def first_frame(which: str) -> float:
    """Return the CPU time in seconds from the start of Python until the last line of the first frame is printed."""
    with terminal(FRAMES[which]) as (master, process):
        read_until(master, LAST_DRAWN[which])
        os.kill(process.pid, signal.SIGKILL)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return used.ru_utime + used.ru_stime


def keys_while_thinking(count: int) -> list[float]:
    """Return how many seconds the cursor takes to move after each key press, while the engine is thinking."""
    with terminal(THINKING, lines=40) as (master, _):
        read_until(master, LAST_DRAWN["game"])
        drain(master, 1.0)
        os.write(master, b"1 2\r")
        read_until(master, b"thinking")
        drain(master, 2.0)  # by then, the engine's process has started
        found = []
        for number in range(count):
            begin = time.perf_counter()
            os.write(master, RIGHT if number % 2 else LEFT)
            if b"your move" in read_until(master, CURSOR):
                raise RuntimeError("the engine no longer thinks")
            found.append(time.perf_counter() - begin)
            drain(master, 0.05)
        return found


def main() -> None:
    """Print the measurements."""
    parser = argparse.ArgumentParser(prog="python -m bench.screen", description=__doc__)
    parser.add_argument("--json", action="store_true", help="Print JSON.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--keys", type=int, default=100)
    options = parser.parse_args()
    frames = {which: statistics.median(first_frame(which) for _ in range(options.rounds)) for which in FRAMES}
    keys = sorted(keys_while_thinking(options.keys))
    typical, slow, slowest = statistics.median(keys), keys[int(0.95 * len(keys))], keys[-1]
    if options.json:
        print(json.dumps({"first_frame_cpu_s": frames, "key_s": {"median": typical, "p95": slow, "max": slowest}}))
        return
    for which, seconds in frames.items():
        print(f"first frame, {which}: {seconds:.2f} s of CPU (target {TARGET_CPU})")
    print(
        f"key to screen while the engine thinks: {1000 * typical:.0f} ms typically, "
        f"{1000 * slow:.0f} ms for 95 of 100, {1000 * slowest:.0f} ms at most (target {1000 * TARGET_KEY:.0f})"
    )


if __name__ == "__main__":
    main()
