"""Environments for training agents: one module per framework, each loaded only when it is imported.

`planes.py` describes the observations and actions, which all of them share.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from gridlock.core.errors import GridLockError


class MissingExtra(GridLockError, ImportError):
    """A framework that an environment needs is not installed."""

    __str__ = GridLockError.__str__


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Turn a failed import into an error with the command that installs the missing framework."""
    try:
        yield
    except ImportError as error:
        command = f"pip install 'gridlock-games[{extra}]'"
        raise MissingExtra(f"{error.name or extra} is missing. Install it with: {command}") from None
