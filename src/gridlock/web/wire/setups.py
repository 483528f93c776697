"""Conversion of setups, records and links into games, and of games into setups.

A setup describes a game and its moves as data. Links encode a position as
`?at=<game>/<board>/<adjacency>/<starts>/<swap>/<moves>[/<more>]`.
"""

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from gridlock.core.definition import book_from, definition_of
from gridlock.core.errors import BadBoard, BadGame, BadPosition, BadRecord, GridLockError, UnreadableMove
from gridlock.core.game import Game
from gridlock.core.grid import Cell, board_size
from gridlock.core.notation import play_moves, play_stored, read_step, read_turn, split_moves, written
from gridlock.core.reachable import SetUp, set_up
from gridlock.core.records import DEFINITION, load_json, loads, read_json
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.core.rules import BUILT_IN, RULE_BOOKS, check_own, load_own, load_packages, register, variant
from gridlock.core.snapshot import FIELDS, read_position
from gridlock.core.wording import words_for
from gridlock.web.net.limits import LONGEST_SIDE
from gridlock.web.wire.answers import WholeSetup
from gridlock.web.wire.messages import Setup, SetUpRequest, Source

_TAG = re.compile(rf'^\[(Board|{DEFINITION}) "(.*)"\]', re.MULTILINE)
LONGEST = 12_000  # characters of a link: enough for about one move per cell of a large board
_FIELDS = 6  # fields that every link has; JSON may follow them


def book_of(name: str, definition: dict[str, Any] | UnsetType = UNSET) -> RuleBook:
    """Return the game with the given name, or the game that a definition describes, without ever reading a file."""
    if definition is UNSET:
        if name not in RULE_BOOKS:
            load_packages()
        if name not in RULE_BOOKS:
            titles = ", ".join(book.title for book in RULE_BOOKS.values())
            raise BadGame(f"There is no game called '{name[:40]}'. The games are {titles}.")
        return RULE_BOOKS[name]
    if name in BUILT_IN:
        raise BadGame(f"{name} is built in, so don't send a definition for it.")
    _check_definition(definition)
    book = book_from(definition, name)
    if book.name != name:
        raise BadGame(f"The definition is for a game called {book.name}, not '{name[:40]}'.")
    return book


def own_rule(book: RuleBook) -> str | None:
    """Return a custom game's rule in one sentence; return None for a game that this server itself offers.

    The sentence is derived from the game's actual rules, because the author may write anything in the game's
    description.
    """
    return words_for(book.shape, book.passes)[0] if is_own(book) else None


def is_own(book: RuleBook) -> bool:
    """Return whether a game is a custom game, rather than a game that this server offers."""
    return RULE_BOOKS.get(book.name) != book


@lru_cache(maxsize=64)
def variant_of(book: RuleBook, board: str | None, adjacency: str | None) -> Variant:
    """Return a game on a board; calls with the same arguments share the precomputed tables."""
    if board:
        _check_size(*board_size(board))
    return variant(book, board, adjacency)


def _check_size(rows: int, cols: int) -> None:
    if not (1 <= rows <= LONGEST_SIDE and 1 <= cols <= LONGEST_SIDE):
        limits = f"boards in the browser go from 1x1 to {LONGEST_SIDE}x{LONGEST_SIDE}"
        raise BadBoard(f"A board of {rows}x{cols} isn't possible: {limits}.")


def _check_definition(definition: object) -> None:
    """Reject a game whose default board is too large, before the board is created."""
    board = definition.get("board") if isinstance(definition, dict) else None
    if isinstance(board, str):
        _check_size(*board_size(board))


def load_folder(folder: Path) -> list[RuleBook]:
    """Register the games in a folder's TOML files, or no game at all if any file is invalid."""
    books: dict[str, tuple[Path, RuleBook]] = {}
    for path in sorted(folder.glob("*.toml")):
        book = load_own(path)
        if book.name in books:
            raise BadGame(f"{path}: {books[book.name][0].name} also describes a game called {book.name}.")
        if book.name in RULE_BOOKS:
            raise BadGame(f"{path}: there is already a game called {book.name}. Give your game another name.")
        if max(book.board) > LONGEST_SIDE:
            board, most = "{}x{}".format(*book.board), f"{LONGEST_SIDE}x{LONGEST_SIDE}"
            raise BadGame(f"{path}: its board is {board}, but boards in the browser can be at most {most}.")
        books[book.name] = path, book
    return [register(book) for _, book in books.values()]


