"""A game that nobody built in, for tests of what works with any game."""

from gridlock.grid import Adjacency, Bitboard, Cell, Grid
from gridlock.position import Position
from gridlock.rulebook import RuleBook


def legal(grid: Grid, position: Position) -> Bitboard:
    return grid.cells & ~grid.around(position.taken)


def causes(grid: Grid, position: Position, cell: Cell) -> Bitboard:
    return grid.near[cell] & position.taken


HERMIT = RuleBook(
    name="hermit",
    title="Hermit",
    summary="Touch nobody's marker.",
    rules="Put a marker where it touches no other. If you cannot, you lose.",
    board=(3, 4),
    adjacency=Adjacency.ORTHOGONAL,
    legal=legal,
    causes=causes,
    closed="adjacent to a marker",
    example=((1, 1),),
)
