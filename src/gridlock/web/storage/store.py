"""Games and their events in a database: appended, never changed, and durable before anybody is told.

The number of a game's events lets each event in once, whoever tries: a second server process, or the same one repeating
itself. One thread writes, and commits together whatever has come in while the last commit was under way, so that many
games share one sync of the disk.
"""

import logging
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import Connection, func, select, text, update
from sqlalchemy.exc import DBAPIError

from gridlock.web.net import metrics
from gridlock.web.referee import table as domain
from gridlock.web.storage import jobs, rows, schema
from gridlock.web.storage.databases import Database, for_all, malformed
from gridlock.web.storage.dates import Dates
from gridlock.web.storage.jobs import Job, Lane
from gridlock.web.storage.rows import Damaged
from gridlock.web.storage.ticks import Ticks

T = TypeVar("T")
log = logging.getLogger("gridlock.web")
CHANNEL = "gridlock"  # on which PostgreSQL tells the other server processes about new events
_FEW = 64  # moves that a new game may begin with and still be stored together with other things
_LAST_SECONDS = 3.0  # for what is under way when the server stops
_FLAGS = 50  # that fall at once, at most
_REMEMBERED = 10_000  # damaged games that were told of already


class Store:
    """Where games are kept."""

    def __init__(self, url: str, process: str) -> None:
        self.process = process  # by which other processes tell our notices from theirs
        self.database = Database(url)
        self.engine = self.database.engine
        self.kind = self.database.kind
        self.dates = Dates()
        self.ticks = Ticks()
        self.damaged: set[str] = set()  # games in which damage was found
        self.malformed = False  # whether the database itself was found damaged
        self.full: str | None = None  # why there is no room, as far as that was looked into
        self._lives = 0  # goes up whenever a commit may yet happen after we were told that it failed
        self._reads = Lane("read", 2, self._read_one, 1)
        self._writes = Lane("write", 1, self._commit, jobs.TOGETHER)
        for lane in (self._reads, self._writes):
            lane.overdue = self._overdue

    # -- life -------------------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Make the tables where they are missing, or bring them up to date; raises ValueError where that cannot be."""
        try:
            self.database.claim()
            with self.database.transaction(writes=True) as connection:
                schema.prepare(connection, self.dates.now())
                latest = connection.execute(select(func.max(schema.games.c.changed))).scalar() or 0.0
                today, ticks = connection.execute(select(schema.about.c.today, schema.about.c.ticks)).one()
                self.dates.begin(max(latest, today))
                self.ticks.begin(ticks, wait=_first_flag(connection) is not None)
        except Exception:
            self.database.close()
            raise

    def start(self, late: Callable[[str], None] | None = None) -> None:
        """Begin to work; `late` is told of a game that changed after whoever asked was told that it might not."""
        if late:
            self._writes.late = late
        self._reads.start()
        self._writes.start()

    def stop(self) -> None:
        """Write what is left, and let go of the database."""
        if not self._writes.stop(_LAST_SECONDS if self._writes.answers else 0):
            self.database.cut(0)
        if not self._reads.stop(0.5) or not self._writes.stop(0.5):
            log.error("the database does not answer; what was under way is left to it")
            return
        self.database.close()

    @property
    def works(self) -> bool:
        """Whether the threads are there that read and write."""
        return self._reads.works and self._writes.works

    # -- what is asked of it ----------------------------------------------------------------------------------

    async def create(self, id: str, settings: domain.Settings, happened: Sequence[domain.Event] = ()) -> None:
        """Store a new game and the moves it begins with; if those are many, nobody's move has to wait with it."""
        work = partial(rows.create, id=id, settings=settings, happened=happened, now=self.dates.now())
        await self.write(work, alone=len(happened) > _FEW)

    async def append(
        self, table: domain.Table, event: domain.Event, next_round: tuple[str, domain.Settings] | None = None
    ) -> bool:
        """Store what happens next, and with a rematch the game it leads to; False if something else has happened."""
        id, after = table.id, table.after(event)

        def job(connection: Connection) -> bool:
            if not rows.append(connection, event, after, self.dates.now()):
                return False
            if self.kind == "postgresql":
                notice = {"channel": CHANNEL, "payload": f"{self.process}.{self._lives} {id}"}
                connection.execute(text("SELECT pg_notify(:channel, :payload)"), notice)
            if next_round:
                rows.create(connection, *next_round, (), self.dates.now())
            return True

        return await self.write(job, id)

    async def keep_time(self, spared: Collection[str] = ()) -> list[str]:
        """Record how much time has counted, as long as any clock runs; the other games whose flags have fallen."""
        first = await self.read(_first_flag)
        if first is None:
            return []
        now = self.ticks.now()
        later = update(schema.about).where(schema.about.c.ticks < now).values(ticks=now)

        def record(connection: Connection) -> int:
            connection.execute(later)
            return int(connection.execute(select(schema.about.c.ticks)).scalar_one())

        self.ticks.recorded(await self.write(record))  # another process may be ahead
        if first > self.ticks.now():
            return []
        due = select(schema.games.c.id).where(schema.games.c.deadline <= self.ticks.now())
        due = due.order_by(schema.games.c.deadline).limit(_FLAGS + len(spared))
        found = await self.read(lambda connection: connection.execute(due).scalars().all())
        return [id for id in found if id not in spared]

    async def load(self, id: str) -> domain.Table | None:
        """A game with everything that has happened in it, or None if there is no such game; raises Damaged."""
        return await self.read(lambda connection: rows.load(connection, id), id)

    async def since(self, id: str, sequence: int) -> list[domain.Event]:
        """What has happened in a game since an event; raises Damaged."""
        _, bodies = await self.read(lambda connection: rows.since(connection, id, sequence), id)
        return [domain.read_event(body) for body in bodies]

    async def alive(self) -> None:
        """Write something for certain, and read it; raises an exception if that cannot be done."""
        await self.write(lambda connection: connection.execute(update(schema.about).values(today=self.dates.now())))
        await self.read(lambda connection: connection.execute(select(schema.about.c.today)).scalar_one())

    def room(self) -> str | None:
        """Why no new game may be started, in a sentence; None if there is room."""
        return self.full

    def sent(self, sender: str) -> bool:
        """Whether a notice comes from here, of something that is known here."""
        return sender == f"{self.process}.{self._lives}"

    # -- transactions -----------------------------------------------------------------------------------------

    async def read(self, work: Callable[[Connection], T], game: str = "") -> T:
        """What some reading comes to; raises Slow."""
        try:
            return await self._reads.ask(work)
        except Damaged as damage:
            self.found(damage)
            raise
        except DBAPIError as error:
            if not malformed(error):
                raise
            self._found_malformed(error)
            if not game:
                raise
            there = Damaged(game, "the database is damaged where it lies")
            self.found(there)
            raise there from error

    async def write(self, work: Callable[[Connection], T], game: str = "", alone: bool = False) -> T:
        """What some writing comes to, once it is committed; raises Slow."""
        try:
            return await self._writes.ask(work, game, alone)
        except Damaged as damage:
            self.found(damage)
            raise

    def found(self, damage: Damaged) -> None:
        """Tell of a damaged game, once."""
        if damage.game not in self.damaged and len(self.damaged) < _REMEMBERED:
            self.damaged.add(damage.game)
            metrics.damaged.inc()
            log.error("damaged", extra={"game": damage.game, "what": damage.what})

    def _found_malformed(self, error: Exception) -> None:
        if not self.malformed:
            log.error("the database is damaged", extra={"error": str(getattr(error, "orig", error))})
        self.malformed = True

    def _overdue(self) -> None:
        self._lives += 1
        self.database.cut(jobs.PATIENCE)

    # -- in threads -------------------------------------------------------------------------------------------

    def _read_one(self, batch: list[Job[Any]]) -> None:
        (job,) = batch
        try:
            with self.database.transaction() as connection:
                answer = job.work(connection)
        except Exception as error:
            jobs.fail(batch, error)
        else:
            job.done.set_result(answer)

    def _commit(self, batch: list[Job[Any]]) -> None:
        """Commit jobs together; where that fails, one by one, so that none suffers from another."""
        batch.sort(key=lambda job: job.game)  # two processes that lock rows in the same order never block each other
        answers: list[Any] = []
        try:
            with metrics.commit_seconds.time(), self.database.transaction(writes=True) as connection:
                jobs.fail([job for job in batch if job.left], jobs.Slow("nobody waits for it any more"))
                batch = [job for job in batch if not job.done.done()]
                answers.extend(job.work(connection) for job in batch)
        except Exception as error:
            self._lives += 1
            if malformed(error):
                self._found_malformed(error)
            if len(batch) <= 1 or for_all(error):
                metrics.failed_jobs.labels("write").inc(len(batch))
                jobs.fail(batch, error)
                return
            for one in batch:
                self._commit([one])
            return
        for job, answer in zip(batch, answers, strict=True):
            job.done.set_result(answer)


def _first_flag(connection: Connection) -> int | None:
    """When the next flag falls, in ticks, unless somebody moves before; None if no clock runs."""
    return connection.execute(select(func.min(schema.games.c.deadline))).scalar()
