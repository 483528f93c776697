"""Trails: move your pawn, and leave a blocked cell behind."""

from gridlock.core.grid import Adjacency
from gridlock.core.rulebook import RuleBook
from gridlock.core.shape import Follow, Shape

TRAILS = RuleBook(
    name="trails",
    title="Trails",
    summary="Move your pawn one step; the cell it leaves is blocked for good.",
    rules="Each player has one pawn, A in the top left corner and B in the bottom right one. On your turn, move your "
    "pawn one step to a free cell that touches its own. The cell it left is blocked for the rest of the game. "
    "If your pawn cannot move on your turn, you lose.",
    board=(3, 3),
    adjacency=Adjacency.ORTHOGONAL,
    shape=Shape(follows=Follow.NEAR, pawn=True),
    closed="not adjacent to your position",
    example=((0, 1), (1, 2)),
    origin=0,
    marks=("A", "B"),
    players=("Player A", "Player B"),
)
