"""Tests of the responses of /health and /ready when part of the server fails."""

import asyncio
import json
import sqlite3
import time
from pathlib import Path

import psycopg
import pytest
from sqlalchemy.exc import OperationalError
from starlette.requests import Request
from web_schema import Fits
from web_server import Served

from gridlock.web.app import Serving, build
from gridlock.web.games.hub import Hub
from gridlock.web.pages import health
from gridlock.web.pages.health import HealthChecks, meaning
from gridlock.web.storage import databases, jobs
from gridlock.web.storage.rows import Damaged

pytestmark = pytest.mark.slow

ASKED = Request({"type": "http", "headers": [], "method": "GET", "path": "/health"})


def told(tmp_path: Path, work: object) -> object:
    """Call a function with a hub and its health checks, without starting a server."""
    _, hub = build(Serving(str(tmp_path / "games.sqlite3"), frozenset()))
    hub.store.prepare()
    hub.store.start()
    try:
        return asyncio.run(work(hub, HealthChecks(hub)))
    finally:
        hub.store.stop()


async def ask(about: HealthChecks) -> tuple[int, dict, int, dict]:
    """Return the status and body of both /health and /ready."""
    one, other = await about.health(ASKED), await about.ready(ASKED)
    return one.status_code, json.loads(one.body), other.status_code, json.loads(other.body)


def test_all_is_well(server: Served, fits: Fits) -> None:
    status, found = server.get("/health")
    assert (status, found["status"], found["words"]) == (200, "ok", "Everything works.")
    assert fits(found, "Health")
    status, found = server.get("/ready")
    assert (status, found) == (200, {"ready": True, "words": "Everything works."})
    assert fits(found, "Ready")


def test_concurrent_questions_share_one_attempt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(hub: Hub, about: HealthChecks) -> None:
        tried, alive = 0, hub.store.alive

        async def counted() -> None:
            nonlocal tried
            tried += 1
            await alive()

        hub.store.alive = counted  # type: ignore[method-assign]
        await asyncio.gather(*(ask(about) for _ in range(50)))
        await ask(about)
        assert tried == 1
        monkeypatch.setattr(health, "FRESH", 0.0)
        await about.ready(ASKED)
        assert tried == 2

    told(tmp_path, work)


def test_damage_is_reported_and_players_can_still_connect(tmp_path: Path) -> None:
    async def work(hub: Hub, about: HealthChecks) -> None:
        hub.store.report(Damaged("x", "it is not there"))
        status, found, ready, _ = await ask(about)
        assert (status, found["status"], ready) == (503, "failing", 200)
        assert found["words"] == "Damaged games, left unchanged: 1."
        hub.store.malformed = True
        assert (await ask(about))[1]["words"].startswith("The database is damaged. Damaged games")

    told(tmp_path, work)


def test_a_server_that_stops_is_not_ready(tmp_path: Path) -> None:
    async def work(hub: Hub, about: HealthChecks) -> None:
        hub.stopping = True
        status, found, ready, words = await ask(about)
        assert (status, found["status"]) == (503, "stopping")
        assert (ready, words) == (503, {"ready": False, "words": "The server is stopping."})

    told(tmp_path, work)


def test_a_stuck_or_dead_writer_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "PATIENCE", 0.2)
    monkeypatch.setattr(jobs, "BRIEF", 0.2)
    monkeypatch.setattr(health, "FRESH", 0.0)

    async def work(hub: Hub, about: HealthChecks) -> None:
        stuck = asyncio.create_task(hub.store.write(lambda _: time.sleep(1)))
        await asyncio.sleep(0.05)
        status, found, ready, _ = await ask(about)
        assert (status, ready) == (503, 503)
        assert found["words"].startswith("The database did not respond within ")
        with pytest.raises(jobs.Slow):
            await stuck
        while (await ask(about))[0] != 200:  # the database recovers by itself
            await asyncio.sleep(0.05)
        hub.store._writes.stop(5)
        assert (await ask(about))[1]["words"] == "A database thread has stopped."

    told(tmp_path, work)


def test_a_moved_database_file_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "FRESH", 0.0)

    async def work(_hub: Hub, about: HealthChecks) -> None:
        assert (await ask(about))[0] == 200
        (tmp_path / "games.sqlite3").rename(tmp_path / "elsewhere")
        status, found, _, _ = await ask(about)
        assert (status, found["words"]) == (503, "The database file has been moved or deleted.")

    told(tmp_path, work)


def test_a_lock_held_by_another_program_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridlock.web.storage.databases.PATIENCE", 0.1)

    async def work(_hub: Hub, about: HealthChecks) -> None:
        other = sqlite3.connect(tmp_path / "games.sqlite3", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        status, found, _, _ = await ask(about)
        other.close()
        assert (status, found["words"]) == (503, "Another program has locked the database.")

    told(tmp_path, work)


def test_a_read_only_database_is_reported(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _, hub = build(Serving(database, frozenset()))
    hub.store.prepare()
    if hub.store.kind == "sqlite":
        monkeypatch.setattr(databases, "SQLITE", (*databases.SQLITE, "query_only=1"))
    else:
        name = database.rpartition("/")[2]
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    hub.store.engine.dispose()
    hub.store.start()
    status, found, ready, _ = asyncio.run(ask(HealthChecks(hub)))
    hub.store.stop()
    assert (status, found["words"], ready) == (503, "The database cannot be written to: it is read-only.", 503)


class Said(Exception):
    """An error like those that database drivers raise."""

    def __init__(self, **said: str) -> None:
        super().__init__()
        self.__dict__.update(said)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"sqlite_errorname": "SQLITE_FULL"}, "The disk is full."),
        ({"sqlite_errorname": "SQLITE_READONLY_DIRECTORY"}, "The database cannot be written to: it is read-only."),
        ({"sqlite_errorname": "SQLITE_IOERR_FSYNC"}, "The disk reports errors."),
        ({"sqlite_errorname": "SQLITE_CORRUPT_INDEX"}, "The database is damaged."),
        ({"sqlstate": "53100"}, "The disk is full."),
        ({"sqlstate": "XX001"}, "The database is damaged."),
        ({"sqlstate": "57P03"}, "The database cannot be used (57P03)."),
        ({}, "The database cannot be used (Said)."),
    ],
)
def test_errors_have_a_meaning(said: dict[str, str], words: str) -> None:
    assert meaning(OperationalError("UPDATE", {}, Said(**said))) == words
