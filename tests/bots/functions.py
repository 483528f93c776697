"""Agents that are Python functions: one that plays, and some that fail."""

import ctypes
import itertools
import os


def first(game, _rng, _seconds):
    """Take the first legal cell."""
    print("nothing that an agent prints is an answer")
    return game.legal_moves[0]


def raises(_game, _rng, _seconds):
    """Raise an exception."""
    raise ValueError("no idea")


def loops(_game, _rng, _seconds):
    """Never return."""
    while True:
        pass


def loops_in_c(_game, _rng, _seconds):
    """Loop forever in C code, so that Python never handles a signal."""
    return sum(itertools.repeat(0))


def leaves(_game, _rng, _seconds):
    """End the process."""
    os._exit(0)


def crashes(_game, _rng, _seconds):
    """Read from an invalid memory address."""
    return ctypes.string_at(0)


def answers_nonsense(_game, _rng, _seconds):
    """Return an answer that is not a move."""
    return {"move": "the best one"}


def takes_too_much_memory(_game, _rng, _seconds):
    """Use more memory than allowed."""
    return len(bytearray(8 << 30))


FAILURES = {
    "raises": r"ended with exit code 1: ValueError: no idea\.",
    "loops": r"did not move within 0\.2 seconds",
    "loops_in_c": r"did not move within 0\.2 seconds",
    "leaves": "ended with exit code 0",
    "crashes": "ended by signal 11",
    "answers_nonsense": "UnreadableMove: .* cannot be read",
    "takes_too_much_memory": "MemoryError",
}
