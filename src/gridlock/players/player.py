"""What every surface plays against: an object that chooses moves, and is closed when it is no longer needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from gridlock.core.errors import AgentFailed
from gridlock.core.game import Game
from gridlock.core.grid import Cell
from gridlock.core.names import clean_name

if TYPE_CHECKING:
    from random import Random

# An agent gets a game in which it is to move, a source of chance, and the seconds it may think about a move that it
# cannot prove. It returns a move in any form that Game.push takes.
Agent = Callable[[Game, "Random", float], Any]

LONGEST_REASON = 300  # characters


class Player(Protocol):
    """A program that plays: it may hold a process or a connection, so close it after the last move."""

    report: str  # what went wrong last, as a sentence; empty while everything works

    def choose(self, game: Game, rng: Random, seconds: float) -> Cell:
        """Return a legal move, SWAP among them, or raise AgentFailed."""

    def close(self) -> None:
        """Let go of everything it holds; closing twice does no harm."""


class FunctionPlayer:
    """An agent that is a function, as a player. Everything an agent returns is read and checked here."""

    def __init__(self, name: str, load: Callable[[], Agent]) -> None:
        """`load` gets the function, and is called when the first move is due."""
        self.name = name
        self.report = ""
        self._load = load

    def choose(self, game: Game, rng: Random, seconds: float) -> Cell:
        """Return the agent's move; whatever goes wrong becomes one sentence, and the game stays as it was."""
        try:
            return checked(game, self._load()(game.copy(), rng, seconds))
        except (Exception, SystemExit) as error:  # an agent may be anybody's code
            known = isinstance(error, AgentFailed)  # such as a package that does not load
            self.report = str(error) if known else f"The computer ({self.name}) failed ({_reason(error)})."
            raise AgentFailed(self.report) from error

    def close(self) -> None:
        """Do nothing: a function holds nothing."""


def checked(game: Game, answer: Any) -> Cell:
    """Return an agent's answer as the legal move that it means."""
    if type(answer) is int and answer >= 0 and game.legal >> answer & 1:
        return answer  # as most agents do, and environments are in a hurry
    trial = game.copy()
    trial.push(answer)
    return trial.moves[-1]


def _reason(error: BaseException) -> str:
    """Return what an exception says, as one short line that cannot steer a terminal."""
    return clean_name(f"{type(error).__name__}: {error}", LONGEST_REASON).rstrip(".")
