"""Tests that every move is synced before it is acknowledged, and that games survive restarts and a lost database."""

import asyncio
import contextlib
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from web_client import client
from web_player import LOST
from web_server import Served

pytestmark = pytest.mark.slow


_COUNTER = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
static void count(void) {
    int file = open(getenv("GRIDLOCK_SYNCS"), O_WRONLY | O_APPEND | O_CREAT, 0600);
    if (file >= 0) { if (write(file, "s", 1) < 0) _exit(9); close(file); }
}
int fsync(int fd) { count(); return ((int (*)(int)) dlsym(RTLD_NEXT, "fsync"))(fd); }
int fdatasync(int fd) { count(); return ((int (*)(int)) dlsym(RTLD_NEXT, "fdatasync"))(fd); }
"""
MOVES = 30


def moves_one_by_one(server: Served) -> None:
    """Make moves one after the other, waiting for each acknowledgement."""

    async def run() -> None:
        made = server.create("scatter", "screen", setup={"board": "15x15"})
        async with client(server, made["id"], made["token"]) as screen:
            for _ in range(MOVES):
                await screen.play(screen.state["board"]["legal"][0])

    asyncio.run(run())


@pytest.mark.parametrize(("setting", "enough"), [("FULL", True), ("NORMAL", False)])
def test_sqlite_syncs_every_move_before_it_is_acknowledged(
    serve: Callable[..., Served], tmp_path: Path, setting: str, enough: bool
) -> None:
    """Check that there is a sync for each move, and that a weaker setting syncs less often."""
    compiler = shutil.which("cc")
    if not compiler:
        pytest.skip("a C compiler is needed to count syncs")
    source, library, syncs = tmp_path / "count.c", tmp_path / "count.so", tmp_path / "syncs"
    source.write_text(_COUNTER)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    patches = (
        {} if enough else {"gridlock.web.storage.databases.SQLITE": ["journal_mode=WAL", f"synchronous={setting}"]}
    )
    server = serve(env={"LD_PRELOAD": str(library), "GRIDLOCK_SYNCS": str(syncs)}, patches=patches)
    before = syncs.stat().st_size if syncs.exists() else 0
    moves_one_by_one(server)
    counted = syncs.stat().st_size - before if syncs.exists() else 0
    assert (counted >= MOVES) == enough, f"{counted} syncs for {MOVES} moves"


@pytest.mark.parametrize(("setting", "enough"), [("on", True), ("off", False)])
def test_postgresql_flushes_every_move_before_it_is_acknowledged(
    serve: Callable[..., Served], postgres: str, setting: str, enough: bool
) -> None:
    """Check that the log has been flushed before each acknowledgement, and that a weaker setting flushes less often."""
    import psycopg

    patches = {} if enough else {"gridlock.web.storage.databases.POSTGRESQL": f"-c synchronous_commit={setting}"}
    server = serve(database=postgres, patches=patches)

    async def run() -> int:
        lagging = 0
        made = server.create("scatter", "screen", setup={"board": "15x15"})
        with psycopg.connect(postgres, autocommit=True) as connection:
            async with client(server, made["id"], made["token"]) as screen:
                for _ in range(MOVES):
                    await screen.play(screen.state["board"]["legal"][0])
                    row = connection.execute(
                        "SELECT pg_current_wal_insert_lsn() > pg_current_wal_flush_lsn()"
                    ).fetchone()
                    assert row is not None
                    lagging += row[0]
        return lagging

    lagging = asyncio.run(run())
    few = lagging < MOVES // 3  # PostgreSQL occasionally writes records of its own, which it flushes later
    assert few == enough, f"{lagging} of {MOVES} moves were not flushed when they were acknowledged"


def test_a_stop_finishes_current_work_and_games_survive_a_restart(serve: Callable[..., Served], database: str) -> None:
    async def run() -> None:
        server = serve(database=database)
        made = server.create("scatter", setup={"board": "9x9"})
        token = server.join(made)
        async with client(server, made["id"], made["token"]) as ada:
            await ada.play(0)
            async with client(server, made["id"], token) as grace:
                assert (await grace.act("ask", what="takeback"))["reason"] == "illegal"
                number = await grace.send("move", ply=1, line=0, cell=80)
                ending = asyncio.create_task(asyncio.to_thread(server.end))
                answered = None
                with contextlib.suppress(*LOST):
                    while (answered := await grace.receive()).get("re") != number:
                        pass
                assert await ending == 0
                stored = answered is not None and answered["type"] == "accepted"
        await asyncio.to_thread(server.start)
        async with client(server, made["id"], token) as grace:
            if stored:
                assert grace.state["setup"]["moves"] == ["1,1", "9,9"]
            if grace.state["ply"] == 1:
                await grace.play(80)
            assert grace.state["setup"]["moves"] == ["1,1", "9,9"]
        assert server.complaints() == []

    asyncio.run(run())


def test_an_offer_and_the_computers_turn_survive_a_restart(serve: Callable[..., Served]) -> None:
    async def run() -> None:
        server = serve()
        made = server.create("scatter", "random")
        async with client(server, made["id"], made["token"]) as me:
            assert (await me.act("move", cell=0))["type"] == "accepted"
            await asyncio.to_thread(server.end, signal.SIGKILL)  # usually before the computer has replied
        await asyncio.to_thread(server.start)
        async with client(server, made["id"], made["token"]) as me:
            await me.until(thinking=False)
            assert me.state["ply"] == 2
        link = server.create("chain")
        token = server.join(link)
        async with client(server, link["id"], link["token"]) as ada:
            await ada.play(0)
            await ada.act("ask", what="takeback")
        await asyncio.to_thread(server.end, signal.SIGKILL)
        await asyncio.to_thread(server.start)
        async with client(server, link["id"], token) as grace:
            assert grace.state["offer"]["what"] == "takeback"
            await grace.act("answer", accept=True)
            await grace.until(ply=0, line=1)

    asyncio.run(run())


def test_the_database_going_away_is_survived(serve: Callable[..., Served], tmp_path: Path) -> None:
    """While another program holds SQLite's lock, moves are rejected or delayed, but never partially stored."""
    import sqlite3

    async def run() -> None:
        server = serve(patches={"gridlock.web.storage.databases.PATIENCE": 0.3})
        made = server.create("scatter", "screen")
        async with client(server, made["id"], made["token"]) as screen:
            await screen.play(0)
            with contextlib.closing(sqlite3.connect(tmp_path / "games.sqlite3", isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                refused = await screen.answer("move", ply=1, line=0, cell=24)
                assert (refused["type"], refused["reason"]) == ("refused", "storage")
                other.execute("ROLLBACK")
            await screen.play(24)
            assert screen.state["setup"]["moves"] == ["1,1", "5,5"]

    asyncio.run(run())
