"""Pictures of boards as RGB arrays, for recording videos (`render_mode="rgb_array"`)."""

from __future__ import annotations

from gridlock.core.errors import BadGame
from gridlock.core.grid import Cell
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.drawing.gif import board_pixels
from gridlock.drawing.text import plain_board
from gridlock.envs import needs

with needs("batch"):
    import numpy as np
    from numpy.typing import NDArray

RENDER_MODES = ("ansi", "rgb_array")
Frame = str | NDArray[np.uint8]


def check_render_mode(render_mode: str | None) -> None:
    """Raise BadGame if the render mode is not supported."""
    if render_mode not in (None, *RENDER_MODES):
        raise BadGame(
            f"A game is rendered as text ('ansi'), as a picture ('rgb_array') or not at all, not as {render_mode!r}."
        )


def rendered(mode: str, variant: Variant, position: Position, last: Cell | None, is_over: bool) -> Frame:
    """Return the board as text, or as an array with the shape (height, width, 3)."""
    if mode == "ansi":
        return plain_board(variant, position)
    picture = board_pixels(variant, position, last, is_over)
    palette = np.frombuffer(picture.palette, np.uint8).reshape(-1, 3)
    numbers = np.frombuffer(picture.numbers, np.uint8).reshape(picture.height, picture.width)
    return palette[numbers]
