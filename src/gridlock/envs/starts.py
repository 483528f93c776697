"""Starting positions of games, each given as a Position, as text or as a Game."""

from __future__ import annotations

from operator import index
from typing import Any

from gridlock.core.errors import BadBoard, BadGame, BadPosition
from gridlock.core.game import Game
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant

Start = Position | str | Game  # a position, its text, or a game that has reached the position


def game_from(variant: Variant, start: Start, *, swap: bool = True, may_be_over: bool = False) -> Game:
    """Return a game that continues from a position of this variant; `swap` says whether a swap is still allowed."""
    if isinstance(start, str):
        game = Game.from_text(start, variant.book)
    elif isinstance(start, Game):
        game = start.copy()
    elif isinstance(start, Position):
        game = Game(variant, start=start)
    else:
        raise BadPosition(f"A start is a Position, its text or a Game, not {str(start)[:40]!r}.")
    if game.variant != variant:
        ours, theirs = (f"{one.book.name} {one.grid} {one.grid.adjacency}" for one in (variant, game.variant))
        raise BadPosition(f"This is a position of {theirs}, but the environment plays {ours}.")
    if game.outcome is not None and not may_be_over:
        raise BadPosition(f"In this position the game is over: {game.position_text()}. Start from an earlier position.")
    if game.swap and len(game.moves) < 2 and not swap:
        raise BadPosition("In this position, a swap is still possible. Use an environment that has the swap rule.")
    return game


def option_start(options: dict[str, Any] | None) -> Start | None:
    """Return the `position` option of reset(), or None if it is not given; reject all other options."""
    unknown = set(options or ()) - {"position"}
    if unknown:
        raise BadGame(f"There is no option {str(min(unknown))!r} for reset(). The only option is 'position'.")
    return (options or {}).get("position")


def check_first_move(variant: Variant) -> None:
    """Raise BadBoard if no first move is possible on this board."""
    if not variant.legal(variant.start()):
        raise BadBoard(f"{variant.book.name} on {variant.grid} is over before the first move: choose a larger board.")


def whole(number: Any, what: str) -> int:
    """Convert an integer from any library to a plain int, or raise BadGame."""
    try:
        return index(number)
    except TypeError:
        raise BadGame(f"{what} is a whole number, not {str(number)[:40]!r}.") from None
