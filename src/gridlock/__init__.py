"""GridLock: two-player lock-out games on a grid, to play, solve and invent.

>>> import gridlock as gl
>>> game = gl.Game("showdown", "5x5")
>>> game.push("3,3")
>>> game.analyse(seconds=2).proof.words()  # doctest: +ELLIPSIS
'Every move loses: ...'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gridlock.answer import Answer as Answer
    from gridlock.errors import BadBoard as BadBoard
    from gridlock.errors import BadGame as BadGame
    from gridlock.errors import BadPosition as BadPosition
    from gridlock.errors import BadRecord as BadRecord
    from gridlock.errors import GridLockError as GridLockError
    from gridlock.errors import IllegalMove as IllegalMove
    from gridlock.errors import UnreadableMove as UnreadableMove
    from gridlock.game import SWAP as SWAP
    from gridlock.game import Outcome as Outcome
    from gridlock.game import Termination as Termination
    from gridlock.grid import Adjacency as Adjacency
    from gridlock.grid import Grid as Grid
    from gridlock.grid import cells_of as cells_of
    from gridlock.grid import set_of as set_of
    from gridlock.library import Game as Game
    from gridlock.library import Moves as Moves
    from gridlock.library import Solved as Solved
    from gridlock.library import load as load
    from gridlock.library import save as save
    from gridlock.library import solve as solve
    from gridlock.players import agents as agents
    from gridlock.position import Position as Position
    from gridlock.rulebook import Reason as Reason
    from gridlock.rulebook import Refusal as Refusal
    from gridlock.rulebook import RuleBook as RuleBook
    from gridlock.rulebook import Variant as Variant
    from gridlock.rules import RULE_BOOKS as RULE_BOOKS
    from gridlock.rules import register as register
    from gridlock.rules import rule_book as rule_book
    from gridlock.rules import variant as variant
    from gridlock.shape import Follow as Follow
    from gridlock.shape import Shape as Shape

__version__ = "0.1.0"

# Where each name is found: loaded when it is first used, so that a command loads only what it needs.
_NAMES = {
    "players": ("agents",),
    "errors": (
        "BadBoard",
        "BadGame",
        "BadPosition",
        "BadRecord",
        "GridLockError",
        "IllegalMove",
        "UnreadableMove",
    ),
    "game": ("SWAP", "Outcome", "Termination"),
    "grid": ("Adjacency", "Grid", "cells_of", "set_of"),
    "answer": ("Answer",),
    "library": ("Game", "Moves", "Solved", "load", "save", "solve"),
    "position": ("Position",),
    "rulebook": ("Reason", "Refusal", "RuleBook", "Variant"),
    "rules": ("RULE_BOOKS", "register", "rule_book", "variant"),
    "shape": ("Follow", "Shape"),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}
__all__ = ["__version__", *sorted(_HOMES)]


def __getattr__(name: str) -> Any:
    """Load what is asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module 'gridlock' has no attribute {name!r}")
    found = getattr(import_module(f"gridlock.{_HOMES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
