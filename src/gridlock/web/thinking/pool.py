"""Worker processes that think for the server, each with limits on time and memory."""

import asyncio
import logging
import signal
import sys
import time
from collections import Counter, deque
from contextlib import suppress
from typing import TypeVar

import msgspec

from gridlock.web.net import metrics
from gridlock.web.net.limits import Allowance
from gridlock.web.thinking.questions import Question, read_line

log = logging.getLogger("gridlock.web")
T = TypeVar("T")
LONGEST_ANSWER = 1 << 20  # bytes
ABANDONED = 1.0  # seconds that a question costs at least whose asker has left, so that nobody gains by leaving
LITTLE = 0.9  # of its allowance: what somebody has left who has not asked for much
STARTING = 20.0  # seconds a worker may take to start up, and beyond its question's own to notice the time
_KNOCKING, _KNOCKS = 0.05, 200  # seconds between the signals by which a worker is called off its question, and how many


class Busy(Exception):
    """Too many questions are waiting; says in how many seconds it is worth asking again."""

    def __init__(self, retry: float) -> None:
        super().__init__(retry)
        self.retry = retry


class Spent(Exception):
    """A client has asked for all the work that it may; says in how many seconds there is enough again."""

    def __init__(self, retry: float) -> None:
        super().__init__(retry)
        self.retry = retry


class Failed(Exception):
    """The worker died or took too long."""


class Thinkers:
    """A few worker processes, started when they are needed, and what waits for them: each client's in its turn.

    While others wait, a client has one question worked on at a time, and the last free worker is for those who have not
    asked for much. Whoever stops waiting leaves nothing behind.
    """

    def __init__(
        self, name: str, size: int, waiting: int, each: int, nice: int, allowance: Allowance | None = None
    ) -> None:
        self.size = size
        self.allowance = allowance  # seconds of work for each client
        self.most_waiting = waiting  # questions in all
        self.most_each = each  # of one client
        self.nice = nice  # how far these stand back behind others
        self._running: Counter[str] = Counter()
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # the client whose turn is next comes first
        self._idle: list[asyncio.subprocess.Process] = []
        self._all: set[asyncio.subprocess.Process] = set()
        metrics.questions_running.labels(name).set_function(self._running.total)
        metrics.questions_waiting.labels(name).set_function(lambda: self.waiting)

    @property
    def waiting(self) -> int:
        """How many questions wait."""
        return sum(map(len, self._waiting.values()))

    async def ask(self, question: Question, kind: type[T], client: str, patience: float | None = None) -> T:
        """The answer of a worker to a question, of the kind that such a question gets.

        The seconds that it may take are taken from the client's allowance; those it did not need are given back.
        """
        if self.allowance and (wait := self.allowance.take(client, question.seconds)):
            raise Spent(wait)
        unused, least = question.seconds, 0.0
        try:
            await self._turn(client, patience)
            begun = time.monotonic()
            try:
                return await self._ask(question, kind)
            except asyncio.CancelledError:
                least = ABANDONED
                raise
            finally:
                unused -= max(least, time.monotonic() - begun)
                self._done(client)
        finally:
            if self.allowance:
                self.allowance.give_back(client, max(0.0, unused))

    async def _turn(self, client: str, patience: float | None) -> None:
        """Wait until a worker is free for this client."""
        if len(self._waiting.get(client, ())) >= self.most_each or self.waiting >= self.most_waiting:
            raise self._busy()
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        self._next()
        try:
            async with asyncio.timeout(patience):
                await turn
        except BaseException as ended:
            if turn.done() and not turn.cancelled():  # it came at the same moment
                self._done(client)
            elif turn in (turns := self._waiting.get(client, deque())):
                turns.remove(turn)
                if not turns:
                    del self._waiting[client]
            if isinstance(ended, TimeoutError):
                raise self._busy() from None
            raise

    def _busy(self) -> Busy:
        return Busy(1 + self.waiting / self.size)

    def _next(self) -> None:
        """Give free workers to whoever is next: to clients that have none first."""
        while waiting := [one for one in self._waiting if self._may_run(one)]:
            client = min(waiting, key=lambda one: self._running[one])  # of equals the first
            turns = self._waiting.pop(client)
            turn = turns.popleft()
            if turns:
                self._waiting[client] = turns  # and now it comes last
            if not turn.done():  # otherwise whoever waited has left
                self._running[client] += 1
                turn.set_result(None)

    def _may_run(self, client: str) -> bool:
        free = self.size - self._running.total()
        if free == 1 and self.size > 1 and self.allowance:
            return self.allowance.left(client) >= LITTLE * self.allowance.burst
        return free > 0

    def _done(self, client: str) -> None:
        self._running[client] -= 1
        if not self._running[client]:
            del self._running[client]
        if client in self._waiting:
            self._waiting[client] = self._waiting.pop(client)  # behind those who came meanwhile
        self._next()

    async def _ask(self, question: Question, kind: type[T]) -> T:
        worker = self._idle.pop() if self._idle else await self._hired()
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
            await asyncio.shield(self._call_off(worker))
            raise
        self._idle.append(worker)
        if answer is None:
            log.warning("a worker failed", extra={"error": line.failed})
            raise Failed
        return answer

    async def _call_off(self, worker: asyncio.subprocess.Process) -> None:
        """Let a worker drop its question: to start another one would cost more than most questions do."""
        assert worker.stdout is not None
        last = asyncio.ensure_future(worker.stdout.readline())
        for _ in range(_KNOCKS):
            with suppress(ProcessLookupError):
                worker.send_signal(signal.SIGINT)
            await asyncio.wait({last}, timeout=_KNOCKING)
            if last.done():
                break
        if last.done() and not last.exception() and last.result():
            self._idle.append(worker)
        else:
            last.cancel()
            await self._dismiss(worker)

    async def _hired(self) -> asyncio.subprocess.Process:
        """A new worker; where nobody waits for it any longer, the next question gets it."""
        hiring = asyncio.ensure_future(self._hire())
        try:
            return await asyncio.shield(hiring)
        except asyncio.CancelledError:
            with suppress(OSError):
                self._idle.append(await hiring)
            raise
        except OSError as error:  # the system is out of something
            log.warning("no worker can be started", extra={"error": error.strerror})
            raise Failed from error

    async def _hire(self) -> asyncio.subprocess.Process:
        worker = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "gridlock.web.thinking.worker",
            str(self.nice),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=LONGEST_ANSWER,
            process_group=0,  # so that Ctrl-C reaches the server alone; in a new session, being nice would not count
        )
        self._all.add(worker)
        assert worker.stdout is not None
        try:
            async with asyncio.timeout(STARTING):
                await worker.stdout.readline()  # it is ready
        except BaseException:
            await asyncio.shield(self._dismiss(worker))
            raise
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
