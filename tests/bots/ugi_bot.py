"""Code shared by the bots in this folder, which all speak UGI but react differently when asked for a move.

In every game that the tests play, 1,1 is a legal first move. The bots behave correctly as long as the file named by
GRIDLOCK_BEHAVE exists.
"""

import os
import sys
from collections.abc import Callable


def say(words: str) -> None:
    """Send a line."""
    print(words, flush=True)


def is_good() -> bool:
    """Return whether there is a file that tells the bot to behave correctly."""
    return os.path.exists(os.environ.get("GRIDLOCK_BEHAVE", ""))


def serve(move: Callable[[int], object], quits: bool = True) -> None:
    """Answer commands; `move` receives the turn's number and returns the move to send."""
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
