"""A game that is not built in, for tests of features that must work with any game."""

from gridlock.core.grid import Adjacency
from gridlock.core.rulebook import RuleBook
from gridlock.core.shape import Shape

HERMIT = RuleBook(
    name="hermit",
    title="Hermit",
    summary="Touch nobody's marker.",
    rules="Put a marker where it touches no other. If you cannot, you lose.",
    board=(3, 4),
    adjacency=Adjacency.ORTHOGONAL,
    shape=Shape(closes_own=True, closes_other=True),
    closed="adjacent to a marker",
    example=((1, 1),),
)
