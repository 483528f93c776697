"""Tinies and minies."""

from gridlock.values.arithmetic import negative
from gridlock.values.construction import game_of
from gridlock.values.infinitesimals import ZERO
from gridlock.values.shapes import Game, Shape


def tiny(game: Game) -> Game:
    """Return tiny-G = {0 || 0 | -G}, which is positive but smaller than any positive number."""
    return game_of([ZERO], [game_of([ZERO], [negative(game)])])


def miny(game: Game) -> Game:
    """Return miny-G = {G | 0 || 0}, the negative of tiny-G."""
    return negative(tiny(game))


def tiny_of(shape: Shape) -> Game | None:
    """Return the game G such that the shape is tiny-G, or None if there is no such game."""
    left, right = shape.options
    inner = right[0][1]
    if left != (ZERO,) or len(right) > 1 or right[0][0] != 0 or inner is None:
        return None
    return negative(inner.options[1][0]) if inner.options[0] == (ZERO,) and len(inner.options[1]) == 1 else None


def miny_of(shape: Shape) -> Game | None:
    """Return the game G such that the shape is miny-G, or None if there is no such game."""
    left, right = shape.options
    if right != (ZERO,) or len(left) > 1 or left[0][1] is None:
        return None
    opposite = negative((0, shape))
    return tiny_of(opposite[1]) if opposite[0] == 0 and opposite[1] else None
