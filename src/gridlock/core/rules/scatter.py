"""Scatter: keep your own tokens apart."""

from gridlock.core.grid import Adjacency
from gridlock.core.rulebook import RuleBook
from gridlock.core.shape import Shape

SCATTER = RuleBook(
    name="scatter",
    title="Scatter",
    summary="Never put a token next to one of your own.",
    rules="Players take turns to put a token on an empty cell that touches none of their own tokens. The "
    "opponent's tokens don't matter. If you have no such cell, you pass, and the other player continues. "
    "When neither can place, the player who placed the last token wins.",
    board=(5, 5),
    adjacency=Adjacency.KING,
    shape=Shape(closes_own=True),
    closed="adjacent to one of your own tokens",
    example=((3, 3), (1, 1)),
    passes=True,
)
