"""The five built-in games, and games that are registered or read from a file."""

from functools import lru_cache
from os import PathLike
from pathlib import Path

from gridlock.core.errors import BadGame, GridLockError
from gridlock.core.grid import Adjacency, Grid, board_size
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.core.shape import Follow, Shape

KEEPAWAY = RuleBook(
    name="keepaway",
    title="Keep-Away",
    summary="Never play next to your opponent's last marker.",
    rules="Players take turns to put a marker on an empty cell. The first marker may go anywhere. After the first "
    "move, your marker must not touch the marker your opponent placed last. Your marker may touch older markers. "
    "If no cell is open to you on your turn, you lose.",
    board=(3, 3),
    adjacency=Adjacency.KING,
    shape=Shape(follows=Follow.AWAY),
    closed="adjacent to the opponent's last marker",
    example=((1, 1),),
)

CHAIN = RuleBook(
    name="chain",
    title="Chain",
    summary="Play next to the last marker placed.",
    rules="Players take turns to put a marker on an empty cell. The first marker may go anywhere. After the first "
    "move, your marker must touch the marker your opponent has just placed, so that the markers form one path. If no "
    "cell is open to you on your turn, you lose.",
    board=(4, 4),
    adjacency=Adjacency.ORTHOGONAL,
    shape=Shape(follows=Follow.NEAR),
    closed="not adjacent to the last marker",
    example=((2, 2), (2, 3)),
)

SCATTER = RuleBook(
    name="scatter",
    title="Scatter",
    summary="Never put a token next to one of your own.",
    rules="Players take turns to put a token on an empty cell that touches none of their own tokens. Your "
    "tokens may touch the opponent's tokens. If no cell is open to you, you pass, and the other player continues. "
    "When neither player can place a token, the player who placed the last one wins.",
    board=(5, 5),
    adjacency=Adjacency.KING,
    shape=Shape(closes_own=True),
    closed="adjacent to one of your own tokens",
    example=((3, 3), (1, 1)),
    passes=True,
)

TRAILS = RuleBook(
    name="trails",
    title="Trails",
    summary="Move your pawn one step; the cell it leaves is blocked for good.",
    rules="Each player has one pawn: A starts in the top-left corner and B in the bottom-right corner. On your turn, "
    "move your pawn one step to an adjacent free cell. The cell that your pawn left is blocked for the rest of the "
    "game. If your pawn cannot move on your turn, you lose.",
    board=(3, 3),
    adjacency=Adjacency.ORTHOGONAL,
    shape=Shape(follows=Follow.NEAR, pawn=True),
    closed="not adjacent to your position",
    example=((0, 1), (1, 2)),
    origin=0,
)

SHOWDOWN = RuleBook(
    name="showdown",
    title="Showdown",
    summary="Never put a marker next to one of your opponent's.",
    rules="Players take turns to put a marker on an empty cell that touches none of the opponent's markers. Your "
    "own markers don't hinder you, and the cells around them are safe for you. If no cell is open to you on your "
    "turn, you lose.",
    board=(5, 5),
    adjacency=Adjacency.KING,
    shape=Shape(closes_other=True),
    closed="adjacent to your opponent's marker",
    example=((3, 3),),
)

RULE_BOOKS: dict[str, RuleBook] = {book.name: book for book in (KEEPAWAY, CHAIN, SCATTER, TRAILS, SHOWDOWN)}
BUILT_IN = frozenset(RULE_BOOKS)
FIRST = SHOWDOWN.name  # a good first game for new players
PACKAGES = "gridlock.games"  # the entry points through which other packages add rule books

_grid = lru_cache(maxsize=16)(Grid)  # shared, because a large board's tables take time and memory


