"""Showdown: keep away from every marker of the opponent's."""

from gridlock.grid import Adjacency, Bitboard, Cell, Grid
from gridlock.position import Position
from gridlock.rulebook import RuleBook


def legal(grid: Grid, position: Position) -> Bitboard:
    """Every empty cell that touches none of the opponent's markers."""
    return grid.cells & ~(position.mine | grid.around(position.theirs))


def causes(grid: Grid, position: Position, cell: Cell) -> Bitboard:
    """The opponent's markers that touch the cell."""
    return grid.near[cell] & position.theirs


SHOWDOWN = RuleBook(
    name="showdown",
    title="Showdown",
    summary="Never put a marker next to one of your opponent's.",
    rules="Players take turns to put a marker on an empty cell that touches none of the opponent's markers. Your "
    "own markers don't hinder you: around them you are safe. If you have no such cell on your turn, you lose.",
    board=(5, 5),
    adjacency=Adjacency.KING,
    legal=legal,
    causes=causes,
    closed="adjacent to your opponent's marker",
    example=((3, 3),),
)
