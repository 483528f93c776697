"""The engine in a process of its own: the screen goes on while it thinks, and a question can be dropped."""

import asyncio
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from subprocess import PIPE
from threading import Lock, Thread
from typing import Any, BinaryIO, ParamSpec, TypeVar

from gridlock.core.errors import GridLockError

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")


NICENESS = 5  # where there are few cores, the screen goes first
BEGIN = [sys.executable, "-P", "-c", "from gridlock.play.thinking.process import answer_all; answer_all()"]


class Failed(Exception):
    """The engine, or an agent, could not answer."""


class _Child:
    """A process that answers questions, begun by the first one."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._dropped = False
        self._asked = Lock()

    def exchange(self, *question: Any) -> Any:
        """Send a question and wait for its answer (in a thread: both can take long)."""
        with self._asked:
            if self._process is None and not self._dropped:
                self._process = subprocess.Popen(BEGIN, stdin=PIPE, stdout=PIPE, stderr=subprocess.DEVNULL)
            process = self._process
            if process is None or self._dropped or process.stdin is None or process.stdout is None:
                raise EOFError
            pickle.dump(question, process.stdin)
            process.stdin.flush()
            return pickle.load(process.stdout)

    def drop(self) -> None:
        """End it, whatever it does; a thread that waits for an answer then waits no longer."""
        self._dropped = True
        if self._process is not None:
            self._process.kill()
        with self._asked:
            if self._process is not None:
                self._process.kill()
                with suppress(OSError):  # what was not sent any more
                    self._process.communicate()


class Thinker:
    """Answers questions one after another, in one process as long as nobody loses patience."""

    def __init__(self) -> None:
        self._child: _Child | None = None
        self._turn = asyncio.Lock()

    async def ask(self, question: Callable[Asked, Answer], *args: Asked.args, **kwargs: Asked.kwargs) -> Answer:
        """The answer to a question; whoever no longer waits for it ends the process, and the next has a new one."""
        async with self._turn:
            self._child = child = self._child or _Child()
            try:
                good, answer = await asyncio.to_thread(child.exchange, question, args, kwargs)
            except asyncio.CancelledError:
                self.end()
                raise
            except (EOFError, OSError, pickle.UnpicklingError) as error:  # it was killed, perhaps for want of memory
                self.end()
                raise Failed("The process that thinks has ended.") from error
        if not good:
            raise Failed(answer)
        return answer  # type: ignore[no-any-return]

    def end(self) -> None:
        """Drop whatever is being thought about."""
        child, self._child = self._child, None
        if child is not None:
            child.drop()


def answer_all() -> None:
    """Answer until nobody asks any more. What an agent prints would fall among the answers, so it goes nowhere."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    asked, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    questions: SimpleQueue[Any] = SimpleQueue()
    Thread(target=_listen, args=(asked, questions), daemon=True).start()
    while True:
        question, args, kwargs = questions.get()
        try:
            answer = True, question(*args, **kwargs)
        except GridLockError as error:  # is a sentence
            answer = False, str(error)
        except Exception as error:
            answer = False, f"{type(error).__name__}: {error}"
        pickle.dump(answer, answers)
        answers.flush()


def _listen(asked: BinaryIO, questions: SimpleQueue[Any]) -> None:
    """Take in questions. Whoever asks has gone when no more can come, however that came about: then end at once."""
    try:
        while True:
            questions.put(pickle.load(asked))
    finally:
        os._exit(0)
