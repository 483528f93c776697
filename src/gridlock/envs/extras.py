"""What is said where a framework is not installed."""

from gridlock.core.errors import GridLockError


class MissingExtra(GridLockError, ImportError):
    """A framework that an environment needs is not installed."""

    __str__ = GridLockError.__str__


def missing(extra: str, error: ImportError) -> MissingExtra:
    """The error for a framework that is missing, with the command that installs it."""
    return MissingExtra(f"{error.name or extra} is missing. Install it with: pip install 'gridlock-games[{extra}]'")
