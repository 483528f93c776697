"""The operator's own games, and a picture of each."""

from functools import lru_cache
from pathlib import Path

from gridlock.core.definition import load_book
from gridlock.core.errors import BadGame
from gridlock.core.rulebook import RuleBook
from gridlock.core.rules import RULE_BOOKS, register
from gridlock.drawing.svg import board_svg
from gridlock.web.net.limits import LONGEST_SIDE
from gridlock.web.wire.setups import variant_of


def load_folder(folder: Path) -> list[RuleBook]:
    """Register the game of every TOML file in a folder, or none if one of them is wrong."""
    books: dict[str, tuple[Path, RuleBook]] = {}
    for path in sorted(folder.glob("*.toml")):
        book = load_book(path)
        if book.name in books:
            raise BadGame(f"{path}: {books[book.name][0].name} describes a game called {book.name}, too.")
        if book.name in RULE_BOOKS:
            raise BadGame(f"{path}: there is already a game called {book.name}. Choose another name.")
        if max(book.board) > LONGEST_SIDE:
            rows, cols = book.board
            raise BadGame(
                f"{path}: its board is {rows}x{cols}, and in the browser {LONGEST_SIDE}x{LONGEST_SIDE} is most."
            )
        books[book.name] = path, book
    return [register(book) for _, book in books.values()]


@lru_cache(maxsize=64)
def picture_of(book: RuleBook) -> str:
    """Draw a game's example on its default board."""
    variant = variant_of(book, None, None)
    position, last = variant.start(), None
    for row, col in book.example:
        last = variant.cell(row, col)
        assert last is not None  # a rule book's example can be played
        position = position.after(last)
    return board_svg(variant, position, title=book.title, last=last)
