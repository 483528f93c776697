"""Work for the database in threads of its own: bounded in number and in time, whatever the database does.

Whoever asks is answered in time. What has not begun by then is dropped; what is under way cannot be called back, so
those who may have to know are told when it has come to its end after all.
"""

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection

from gridlock.web.net import metrics

T = TypeVar("T")
log = logging.getLogger("gridlock.web")
PATIENCE = 4.0  # seconds until whoever asks is told that it takes too long
BRIEF = 1.0  # the same while the database is known not to answer: one game's players wait for each other
MOST_WAITING = 1000
TOGETHER = 128  # jobs in one transaction, at most


class Slow(TimeoutError):
    """The database has not answered in time, or too much waits for it already."""


class Job(Generic[T]):
    """Something to be done within a transaction."""

    def __init__(self, work: Callable[[Connection], T], game: str, alone: bool) -> None:
        self.work = work
        self.game = game  # that it changes, or ""
        self.alone = alone  # in a transaction of its own
        self.left = False  # whether nobody waits for it any more
        self.done: Future[T] = Future()


def _nobody(_game: str) -> None:
    """Tell nobody."""


class Lane:
    """A few threads, and what waits for them."""

    def __init__(self, kind: str, threads: int, run: Callable[[list[Job[Any]]], None], together: int) -> None:
        self.kind = kind
        self.late: Callable[[str], None] = _nobody  # told of a game that changed after its asker was told off
        self.overdue: Callable[[], None] = lambda: None  # told when somebody had to wait too long
        self.answers = True  # whether somebody was answered since it last took too long
        self._run = run
        self._together = together
        self._jobs: deque[Job[Any]] = deque()
        self._alone_next = True
        self._there = threading.Condition()
        self._stopping = False
        self._threads = [threading.Thread(target=self._work, name=kind, daemon=True) for _ in range(threads)]
        metrics.jobs_waiting.labels(kind).set_function(lambda: len(self._jobs))

    # -- life -------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to work."""
        for thread in self._threads:
            thread.start()

    def stop(self, seconds: float) -> bool:
        """Do what is left, and say whether that was done in time."""
        with self._there:
            self._stopping = True
            self._there.notify_all()
        end = time.monotonic() + seconds
        for thread in self._threads:
            if thread.ident is not None:
                thread.join(max(0.0, end - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    @property
    def works(self) -> bool:
        """Whether all threads are there."""
        return all(thread.is_alive() for thread in self._threads)

    # -- for those who ask ------------------------------------------------------------------------------------

    async def ask(self, work: Callable[[Connection], T], game: str = "", alone: bool = False) -> T:
        """What some work comes to; raises Slow if that is not known in time."""
        job = Job(work, game, alone)
        self._put(job)
        answer = asyncio.wrap_future(job.done)
        try:
            await asyncio.wait({answer}, timeout=PATIENCE if self.answers else BRIEF)
            if answer.done():
                return answer.result()
        finally:
            if not answer.done():
                self._leave(job, answer)
        self.answers = False
        metrics.failed_jobs.labels(self.kind).inc()
        self.overdue()
        raise Slow("the database has not answered in time")

    def _put(self, job: Job[Any]) -> None:
        with self._there:
            if len(self._jobs) >= MOST_WAITING:
                self._jobs = deque(one for one in self._jobs if not one.done.cancelled())
            if len(self._jobs) >= MOST_WAITING or self._stopping:
                raise Slow("too much waits for the database")
            self._jobs.append(job)
            self._there.notify()

    def _leave(self, job: Job[T], answer: "asyncio.Future[T]") -> None:
        """Drop a job that has not begun; of one under way, tell when it is done."""
        loop, late = asyncio.get_running_loop(), self.late
        answer.cancel()
        job.left = True
        if job.done.cancel() or not job.game:
            return

        def ended(done: Future[T]) -> None:
            if done.exception() is None and not loop.is_closed():
                loop.call_soon_threadsafe(late, job.game)

        job.done.add_done_callback(ended)

    # -- in a thread ------------------------------------------------------------------------------------------

    def _work(self) -> None:
        while True:
            batch: list[Job[Any]] = []
            try:
                batch = self._take()
                if not batch:
                    return
                self._run(batch)
                self.answers = self.answers or any(job.done.exception() is None for job in batch)
            except Exception as error:  # whatever it is, even a lack of memory, the thread goes on
                with suppress(Exception):
                    fail(batch, error)
                with suppress(Exception):
                    log.exception("a job failed")

    def _take(self) -> list[Job[Any]]:
        """Wait for jobs, and take those that can be done together; none when it is over."""
        with self._there:
            while True:
                while not self._jobs and not self._stopping:
                    self._there.wait()
                if not self._jobs:
                    return []
                if batch := [job for job in self._next() if job.done.set_running_or_notify_cancel()]:
                    return batch

    def _next(self) -> list[Job[Any]]:
        """The jobs whose turn it is: one that must be alone, then all the others that wait, and so on."""
        alone = [job for job in self._jobs if job.alone][:1]
        others = [job for job in self._jobs if not job.alone][: self._together]
        batch = alone if alone and (self._alone_next or not others) else others
        self._alone_next = batch is others
        taken = set(batch)
        self._jobs = deque(job for job in self._jobs if job not in taken)
        return batch


def fail(batch: list[Job[Any]], error: BaseException) -> None:
    """Tell everybody who still waits what went wrong."""
    for job in batch:
        if not job.done.done():
            job.done.set_exception(error)
