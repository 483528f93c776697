"""Players and the random agent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from gridlock.core.errors import AgentFailed
from gridlock.core.game import SWAP, Game
from gridlock.core.grid import Cell, cells_of
from gridlock.core.names import clean_name

if TYPE_CHECKING:
    from random import Random

# An agent is called with three arguments: a game in which it is to move, a random number generator, and how many
# seconds it may take. The agent returns a move in any form that Game.push accepts.
Agent = Callable[[Game, "Random", float], Any]

LONGEST_REASON = 300  # characters


@dataclass(frozen=True)
class MoveClock:
    """The players' clocks before a move."""

    left: tuple[float, float]  # the seconds that player 1 and player 2 have left
    increment: float = 0.0  # seconds added after each move


class Player(Protocol):
    """A program that plays. A player may use a process or a connection, so close the player after the last move."""

    name: str
    report: str  # a sentence about the last failure; empty while everything works

    def prepare(self) -> None:
        """Load the agent or start the program that chooses the moves, so that the first move is not delayed.

        Raise AgentFailed if the agent or the program cannot be used.
        """

    def choose(self, game: Game, rng: Random, seconds: float, clock: MoveClock | None = None) -> Cell:
        """Return a legal move, which may be SWAP, or raise AgentFailed.

        The player may think for `seconds` seconds. A program that is given a clock decides for itself how long to
        think, and may use all its remaining time.
        """

    def close(self) -> None:
        """Release the player's resources; closing a player twice does no harm."""


class FunctionPlayer:
    """A player that asks an agent function for moves, and checks them."""

    def __init__(self, name: str, load: Callable[[], Agent]) -> None:
        """Store `load`, which is called for every move and returns the agent function."""
        self.name = name
        self.report = ""
        self._load = load

    def prepare(self) -> None:
        """Load the function."""
        try:
            self._load()
        except (Exception, SystemExit) as error:
            raise self._failure(error) from error

    def choose(self, game: Game, rng: Random, seconds: float, _clock: MoveClock | None = None) -> Cell:
        """Return the agent's move, or report its failure in one sentence; the game does not change."""
        try:
            return legal_move(game, self._load()(game.copy(), rng, seconds))
        except (Exception, SystemExit) as error:  # an agent may be third-party code
            raise self._failure(error) from error

    def _failure(self, error: BaseException) -> AgentFailed:
        known = isinstance(error, AgentFailed)  # such as a package that does not load
        self.report = str(error) if known else f"The computer ({self.name}) failed with {_reason(error)}."
        return AgentFailed(self.report)

    def close(self) -> None:
        """Do nothing, because a function has no resources to release."""


def legal_move(game: Game, answer: Any) -> Cell:
    """Return an agent's answer as a legal move, or raise an error if the answer is not legal."""
    if type(answer) is int and answer >= 0 and game.legal >> answer & 1:
        return answer  # the usual case, and fast for environments
    trial = game.copy()
    trial.push(answer)
    return trial.moves[-1]


def _reason(error: BaseException) -> str:
    """Return the message of an exception as one short line without control characters."""
    return clean_name(f"{type(error).__name__}: {error}", LONGEST_REASON).rstrip(".")


def chance(game: Game, rng: Random, _think: float) -> int:
    """Choose a legal cell at random; if a swap is possible, swap half the time."""
    cells = cells_of(game.legal)
    if game.can_swap and (not cells or rng.random() < 0.5):
        return SWAP
    return rng.choice(cells)
