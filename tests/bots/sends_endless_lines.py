"""Sends valid lines without end, and no move."""

import os

from ugi_bot import serve


def move(_turn: int) -> None:
    """Write without end."""
    while True:
        os.write(1, b"info depth 1\n" * 1000)


serve(move)
