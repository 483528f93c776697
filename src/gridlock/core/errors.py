"""GridLock's errors, each with one clear sentence for the user."""

from collections.abc import Iterator
from contextlib import contextmanager


class GridLockError(Exception):
    """Invalid input from a person or a file; the message says what is wrong and what was expected."""

    def __init__(self, message: str = "", why: str = "") -> None:
        super().__init__(message)
        self.why = why or message  # the bare reason, for callers that build their own sentence around it


class BadGame(GridLockError):
    """An unknown game, or one with an invalid definition."""


class BadBoard(GridLockError):
    """A board on which a game cannot be played."""


class BadPosition(GridLockError):
    """Text or data that does not describe a position."""


class UnreadableMove(GridLockError):
    """Text that does not describe a move."""


class IllegalMove(GridLockError):
    """A move that the rules do not allow, or that is made after the game has ended."""


class BadRecord(GridLockError):
    """A record or a saved game that is damaged or inconsistent."""


class AgentFailed(GridLockError):
    """The agent is not installed, could not be loaded, or failed to make a legal move."""


class UnitFailed(GridLockError):
    """A unit of work in a long run could not be finished, or the run's cluster cannot be used."""


class MissingExtra(GridLockError, ImportError):
    """A package that only an extra installs is missing."""

    __str__ = GridLockError.__str__


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Turn a failed import into an error with the command that installs the missing package."""
    try:
        yield
    except ImportError as error:
        command = f"pip install 'gridlock-games[{extra}]'"
        raise MissingExtra(f"{error.name or extra} is missing. Install it with: {command}") from None
