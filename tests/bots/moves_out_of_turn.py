"""Moves, and moves again a moment later, without being asked."""

import threading

from ugi_bot import say, serve


def move(_turn: int) -> str:
    """Move now and later."""
    threading.Timer(0.1, say, ["bestmove 1,1"]).start()
    return "1,1"


serve(move)
