"""SQLite and PostgreSQL connections, configured for durable commits and bounded waiting."""

import fcntl
import logging
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Literal

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import DBAPIError, OperationalError

log = logging.getLogger("gridlock.web")
# Every commit is synced to disk. A checkpoint takes a moment, so it happens only after this many pages of 4 KiB.
SQLITE = ("journal_mode=WAL", "synchronous=FULL", "wal_autocheckpoint=2000")
POSTGRESQL = "-c synchronous_commit=on"
PATIENCE = 3.0  # seconds to wait for SQLite's lock, for a connection, and for a statement
# A server process that stalls in the middle of a transaction must not block other processes.
_TIMEOUTS = "-c statement_timeout={0} -c lock_timeout={0} -c idle_in_transaction_session_timeout=10000"
NETWORK: dict[str, Any] = {  # detects a machine that has disappeared
    "keepalives": 1,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 4000,
}
_KINDS = "give a file name for SQLite, or a PostgreSQL URL"
_CONFLICTS = {"40001", "40P01", "55P03", "57014"}  # SQLSTATEs of conflicts with other transactions
_MALFORMED = {"SQLITE_CORRUPT", "SQLITE_NOTADB", "XX001", "XX002"}  # error codes for damaged files


class Database:
    """A database given by its URL or, for SQLite, by its file."""

    def __init__(self, url: str) -> None:
        self.file: Path | None = None
        parsed = make_url(url) if "://" in url else URL.create("sqlite", database=url)
        if parsed.get_backend_name() == "postgresql":
            timeouts = _TIMEOUTS.format(round(PATIENCE * 1000))
            settings = {"options": f"{POSTGRESQL} {timeouts}", "connect_timeout": round(PATIENCE), **NETWORK}
            parsed = parsed.set(drivername="postgresql+psycopg")
            self.engine = create_engine(parsed, connect_args=settings, pool_size=4)
        elif parsed.get_backend_name() != "sqlite":
            raise ValueError(_KINDS)
        elif not parsed.database or parsed.database == ":memory:" or parsed.database.startswith("file:"):
            raise ValueError(f"{_KINDS}; an in-memory database would lose every game")
        else:
            self.file = Path(parsed.database).resolve()
            self.engine = _sqlite(self.file)
        self.kind = self.engine.dialect.name
        self._writing = self.engine.execution_options(writes=True)
        self._inode = 0
        self._claims: list[IO[bytes]] = []
        self._lock = threading.Lock()
        self._used: dict[int, tuple[Any, float]] = {}  # thread -> the driver's connection, and when it was taken

    def claim(self) -> None:
        """Lock a SQLite file against other servers, whose writes this server would not notice.

        The lock that is placed on the database file itself still works if another server opens the file by a different
        path, or if the separate lock file is deleted. The lock file is for older versions of the server, and for
        systems on which locking the database file would also shut out SQLite.
        """
        if self.file is None:
            return
        self.file.parent.mkdir(parents=True, exist_ok=True)
        # A leftover lock file is harmless, because the lock is released when the process ends.
        self._claims = [lock(Path(f"{self.file}.lock"))]
        if sys.platform == "linux":
            self._claims.append(lock(self.file))

    @property
    def moved(self) -> bool:
        """Whether the SQLite file has been moved or deleted, in which case writes would be lost."""
        if self.file is None:
            return False
        now = self.file.stat().st_ino if self.file.exists() else 0
        self._inode = self._inode or now
        return now != self._inode

    def close(self) -> None:
        """Close all connections, and unlock the file."""
        self.engine.dispose()
        for claim in self._claims:  # closed last, since closing the file also ends SQLite's own locks
            claim.close()

    @contextmanager
    def transaction(self, writes: bool = False) -> Iterator[Connection]:
        """Yield a connection within a transaction, and commit the transaction at the end."""
        thread = threading.get_ident()
        try:
            with self._connected(thread, writes) as connection, connection.begin():
                yield connection
        finally:
            with self._lock:
                self._used.pop(thread, None)

    def _connected(self, thread: int, writes: bool) -> Connection:
        """Return a working connection, replacing pooled connections that were cut off while idle."""
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
        """Cut the PostgreSQL connections that threads have been using for at least the given number of seconds."""
        if self.kind != "postgresql":
            return
        now = time.monotonic()
        with self._lock:
            for raw, since in self._used.values():
                if now - since >= seconds:
                    with suppress(Exception), socket.socket(fileno=os.dup(raw.pgconn.socket)) as its:  # may be closed
                        its.shutdown(socket.SHUT_RDWR)


def lock(file: Path, mode: Literal["ab", "rb"] = "ab") -> IO[bytes]:
    """Open a file and lock it until it is closed; raise ValueError if another process has locked the file."""
    opened = open(file, mode)  # noqa: SIM115 (the caller closes it)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        opened.close()
        raise ValueError(f"another server is already using {str(file).removesuffix('.lock')}") from None
    except OSError as error:
        log.warning("the file system has no locks; do not start a second server", extra={"error": str(error)})
    return opened


def malformed(error: BaseException) -> bool:
    """Return whether an error means that the database itself is damaged."""
    original = getattr(error, "orig", None)
    code = getattr(original, "sqlite_errorname", None) or getattr(original, "sqlstate", None) or ""
    return code in _MALFORMED or code.startswith("SQLITE_CORRUPT")


def is_outage(error: BaseException) -> bool:
    """Return whether an error would affect every statement, for example because the database cannot be reached."""
    return isinstance(error, OperationalError) and getattr(error.orig, "sqlstate", None) not in _CONFLICTS


def _sqlite(file: Path) -> Engine:
    """Return an engine for a SQLite file; it syncs every commit, so that commits survive a machine crash."""
    engine = create_engine(URL.create("sqlite", database=str(file)), connect_args={"timeout": PATIENCE})
    # Insert many rows with a single statement, because other threads can cause delays between statements.
    engine.dialect.use_insertmanyvalues_wo_returning = True

    def on_connect(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # transactions begin in on_begin
        # Read damaged text without raising an error, because the checksum will reveal the damage.
        connection.text_factory = lambda stored: stored.decode("utf-8", "surrogateescape")
        for pragma in SQLITE:
            connection.execute(f"PRAGMA {pragma}").close()

    def on_begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    event.listen(engine, "connect", on_connect)
    event.listen(engine, "begin", on_begin)
    return engine
