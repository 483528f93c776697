"""Games and their events in a database: events are never changed, and are stored durably before they are announced.

An event is stored only if the game still has the expected number of events. Each event is therefore stored only once,
even if two server processes try to store it or a request is repeated. One thread does all the writing. Each commit
includes all jobs that arrived during the previous commit, so that many games share one disk sync.
"""

import logging
from collections.abc import Callable, Collection, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import Connection, func, select, text, update
from sqlalchemy.exc import DBAPIError

from gridlock.web.net import metrics
from gridlock.web.net.limits import Limits
from gridlock.web.referee import table as domain
from gridlock.web.storage import jobs, rows, schema
from gridlock.web.storage.clocks import Dates, Ticks
from gridlock.web.storage.databases import Database, is_outage, malformed
from gridlock.web.storage.jobs import Job, Lane
from gridlock.web.storage.rows import NOBODY, Counted, Damaged
from gridlock.web.storage.shares import Full, Shares

T = TypeVar("T")
log = logging.getLogger("gridlock.web")
CHANNEL = "gridlock"  # the channel on which PostgreSQL notifies other server processes of new events
_FEW = 64  # most initial moves with which a new game is stored together with other jobs
_LAST_SECONDS = 3.0  # for unfinished jobs when the server stops
OTHERS = 25.0  # seconds for another process to end its own games on time
_FLAGS = 50  # most games whose time runs out in one step
_REMEMBERED = 10_000  # damaged games that were reported already