def new_game(variant: Variant, position: str | UnsetType = UNSET, **settings: Any) -> Game:
    """Return a game before its first move, starting from the given position or, by default, from the usual start."""
    if position is UNSET:
        return Game(variant, **settings)
    game = Game.from_text(position, variant.book, settings.get("names", ("", "")))
    if game.variant != variant:
        raise BadPosition("The position and the setup have different boards.")
    return game


def setup_of(game: Game, keep: bool = False) -> WholeSetup:
    """Return the setup of a game, for clients of this server.

    With `keep`, the setup relies only on built-in games, so that another process can read it, even years later.
    """
    grid, book = game.variant.grid, game.variant.book
    described = book.name not in BUILT_IN if keep else is_own(book)
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
    """Return the game that a setup describes."""
    book = book_of(setup.game.strip().lower(), setup.definition)
    if is_own(book):
        check_own(book)
    on_board = variant_of(book, setup.board, setup.adjacency)
    game = new_game(on_board, setup.position, starts=starts or setup.starts, swap=setup.swap)
    play_stored(game, setup.moves)
    return game


def game_from(source: Source) -> Game:
    """Return the game described by a setup, by a setup with pasted moves, or by a pasted record."""
    if source.record is not None:
        if source.setup is not None or source.text is not None:
            raise GridLockError("A record already includes the setup and the moves, so don't send them too.")
        return _read_record(source.record)
    if source.setup is None:
        raise GridLockError("Send a setup or a record.")
    game = game_of(source.setup)
    play_moves(game, source.text or "")
    return game


def set_up_from(wish: SetUpRequest) -> SetUp:
    """Return the game that continues from a position given as text, or the reason why the position is invalid."""
    fields = wish.line.split()
    known = book_of(fields[0], wish.definition) if len(fields) == FIELDS else None
    if known is not None and is_own(known):
        check_own(known)
    grid = read_position(wish.line, known, is_loose=True)[0].grid
    _check_size(grid.rows, grid.cols)  # before the position is examined, which takes longer on larger boards
    return set_up(wish.line, known)


def read_cell(game: Game, text: str | None) -> Cell | None:
    """Return the cell that the player to move has typed, or None if it is outside the grid."""
    if text is None:
        raise GridLockError("Send the cell as a number or as text.")
    if len(split_moves(text)) > 1 and not read_step(text, game.variant, game.position):
        raise UnreadableMove("One move at a time, please.")
    try:
        return read_turn(text, game.variant, game.position)
    except UnreadableMove as error:
        raise UnreadableMove(f"{error}.") from None


def game_at(text: str) -> Game:
    """Return the game that a position link describes, including its moves."""
    unreadable = GridLockError("This position link can't be read. The link may have been cut off when copied.")
    fields = text.split("/", _FIELDS)
    if len(text) > LONGEST or len(fields) < _FIELDS or fields[3] not in ("1", "2") or fields[4] not in ("0", "1"):
        raise unreadable
    data: dict[str, Any] = {
        "game": fields[0],
        "board": fields[1],
        "adjacency": fields[2],
        "starts": int(fields[3]),
        "swap": fields[4] == "1",
        "moves": fields[5].split("_") if fields[5] else [],
    }
    try:
        more = msgspec.json.decode(fields[_FIELDS], type=dict[str, Any]) if fields[_FIELDS:] else {}
        return game_of(msgspec.convert({**more, **data}, Setup))
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        raise unreadable from None


def _read_record(text: str) -> Game:
    """Return the first game in a record; reject a custom game that looks like a built-in game."""
    try:
        game = _load_record(text)
    except BadRecord as error:
        words = str(error).rstrip(".")
        raise BadRecord(f"{words[0].upper()}{words[1:]}.") from None
    if is_own(game.variant.book):
        check_own(game.variant.book)
    return game


def _load_record(text: str) -> Game:
    """Return the first game in a record, after checking that the board is not too large."""
    if text.lstrip()[:1] in ("{", "[") and not text.lstrip().startswith("[GridLock "):
        data = read_json(text)
        data = data[0] if isinstance(data, list) and data else data
        if isinstance(data, dict):
            _check_tags([(name, said) for name, said in data.items() if isinstance(said, str)])
        return load_json(data)
    first = text.lstrip().partition("\n[GridLock ")[0]
    _check_tags([(name, re.sub(r"\\(.)", r"\1", said)) for name, said in _TAG.findall(first)])
    return loads(first)[0]


def _check_tags(tags: list[tuple[str, str]]) -> None:
    """Reject a record whose board is too large."""
    for name, said in tags:
        if name == "Board":
            _check_size(*board_size(said))
        elif name == DEFINITION:
            _check_definition(read_json(said))
