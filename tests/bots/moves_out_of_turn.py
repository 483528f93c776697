"""A bot that moves when asked, then moves again a moment later without being asked."""

import threading

from ugi_bot import say, serve


def move(_turn: int) -> str:
    """Return a move, and send another one shortly afterwards."""
    threading.Timer(0.1, say, ["bestmove 1,1"]).start()
    return "1,1"


serve(move)
