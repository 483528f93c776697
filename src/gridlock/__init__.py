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
    from gridlock.core.errors import BadBoard as BadBoard
    from gridlock.core.errors import BadGame as BadGame
    from gridlock.core.errors import BadPosition as BadPosition
    from gridlock.core.errors import BadRecord as BadRecord
    from gridlock.core.errors import GridLockError as GridLockError
    from gridlock.core.errors import IllegalMove as IllegalMove
    from gridlock.core.errors import UnreadableMove as UnreadableMove
    from gridlock.core.game import SWAP as SWAP
    from gridlock.core.game import Game as Game
    from gridlock.core.game import Outcome as Outcome
    from gridlock.core.game import Termination as Termination
    from gridlock.core.grid import Adjacency as Adjacency
    from gridlock.core.grid import Grid as Grid
    from gridlock.core.grid import cells_of as cells_of
    from gridlock.core.grid import set_of as set_of
    from gridlock.core.moves import Moves as Moves
    from gridlock.core.position import Position as Position
    from gridlock.core.records import load as load
    from gridlock.core.records import save as save
    from gridlock.core.rulebook import Reason as Reason
    from gridlock.core.rulebook import Refusal as Refusal
    from gridlock.core.rulebook import RuleBook as RuleBook
    from gridlock.core.rulebook import Variant as Variant
    from gridlock.core.rules import RULE_BOOKS as RULE_BOOKS
    from gridlock.core.rules import register as register
    from gridlock.core.rules import rule_book as rule_book
    from gridlock.core.rules import variant as variant
    from gridlock.core.shape import Follow as Follow
    from gridlock.core.shape import Shape as Shape
    from gridlock.engine.answers import Answer as Answer
    from gridlock.engine.answers import Grounds as Grounds
    from gridlock.engine.answers import Solved as Solved
    from gridlock.engine.answers import Step as Step
    from gridlock.engine.answers import Value as Value
    from gridlock.engine.answers import solve as solve
    from gridlock.players import agents as agents

__version__ = "0.1.0"

# Where each name is found: loaded when it is first used, so that a command loads only what it needs.
_NAMES = {
    "players": ("agents",),
    "core.errors": (
        "BadBoard",
        "BadGame",
        "BadPosition",
        "BadRecord",
        "GridLockError",
        "IllegalMove",
        "UnreadableMove",
    ),
    "core.game": ("SWAP", "Game", "Outcome", "Termination"),
    "core.grid": ("Adjacency", "Grid", "cells_of", "set_of"),
    "core.moves": ("Moves",),
    "core.position": ("Position",),
    "core.records": ("load", "save"),
    "core.rulebook": ("Reason", "Refusal", "RuleBook", "Variant"),
    "core.rules": ("RULE_BOOKS", "register", "rule_book", "variant"),
    "core.shape": ("Follow", "Shape"),
    "engine.answers": ("Answer", "Grounds", "Solved", "Step", "Value", "solve"),
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
    return __all__
