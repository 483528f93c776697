"""GridLock's errors, each of which tells the user in one clear sentence what is wrong."""

from collections.abc import Iterator
from contextlib import contextmanager


class GridLockError(Exception):
    """Invalid input from a person or a file; the message says what is wrong and what was expected."""

    def __init__(self, message: str = "", why: str = "") -> None:
        super().__init__(message)
        self.why = why or message  # the bare reason, for callers that build their own sentence around it


class BadGame(GridLockError):
    """An unknown game, or a game with an invalid definition."""


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
    """An error raised if an agent is not installed, cannot be loaded, or does not make a legal move."""


class UnitFailed(GridLockError):
    """An error raised if a long run cannot finish a unit of work, or cannot use its cluster."""


class MissingExtra(GridLockError, ImportError):
    """An error raised if a package that belongs to an optional extra is missing."""

    __str__ = GridLockError.__str__


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Turn a failed import into an error that gives the command to install the missing package."""
    try:
        yield
    except ImportError as error:
        command = f"pip install 'gridlock-games[{extra}]'"
        raise MissingExtra(f"{error.name or extra} is missing. Install it with: {command}") from None
