"""A bot that answers with a gigabyte of data without a line break."""

import os

from ugi_bot import serve


def move(_turn: int) -> None:
    """Write a gigabyte."""
    for _ in range(1 << 14):
        os.write(1, b"x" * (1 << 16))


serve(move)
