"""What a worker and the program that asks it send each other: frames of a number, a length and that many bytes.

To a worker: a question with its number, and to cancel it, its number with nothing. From a worker: the answer under the
same number, and at the very beginning number 0 with nothing, which says that it is ready. Questions are functions with
their arguments and answers are values, both pickled. Both ends are the same program of the same user, and neither ever
unpickles bytes that came from anywhere else: the server sends what its clients say as text, inside.
"""

from struct import Struct

HEADER = Struct("<QI")  # the number of a question, and how many bytes follow
READY = 0  # the number in a worker's first frame: questions are numbered from 1
LONGEST_ANSWER = 1 << 24  # bytes


def frame(number: int, content: bytes = b"") -> bytes:
    """Return the bytes to send."""
    return HEADER.pack(number, len(content)) + content