def check_own(book: RuleBook) -> None:
    """Raise BadGame if the name, the title or a player's name in a user's game looks like one of GridLock's own."""
    from gridlock.core.names import is_reserved, skeleton  # loaded only for such games

    house = [RULE_BOOKS[name] for name in BUILT_IN]
    for one in house:
        if book.name == one.name:
            raise BadGame(f"There is already a game called {one.name}. Choose another name.")
        alike = {skeleton(one.name), skeleton(one.title)}
        for what, text in (("title", book.title), ("name", book.name)):
            if skeleton(text) in alike:
                raise BadGame(f"The {what} '{text}' looks like {one.title}, a built-in game. Choose another {what}.")
    if is_reserved(book.title):
        raise BadGame(f"The title '{book.title}' is reserved. Choose another title.")
    for player in () if book.players in [one.players for one in house] else book.players:
        if is_reserved(player):
            raise BadGame(f"The player name '{player}' is reserved. Choose another name.")


def register(book: RuleBook) -> RuleBook:
    """Register a game under its name; raise BadGame if its name, its title or a player's name is not allowed."""
    if RULE_BOOKS.get(book.name) != book:
        check_own(book)
    RULE_BOOKS[book.name] = book
    return book


def load_packages() -> None:
    """Register the games that installed packages provide."""
    from importlib.metadata import entry_points

    for entry in entry_points(group=PACKAGES):
        if entry.name not in RULE_BOOKS:
            try:
                book = entry.load()
            except Exception as error:  # a package may raise anything
                raise BadGame(f"The package behind the game '{entry.name}' does not load: {error}.") from error
            if not isinstance(book, RuleBook):
                raise BadGame(f"The package behind the game '{entry.name}' provides no rule book ({entry.value}).")
            register(book)


def named(name: str) -> RuleBook:
    """Return the game with a given name; search the installed packages if the name is not known yet."""
    if name not in RULE_BOOKS:
        load_packages()
    if name not in RULE_BOOKS:
        raise BadGame(f"There is no game called '{name[:40]}'. The games are {', '.join(RULE_BOOKS)}.")
    return RULE_BOOKS[name]


def rule_book(game: str | Path | RuleBook | Shape) -> RuleBook:
    """Return the game identified by its name (in upper or lower case), its TOML file or its shape.

    Call this function only with input from the local user, because the input may name any file.
    """
    if not isinstance(game, str | PathLike):
        return _described(game)
    if isinstance(game, str) and not game.endswith(".toml"):
        return named(game.strip().lower())
    return load_own(Path(game))


def load_own(path: Path) -> RuleBook:
    """Return the game that a TOML file describes; raise BadGame if the game looks like a built-in one."""
    from gridlock.core.definition import load_book

    book = load_book(path, BUILT_IN)
    try:
        check_own(book)
    except BadGame as error:
        why = str(error)
        raise BadGame(f"{path}: {why[:1].lower()}{why[1:]}") from None
    return book


def _described(game: RuleBook | Shape) -> RuleBook:
    if isinstance(game, Shape):
        return RuleBook(title="Custom", shape=game)
    if not isinstance(game, RuleBook):
        raise BadGame(f"A game must be a name, a TOML file, a Shape, a RuleBook or a Variant, not {str(game)[:40]!r}.")
    return game


def variant(
    game: str | RuleBook | Shape, board: str | tuple[int, int] | None = None, adjacency: str | None = None
) -> Variant:
    """Return a game on a board such as `5x6` or (5, 6); the default board and adjacency come from the rule book."""
    book = named(game.strip().lower()) if isinstance(game, str) else _described(game)
    rows, cols = book.board if board is None else board_size(board)
    return Variant(book, _grid(rows, cols, book.adjacency if adjacency is None else Adjacency(adjacency)))


def chosen(
    game: str | Path | RuleBook | Shape | Variant, board: str | tuple[int, int] | None, adjacency: str | None
) -> Variant:
    """Return the variant for a game, board and adjacency; if the game is already a variant, return it unchanged.

    Call this function only with input from the local user, because the input may name any file.
    """
    if not isinstance(game, Variant):
        return variant(rule_book(game), board, adjacency)
    if board is not None or adjacency is not None:
        raise GridLockError(
            "A board or adjacency cannot be given with a variant, because a variant already has both. If you give "
            "the game's name or its rule book instead of a variant, you can also give a board and an adjacency."
        )
    return game
