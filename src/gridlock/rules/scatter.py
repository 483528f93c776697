"""Scatter: keep your own tokens apart."""

from gridlock.grid import Adjacency, Bitboard, Cell, Grid
from gridlock.position import Position
from gridlock.rulebook import RuleBook


def legal(grid: Grid, position: Position) -> Bitboard:
    """Every empty cell that touches none of one's own tokens."""
    return grid.cells & ~(position.theirs | grid.around(position.mine))


def causes(grid: Grid, position: Position, cell: Cell) -> Bitboard:
    """One's own tokens that touch the cell."""
    return grid.near[cell] & position.mine


SCATTER = RuleBook(
    name="scatter",
    title="Scatter",
    summary="Never put a token next to one of your own.",
    rules="Players take turns to put a token on an empty cell that touches none of their own tokens. The "
    "opponent's tokens don't matter. If you have no such cell you pass, and the other player goes on. "
    "When neither can place, the player who placed the last token wins.",
    board=(5, 5),
    adjacency=Adjacency.KING,
    legal=legal,
    causes=causes,
    closed="adjacent to one of your own tokens",
    example=((3, 3), (1, 1)),
    passes=True,
)
