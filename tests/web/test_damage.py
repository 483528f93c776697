"""Tests that a damaged game is reported and left unchanged, while all other games continue.

Two servers never share a SQLite file.
"""

import asyncio
import contextlib
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from web_client import client
from web_server import Served
from websockets.exceptions import ConnectionClosed

pytestmark = pytest.mark.slow  # starts separate servers


def execute(database: str, statement: str, **values: object) -> int:
    """Change the database behind the server's back; return the number of affected rows."""
    url = database.replace("postgresql://", "postgresql+psycopg://") if "://" in database else f"sqlite:///{database}"
    engine = create_engine(url)
    try:
        with engine.begin() as connection:
            return connection.execute(text(statement), values).rowcount
    finally:
        engine.dispose()


def test_a_damaged_game_says_so_and_others_continue(serve: Callable[..., Served], database: str) -> None:
    async def run() -> None:
        server = serve(database=database)
        damaged, sound = (server.create("scatter", "screen") for _ in range(2))
        for made in (damaged, sound):
            async with client(server, made["id"], made["token"]) as screen:
                await screen.play(0)
                await screen.play(24)
        # The loss of the last event is the hardest to notice, because no later event reveals the gap.
        assert execute(database, "DELETE FROM events WHERE game = :id AND sequence = 1", id=damaged["id"]) == 1
        for path in ("", "/record"):
            status, answer = server.get(f"/api/games/{damaged['id']}{path}", damaged["token"])
            assert (status, answer["error"]) == (503, "damaged")
            assert answer["words"].startswith("This game's record in the database is damaged")
        with pytest.raises(ConnectionClosed) as closed:
            async with client(server, damaged["id"], damaged["token"]):
                pass
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (
            4500,
            "this game's record in the database is damaged",
        )
        async with client(server, sound["id"], sound["token"]) as screen:
            await screen.play(12)
        # The damaged game's remaining event has not been deleted.
        assert execute(database, "UPDATE events SET at = at WHERE game = :id", id=damaged["id"]) == 1
        told = [(line["event"], line.get("game")) for line in server.complaints()]
        assert told == [("damaged", damaged["id"])]

    asyncio.run(run())


@pytest.mark.parametrize(
    "damage", ["UPDATE games SET events = 7 WHERE id = :id", "DELETE FROM events WHERE game = :id AND sequence = 0"]
)
def test_damage_to_a_game_that_is_open_ends_it_at_the_next_move(
    serve: Callable[..., Served], database: str, damage: str
) -> None:
    async def run() -> None:
        server = serve(database=database)
        made = server.create("scatter", "screen")
        async with client(server, made["id"], made["token"]) as screen:
            await screen.play(0)
            assert execute(database, damage, id=made["id"]) == 1
            with pytest.raises(ConnectionClosed) as closed:
                await screen.answer("move", ply=1, line=0, cell=24)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4500
        server.end()  # after which the log is complete
        assert [line["event"] for line in server.complaints()] == ["damaged"]

    asyncio.run(run())


@pytest.mark.parametrize("id", ["%00", "a%00b", "%FF", "x" * 21, "x" * 23, "%2e%2e", "x" * 21 + "%0A"])
def test_what_cannot_be_an_id_does_not_reach_the_database(serve: Callable[..., Served], postgres: str, id: str) -> None:
    server = serve(database=postgres)
    for path in ("", "/record"):
        status, answer = server.get(f"/api/games/{id}{path}", "t" * 32)
        assert (status, answer["error"]) == (401, "token")
    status, _ = server.post(f"/api/games/{id}/join", {"nonce": "n" * 22}, "t" * 32)
    assert status == 401
    assert server.complaints() == []


@pytest.mark.skipif(sys.platform != "linux", reason="on other systems, a lock on the file would keep SQLite out")
def test_a_second_server_on_a_sqlite_file_refuses_to_start(serve: Callable[..., Served], tmp_path: Path) -> None:
    first = serve()
    file = tmp_path / "games.sqlite3"
    (tmp_path / "symbolic").symlink_to(file)
    (tmp_path / "hard").hardlink_to(file)
    (tmp_path / "folder").symlink_to(tmp_path)
    tidied = "games.sqlite3, after its lock file was removed"
    for name in ("games.sqlite3", "symbolic", "hard", "folder/games.sqlite3", tidied):
        if name == tidied:
            Path(f"{file}.lock").unlink()
        second = Served(str(tmp_path / name.split(",")[0]), tmp_path / "log-second")
        with pytest.raises(AssertionError):  # the second server prints nothing on standard output
            second.start()
        assert second.process is not None
        assert second.process.wait(30) == 1
        said = second.log.read_text().splitlines()
        assert len(said) == 1
        assert f"another server is already using {file if name != 'hard' else tmp_path / 'hard'}" in said[0]
        second.log.unlink()
        second.close()
        print(f"refused: {name}")
    assert first.get("/health")[0] == 200
    first.close()  # killed with SIGKILL; the lock file left behind is harmless
    assert Path(f"{file}.lock").exists()
    assert serve().get("/health")[0] == 200


@pytest.mark.parametrize("database", [":memory:", "sqlite://", "mysql://x/y", "sqlite:///file:x?mode=memory&uri=true"])
def test_a_database_that_stores_nothing_is_rejected(tmp_path: Path, database: str) -> None:
    server = Served(database, tmp_path / "log")
    with pytest.raises(AssertionError):
        server.start()
    assert server.process is not None
    assert server.process.wait(30) == 1
    assert "give a file name for SQLite, or a PostgreSQL URL" in server.log.read_text()
    server.close()


def test_damaged_pages_are_reported(serve: Callable[..., Served], tmp_path: Path) -> None:
    server = serve("--requests-per-client=10000")
    games = [server.create("scatter", "screen", setup={"moves": ["1,1"]}) for _ in range(200)]
    server.end()
    file = tmp_path / "games.sqlite3"
    with contextlib.closing(sqlite3.connect(file)) as connection:
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        pages = connection.execute("SELECT pageno FROM dbstat WHERE name = 'events' AND pagetype = 'leaf'").fetchall()
    with file.open("r+b") as damaged:
        damaged.seek((pages[1][0] - 1) * size)
        damaged.write(b"\xff" * 512)
    server.start()
    answered = [server.get(f"/api/games/{made['id']}", made["token"]) for made in games]
    told = [answer["error"] for status, answer in answered if status != 200]
    assert told
    assert set(told) == {"damaged"}
    assert len(told) < 150  # games on other database pages continue
    assert not [line for line in server.complaints() if "traceback" in line]
