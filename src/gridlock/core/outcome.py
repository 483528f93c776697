"""The events and the outcome of a game."""

from enum import StrEnum
from typing import NamedTuple

from gridlock.core.grid import Cell
from gridlock.core.position import Side

Player = int  # 1 or 2: a person or program; after a swap, the player has the other side


class Termination(StrEnum):
    """How a game can end."""

    STUCK = "stuck"
    RESIGNED = "resigned"
    TIME = "time"
    LEFT = "left"

    @property
    def does(self) -> str:
        """A phrase in the present tense that says what the loser does."""
        return _VERBS[self][0]

    @property
    def did(self) -> str:
        """A phrase in the past tense that says what the loser did."""
        return _VERBS[self][1]


_VERBS = {
    Termination.STUCK: ("has no cell to play", "had no cell to play"),
    Termination.RESIGNED: ("resigns", "resigned"),
    Termination.TIME: ("runs out of time", "ran out of time"),
    Termination.LEFT: ("leaves", "left"),
}


class Outcome(NamedTuple):
    """The winner, and how the game ended."""

    winner: Player
    termination: Termination


class Event(NamedTuple):
    """One event in a game's history: a player took a cell, swapped or passed.

    A pass is an event that has neither a cell nor a swap.
    """

    ply: int  # the number of moves made so far, this one included; a pass does not count
    player: Player
    side: Side  # the player's side at that moment
    cell: Cell | None
    swap: bool = False
