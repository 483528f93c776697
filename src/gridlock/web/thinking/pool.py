"""Worker processes for the engine, which the server shares fairly among clients.

The time for each question and the memory of each worker are limited.
"""

import asyncio
import logging
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass

from gridlock.core.game import Game
from gridlock.play.thinking.process import Failed, Thinker
from gridlock.players import agents
from gridlock.web.net import metrics
from gridlock.web.net.limits import Allowance, network_of
from gridlock.web.thinking.questions import T, Ts, answer
from gridlock.web.wire.setups import setup_of

log = logging.getLogger("gridlock.web")
ABANDONED = 1.0  # minimum cost of a cancelled question in seconds, so that cancelling gains nothing
LITTLE = 0.9  # a client with at least this share of its allowance left counts as a light user
LATE = 20.0  # seconds that a question may take beyond its time limit, including the start of a worker
GRACE = 10.0  # seconds that a worker may take to stop, since it hardly gets to run on a busy machine
MEMORY = 1 << 30  # bytes of address space for a worker


@dataclass(eq=False)
class TryLater(Exception):
    """The question has been rejected for now, but may be asked again later."""

    retry: float  # seconds after which to ask again


class Busy(TryLater):
    """Too many questions are waiting."""


class Spent(TryLater):
    """A client has used up its allowance."""


@dataclass(eq=False)
class FairPool:
    """A few worker processes, started when needed, that answer questions from each client in turn.

    Clients that have no question in progress come first, and the last free worker is reserved for clients that have
    used little of their allowance. A cancelled question leaves the queue if it is still waiting; otherwise, it
    frees its worker.
    """

    name: str
    size: int
    nice: int
    most_waiting: int = 64  # questions overall
    most_each: int = 4  # questions per client
    allowance: Allowance | None = None  # seconds of work per client
    patience: float | None = 25.0  # seconds that a question waits for a worker before the client is asked to try again

    def __post_init__(self) -> None:
        """Prepare the workers, and publish metrics that show how busy they are."""
        self.workers = [Thinker(self.nice, MEMORY, GRACE) for _ in range(self.size)]
        self._running: Counter[str] = Counter()
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # the next client first
        self._idle = list(self.workers)
        metrics.questions_running.labels(self.name).set_function(self._running.total)
        metrics.questions_waiting.labels(self.name).set_function(lambda: self.waiting)

    @property
    def waiting(self) -> int:
        """The number of questions in the queue."""
        return sum(map(len, self._waiting.values()))

    async def ask(
        self, client: str, question: Callable[[Game, float, *Ts], T], game: Game, seconds: float, *args: *Ts
    ) -> T:
        """Return a worker's answer to a question about a game.

        The question's time limit is deducted from the client's allowance, and any unused time is credited back.
        """
        client = network_of(client)  # otherwise a /48 network would have 65,536 turns
        if self.allowance and (wait := self.allowance.take(client, seconds)):
            raise Spent(wait)
        unused, least = seconds, 0.0
        try:
            await self._turn(client)
            begun = time.monotonic()
            try:
                return await self._ask(question, game, seconds, *args)
            except asyncio.CancelledError:
                least = ABANDONED
                raise
            finally:
                unused -= max(least, time.monotonic() - begun)
                self._done(client)
        finally:
            if self.allowance:
                self.allowance.charge(client, min(0.0, -unused))

    async def _turn(self, client: str) -> None:
        """Wait until a worker is free for this client."""
        if len(self._waiting.get(client, ())) >= self.most_each or self.waiting >= self.most_waiting:
            raise self._busy()
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        self._next()
        try:
            async with asyncio.timeout(self.patience):
                await turn
        except BaseException as ended:
            if turn.done() and not turn.cancelled():  # the turn arrived at the same moment
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
        """Give free workers to the next clients, starting with clients that have no worker."""
        while waiting := [one for one in self._waiting if self._may_run(one)]:
            client = min(waiting, key=lambda one: self._running[one])  # the first if several are equal
            turns = self._waiting.pop(client)
            turn = turns.popleft()
            if turns:
                self._waiting[client] = turns  # now the last in line
            if not turn.done():  # otherwise the question was cancelled
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
            self._waiting[client] = self._waiting.pop(client)  # behind clients that have arrived since
        self._next()

    async def _ask(self, question: Callable[[Game, float, *Ts], T], game: Game, seconds: float, *args: *Ts) -> T:
        """Have an idle worker answer a question; the worker becomes idle again once it has finished or been stopped."""
        worker = self._idle.pop()
        try:
            async with asyncio.timeout(seconds + LATE):
                setup = setup_of(game, keep=True)
                return await worker.ask(answer, agents.allowed, question, setup, seconds, args)
        except (Failed, TimeoutError) as error:
            log.warning("a worker failed", extra={"error": str(error) or type(error).__name__})
            raise Failed from error
        finally:
            try:
                await worker.settled()
            finally:
                self._idle.append(worker)

    async def stop(self) -> None:
        """Stop all workers."""
        await asyncio.gather(*(worker.stop() for worker in self.workers))
