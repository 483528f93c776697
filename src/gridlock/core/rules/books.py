"""The rule books of the five built-in games."""

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

SHOWDOWN = RuleBook(
    name="showdown",
    title="Showdown",
    summary="Never put a marker next to one of your opponent's.",
    rules="Players take turns to put a marker on an empty cell that touches none of the opponent's markers. Your "
    "own markers don't hinder you, and the cells around them are safe for you. If you have no such cell on your turn, "
    "you lose.",
    board=(5, 5),
    adjacency=Adjacency.KING,
    shape=Shape(closes_other=True),
    closed="adjacent to your opponent's marker",
    example=((3, 3),),
)
