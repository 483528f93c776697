"""Health checks: whether everything works, and whether this server is ready for players."""

import asyncio
import os
import time

from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request

from gridlock import __version__
from gridlock.web.games.hub import Hub
from gridlock.web.pages.requests import Json, answer
from gridlock.web.storage.jobs import PATIENCE, Slow
from gridlock.web.wire import service

FRESH = 2.0  # seconds that a result is reused, for all clients
FINE = "Everything works."
DAMAGED = "The database is damaged."
# The meanings of errors, keyed by prefixes of SQLite's error names and PostgreSQL's error codes.
_MEANINGS = {
    "SQLITE_FULL": "The disk is full.",
    "SQLITE_READONLY": "The database cannot be written to: it is read-only.",
    "SQLITE_IOERR": "The disk reports errors.",
    "SQLITE_BUSY": "Another program has locked the database.",
    "SQLITE_CANTOPEN": "The database file cannot be opened.",
    "SQLITE_CORRUPT": DAMAGED,
    "SQLITE_NOTADB": DAMAGED,
    "53100": "The disk is full.",
    "25006": "The database cannot be written to: it is read-only.",
    "58": "PostgreSQL reports disk errors.",
    "XX": DAMAGED,
}


class HealthChecks:
    """The endpoints for health checks, which test the database at most once every two seconds."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self._trying: asyncio.Task[str | None] | None = None
        self._tried = 0.0

    async def health(self, _request: Request) -> Json[service.Health]:
        """Report whether everything works and, if not, what is wrong."""
        store = self.hub.store
        faults = [words for words in [await self._fault()] if words]
        if store.malformed and DAMAGED not in faults:
            faults.append(DAMAGED)
        if store.damaged:
            faults.append(f"Damaged games, left unchanged: {len(store.damaged)}.")
        if self.hub.stopping:
            faults.insert(0, "The server is stopping.")
        facts = service.Health(
            status="stopping" if self.hub.stopping else "failing" if faults else "ok",
            words=" ".join(faults) or FINE,
            version=__version__,
            database=store.kind,
            games=len(self.hub.open),
            connections=self.hub.connections,
            process=os.getpid(),
        )
        return answer(facts, 503 if faults else 200)

    async def ready(self, _request: Request) -> Json[service.Ready]:
        """Report whether this server is ready for players, with a working database and no shutdown in progress."""
        fault = "The server is stopping." if self.hub.stopping else await self._fault()
        return answer(service.Ready(fault is None, fault or FINE), 503 if fault else 200)

    async def _fault(self) -> str | None:
        """Return the reason why the server cannot use its database, or None if the database works.

        Concurrent requests share one check of the database.
        """
        now = time.monotonic()
        if self._trying is None or (self._trying.done() and now - self._tried >= FRESH):
            self._trying, self._tried = asyncio.create_task(self._try()), now
        return await asyncio.shield(self._trying)

    async def _try(self) -> str | None:
        store = self.hub.store
        if not store.works:
            return "A database thread has stopped."
        if store.database.moved:
            return "The database file has been moved or deleted."
        try:
            await store.alive()
        except Slow:
            return f"The database did not respond within {PATIENCE:g} seconds."
        except (SQLAlchemyError, OSError) as error:
            return meaning(error)
        return None


def meaning(error: Exception) -> str:
    """Describe a database error in words."""
    original = getattr(error, "orig", None)
    name = getattr(original, "sqlite_errorname", None) or getattr(original, "sqlstate", None) or ""
    known = (words for start, words in _MEANINGS.items() if name.startswith(start))
    return next(known, f"The database cannot be used ({name or type(original or error).__name__}).")
