"""Trails: move your pawn, and leave a blocked cell behind."""

from gridlock.grid import Adjacency, Bitboard, Cell, Grid
from gridlock.position import Position, Side
from gridlock.rulebook import RuleBook


def start(grid: Grid, starts: Side) -> Position:
    """Pawn A in the first corner, pawn B in the last."""
    first, last = 0, grid.size - 1
    position = Position(1 << first, 1 << last, first, last, 1)
    return position if starts == 1 else position.passed()


def legal(grid: Grid, position: Position) -> Bitboard:
    """Every free cell that touches one's own pawn."""
    assert position.my_head is not None  # pawns stand on the board from the start
    return grid.near[position.my_head] & ~(position.mine | position.theirs)


def causes(grid: Grid, position: Position, cell: Cell) -> Bitboard:
    """One's own pawn, if it does not touch the cell."""
    assert position.my_head is not None
    return ~grid.near[cell] & 1 << position.my_head


def taken(position: Position, cell: Cell) -> str:
    """A cell is taken by a pawn or blocked for good; one's own pawn simply is not a step away from itself."""
    if cell == position.my_head:
        return TRAILS.closed
    return "occupied by your opponent" if cell == position.their_head else "blocked"


TRAILS = RuleBook(
    name="trails",
    title="Trails",
    summary="Move your pawn one step; the cell it leaves is blocked for good.",
    rules="Each player has one pawn, A in the top left corner and B in the bottom right one. On your turn, move your "
    "pawn one step to a free cell that touches its own. The cell it left is blocked for the rest of the game. "
    "If your pawn cannot move on your turn, you lose.",
    board=(3, 3),
    adjacency=Adjacency.ORTHOGONAL,
    legal=legal,
    causes=causes,
    closed="not adjacent to your position",
    example=((0, 1), (1, 2)),
    start=start,
    taken=taken,
    pawns=True,
    origin=0,
    smallest=2,
    marks=("A", "B"),
    players=("Player A", "Player B"),
)
