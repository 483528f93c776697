"""Convert game definitions, which come from TOML files and game records, to rule books and back."""

import re
import tomllib
from collections.abc import Callable, Container, Mapping
from pathlib import Path
from typing import Any

from gridlock.core.errors import BadBoard, BadGame, GridLockError
from gridlock.core.grid import Adjacency, Grid, board_size
from gridlock.core.names import clean_name
from gridlock.core.rulebook import A_NAME, RuleBook, Variant, are_marks, is_name
from gridlock.core.shape import Follow, Shape

_WORDS = ("title", "summary", "rules", "closed")
TWICE = "the same setting or table is given twice"
A_SHAPE = "a line [shape] and, below it, what a marker does, such as closes_other = true"
LARGEST = 64_000  # the most characters in a file; a page of text has about a tenth of this


class _Wrong(Exception):
    """An invalid setting, and the reason why it is invalid."""

    def __init__(self, key: str, why: str) -> None:
        super().__init__(why.rstrip("."))
        self.key = key


# -- one setting ----------------------------------------------------------------------------------------------------


def _text(longest: int) -> Callable[[str, Any], str]:
    def read(key: str, value: Any) -> str:
        if not isinstance(value, str):
            raise _Wrong(key, "must be text in quotes")
        if not value.strip():
            raise _Wrong(key, "must not be empty")
        words = " ".join(value.split())
        if len(words) > longest or not words.isprintable():
            raise _Wrong(key, f"must have at most {longest} characters, all of them printable")
        if not (words := clean_name(words, longest)):
            raise _Wrong(key, "has only invisible characters")
        return words

    return read


