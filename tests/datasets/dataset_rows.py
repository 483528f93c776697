"""Functions that convert dataset rows to positions, and positions to a canonical form."""

from gridlock.core.grid import cells_of
from gridlock.core.position import Position
from gridlock.core.rules import RULE_BOOKS
from hermit import HERMIT

BOOKS = {name: RULE_BOOKS[name] for name in ("keepaway", "chain", "scatter", "trails", "showdown")} | {"hermit": HERMIT}
EVERY_GAME = [(name, adjacency) for name in BOOKS for adjacency in ("king", "orthogonal")]


def position_of(columns, row):
    """Return the position that a row describes."""
    board = columns["board"][row].tolist()
    mine, theirs = (sum(1 << cell for cell, owner in enumerate(board) if owner == side) for side in (1, -1))
    heads = (int(columns[name][row]) for name in ("my_head", "their_head"))
    return Position(mine, theirs, *(None if head < 0 else head for head in heads), 1)


def essence(played, position):
    """Return what determines the rest of the game: each side's open cells and, if they matter, the cells taken last."""
    shape = played.shape
    mine, theirs = shape.open_to_both(played.grid, position)
    my_head = position.my_head if shape.pawn else None
    their_head = position.their_head if shape.follows else None
    return mine, theirs, my_head, their_head


def canonical(played, position):
    """Return the smallest of a position's images under the board's symmetries, computed cell by cell."""
    rows, cols = played.grid.rows, played.grid.cols
    turns = [
        lambda r, c: (r, c),
        lambda r, c: (rows - 1 - r, c),
        lambda r, c: (r, cols - 1 - c),
        lambda r, c: (rows - 1 - r, cols - 1 - c),
    ]
    if rows == cols:
        turns += [lambda r, c, turn=turn: turn(c, r) for turn in turns[:4]]
    mine, theirs, my_head, their_head = essence(played, position)
    images = []
    for turn in turns:

        def moved(cell, turn=turn):
            row, col = turn(*divmod(cell, cols))
            return row * cols + col

        heads = tuple(-1 if head is None else moved(head) for head in (my_head, their_head))
        images.append((sorted(map(moved, cells_of(mine))), sorted(map(moved, cells_of(theirs))), heads))
    return str(min(images))
