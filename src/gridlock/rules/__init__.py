"""The games: one short file each, and one line here."""

from functools import lru_cache

from gridlock.errors import GridLockError
from gridlock.grid import Adjacency, Grid, board_size
from gridlock.rulebook import RuleBook, Variant
from gridlock.rules.chain import CHAIN
from gridlock.rules.keepaway import KEEPAWAY
from gridlock.rules.scatter import SCATTER
from gridlock.rules.showdown import SHOWDOWN
from gridlock.rules.trails import TRAILS

RULE_BOOKS: dict[str, RuleBook] = {book.name: book for book in (KEEPAWAY, CHAIN, SCATTER, TRAILS, SHOWDOWN)}

_grid = lru_cache(maxsize=16)(Grid)  # shared, since a large board's tables take time and memory


def variant(game: str, board: str | None = None, adjacency: str | None = None) -> Variant:
    """A game by name on a board such as `5x6`; what is not given is as the game's rule book has it."""
    book = RULE_BOOKS.get(game)
    if book is None:
        raise GridLockError(f"There is no game called '{game[:40]}'. The games are {', '.join(RULE_BOOKS)}.")
    rows, cols = board_size(board) if board is not None else book.board
    if adjacency is not None and adjacency not in list(Adjacency):
        raise GridLockError(f"Adjacency is king or orthogonal, not '{adjacency[:40]}'.")
    return Variant(book, _grid(rows, cols, Adjacency(adjacency) if adjacency is not None else book.adjacency))
