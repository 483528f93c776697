"""The code that the bots in this folder share: they speak UGI, and differ in what they do when asked for a move.

In every game of the tests 1,1 is a legal first move. The bots behave as long as the file that GRIDLOCK_BEHAVE names
exists.
"""

import os
import sys
from collections.abc import Callable


def say(words: str) -> None:
    """Send a line."""
    print(words, flush=True)


def is_good() -> bool:
    """Return whether the program should behave for now."""
    return os.path.exists(os.environ.get("GRIDLOCK_BEHAVE", ""))


def serve(move: Callable[[int], object], quits: bool = True) -> None:
    """Answer commands; for a move, call a function with the number of the turn, and send what it returns."""
    turn = 0
    for line in sys.stdin:
        match line.split():
            case ["ugi"]:
                say("id name bot\nugiok")
            case ["isready"]:
                say("readyok")
            case ["go", *_]:
                turn += 1
                if answer := "1,1" if is_good() else move(turn):
                    say(f"bestmove {answer}")
            case ["quit"] if quits:
                return
