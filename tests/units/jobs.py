"""Units of work for testing long runs, defined at module level so that other processes can import them."""

import os
import signal
import time
from pathlib import Path

from gridlock.core.errors import BadGame
from gridlock.units.worker import stopping, tell


def square(number):
    return number * number


def slow_square(number):
    time.sleep(0.02)
    return number * number


def logged_square(folder, number):
    """Return the square of a number, and create a file that records the call."""
    (Path(folder) / f"{number}-{time.monotonic_ns()}-{os.getpid()}").touch()
    time.sleep(0.02)
    return number * number


def die_once(folder, number):
    """Return the square of a number, but kill this process the first time each odd number is passed."""
    trace = Path(folder) / str(number)
    if number % 2 and not trace.exists():
        trace.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def die_with_a_child(folder, number):
    """Kill this process on the first call, leaving behind a child process that has inherited its pipe."""
    trace = Path(folder) / "died"
    if not trace.exists():
        if (child := os.fork()) == 0:
            time.sleep(60)
            os._exit(0)
        trace.write_text(str(child))
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def die(_number):
    os.kill(os.getpid(), signal.SIGKILL)


def reject(number):
    raise BadGame(f"{number} is no game.")


class Unportable(Exception):
    """An exception that cannot be unpickled."""

    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")


def fail_unportably(number):
    raise Unportable(number, "more")


def sleep(seconds):
    time.sleep(seconds)
    return seconds


def clean_up(folder):
    """Sleep for a minute; create a file afterwards, or as soon as the process is told to stop."""
    (Path(folder) / "begun").touch()
    try:
        time.sleep(60)
    finally:
        (Path(folder) / "cleaned").touch()


def talk(number):
    tell({"half of": number})
    return number


def wait_for_the_end(folder):
    """Create a file, wait until the run is stopped, and create another file."""
    (Path(folder) / "begun").touch()
    while not stopping():
        time.sleep(0.01)
    (Path(folder) / "ended").touch()


def ctrl_c_is_blocked(_unit):
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
