"""Keep-Away: never touch the marker your opponent has just placed."""

from gridlock.core.grid import Adjacency
from gridlock.core.rulebook import RuleBook
from gridlock.core.shape import Follow, Shape

KEEPAWAY = RuleBook(
    name="keepaway",
    title="Keep-Away",
    summary="Never touch the marker your opponent has just placed.",
    rules="Players take turns to put a marker on an empty cell. The first marker may go anywhere. After that, your "
    "cell must not touch the marker your opponent placed last. Older markers forbid nothing. "
    "If you have no such cell on your turn, you lose.",
    board=(3, 3),
    adjacency=Adjacency.KING,
    shape=Shape(follows=Follow.AWAY),
    closed="adjacent to the opponent's last marker",
    example=((1, 1),),
)
