"""Tests that every game continues if a server is started from a backup that was made during play."""

import asyncio
import contextlib
import random
import sqlite3
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from web_client import client
from web_player import Steady
from web_postgres import programs
from web_server import Served

pytestmark = pytest.mark.slow


def vacuum_into(database: str, tmp_path: Path) -> str:
    """Copy a database in the same way as `sqlite3 FILE "VACUUM INTO 'COPY'"`."""
    copy = tmp_path / "copy.sqlite3"
    with contextlib.closing(sqlite3.connect(database, timeout=30)) as connection:
        connection.execute("VACUUM INTO ?", [str(copy)])
    return str(copy)


def online_backup(database: str, tmp_path: Path) -> str:
    """Copy a database in the same way as `sqlite3 FILE ".backup COPY"`."""
    copy = tmp_path / "copy.sqlite3"
    with contextlib.closing(sqlite3.connect(database)) as one, contextlib.closing(sqlite3.connect(copy)) as other:
        one.backup(other, pages=50, sleep=0.01)
    return str(copy)


def dump_and_restore(database: str, tmp_path: Path) -> str:
    """Dump a database with `pg_dump URL > FILE`, and load the dump into a new database with `psql URL -f FILE`."""
    tools = programs()
    assert tools is not None
    file = tmp_path / "dump.sql"
    with file.open("w") as dump:
        subprocess.run([tools / "pg_dump", database], stdout=dump, check=True)
    server, _, name = database.rpartition("/")
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}_copy")
    restored = f"{database}_copy"
    subprocess.run(
        [tools / "psql", "-q", "-v", "ON_ERROR_STOP=1", restored, "-f", file], check=True, capture_output=True
    )
    return restored


@pytest.mark.parametrize(
    ("kind", "copied"), [("sqlite", vacuum_into), ("sqlite", online_backup), ("postgresql", dump_and_restore)]
)
def test_a_backup_has_everything_acknowledged_before_it(
    serve: Callable[..., Served],
    tmp_path: Path,
    request: pytest.FixtureRequest,
    kind: str,
    copied: Callable[[str, Path], str],
) -> None:
    database = str(tmp_path / "games.sqlite3") if kind == "sqlite" else request.getfixturevalue("postgres")
    rng = random.Random(5)

    async def run() -> None:
        server = serve(database=database)
        players = [Steady(server.create("scatter", "screen", setup={"board": "30x30"})) for _ in range(8)]
        stop = threading.Event()
        playing = [asyncio.create_task(player.play(server, stop, rng)) for player in players]
        while min(len(player.cells) for player in players) < 5:
            await asyncio.sleep(0.02)
        before = [len(player.cells) for player in players]
        copy = await asyncio.to_thread(copied, database, tmp_path)
        count = sum(len(player.cells) for player in players)
        # The players continue as if nothing had happened.
        while sum(len(player.cells) for player in players) < count + 16:
            await asyncio.sleep(0.02)
        stop.set()
        await asyncio.gather(*playing)
        assert server.complaints() == []
        restored = serve(database=copy)
        for player, least in zip(players, before, strict=True):
            async with client(restored, player.made["id"], player.made["token"]) as screen:
                kept = [entry["cell"] for entry in screen.state["moves"] if entry["kind"] == "move"]
                assert len(kept) >= least
                assert kept == player.sent[: len(kept)]
                await screen.play(screen.state["board"]["legal"][0])
        assert restored.get("/health")[0] == 200
        assert restored.complaints() == []

    asyncio.run(run())
