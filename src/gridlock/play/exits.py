"""The command's exit codes."""

from enum import IntEnum


class Exit(IntEnum):
    """The result of a command."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    BAD_INPUT = 3  # an illegal move, or a bad position or record
    AGENT = 4  # an agent or engine failed
    LIMIT = 5  # a limit was reached without an answer
    INTERRUPTED = 130  # 128 plus the signal's number, as in shells; also 129 (hangup) and 143 (terminated)
