"""What happens in a game, and how it can end."""

from enum import StrEnum
from typing import NamedTuple

from gridlock.core.grid import Cell
from gridlock.core.position import Side

Player = int  # 1 or 2: a person or program; after a swap it plays the other side


class Termination(StrEnum):
    """How a game can end."""

    STUCK = "stuck"
    RESIGNED = "resigned"
    TIME = "time"
    LEFT = "left"

    @property
    def does(self) -> str:
        """What the loser does at such an end, as it happens."""
        return _TOLD[self][0]

    @property
    def did(self) -> str:
        """What the loser did, told afterwards."""
        return _TOLD[self][1]


_TOLD = {
    Termination.STUCK: ("has no cell to play", "had no cell to play"),
    Termination.RESIGNED: ("resigns", "resigned"),
    Termination.TIME: ("runs out of time", "ran out of time"),
    Termination.LEFT: ("leaves", "left"),
}


class Outcome(NamedTuple):
    """Who won, and how."""

    winner: Player
    termination: Termination


class Event(NamedTuple):
    """One line of a game's history: a player took a cell, swapped, or (with neither) passed."""

    ply: int  # the number of moves made once it has happened, from 1; a pass has that of the move before it
    player: Player
    side: Side  # whose markers the player had when it happened
    cell: Cell | None
    swap: bool = False
