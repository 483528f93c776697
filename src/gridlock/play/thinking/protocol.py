"""The protocol between a worker and the program that asks it: frames of a number, a length and that many bytes.

To a worker: a numbered question, or an empty frame with the number of the question to cancel. From a worker: an empty
frame with number 0 once it is ready, and each answer under the number of its question. Questions are functions with
their arguments and answers are values, both pickled. Both ends belong to the same program and user, and neither ever
unpickles bytes from anywhere else: a server passes its clients' input on as text inside a question.
"""

from struct import Struct

HEADER = Struct("<QI")  # the number of a question, and how many bytes follow
READY = 0  # the number in a worker's first frame: questions are numbered from 1
LONGEST_ANSWER = 1 << 24  # bytes


def frame(number: int, content: bytes = b"") -> bytes:
    """Return the bytes to send."""
    return HEADER.pack(number, len(content)) + content
