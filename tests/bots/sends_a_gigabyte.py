"""Answers with a gigabyte, without an end of line."""

import os

from ugi_bot import serve


def move(_turn: int) -> None:
    """Write without end."""
    for _ in range(1 << 14):
        os.write(1, b"x" * (1 << 16))


serve(move)
