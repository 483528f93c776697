"""Writes to its standard error without end, and no move."""

import os

from ugi_bot import serve


def move(_turn: int) -> None:
    """Write without end."""
    while True:
        os.write(2, b"complaint\n" * 1000)


serve(move)