class Store:
    """The database of games."""

    def __init__(self, url: str, process: str, limits: Limits | None = None) -> None:
        self.process = process  # marks our notifications for other processes
        self.database = Database(url)
        self.engine = self.database.engine
        self.kind = self.database.kind
        self.dates = Dates()
        self.ticks = Ticks()
        self.shares = Shares(limits or Limits(), self.read)
        self.damaged: set[str] = set()  # damaged games found so far
        self.malformed = False  # whether the database file itself is damaged
        self.full: str | None = None  # why no new game may be started, in a sentence; None if there is room
        self._epoch = 0  # increases whenever a commit that was reported as failed may still happen
        self._reads = Lane("read", 2, partial(self._run, writes=False), 1, self._overdue)
        self._slow_reads = Lane("slow read", 1, partial(self._run, writes=False), 1, self._overdue, jobs.LONG)
        self._writes = Lane("write", 1, partial(self._run, writes=True), jobs.TOGETHER, self._overdue)

    def prepare(self) -> None:
        """Create missing tables, or upgrade old ones; raise ValueError if that is impossible."""
        try:
            self.database.claim()
            with self.database.transaction(writes=True) as connection:
                schema.prepare(connection, self.dates.now())
                latest = connection.execute(select(func.max(schema.games.c.changed))).scalar() or 0.0
                about = schema.about.c["today", "ticks", "secret"]
                today, ticks, self.shares.secret = connection.execute(select(*about)).one()
                self.dates.begin(max(latest, today))
                # Start from the recorded time or the last move's time, whichever is later, so that no clock jumps.
                self.ticks.begin(max(ticks, rows.last_tick(connection)), wait=_first_deadline(connection) is not None)
        except Exception:
            self.database.close()
            raise

    def start(self, late: Callable[[str], None] | None = None) -> None:
        """Start the threads; `late` is called if a game is changed by a job whose caller has given up."""
        if late:
            self._writes.late = late
        for lane in (self._reads, self._slow_reads, self._writes):
            lane.start()

    def stop(self) -> None:
        """Finish the remaining writes, and close the database."""
        if not self._writes.stop(_LAST_SECONDS if self._writes.answers else 0):
            self.database.cut(0)
        if not all(lane.stop(0.5) for lane in (self._reads, self._slow_reads, self._writes)):
            log.error("the database is not responding; unfinished jobs are abandoned")
            return
        self.database.close()

    @property
    def works(self) -> bool:
        """Whether all reader and writer threads are alive."""
        return self._reads.works and self._slow_reads.works and self._writes.works

    async def create(
        self, id: str, settings: domain.Settings, happened: Sequence[domain.GameEvent] = (), client: str | None = None
    ) -> None:
        """Store a new game and its initial moves.

        A game with many initial moves is stored in a separate transaction, so that no other commit waits for it.
        """
        owner = NOBODY if client is None else self.shares.owner(client)
        now = self.dates.now()
        work = partial(rows.create, id=id, settings=settings, happened=happened, now=now, owner=owner)
        self.shares.add(owner, rows.room(domain.Table(id, settings)))  # at once, since other games may follow
        await self.write(work, alone=len(happened) > _FEW)

    async def append(
        self,
        table: domain.Table,
        event: domain.GameEvent,
        next_round: tuple[str, domain.Settings] | None = None,
        client: str | None = None,
    ) -> bool:
        """Store the next event and, for a rematch, the new game; return False if another event was stored first.

        Raise Full if the game needs more space than is reserved for it and the client that started the game (or that
        client's network) has already reached a storage limit.
        """
        id, after = table.id, table.after(event)
        room = rows.reserved(after) - rows.reserved(table)
        if room > 0 and (no := await self.shares.growth(id)):
            raise Full(no)
        owner = NOBODY if client is None else self.shares.owner(client)

        def job(connection: Connection) -> bool:
            if not rows.append(connection, event, after, self.dates.now(), room != 0):
                return False
            if self.kind == "postgresql":
                notice = {"channel": CHANNEL, "payload": f"{self.process}.{self._epoch} {id}"}
                connection.execute(text("SELECT pg_notify(:channel, :payload)"), notice)
            if next_round:
                rows.create(connection, *next_round, (), self.dates.now(), owner)
            return True

        return await self.write(job, id)

    async def beat(self) -> int:
        """Keep the games' clocks running if the database responds; return how many milliseconds they were set forward.

        The clocks are set forward if another server process has recorded a later time in the database.
        """
        if self.kind != "postgresql":  # no other process, and an empty transaction costs no sync
            await self.write(lambda _connection: None)
            return self.ticks.beat()
        latest = await self.write(partial(_record, now=self.ticks.now(), synced=False), alone=True)
        self.ticks.recorded(latest)
        return self.ticks.beat(latest)

    async def keep_time(self, spared: Collection[str] = ()) -> list[str] | None:
        """Record the time, and return the games whose deadline has passed, or None if no clock is running.

        The games in `spared` are left out.
        """
        first = await self.read(_first_deadline)
        if first is None:
            return None
        try:
            self.ticks.recorded(await self.write(partial(_record, now=self.ticks.now())))
        except Exception:
            self.ticks.fail()
            raise
        # With PostgreSQL, a game whose deadline has passed may be open in another process, so give that process some
        # time to end the game.
        late = self.ticks.now() - (round(1000 * OTHERS) if self.kind == "postgresql" else 0)
        if first > late:
            return []
        due = select(schema.games.c.id).where(schema.games.c.deadline <= late)
        due = due.order_by(schema.games.c.deadline).limit(_FLAGS + len(spared))
        found = await self.read(lambda connection: connection.execute(due).scalars().all())
        return [id for id in found if id not in spared]

    async def load(self, id: str) -> domain.Table | None:
        """Return a game with all its events applied, or None if it does not exist; raise Damaged if it is damaged.

        After its first slice of events, a long game queues with other long games, so that short games need not wait.
        """

        def begin(connection: Connection) -> tuple[domain.Table | None, bool]:
            table = rows.begin(connection, id)
            return table, table is not None and rows.advance(connection, table)

        table, more = await self.read(begin, id)
        while table and more:
            more = await self.read(partial(rows.advance, table=table), id, slow=True)
        return table

    async def since(self, id: str, sequence: int) -> list[domain.GameEvent]:
        """Return a game's events, starting with event number `sequence`; raise Damaged if the game is damaged."""
        found: list[domain.GameEvent] = []
        while True:
            next_slice = partial(rows.since, id=id, first=sequence + len(found))
            counted, events = await self.read(next_slice, id, slow=bool(found))
            found += events
            if sequence + len(found) >= counted.events:
                return found

    async def verify(self, id: str) -> Counted | None:
        """Verify a game's rows; return the facts stored about its events, or None if the game does not exist.

        Raise Damaged if a row is damaged.
        """
        seen = 0
        while found := await self.read(partial(rows.verify, id=id, first=seen), id, slow=True):
            counted, verified = found
            seen += verified
            if seen >= counted.events:
                return counted
        return None

    async def alive(self) -> None:
        """Check that the database can be written to and read; raise an exception otherwise."""
        await self.write(lambda connection: connection.execute(update(schema.about).values(today=self.dates.now())))
        await self.read(lambda connection: connection.execute(select(schema.about.c.today)).scalar_one())

    def sent(self, sender: str) -> bool:
        """Return whether this process sent a notification itself, and therefore already knows about the event."""
        return sender == f"{self.process}.{self._epoch}"

    async def read(self, work: Callable[[Connection], T], game: str = "", slow: bool = False) -> T:
        """Return the result of a read; raise Slow if it takes too long.

        Slow reads take turns in a separate thread, so that other reads do not wait for them.
        """
        try:
            return await (self._slow_reads if slow else self._reads).ask(work)
        except Damaged as damage:
            self.report(damage)
            raise
        except DBAPIError as error:
            if not game or not malformed(error):
                raise
            game_damage = Damaged(game, "the part of the database that holds it is damaged")
            self.report(game_damage)
            raise game_damage from error

    async def write(self, work: Callable[[Connection], T], game: str = "", alone: bool = False) -> T:
        """Return the result of a write once it is committed; raise Slow if that takes too long."""
        try:
            return await self._writes.ask(work, game, alone)
        except Damaged as damage:
            self.report(damage)
            raise

    def report(self, damage: Damaged) -> None:
        """Report a damaged game, but only once."""
        if damage.game not in self.damaged and len(self.damaged) < _REMEMBERED:
            self.damaged.add(damage.game)
            metrics.damaged.inc()
            log.error("damaged", extra={"game": damage.game, "what": damage.what})

    def _overdue(self) -> None:
        self._epoch += 1
        self.database.cut(jobs.PATIENCE)

    def _run(self, batch: list[Job[Any]], writes: bool) -> None:
        """Run jobs in one transaction or, if that fails, one by one, so that no job fails because of another."""
        batch.sort(key=lambda job: job.game)  # processes that lock rows in the same order cannot deadlock
        answers: list[Any] = []
        try:
            timer = metrics.commit_seconds.time() if writes else nullcontext()
            with timer, self.database.transaction(writes) as connection:
                jobs.fail([job for job in batch if job.abandoned], jobs.Slow("the caller has given up"))
                batch = [job for job in batch if not job.done.done()]
                answers.extend(job.work(connection) for job in batch)
        except Exception as error:
            self._epoch += writes
            if malformed(error) and not self.malformed:
                self.malformed = True
                log.error("the database is damaged", extra={"error": str(getattr(error, "orig", error))})
            if len(batch) > 1 and not is_outage(error):
                for job in batch:
                    self._run([job], writes)
                return
            if writes:
                metrics.failed_jobs.labels("write").inc(len(batch))
            jobs.fail(batch, error)
            return
        for job, answer in zip(batch, answers, strict=True):
            job.done.set_result(answer)


def _record(connection: Connection, now: int, synced: bool = True) -> int:
    """Raise the stored playing time, in ticks, to at least `now`; return the stored time."""
    if not synced:  # the transaction has no other changes
        connection.execute(text("SET LOCAL synchronous_commit = off"))
    connection.execute(update(schema.about).where(schema.about.c.ticks < now).values(ticks=now))
    return int(connection.execute(select(schema.about.c.ticks)).scalar_one())


def _first_deadline(connection: Connection) -> int | None:
    """Return the earliest deadline among the players to move, in ticks, or None if no clock is running."""
    return connection.execute(select(func.min(schema.games.c.deadline))).scalar()
