"""Games and their events in a database: appended, never changed, and durable before anybody is told.

Two tables fit SQLite and PostgreSQL alike. The key (game, sequence) lets each event in once, whoever tries: a second
server process, or the same one repeating itself. One thread writes, and commits together whatever has come in while
the last commit was under way, so that many games share one sync of the disk.
"""

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from sqlalchemy import (
    Column,
    Connection,
    Engine,
    Float,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    event,
    make_url,
    select,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite

from gridlock.web import table as domain

T = TypeVar("T")
Job = Callable[[Connection], Any]

CHANNEL = "gridlock"  # on which PostgreSQL tells the other server processes about new events
SQLITE = ("journal_mode=WAL", "synchronous=FULL")  # every commit is synced to the disk
POSTGRESQL = "-c synchronous_commit=on"
PATIENCE = 10.0  # seconds to wait for SQLite's lock
_TOGETHER = 128  # jobs in one commit, at most
_SCHEMA_LOCK = 0x6772_6964

metadata = MetaData()
games = Table(
    "games",
    metadata,
    Column("id", String(22), primary_key=True),
    Column("created", Float, nullable=False),
    Column("settings", Text, nullable=False),
)
events = Table(
    "events",
    metadata,
    Column("game", String(22), primary_key=True),
    Column("sequence", Integer, primary_key=True, autoincrement=False),
    Column("at", Float, nullable=False),
    Column("body", Text, nullable=False),
    sqlite_with_rowid=False,
)


class Store:
    """Where games are kept."""

    def __init__(self, url: str, process: str) -> None:
        self.process = process  # by which other processes tell our notices from theirs
        self.engine = _engine(url)
        self.kind = self.engine.dialect.name
        insert = postgresql.insert if self.kind == "postgresql" else sqlite.insert
        # One row at a time, since only such a statement is compiled once and for all. What was let in is asked for:
        # not every driver counts rows that ran into an existing key.
        self._insert = insert(events).on_conflict_do_nothing().returning(events.c.sequence)
        self._jobs: queue.SimpleQueue[tuple[Job, Future[Any]] | None] = queue.SimpleQueue()
        self._readers = ThreadPoolExecutor(2, "reader")
        self._writer = threading.Thread(target=self._write_all, name="writer", daemon=True)

    # -- life -------------------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Make the tables where they are missing."""
        with self.engine.begin() as connection:
            if self.kind == "postgresql":  # two processes may start at once
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _SCHEMA_LOCK})
            metadata.create_all(connection)

    def start(self) -> None:
        """Begin to write."""
        self._writer.start()

    def stop(self) -> None:
        """Write what is left, and let go of the database."""
        self._jobs.put(None)
        self._writer.join()
        self._readers.shutdown()
        self.engine.dispose()

    # -- what is asked of it ----------------------------------------------------------------------------------

    async def create(self, id: str, settings: domain.Settings, happened: Sequence[domain.Event] = ()) -> None:
        """Store a new game and the moves it begins with."""
        await self._write(lambda connection: self._create(connection, id, settings, happened))

    async def append(
        self, id: str, sequence: int, event: domain.Event, next_round: tuple[str, domain.Settings] | None = None
    ) -> bool:
        """Store the event with that number, and with a rematch the game it leads to; False if there is one already."""

        def job(connection: Connection) -> bool:
            if not self._append(connection, id, sequence, [event]):
                return False
            if next_round:
                self._create(connection, *next_round, ())
            return True

        return await self._write(job)

    async def load(self, id: str) -> domain.Table | None:
        """A game with everything that has happened in it, or None if there is no such game."""

        def job(connection: Connection) -> domain.Table | None:
            settings = connection.execute(select(games.c.settings).where(games.c.id == id)).scalar()
            if settings is None:
                return None
            table = domain.Table(id, domain.read_settings(settings))
            for found in self._since(connection, id, 0):
                table.apply(found)
            return table

        return await self._read(job)

    async def since(self, id: str, sequence: int) -> list[domain.Event]:
        """What has happened in a game since an event."""
        return await self._read(lambda connection: self._since(connection, id, sequence))

    async def alive(self) -> None:
        """Raise an exception if the database does not answer."""
        await self._read(lambda connection: connection.execute(text("SELECT 1")))

    # -- inside a transaction ---------------------------------------------------------------------------------

    def _create(
        self, connection: Connection, id: str, settings: domain.Settings, happened: Sequence[domain.Event]
    ) -> None:
        row = {"id": id, "created": time.time(), "settings": msgspec.json.encode(settings).decode()}
        connection.execute(games.insert(), [row])
        if happened:
            self._append(connection, id, 0, happened)

    def _append(self, connection: Connection, id: str, sequence: int, happened: Sequence[domain.Event]) -> bool:
        for number, one in enumerate(happened, sequence):
            row = {"game": id, "sequence": number, "at": time.time(), "body": msgspec.json.encode(one).decode()}
            if connection.execute(self._insert, row).first() is None:
                return False
        if self.kind == "postgresql":
            notice = {"channel": CHANNEL, "payload": f"{self.process} {id}"}
            connection.execute(text("SELECT pg_notify(:channel, :payload)"), notice)
        return True

    def _since(self, connection: Connection, id: str, sequence: int) -> list[domain.Event]:
        query = select(events.c.body).where(events.c.game == id, events.c.sequence >= sequence)
        return [domain.read_event(body) for body in connection.execute(query.order_by(events.c.sequence)).scalars()]

    # -- threads ----------------------------------------------------------------------------------------------

    async def _read(self, job: Callable[[Connection], T]) -> T:
        def run() -> T:
            with self.engine.connect() as connection:
                return job(connection)

        return await asyncio.get_running_loop().run_in_executor(self._readers, run)

    async def _write(self, job: Callable[[Connection], T]) -> T:
        done: Future[T] = Future()
        self._jobs.put((job, done))
        return await asyncio.wrap_future(done)

    def _write_all(self) -> None:
        """Commit what has come in, again and again."""
        writer = self.engine.execution_options(writes=True)
        last = False
        while not last:
            batch = []
            entry = self._jobs.get()
            while entry is not None:
                batch.append(entry)
                if len(batch) == _TOGETHER:
                    break
                try:
                    entry = self._jobs.get_nowait()
                except queue.Empty:
                    break
            last = entry is None
            _commit(writer, batch)


