"""A worker process that answers one question at a time, and the protocol between the worker and its client.

The worker and its client exchange frames. A frame consists of a number, the length of the content, and the content.
The client sends each question with a number. To cancel a question, the client sends a frame with the question's number
and no content. Once the worker is ready, it sends a frame with the number 0 and no content. The worker sends each
answer with the number of the question. Questions and answers are pickled; the worker and its client unpickle only what
they receive from each other.

While the worker thinks, a thread waits for frames. If a frame cancels a question, the thread only records the
question's number; the engine stops when its clock next checks for cancelled questions. Nothing interrupts the
engine from outside, so no lock is left held and no table is left half written.
"""

import ctypes
import os
import pickle
import platform
import signal
import struct
import sys
from queue import Empty, SimpleQueue
from threading import Thread
from typing import BinaryIO, Literal

from gridlock.core.errors import GridLockError
from gridlock.engine import engine
from gridlock.engine.clock import Cancelled, cancellation
from gridlock.players.pool import IDLE, pool

HEADER = struct.Struct("<QI")  # a question's number, and how many bytes follow
READY = 0  # the number in a worker's first frame; questions are numbered from 1
LONG = 20_000_000  # the length of a time slice in nanoseconds; the default is about 3 ms
_SCHED_SETATTR = {"x86_64": 314, "aarch64": 274, "riscv64": 274}  # numbers of a system call that Python lacks
Questions = SimpleQueue[tuple[int, bytes]]
TABLES = 8  # the engine's tables may use a worker's memory divided by this number


def frame(number: int, content: bytes = b"") -> bytes:
    """Return the bytes of a frame to send."""
    return HEADER.pack(number, len(content)) + content


def main() -> None:
    """Apply the limits, report that the worker is ready, and answer questions until the input ends."""
    nice, memory = map(int, sys.argv[1:])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the program that started this worker
    _lower_priority(nice)
    if memory:
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (memory, most))  # programs that the worker starts have their own limits
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        engine.TABLES = memory // TABLES
    asked, answers = _take_over(0, "rb"), _take_over(1, "wb")
    questions: Questions = SimpleQueue()
    Thread(target=_listen, args=(asked, questions), daemon=True).start()
    number, content = READY, b""
    while True:
        answers.write(frame(number, content))
        answers.flush()
        number, question = _next(questions)
        content = _answer(number, question)


def _next(questions: Questions) -> tuple[int, bytes]:
    """Return the next question; while waiting for it, end player programs that have been idle for a while."""
    while True:
        try:
            return questions.get(timeout=IDLE)
        except Empty:
            pass
        finally:
            pool.close_idle()


def _lower_priority(nice: int) -> None:
    """Increase this process's niceness and, if the system supports it, give the process long time slices.

    Niceness decides how much time a process gets, but not how soon: a process that wakes up waits until the running
    process has used up its time slice. Since Linux 6.12, however, a process with shorter time slices can immediately
    preempt one with longer time slices. The scheduling policy `SCHED_IDLE` would be another way to let other processes
    preempt a worker, but it can starve the worker completely.
    """
    if not hasattr(os, "nice"):
        return
    niceness = os.nice(nice)  # on top of the parent's niceness
    if sys.platform == "linux" and (number := _SCHED_SETATTR.get(platform.machine())):
        size, normal, flags, static = 48, 0, 0, 0
        attributes = struct.pack("=IIQiIQQQ", size, normal, flags, niceness, static, LONG, 0, 0)
        ctypes.CDLL(None).syscall(number, 0, attributes, 0)  # a failure does no harm


def _take_over(descriptor: int, mode: Literal["rb", "wb"]) -> BinaryIO:
    """Reserve a standard stream for frames, and give agents the null device in its place."""
    stream = os.fdopen(os.dup(descriptor), mode)
    os.dup2(os.open(os.devnull, os.O_RDWR), descriptor)
    return stream


def _listen(asked: BinaryIO, questions: Questions) -> None:
    """Queue questions and cancel them on request; exit at once when the input ends or fails."""
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
    except GridLockError as error:  # the error's message is a sentence
        return pickle.dumps((False, str(error)))
    except Exception as error:  # an agent may be third-party code
        engine.engine_for.cache_clear()  # memory may have run out
        return pickle.dumps((False, f"{type(error).__name__}: {error}"))


if __name__ == "__main__":
    main()
