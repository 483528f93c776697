"""What the command's exit codes mean."""

from enum import IntEnum


class Exit(IntEnum):
    """How a command ended."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    BAD_INPUT = 3  # an illegal move, or a bad position or record
    AGENT = 4  # an agent or engine failed
    LIMIT = 5  # a limit was reached without an answer
    INTERRUPTED = 130  # 128 and the number of the signal, as shells have it: 129 hung up, 143 terminated