def _yes_or_no(key: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise _Wrong(key, "must be true or false")
    return value


def _board(key: str, value: Any) -> tuple[int, int]:
    try:
        rows, cols = board_size(_text(20)(key, value))
        Grid(rows, cols, Adjacency.KING)
    except GridLockError as error:
        raise _Wrong(key, f'must be rows x columns, such as "5x6": {error}') from None
    return rows, cols


def _one_of(*words: str) -> Callable[[str, Any], str]:
    def read(key: str, value: Any) -> str:
        if value not in words or not isinstance(value, str):
            raise _Wrong(key, "is " + " or ".join(f'"{word}"' for word in words))
        return value

    return read


def _two_different(what: str, longest: int, fit: Callable[[list[str]], bool]) -> Callable[[str, Any], tuple[str, ...]]:
    def read(key: str, value: Any) -> tuple[str, ...]:
        texts = [_text(longest)(key, text) for text in value] if isinstance(value, list) and len(value) == 2 else []
        if len(set(texts)) != 2 or not fit(texts):
            raise _Wrong(key, f"must be a list of two different {what}")
        return tuple(texts)

    return read


def _origin(key: str, value: Any) -> int:
    if value not in (0, 1) or isinstance(value, bool):
        raise _Wrong(key, "must be 0 or 1, the number of the first row and column")
    return int(value)


def _example(key: str, value: Any) -> tuple[tuple[int, int], ...]:
    def whole(move: Any) -> bool:
        return isinstance(move, list) and len(move) == 2 and all(type(number) is int for number in move)

    if not isinstance(value, list) or len(value) > 20 or not all(whole(move) for move in value):
        raise _Wrong(key, "must be a list of moves, each a row and a column, such as [[2, 2], [1, 4]]")
    return tuple((row, col) for row, col in value)


_SHAPE: dict[str, Callable[[str, Any], Any]] = {
    "closes_own": _yes_or_no,
    "closes_other": _yes_or_no,
    "follows": _one_of(*Follow),
    "pawn": _yes_or_no,
}
_SETTINGS: dict[str, Callable[[str, Any], Any]] = {
    "name": _text(32),
    "title": _text(40),
    "summary": _text(200),
    "rules": _text(2000),
    "closed": _text(200),
    "board": _board,
    "adjacency": _one_of(*Adjacency),
    "passes": _yes_or_no,
    "origin": _origin,
    "marks": _two_different("capital letters from A to Z", 20, are_marks),
    "players": _two_different("names", 32, all),
    "example": _example,
}


# -- a whole definition ---------------------------------------------------------------------------------------------


def book_from(definition: Mapping[str, Any], name: str) -> RuleBook:
    """Return the rule book that a definition describes, with defaults for missing settings."""
    try:
        return _book(definition, name)
    except _Wrong as wrong:
        raise BadGame(f"{wrong.key} {wrong}.") from None


def _book(definition: Mapping[str, Any], name: str) -> RuleBook:
    """Return the rule book that a definition describes; raise _Wrong for an invalid setting."""
    known = ", ".join([*_SETTINGS, "shape"])
    said: dict[str, Any] = {}
    for key, value in definition.items():
        if key != "shape" and key not in _SETTINGS:
            raise _Wrong(key, f"is not a setting of a game. The settings are {known}")
        if key != "shape":
            said[key] = _SETTINGS[key](key, value)
    shape = _shape(definition["shape"]) if "shape" in definition else None  # it may include the title by mistake
    if "title" not in said:
        raise _Wrong("title", "is missing: give the game a title")
    if shape is None:
        raise _Wrong("shape", f"is missing: add {A_SHAPE}")
    own = said.pop("name", None)
    if not is_name(name if own is None else own):
        missing = f"is missing, and the file's name cannot be used instead. A name must have {A_NAME}"
        raise _Wrong("name", missing if own is None else f"must have {A_NAME}; '{own[:40]}' does not")
    try:
        book = RuleBook(name=own or name, shape=shape, **said)
        variant = Variant(book, Grid(*book.board, book.adjacency))
    except BadBoard as error:
        raise _Wrong("board", f"is too small: {error}") from None
    except BadGame as error:
        raise _Wrong("passes", f"is not possible here: {error}") from None
    if "example" in said:
        _check_example(variant)
    return book


def _shape(value: Any) -> Shape:
    if not isinstance(value, Mapping):
        raise _Wrong("shape", f"must be a table: write {A_SHAPE}")
    for key in value:
        if key in _SETTINGS:
            raise _Wrong(key, "belongs to the game, not to its shape: move it above [shape]")
        if key not in _SHAPE:
            raise _Wrong(key, f"is not a property of a shape. The properties are {', '.join(_SHAPE)}")
    try:
        return Shape(**{key: _SHAPE[key](key, said) for key, said in value.items()})
    except BadGame as error:
        raise _Wrong("pawn", f"is not enough: {str(error)[:1].lower()}{str(error)[1:]}") from None


def _check_example(variant: Variant) -> None:
    position = variant.start()
    for row, col in variant.book.example:
        cell = variant.cell(row, col)
        if cell is None or variant.refusal(position, cell):
            raise _Wrong("example", f"cannot be played on a board of {variant.grid}: {row},{col} is not possible")
        position = position.after(cell)


def definition_of(book: RuleBook) -> dict[str, Any] | None:
    """Return a definition from which book_from() recreates the game, or None if no definition describes the game.

    Strings are cleaned in the same way as in book_from(), so that a definition survives a round trip unchanged.
    """
    if book.shape is None or book.start is not None:
        return None
    shape = {key: getattr(book.shape, key) for key in _SHAPE if getattr(book.shape, key)}
    definition = {
        "name": book.name,
        **{key: clean_name(text, len(text)) for key in _WORDS if (text := getattr(book, key))},
        "board": "{}x{}".format(*book.board),
        "adjacency": str(book.adjacency),
        "passes": book.passes,
        "origin": book.origin,
        "marks": list(book.marks),
        "players": list(book.players),
        "example": [list(move) for move in book.example],
        "shape": {key: str(said) if key == "follows" else said for key, said in shape.items()},
    }
    try:
        book_from(definition, book.name)
    except BadGame:  # a file may not contain such a value, so the game can only be registered
        return None
    return definition


# -- files ----------------------------------------------------------------------------------------------------------


def load_book(path: Path, taken: Container[str] = ()) -> RuleBook:
    """Return the game that a TOML file describes; if the file sets no name, the game is named after the file.

    A game whose name is already taken is rejected.
    """
    try:
        if not path.is_file() and path.exists():  # reading from a pipe or a device might block or never end
            raise BadGame(
                f"{path} is {'a folder' if path.is_dir() else 'not a regular file'}, so it cannot describe a game."
            )
        with path.open(encoding="utf-8-sig") as file:  # some editors write a byte order mark
            text = file.read(LARGEST + 1)
    except OSError as error:
        raise BadGame(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise BadGame(f"{path} is not UTF-8 text, so it cannot describe a game.") from None
    if len(text) > LARGEST:
        raise BadGame(f"{path} is longer than {LARGEST:,} characters, which is more than any game needs.")
    try:
        definition = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.fullmatch(r"(.*) \(at line (\d+), column \d+\)", str(error), re.DOTALL)
        # If the parser's message has no line number, the error is on the last line.
        why, line = (found[1], int(found[2])) if found else (str(error).partition(" (")[0], text.count("\n") + 1)
        why = TWICE if why.startswith(("Cannot overwrite a value", "Cannot declare")) else why
        raise BadGame(f"{path}, line {line}: invalid TOML ({why[:1].lower()}{why[1:]}).") from None
    except RecursionError:
        raise BadGame(f"{path}: the lists are nested too deeply.") from None
    try:
        book = _book(definition, re.sub(r"\W+", "_", path.stem.lower()))
    except _Wrong as wrong:
        raise BadGame(f"{path}, line {_line_of(text, wrong.key)}: {wrong.key} {wrong}.") from None
    if book.name in taken:
        where = f", line {_line_of(text, 'name')}" if "name" in definition else ""
        raise BadGame(f"{path}{where}: there is already a game called {book.name}. Choose another name.")
    return book


def _line_of(text: str, key: str) -> int:
    """Return the line number of a setting or table, or 1 if the text does not contain it."""
    found = re.search(rf"^[^\S\n]*(?:\[+\s*{re.escape(key)}\s*\]|{re.escape(key)}\s*=)", text, re.MULTILINE)
    return text.count("\n", 0, found.start()) + 1 if found else 1
