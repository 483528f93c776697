"""Database jobs that run in separate threads.

Even if the database stops responding, the number of waiting jobs stays limited, and every caller gets an answer within
a time limit. A job that has not started within this limit is dropped. A job in progress cannot be cancelled. If a job
changes a game after its caller has given up, the job's `Lane` calls the callback `late`.
"""

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection

from gridlock.web.net import metrics

T = TypeVar("T")
log = logging.getLogger("gridlock.web")
PATIENCE = 4.0  # seconds until a caller gives up
LONG = 60.0  # seconds until a caller gives up on a slow read; slow reads wait for each other
BRIEF = 1.0  # seconds until a caller gives up while the database does not respond, since players wait for each other
MOST_WAITING = 1000
TOGETHER = 128  # maximum number of jobs in one transaction


class Slow(TimeoutError):
    """The database did not respond in time, or too many jobs were already waiting for it."""


@dataclass(eq=False)
class Job(Generic[T]):
    """A job to be done within a transaction."""

    work: Callable[[Connection], T]
    game: str  # the game that the job changes, or ""
    alone: bool  # whether the job needs a separate transaction
    abandoned: bool = False  # whether the caller has given up
    done: Future[T] = field(default_factory=Future)


class Lane:
    """A few threads, and the jobs waiting for them."""

    def __init__(
        self,
        kind: str,
        threads: int,
        run: Callable[[list[Job[Any]]], None],
        together: int,
        overdue: Callable[[], None],
        patience: float | None = None,
    ) -> None:
        self.kind = kind
        self.late: Callable[[str], None] = lambda _game: None  # called when a game changes after its caller gave up
        self._overdue = overdue  # called when a caller gives up
        self.answers = True  # whether a job has succeeded since a caller last gave up
        self._run = run
        self._together = together
        self._patience = patience  # seconds until a caller gives up; None for the default
        self._jobs: deque[Job[Any]] = deque()
        self._alone_next = True
        self._changed = threading.Condition()
        self._stopping = False
        self._threads = [threading.Thread(target=self._work, name=kind, daemon=True) for _ in range(threads)]
        metrics.jobs_waiting.labels(kind).set_function(lambda: len(self._jobs))

    def start(self) -> None:
        """Start the threads."""
        for thread in self._threads:
            thread.start()

    def stop(self, seconds: float) -> bool:
        """Finish the remaining jobs; return whether they were all finished in time."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        end = time.monotonic() + seconds
        for thread in self._threads:
            if thread.ident is not None:
                thread.join(max(0.0, end - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    @property
    def works(self) -> bool:
        """Whether all threads are alive."""
        return all(thread.is_alive() for thread in self._threads)

    async def ask(self, work: Callable[[Connection], T], game: str = "", alone: bool = False) -> T:
        """Run a job in one of the threads, and return its result; raise Slow if the result is not available in time."""
        job = Job(work, game, alone)
        with self._changed:
            if len(self._jobs) >= MOST_WAITING:
                self._jobs = deque(one for one in self._jobs if not one.done.cancelled())
            if len(self._jobs) >= MOST_WAITING or self._stopping:
                raise Slow("too many jobs are waiting for the database")
            self._jobs.append(job)
            self._changed.notify()
        answer = asyncio.wrap_future(job.done)
        try:
            await asyncio.wait({answer}, timeout=self._patience or (PATIENCE if self.answers else BRIEF))
            if answer.done():
                return answer.result()
        finally:
            if not answer.done():
                self._abandon(job, answer)
        self.answers = False
        metrics.failed_jobs.labels(self.kind).inc()
        self._overdue()
        raise Slow("the database did not respond in time")

    def _abandon(self, job: Job[T], answer: "asyncio.Future[T]") -> None:
        """Drop a job if it has not started; otherwise, arrange for a report if it succeeds later."""
        loop, late = asyncio.get_running_loop(), self.late
        answer.cancel()
        job.abandoned = True
        if job.done.cancel() or not job.game:
            return

        def report(done: Future[T]) -> None:
            if done.exception() is None and not loop.is_closed():
                loop.call_soon_threadsafe(late, job.game)

        job.done.add_done_callback(report)

    def _work(self) -> None:
        """Run jobs in a thread until `stop` is called and no jobs remain."""
        while True:
            batch: list[Job[Any]] = []
            try:
                batch = self._take()
                if not batch:
                    return
                self._run(batch)
                self.answers = self.answers or any(job.done.exception() is None for job in batch)
            except Exception as error:  # the thread continues after any error, even if memory has run out
                with suppress(Exception):
                    fail(batch, error)
                with suppress(Exception):
                    log.exception("a database job failed")

    def _take(self) -> list[Job[Any]]:
        """Wait for jobs, and return some that can run in one transaction, or an empty list if the thread must stop."""
        with self._changed:
            while True:
                while not self._jobs and not self._stopping:
                    self._changed.wait()
                if not self._jobs:
                    return []
                if batch := [job for job in self._next() if job.done.set_running_or_notify_cancel()]:
                    return batch

    def _next(self) -> list[Job[Any]]:
        """Remove and return the next batch: either a single job that must run alone, or a group of other jobs.

        While jobs of both kinds are waiting, the two kinds take turns.
        """
        alone = [job for job in self._jobs if job.alone][:1]
        others = [job for job in self._jobs if not job.alone][: self._together]
        batch = alone if alone and (self._alone_next or not others) else others
        self._alone_next = batch is others
        taken = set(batch)
        self._jobs = deque(job for job in self._jobs if job not in taken)
        return batch


def fail(batch: list[Job[Any]], error: BaseException) -> None:
    """Make all unfinished jobs in a batch fail with the given error."""
    for job in batch:
        if not job.done.done():
            job.done.set_exception(error)
