"""Moves as players type them."""

import re

from gridlock.errors import IllegalMove, UnreadableMove
from gridlock.game import SWAP, Game
from gridlock.grid import Cell
from gridlock.movetext import SWAP_WORD
from gridlock.rulebook import Variant

_NUMBER = r"([+-]?[0-9]+)"
_MOVE = re.compile(
    r"(?:place (?P<mark>\S+) at )?"
    rf"(?:row {_NUMBER} ?,? ?col(?:umn)? {_NUMBER}|\( ?{_NUMBER} ?, ?{_NUMBER} ?\)|{_NUMBER}(?: ?, ?| ){_NUMBER})",
    re.IGNORECASE,
)


def read_number(text: str) -> int:
    """A row or column as typed; one of absurd length is simply outside every grid."""
    return int(text) if len(text) < 9 else -1


def read_move(text: str, variant: Variant, mark: str) -> Cell | None:
    """The cell of a typed move such as `2 3` or `Place X at row 2 column 3` (None outside the grid)."""
    match = _MOVE.fullmatch(" ".join(text.split()))
    if not match:
        raise UnreadableMove(f"Enter a row and a column, such as {variant.name(0)}")
    if match["mark"] and match["mark"].upper().strip("'\"") != mark:
        raise UnreadableMove(f"Your marker is {mark}")
    row, col = (read_number(number) for number in match.groups()[1:] if number)
    return variant.cell(row, col)


def split_moves(text: str) -> list[str]:
    """The single moves of a list such as `3,3 1,1` or `3 3; 1 1`."""
    pieces = []
    for part in text.split(";"):
        words = " ".join(part.split())
        pieces += [words] if _MOVE.fullmatch(words) else re.sub(r" ?, ?", ",", words).split()
    return pieces


def play_moves(game: Game, text: str) -> None:
    """Play a list of moves, swaps among them and passes left out; say which one is wrong, and why."""
    for number, piece in enumerate(split_moves(text), 1):
        try:
            mark = game.variant.book.marks[game.position.turn - 1]
            game.push(SWAP if piece.lower() == SWAP_WORD else read_move(piece, game.variant, mark))
        except UnreadableMove as error:
            raise UnreadableMove(f"Move {number} ('{piece[:40]}') cannot be read: {error}.") from None
        except IllegalMove as error:
            raise IllegalMove(f"Move {number} ({piece[:40]}) is not possible: {error}.") from None
