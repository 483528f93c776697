"""Chain: every marker goes next to the last one."""

from gridlock.grid import Adjacency, Bitboard, Cell, Grid
from gridlock.position import Position
from gridlock.rulebook import RuleBook


def legal(grid: Grid, position: Position) -> Bitboard:
    """Every empty cell that touches the last marker placed."""
    empty = grid.cells & ~(position.mine | position.theirs)
    if position.their_head is None:  # the opening move is free
        return empty
    return empty & grid.near[position.their_head]


def causes(grid: Grid, position: Position, cell: Cell) -> Bitboard:
    """The last marker, if it does not touch the cell."""
    return 0 if position.their_head is None else ~grid.near[cell] & 1 << position.their_head


CHAIN = RuleBook(
    name="chain",
    title="Chain",
    summary="Every marker goes next to the last one.",
    rules="Players take turns to put a marker on an empty cell. The first marker may go anywhere. After that, your "
    "cell must touch the marker your opponent has just placed, so that the markers form one path. If you have no such "
    "cell on your turn, you lose.",
    board=(4, 4),
    adjacency=Adjacency.ORTHOGONAL,
    legal=legal,
    causes=causes,
    closed="not adjacent to the last marker",
    example=((2, 2), (2, 3)),
)