def _commit(writer: Engine, batch: list[tuple[Job, Future[Any]]]) -> None:
    """Commit jobs together; where that fails, one by one, so that none suffers from another."""
    if not batch:
        return
    try:
        with writer.begin() as connection:
            answers = [job(connection) for job, _ in batch]
    except Exception as error:
        if len(batch) == 1:
            _answer(batch[0][1], error=error)
            return
        for one in batch:
            _commit(writer, [one])
        return
    for (_, done), answer in zip(batch, answers, strict=True):
        _answer(done, answer)


def _answer(done: Future[Any], answer: Any = None, error: Exception | None = None) -> None:
    """Answer whoever waits, unless they have left."""
    if done.set_running_or_notify_cancel():
        if error:
            done.set_exception(error)
        else:
            done.set_result(answer)


# -- databases ----------------------------------------------------------------------------------------------------


def _engine(url: str) -> Engine:
    """A database by its URL or, for SQLite, by its file."""
    if "://" not in url:
        return _sqlite(Path(url))
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite":
        return _sqlite(Path(parsed.database or ""))
    if parsed.get_backend_name() != "postgresql":
        raise ValueError("The database is a file for SQLite, or postgresql://…")
    durable = {"options": POSTGRESQL, "connect_timeout": 10}
    return create_engine(
        parsed.set(drivername="postgresql+psycopg"), connect_args=durable, pool_pre_ping=True, pool_size=4
    )


def _sqlite(file: Path) -> Engine:
    """A SQLite file that survives a crash of the machine: every commit is synced."""
    file.parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(f"sqlite:///{file}", connect_args={"timeout": PATIENCE})

    def connected(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # transactions begin where we say, below
        for pragma in SQLITE:
            connection.execute(f"PRAGMA {pragma}").close()

    def begun(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    event.listen(engine, "connect", connected)
    event.listen(engine, "begin", begun)
    return engine
