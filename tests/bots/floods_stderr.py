"""A bot that writes endlessly to its standard error, and never sends a move."""

import os

from ugi_bot import serve


def move(_turn: int) -> None:
    """Write endlessly."""
    while True:
        os.write(2, b"complaint\n" * 1000)


serve(move)
