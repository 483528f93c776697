"""A process that answers questions, one at a time: `process.py` starts it, `protocol.py` says what passes between.

A thread listens meanwhile. All it does to cancel a question is to note its number, which the engine's clocks look at:
nothing is interrupted from outside, so no lock stays locked and no table is left half written.
"""

import os
import pickle
import signal
import sys
from queue import SimpleQueue
from threading import Thread
from typing import BinaryIO, Literal

from gridlock.core.errors import GridLockError
from gridlock.engine import engine
from gridlock.engine.clock import Cancelled, cancellation
from gridlock.play.thinking.priority import lower_priority
from gridlock.play.thinking.protocol import HEADER, READY, frame

Questions = SimpleQueue[tuple[int, bytes]]
TABLES = 8  # the part of a worker's memory that the engine's tables may take is one in so many


def main() -> None:
    """Take on the limits, say that there may be questions, and answer until nobody asks any more."""
    nice, memory = map(int, sys.argv[1:])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the program that asks
    lower_priority(nice)
    if memory:
        _limit(memory)
    asked, answers = _taken_over(0, "rb"), _taken_over(1, "wb")
    questions: Questions = SimpleQueue()
    Thread(target=_listen, args=(asked, questions), daemon=True).start()
    number, content = READY, b""
    while True:
        answers.write(frame(number, content))
        answers.flush()
        number, question = questions.get()
        content = _answer(number, question)


def _limit(memory: int) -> None:
    """Let this process have no more than so many bytes of memory."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    engine.TABLES = memory // TABLES


def _taken_over(descriptor: int, mode: Literal["rb", "wb"]) -> BinaryIO:
    """A standard stream for frames alone: what an agent prints goes nowhere, and it finds nothing to read."""
    stream = os.fdopen(os.dup(descriptor), mode)
    os.dup2(os.open(os.devnull, os.O_RDWR), descriptor)
    return stream


def _listen(asked: BinaryIO, questions: Questions) -> None:
    """Take in questions, and cancel them. When no more can come, however that came about, end at once."""
    try:
        while True:
            number, length = HEADER.unpack(asked.read(HEADER.size))
            if length:
                questions.put((number, asked.read(length)))
            else:
                cancellation.cancel(number)
    finally:
        os._exit(0)


def _answer(number: int, question: bytes) -> bytes:
    """Whether there is an answer, and it or what went wrong."""
    cancellation.begin(number)
    try:
        function, args, kwargs = pickle.loads(question)
        answer = function(*args, **kwargs)
        cancellation.check()
        return pickle.dumps((True, answer))
    except Cancelled:
        return pickle.dumps((False, "cancelled"))
    except GridLockError as error:  # is a sentence
        return pickle.dumps((False, str(error)))
    except Exception as error:  # an agent may be anybody's code
        engine.engine_for.cache_clear()  # perhaps there was no memory left
        return pickle.dumps((False, f"{type(error).__name__}: {error}"))


if __name__ == "__main__":
    main()
