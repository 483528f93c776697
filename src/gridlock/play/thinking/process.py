"""Run the engine in a worker process, so that the caller stays responsive and can cancel the engine's work."""

import asyncio
import pickle
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

from gridlock.play.thinking.worker import HEADER, READY, frame

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")

WORKER = [sys.executable, "-P", "-m", "gridlock.play.thinking.worker"]
NICENESS = 5  # gives the screen priority on a machine with few cores
GRACE = 1.0  # seconds that a worker may take to abandon a cancelled question
LONGEST_ANSWER = 1 << 24  # bytes
STARTING = 20.0  # seconds that a worker may take to start
ENDED = False, "The engine process has ended."


class Failed(Exception):
    """An error raised if the engine or an agent could not answer."""


class Thinker:
    """A client for a worker process that answers one question at a time.

    The process is started when the first question is asked.

    If the task that asked a question is cancelled, the question is cancelled, too, and the worker takes the next
    question. A worker that does not react to a cancellation in time is killed and replaced, so an agent that never
    checks the clock cannot block a Thinker.
    """

    def __init__(self, nice: int = NICENESS, memory: int = 0, grace: float = GRACE) -> None:
        """Set the worker's niceness and its memory limit in bytes; 0 means no limit."""
        self._limits = str(nice), str(memory)
        self._grace = grace
        self._turn = asyncio.Lock()  # held while the worker is busy, even with a cancelled question
        self._process: Process | None = None
        self._stopped = False
        self._asked = self._sent = self._cancelled = 0  # the number of the latest question

    @property
    def pid(self) -> int | None:
        """The worker's process id, if a worker is running."""
        return self._process.pid if self._process else None

    async def ask(self, question: Callable[Asked, Answer], *args: Asked.args, **kwargs: Asked.kwargs) -> Answer:
        """Call a function in the worker and return its result, or raise Failed."""
        content = pickle.dumps((question, args, kwargs))
        await self._turn.acquire()
        self._asked += 1
        answering = asyncio.create_task(self._exchange(self._asked, content))
        answering.add_done_callback(lambda _: self._turn.release())
        try:
            good, answer = await asyncio.shield(answering)
        except asyncio.CancelledError:
            self._cancel(answering)
            raise
        if not good:
            raise Failed(answer)
        return answer  # type: ignore[no-any-return]

    async def settled(self) -> None:
        """Wait until the worker is free, which takes a moment after a question has been cancelled."""
        async with self._turn:
            pass

    async def stop(self) -> None:
        """Kill the worker, and answer no more questions."""
        self._stopped = True
        self._kill()
        async with self._turn:
            await self._end()

    async def _exchange(self, number: int, content: bytes) -> tuple[bool, Any]:
        """Send a question and wait for its answer, even if the question is cancelled in the meantime."""
        try:
            process = self._process or await self._start()
            if self._cancelled == number:
                return ENDED  # the caller has gone
            assert process.stdin is not None
            process.stdin.write(frame(number, content))
            self._sent = number
            good, answer = pickle.loads(await _receive(process, number))
            return good, answer
        except (OSError, EOFError, pickle.UnpicklingError):  # the worker was killed, perhaps for lack of memory
            await self._end()
            return ENDED
        except BaseException:  # the event loop is closed
            self._kill()
            raise

    def _cancel(self, answering: "asyncio.Task[tuple[bool, Any]]") -> None:
        """Cancel the worker's current function call, and kill the worker if it does not respond in time."""
        self._cancelled = self._asked
        if self._sent == self._asked and self._process and self._process.stdin and not answering.done():
            self._process.stdin.write(frame(self._asked))
            late = asyncio.get_running_loop().call_later(self._grace, self._kill)
            answering.add_done_callback(lambda _: late.cancel())

    async def _start(self) -> Process:
        """Start a worker, and wait until it is ready."""
        if self._stopped:
            raise EOFError
        self._process = process = await asyncio.create_subprocess_exec(
            *WORKER,
            *self._limits,
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            process_group=0,  # safe from the terminal's Ctrl-C; in a new session, niceness would have no effect
        )
        if self._stopped:
            raise EOFError
        async with asyncio.timeout(STARTING):
            await _receive(process, READY)
        return process

    def _kill(self) -> None:
        if self._process:
            with suppress(ProcessLookupError):
                self._process.kill()

    async def _end(self) -> None:
        """Kill the worker, if there is one, and clean up."""
        self._kill()
        process, self._process = self._process, None
        if process and process.stdin:
            process.stdin.close()
            await process.communicate()


async def _receive(process: Process, expected: int) -> bytes:
    """Return the content of the next frame; raise EOFError if the frame has the wrong number or is too long."""
    assert process.stdout is not None
    number, length = HEADER.unpack(await process.stdout.readexactly(HEADER.size))
    if number != expected or length > LONGEST_ANSWER:
        raise EOFError
    return await process.stdout.readexactly(length)
