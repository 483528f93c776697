"""SQLite and PostgreSQL: opened so that what is committed lasts, and so that nobody waits for ever."""

import fcntl
import logging
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import DBAPIError, OperationalError

log = logging.getLogger("gridlock.web")
# Every commit is synced to the disk. The log goes into the database after so many pages of 4 KiB, which takes a moment.
SQLITE = ("journal_mode=WAL", "synchronous=FULL", "wal_autocheckpoint=2000")
POSTGRESQL = "-c synchronous_commit=on"
PATIENCE = 3.0  # seconds to wait for SQLite's lock, for a connection, and for a statement
# A server process that stands still in the middle of a transaction must not hold up the others.
_TIMEOUTS = "-c statement_timeout={0} -c lock_timeout={0} -c idle_in_transaction_session_timeout=10000"
NETWORK: dict[str, Any] = {  # a machine that is gone says nothing: notice that too
    "keepalives": 1,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 4000,
}
_KINDS = "a database is a file for SQLite, or postgresql://…"
_OF_ONE = {"40001", "40P01", "55P03", "57014"}  # what PostgreSQL says of a statement that others stood in the way of
# What SQLite and PostgreSQL say when what they find on the disk makes no sense.
_MALFORMED = {"SQLITE_CORRUPT", "SQLITE_NOTADB", "XX001", "XX002"}


class Database:
    """A database by its URL or, for SQLite, by its file."""

    def __init__(self, url: str) -> None:
        self.file: Path | None = None
        parsed = make_url(url) if "://" in url else URL.create("sqlite", database=url)
        if parsed.get_backend_name() == "postgresql":
            self.engine = _postgresql(parsed)
        elif parsed.get_backend_name() != "sqlite":
            raise ValueError(_KINDS)
        elif not parsed.database or parsed.database == ":memory:" or parsed.database.startswith("file:"):
            raise ValueError(f"{_KINDS}; games have to outlive the server")
        else:
            self.file = Path(parsed.database).resolve()
            self.engine = _sqlite(self.file)
        self.kind = self.engine.dialect.name
        self._writing = self.engine.execution_options(writes=True)
        self._inode = 0
        self._claim: IO[str] | None = None
        self._lock = threading.Lock()
        self._used: dict[int, tuple[Any, float]] = {}  # by thread: the driver's connection, and since when

    def claim(self) -> None:
        """Keep other servers from a SQLite file: what they write would not be noticed here."""
        if self.file is None:
            return
        self.file.parent.mkdir(parents=True, exist_ok=True)
        # Left behind it does no harm, since it is the lock that counts, which ends with the process.
        self._claim = open(f"{self.file}.lock", "w")  # noqa: SIM115 (closed with the database)
        try:
            fcntl.flock(self._claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(f"another server uses {self.file} already") from None
        except OSError as error:
            log.warning("the file system has no locks; start no second server", extra={"error": str(error)})

    @property
    def moved(self) -> bool:
        """Whether a SQLite file is not where it was, so that what is written goes to nowhere."""
        if self.file is None:
            return False
        now = self.file.stat().st_ino if self.file.exists() else 0
        self._inode = self._inode or now
        return now != self._inode

    def close(self) -> None:
        """Let go of it."""
        self.engine.dispose()
        if self._claim:
            self._claim.close()

    @contextmanager
    def transaction(self, writes: bool = False) -> Iterator[Connection]:
        """A transaction that is committed at the end."""
        thread = threading.get_ident()
        try:
            with self._connected(thread, writes) as connection, connection.begin():
                yield connection
        finally:
            with self._lock:
                self._used.pop(thread, None)

    def _connected(self, thread: int, writes: bool) -> Connection:
        """A connection that is alive: one that was cut while nobody used it is replaced."""
        engine = self._writing if writes else self.engine
        while True:
            connection = engine.connect()
            with self._lock:
                raw = connection.connection.dbapi_connection
                self._used[thread] = (raw, time.monotonic())
            if self.kind == "sqlite":
                return connection
            fresh = not connection.info.get("used")
            try:
                connection.exec_driver_sql("SELECT 1")
                connection.rollback()
            except DBAPIError as error:
                connection.close()
                if fresh or not error.connection_invalidated:
                    raise
            else:
                connection.info["used"] = True
                return connection

    def cut(self, seconds: float) -> None:
        """Cut connections to PostgreSQL on which a thread has been waiting for so long."""
        if self.kind != "postgresql":
            return
        now = time.monotonic()
        with self._lock:
            for raw, since in self._used.values():
                if now - since >= seconds:
                    _shut(raw)


def _shut(raw: Any) -> None:
    """End a connection under the feet of the thread that waits for it, unless it has ended meanwhile."""
    with suppress(Exception), socket.socket(fileno=os.dup(raw.pgconn.socket)) as its:
        its.shutdown(socket.SHUT_RDWR)


def malformed(error: BaseException) -> bool:
    """Whether an error means that the database itself is damaged."""
    original = getattr(error, "orig", None)
    said = getattr(original, "sqlite_errorname", None) or getattr(original, "sqlstate", None) or ""
    return said in _MALFORMED or said.startswith("SQLITE_CORRUPT")


def for_all(error: BaseException) -> bool:
    """Whether an error concerns whatever is asked of the database: it cannot be reached, or it cannot be written to."""
    return isinstance(error, OperationalError) and getattr(error.orig, "sqlstate", None) not in _OF_ONE


def _postgresql(url: URL) -> Engine:
    timeouts = _TIMEOUTS.format(round(PATIENCE * 1000))
    settings = {"options": f"{POSTGRESQL} {timeouts}", "connect_timeout": round(PATIENCE), **NETWORK}
    return create_engine(url.set(drivername="postgresql+psycopg"), connect_args=settings, pool_size=4)


def _sqlite(file: Path) -> Engine:
    """A SQLite file that survives a crash of the machine: every commit is synced."""
    engine = create_engine(URL.create("sqlite", database=str(file)), connect_args={"timeout": PATIENCE})
    # Many rows in one statement: between two statements a thread lets others run, and waits until it is its turn again.
    engine.dialect.use_insertmanyvalues_wo_returning = True

    def connected(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # transactions begin where we say, below
        connection.text_factory = _text
        for pragma in SQLITE:
            connection.execute(f"PRAGMA {pragma}").close()

    def begun(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    event.listen(engine, "connect", connected)
    event.listen(engine, "begin", begun)
    return engine


def _text(stored: bytes) -> str:
    """Text as it is stored, damaged or not: the checksum will tell."""
    return stored.decode("utf-8", "surrogateescape")
