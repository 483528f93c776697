"""GridLock: five two-player lock-out games on a grid."""

from gridlock.errors import BadBoard, BadRecord, GridLockError, IllegalMove, UnreadableMove
from gridlock.game import SWAP, Game, Outcome, Termination
from gridlock.grid import Adjacency, Grid, cells_of, set_of
from gridlock.position import Position
from gridlock.rulebook import Reason, Refusal, RuleBook, Variant
from gridlock.rules import RULE_BOOKS, variant

__version__ = "0.1.0"
__all__ = [
    "RULE_BOOKS",
    "SWAP",
    "Adjacency",
    "BadBoard",
    "BadRecord",
    "Game",
    "Grid",
    "GridLockError",
    "IllegalMove",
    "Outcome",
    "Position",
    "Reason",
    "Refusal",
    "RuleBook",
    "Termination",
    "UnreadableMove",
    "Variant",
    "cells_of",
    "set_of",
    "variant",
]
