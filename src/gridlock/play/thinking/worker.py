"""A worker process that answers one question at a time; see `process.py` and `protocol.py`.

Meanwhile a thread listens. To cancel a question it only notes its number, which the engine's clocks check. Nothing is
interrupted from outside, so no lock stays locked and no table is left half written.
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
TABLES = 8  # the engine's tables may take one part in this many of a worker's memory


def main() -> None:
    """Apply the limits, report that the worker is ready, and answer questions until the input ends."""
    nice, memory = map(int, sys.argv[1:])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the program that asks
    lower_priority(nice)
    if memory:
        _limit(memory)
    asked, answers = _take_over(0, "rb"), _take_over(1, "wb")
    questions: Questions = SimpleQueue()
    Thread(target=_listen, args=(asked, questions), daemon=True).start()
    number, content = READY, b""
    while True:
        answers.write(frame(number, content))
        answers.flush()
        number, question = questions.get()
        content = _answer(number, question)


def _limit(memory: int) -> None:
    """Limit this process to this many bytes of memory."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    engine.TABLES = memory // TABLES


def _take_over(descriptor: int, mode: Literal["rb", "wb"]) -> BinaryIO:
    """Return a standard stream for frames alone, and give agents the null device in its place."""
    stream = os.fdopen(os.dup(descriptor), mode)
    os.dup2(os.open(os.devnull, os.O_RDWR), descriptor)
    return stream


def _listen(asked: BinaryIO, questions: Questions) -> None:
    """Queue questions, and cancel them. When the input ends or fails, exit at once."""
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
    """Return a pickled pair: whether the question was answered, and the answer or the error."""
    cancellation.begin(number)
    try:
        function, args, kwargs = pickle.loads(question)
        answer = function(*args, **kwargs)
        cancellation.check()
        return pickle.dumps((True, answer))
    except Cancelled:
        return pickle.dumps((False, "cancelled"))
    except GridLockError as error:  # its message is a sentence
        return pickle.dumps((False, str(error)))
    except Exception as error:  # an agent may be third-party code
        engine.engine_for.cache_clear()  # memory may have run out
        return pickle.dumps((False, f"{type(error).__name__}: {error}"))


if __name__ == "__main__":
    main()
