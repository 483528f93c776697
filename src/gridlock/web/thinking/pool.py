"""Worker processes that think for the server, each with limits on time and memory, and shared out fairly."""

import asyncio
import logging
import time
from collections import Counter, deque
from typing import TypeVar

import msgspec

from gridlock.play.thinking.process import Failed, Thinker
from gridlock.players import agents
from gridlock.web.net import metrics
from gridlock.web.net.limits import Allowance
from gridlock.web.thinking.answers import answer
from gridlock.web.thinking.questions import Question

log = logging.getLogger("gridlock.web")
T = TypeVar("T")
ABANDONED = 1.0  # seconds that a question costs at least whose asker has left, so that nobody gains by leaving
LITTLE = 0.9  # of its allowance: what somebody has left who has not asked for much
LATE = 20.0  # seconds beyond its own that a question may take, the start of a worker included
GRACE = 10.0  # seconds that a worker may take to come back: on a busy machine it hardly gets to run
MEMORY = 1 << 30  # bytes of address space for a worker


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


class FairPool:
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
        self.workers = [Thinker(nice, MEMORY, GRACE) for _ in range(size)]
        self._running: Counter[str] = Counter()
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # the client whose turn is next comes first
        self._idle = list(self.workers)
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
        """The answer of a free worker; after a question that was cancelled, it is free when it has come back."""
        worker = self._idle.pop()
        try:
            async with asyncio.timeout(question.seconds + LATE):
                asked = msgspec.json.encode(question)
                return msgspec.json.decode(await worker.ask(answer, asked, agents.allowed), type=kind)
        except (Failed, TimeoutError, msgspec.DecodeError) as error:
            log.warning("a worker failed", extra={"error": str(error) or type(error).__name__})
            raise Failed from error
        finally:
            try:
                await worker.settled()
            finally:
                self._idle.append(worker)

    async def stop(self) -> None:
        """End all workers."""
        await asyncio.gather(*(worker.stop() for worker in self.workers))
