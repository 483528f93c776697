"""Showdown: keep away from every marker of the opponent's."""

from gridlock.core.grid import Adjacency
from gridlock.core.rulebook import RuleBook
from gridlock.core.shape import Shape

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
