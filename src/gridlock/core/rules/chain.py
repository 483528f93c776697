"""Chain: every marker goes next to the last one."""

from gridlock.core.grid import Adjacency
from gridlock.core.rulebook import RuleBook
from gridlock.core.shape import Follow, Shape

CHAIN = RuleBook(
    name="chain",
    title="Chain",
    summary="Every marker goes next to the last one.",
    rules="Players take turns to put a marker on an empty cell. The first marker may go anywhere. After that, your "
    "cell must touch the marker your opponent has just placed, so that the markers form one path. If you have no such "
    "cell on your turn, you lose.",
    board=(4, 4),
    adjacency=Adjacency.ORTHOGONAL,
    shape=Shape(follows=Follow.NEAR),
    closed="not adjacent to the last marker",
    example=((2, 2), (2, 3)),
)
