"""Setups: a game and its moves as they travel, within the limits of this server."""

import re
from functools import lru_cache
from typing import Any

from msgspec import UNSET, UnsetType

from gridlock.core.definition import book_from, definition_of
from gridlock.core.errors import BadBoard, BadGame, BadPosition, GridLockError, UnreadableMove
from gridlock.core.game import Game
from gridlock.core.grid import Cell, board_size
from gridlock.core.notation import read_step, read_turn, split_moves
from gridlock.core.records import DEFINITION, load_json, loads, read_json
from gridlock.core.replay import play_moves, play_stored, written
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.core.rules import BUILT_IN, RULE_BOOKS, named, variant
from gridlock.web.net.limits import LONGEST_SIDE
from gridlock.web.wire.answers import WholeSetup
from gridlock.web.wire.messages import Setup, Source

_TAG = re.compile(rf'^\[(Board|{DEFINITION}) "(.*)"\]', re.MULTILINE)


def book_of(name: str, definition: dict[str, Any] | UnsetType = UNSET) -> RuleBook:
    """The game of that name; where nobody here needs to know it, the one that is described. No file is looked for."""
    if definition is UNSET:
        return named(name)
    if name in BUILT_IN:
        raise BadGame(f"{name} needs no definition, and can have no other.")
    _small_definition(definition)
    book = book_from(definition, name)
    if book.name != name:
        raise BadGame(f"The definition is that of a game called {book.name}, not '{name[:40]}'.")
    return book


@lru_cache(maxsize=256)
def variant_of(book: RuleBook, board: str | None, adjacency: str | None) -> Variant:
    """A game on a board; games share what they know about their board."""
    if board:
        _small_enough(*board_size(board))
    return variant(book, board, adjacency)


def _small_enough(rows: int, cols: int) -> None:
    if max(rows, cols) > LONGEST_SIDE:
        raise BadBoard(f"Boards in the browser go up to {LONGEST_SIDE}x{LONGEST_SIDE}.")


def _small_definition(definition: object) -> None:
    """Refuse a game whose own board is too large before that board is made."""
    board = definition.get("board") if isinstance(definition, dict) else None
    if isinstance(board, str):
        _small_enough(*board_size(board))


def begun(variant: Variant, position: str | UnsetType = UNSET, **settings: Any) -> Game:
    """A game before its first move, which may be made from any position."""
    if position is UNSET:
        return Game(variant, **settings)
    game = Game.from_text(position, variant.book, settings.get("names", ("", "")))
    if game.variant != variant:
        raise BadPosition("The position is on another board than the setup says.")
    return game


def setup_of(game: Game) -> WholeSetup:
    """The setup that leads to a game as it stands, for whoever talks to this server."""
    book = game.variant.book
    return _setup(game, described=RULE_BOOKS.get(book.name) != book)


def setup_to_keep(game: Game) -> WholeSetup:
    """The same for who knows nothing but the games that come with the project: another process, or another year."""
    return _setup(game, described=game.variant.book.name not in BUILT_IN)


def _setup(game: Game, described: bool) -> WholeSetup:
    grid, book = game.variant.grid, game.variant.book
    return WholeSetup(
        game=book.name,
        definition=(definition_of(book) or UNSET) if described else UNSET,
        position=game.at(0).position_text() if game.set_up else UNSET,
        board=str(grid),
        adjacency=grid.adjacency,
        starts=game.starts,
        swap=game.swap,
        moves=written(game),
    )


def game_of(setup: Setup, starts: int | None = None) -> Game:
    """The game that a setup describes."""
    book = book_of(setup.game.strip().lower(), setup.definition)
    on_board = variant_of(book, setup.board, setup.adjacency)
    game = begun(on_board, setup.position, starts=starts or setup.starts, swap=setup.swap)
    play_stored(game, setup.moves)
    return game


def game_from(source: Source) -> Game:
    """The game that a setup, pasted moves or a pasted record describe."""
    if source.record is not None:
        if source.setup is not None or source.text is not None:
            raise GridLockError("A record says everything itself; send no setup and no moves with it.")
        return _recorded(source.record)
    if source.setup is None:
        raise GridLockError("There is neither a setup nor a record.")
    game = game_of(source.setup)
    play_moves(game, source.text or "")
    return game


def typed(game: Game, text: str | None) -> Cell | None:
    """The cell that somebody has typed who is to move (None outside the grid)."""
    if text is None:
        raise GridLockError("There is neither a cell nor a text.")
    if len(split_moves(text)) > 1 and not read_step(text, game.variant, game.position):
        raise UnreadableMove("One move at a time, please.")
    try:
        return read_turn(text, game.variant, game.position)
    except UnreadableMove as error:
        raise UnreadableMove(f"{error}.") from None


def _recorded(text: str) -> Game:
    """The first game of a record; how large its boards are gets looked at before anything is replayed."""
    if text.lstrip()[:1] in ("{", "[") and not text.lstrip().startswith("[GridLock "):
        data = read_json(text)
        data = data[0] if isinstance(data, list) and data else data
        if isinstance(data, dict):
            _small_tags([(name, said) for name, said in data.items() if isinstance(said, str)])
        return load_json(data)
    first = text.lstrip().partition("\n[GridLock ")[0]
    _small_tags([(name, re.sub(r"\\(.)", r"\1", said)) for name, said in _TAG.findall(first)])
    return loads(first)[0]


def _small_tags(tags: list[tuple[str, str]]) -> None:
    """Refuse a record that would need a large board."""
    for name, said in tags:
        if name == "Board":
            _small_enough(*board_size(said))
        elif name == DEFINITION:
            _small_definition(read_json(said))
