"""Pictures of positions, of daily puzzles, and of each game's example position."""

import re
from collections.abc import Mapping
from functools import lru_cache

from gridlock.core.game import Game
from gridlock.core.rulebook import RuleBook
from gridlock.drawing.svg import board_svg
from gridlock.play.puzzle_sources import daily_game
from gridlock.web.operations.learning import day_of
from gridlock.web.wire.bodies import ApiError
from gridlock.web.wire.setups import game_at, variant_of

SECONDS = 5.0  # time limit; a PNG takes a tenth of a second, and a GIF at most one second


def pictured(asked: Mapping[str, str]) -> Game:
    """Return the game to show in the picture that the query requests."""
    if list(asked) == ["at"]:
        return game_at(asked["at"])
    if list(asked) == ["day"]:
        return daily_game(day_of(asked["day"]))
    raise ApiError(400, "malformed", "To request a picture, give either at= (a position) or day= (a date).")


def svg_of(game: Game) -> bytes:
    """Draw a position as an SVG file."""
    return re.sub(r"\n+", "\n", game.svg(game.variant.book.title)).encode()


@lru_cache(maxsize=64)
def picture_of(book: RuleBook) -> str:
    """Draw a game's example position, on the game's default board."""
    game = Game(variant_of(book, None, None))
    for move in book.example:
        game.push(move)
    return board_svg(game.variant, game.position, title=book.title, last=game.last_cell)
