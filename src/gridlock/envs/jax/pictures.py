"""Pictures of the boards in a batch."""

import re
from collections.abc import Sequence
from math import isqrt

from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.drawing.svg import board_svg

MOST = 36  # boards in one picture


def boards_svg(variant: Variant, positions: Sequence[Position]) -> str:
    """Return the first boards of a batch as one SVG picture, in rows of equal length."""
    shown = positions[:MOST]
    name = f"{variant.book.title} on {variant.grid}"
    boards = [board_svg(variant, one, title=f"{name}, game {number}") for number, one in enumerate(shown)]
    if len(boards) == 1:
        return boards[0]
    size = re.search(r' width="(\d+)" height="(\d+)"', boards[0])
    assert size is not None  # every picture states its size
    width, height = int(size[1]), int(size[2])
    across = isqrt(len(boards) - 1) + 1
    down = -(-len(boards) // across)
    placed = [
        board.replace("<svg ", f'<svg x="{number % across * width}" y="{number // across * height}" ', 1)
        for number, board in enumerate(boards)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{across * width}" height="{down * height}">\n'
        f"<title>{len(boards)} games: {name}</title>\n{''.join(placed)}</svg>\n"
    )
