"""The faulty programs in tests/bots, the reason why each one fails, and a check for leftover processes and memory."""

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from gridlock.players.guard import descendants

BOTS = Path(__file__).parent / "bots"
LATE = r"did not move within [0-9.]+ seconds?"
FAULTS = {  # programs that fail when asked for a move, with the reason reported for each
    "dies_at_once": r"ended with exit code 3\.",
    "dies_mid_game": r"ended with exit code 1: ValueError: there is no second move\.",
    "hangs": LATE,
    "ignores_everything": LATE,
    "plays_illegally": r"played '99,99', which is not possible: the cell is outside the grid\.",
    "moves_out_of_turn": "sent 'bestmove 1,1' while it was not its turn|answered twice|not possible",
    "answers_twice": "answered twice: '1,1', and then 'bestmove 1,2'",
    "sends_empty_lines": LATE,
    "sends_invalid_utf8": "sent bytes that are not UTF-8 text",
    "sends_nuls": "sent control characters: 'bestmove 1,1",
    "sends_a_gigabyte": "sent more than 65,536 bytes without an end of line",
    "sends_endless_lines": LATE,
    "sends_a_byte_a_second": LATE,
    "floods_stderr": LATE,
    "forks_and_dies": "ended with exit code 5",
    "uses_too_much_memory": "MemoryError",
    "stops_its_guard": LATE,
}
MUCH = 64 << 20  # bytes by which this process's memory may not grow
PATIENCE = 60.0  # seconds; on a busy machine, the engine's workers, whose priority is low, hardly run


def spec(bot: str, scheme: str = "ugi") -> str:
    """Return the player specification for a program in tests/bots."""
    return f"{scheme}:{sys.executable} {BOTS / bot}.py"


def seconds(reason: str) -> float:
    """Return a time limit per move: short if the program is expected to time out, long otherwise."""
    return 0.2 if reason.startswith("did not move") else 60.0


def marked(token: str) -> list[int]:
    """Return the ids of the processes whose environment contains a token."""
    found = []
    for place in Path("/proc").glob("[0-9]*/environ"):
        try:
            if token.encode() in place.read_bytes():
                found.append(int(place.parent.name))
        except OSError:
            continue
    return found


def resident() -> int:
    """Return how much memory this process uses, in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def nothing_remains() -> Iterator[None]:
    """Check that the code in a `with` block leaves no process, descriptor, thread or memory behind."""
    token, memory = f"GRIDLOCK-{uuid4()}", resident()
    descriptors, known, threads = _descriptors(), set(descendants(os.getpid())), threading.active_count()
    os.environ["GRIDLOCK_MARK"] = token
    try:
        yield
    finally:
        del os.environ["GRIDLOCK_MARK"]
    end = time.monotonic() + PATIENCE
    while (marked(token) or _started(known)) and time.monotonic() < end:
        time.sleep(0.01)  # a killed process may take a moment to disappear
    assert marked(token) == []
    assert _started(known) == set()
    # Descriptors and threads left behind by earlier tests may disappear at any time.
    assert _descriptors() <= descriptors
    assert threading.active_count() <= threads
    assert _zombies() == []
    assert resident() - memory < MUCH


def _started(known: set[int]) -> set[int]:
    """Return this process's new descendants, except those that a known process, such as a browser, has started."""
    return set(descendants(os.getpid())).difference(known, *map(descendants, known))


def _descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def _zombies() -> list[str]:
    """Return the IDs of this process's zombie child processes."""
    stats = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent, *_ = place.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if parent == str(os.getpid()) and state == "Z":
            stats.append(place.parent.name)
    return stats
