"""A bot that sends its answer so slowly that it never arrives."""

import os
import time

from ugi_bot import serve


def move(_turn: int) -> None:
    """Write one byte per second."""
    for byte in b"bestmove 1,1\n" * 100:
        os.write(1, bytes([byte]))
        time.sleep(1)


serve(move)
