"""Keep-Away: never touch the marker your opponent has just placed."""

from gridlock.grid import Adjacency, Bitboard, Cell, Grid
from gridlock.position import Position
from gridlock.rulebook import RuleBook


def legal(grid: Grid, position: Position) -> Bitboard:
    """Every empty cell that does not touch the opponent's last marker."""
    empty = grid.cells & ~(position.mine | position.theirs)
    if position.their_head is None:  # the opening move is free
        return empty
    return empty & ~grid.near[position.their_head]


def causes(grid: Grid, position: Position, cell: Cell) -> Bitboard:
    """The opponent's last marker, if it touches the cell."""
    return 0 if position.their_head is None else grid.near[cell] & 1 << position.their_head


KEEPAWAY = RuleBook(
    name="keepaway",
    title="Keep-Away",
    summary="Never touch the marker your opponent has just placed.",
    rules="Players take turns to put a marker on an empty cell. The first marker may go anywhere. After that, your "
    "cell must not touch the marker your opponent placed last. Older markers forbid nothing. "
    "If you have no such cell on your turn, you lose.",
    board=(3, 3),
    adjacency=Adjacency.KING,
    legal=legal,
    causes=causes,
    closed="adjacent to the opponent's last marker",
    example=((1, 1),),
)
