"""Playing lists of moves, typed or stored."""

from collections.abc import Iterable

from gridlock.core.errors import IllegalMove, UnreadableMove
from gridlock.core.game import Game
from gridlock.core.notation import read_stored, split_moves, write_move


def play_moves(game: Game, text: str) -> None:
    """Play a list of typed moves, which may include swaps but no passes; an error names the wrong move."""
    for number, piece in enumerate(split_moves(text), 1):
        try:
            game.push(piece)
        except UnreadableMove as error:
            raise UnreadableMove(f"Move {number} ('{piece[:40]}') cannot be read: {error.why}.") from None
        except IllegalMove as error:
            raise IllegalMove(f"Move {number} ({piece[:40]}) is not possible: {error.why}.") from None


def push_stored(game: Game, text: str) -> None:
    """Make a stored move."""
    game.push(read_stored(game.variant, text))


def play_stored(game: Game, moves: Iterable[str]) -> None:
    """Play a list of stored moves; an error names the wrong move."""
    for number, text in enumerate(moves, 1):
        try:
            push_stored(game, text)
        except (IllegalMove, UnreadableMove) as error:
            raise IllegalMove(f"Move {number} ({text}) is not possible: {error.why}.") from None


def written(game: Game) -> list[str]:
    """Return every move of a game as it is stored; passes are left out, because the rules imply them."""
    return [write_move(game.variant, move) for move in game.moves]
