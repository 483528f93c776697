"""What can go wrong, each with one clear sentence for the player."""


class GridLockError(Exception):
    """Something a person typed or a file holds is wrong; the message says what and what was expected."""

    def __init__(self, message: str = "", why: str = "") -> None:
        super().__init__(message)
        self.why = why or message  # the bare reason, for callers that build a sentence of their own around it


class BadGame(GridLockError):
    """A game that cannot be: its definition is wrong, or nobody knows it."""


class BadBoard(GridLockError):
    """A board that cannot be played on."""


class BadPosition(GridLockError):
    """A text that is no position."""


class UnreadableMove(GridLockError):
    """Text that is not a move at all."""


class IllegalMove(GridLockError):
    """A move that the rules refuse, or that comes when no move can be made."""


class BadRecord(GridLockError):
    """A record or a saved game that cannot be trusted."""


class AgentFailed(GridLockError):
    """An agent is not installed, could not be loaded, or failed to make a legal move."""
