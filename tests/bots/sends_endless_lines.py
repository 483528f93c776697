"""A bot that sends valid lines endlessly, but never a move."""

import os

from ugi_bot import serve


def move(_turn: int) -> None:
    """Write endlessly."""
    while True:
        os.write(1, b"info depth 1\n" * 1000)


serve(move)
