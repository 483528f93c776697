"""Worker processes that think for the server, each with limits on time and memory."""

import asyncio
import logging
import sys
from typing import TypeVar

import msgspec

from gridlock.web.questions import Question, read_line

log = logging.getLogger("gridlock.web")
T = TypeVar("T", bound=msgspec.Struct)
LONGEST_ANSWER = 1 << 20  # bytes
STARTING = 20.0  # seconds a worker may take beyond its question's own, to start up or to notice the time


class Busy(Exception):
    """Too many questions are waiting."""


class Failed(Exception):
    """The worker died or took too long."""


class Thinkers:
    """A few worker processes, started when they are needed, and what waits for them."""

    def __init__(self, size: int, waiting: int) -> None:
        self.size = size
        self.most_waiting = waiting
        self.waiting = 0
        self._free = asyncio.Semaphore(size)
        self._idle: list[asyncio.subprocess.Process] = []
        self._all: set[asyncio.subprocess.Process] = set()

    async def ask(self, question: Question, kind: type[T]) -> T:
        """The answer of a worker to a question, of the kind that such a question gets."""
        if self.waiting >= self.most_waiting:
            raise Busy
        self.waiting += 1
        try:
            async with self._free:
                return await self._ask(question, kind)
        finally:
            self.waiting -= 1

    async def _ask(self, question: Question, kind: type[T]) -> T:
        worker = self._idle.pop() if self._idle else await self._hire()
        assert worker.stdin is not None
        assert worker.stdout is not None
        try:
            async with asyncio.timeout(question.seconds + STARTING):
                worker.stdin.write(msgspec.json.encode(question) + b"\n")
                line = read_line(await worker.stdout.readline())
            answer = None if line.failed else msgspec.json.decode(line.answer, type=kind)
        except (TimeoutError, OSError, ValueError, msgspec.DecodeError) as error:
            await self._dismiss(worker)
            log.warning("a worker failed", extra={"error": type(error).__name__})
            raise Failed from error
        except BaseException:  # whoever asked has left
            await asyncio.shield(self._dismiss(worker))
            raise
        self._idle.append(worker)
        if answer is None:
            log.warning("a worker failed", extra={"error": line.failed})
            raise Failed
        return answer

    async def _hire(self) -> asyncio.subprocess.Process:
        worker = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "gridlock.web.worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=LONGEST_ANSWER,
            start_new_session=True,  # so that Ctrl-C reaches the server alone
        )
        self._all.add(worker)
        return worker

    async def _dismiss(self, worker: asyncio.subprocess.Process) -> None:
        self._all.discard(worker)
        if worker.returncode is None:
            worker.kill()
        await worker.wait()

    async def stop(self) -> None:
        """End all workers."""
        for worker in list(self._all):
            await self._dismiss(worker)
        self._idle.clear()
