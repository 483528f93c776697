"""Tests of clocks on a real server that is frozen, killed and restarted during games."""

import asyncio
import contextlib
import os
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from web_client import client
from web_postgres import Cluster
from web_server import Served

pytestmark = pytest.mark.slow

RETURN = 0.2  # seconds for which clocks stand still after a start; short, so that tests need not wait


def test_a_move_that_was_sent_while_the_server_was_frozen_counts(serve: Callable[..., Served]) -> None:
    """A player with one second left can still move in time after the server has been frozen for three seconds."""
    server = serve()
    made = server.create("scatter", "screen", clock={"seconds": 5})

    async def run() -> None:
        async with client(server, made["id"], made["token"]) as screen:
            await screen.play(0)
            await asyncio.sleep(4)
            os.kill(server.pid, signal.SIGSTOP)
            try:
                number = await screen.send("move", ply=1, line=0, cell=24)
                await asyncio.sleep(3)
            finally:
                os.kill(server.pid, signal.SIGCONT)
            while (answer := await screen.receive()).get("re") != number:
                pass
            assert answer["type"] == "accepted", answer
            state = await screen.until(ply=2)
            assert 0 < state["clock"]["left"][1] < 5000  # on a busy machine, the server's clocks run slow

    asyncio.run(run())
    assert server.complaints() == []


def test_after_a_kill_the_move_of_another_game_charges_nobody(serve: Callable[..., Served]) -> None:
    """Opening a game whose last move is later than the last recorded time must not advance other games' clocks."""
    server = serve(patches={"gridlock.web.storage.clocks.RETURN": RETURN, "gridlock.web.games.open_games.BEAT": 3600.0})
    late, other = (server.create("scatter", "screen", clock={"seconds": 60}) for _ in range(2))

    async def run() -> None:
        async with client(server, other["id"], other["token"]) as screen:
            await screen.play(0)
        await asyncio.sleep(2)
        async with client(server, late["id"], late["token"]) as screen:
            await screen.play(0)
        await asyncio.to_thread(server.end, signal.SIGKILL)
        await asyncio.to_thread(server.start)
        async with client(server, other["id"], other["token"]) as screen:
            began = time.monotonic()
            await screen.play(24)
            await asyncio.to_thread(server.get, f"/api/games/{late['id']}", late["token"])
            _, state = await asyncio.to_thread(server.get, f"/api/games/{other['id']}", other["token"])
            charged = 60_000 - state["clock"]["left"][0]
            assert charged <= 1000 * (time.monotonic() - began) + 100

    asyncio.run(run())


async def charged_during(server: Served, stand: Callable[[], contextlib.AbstractContextManager[object]]) -> None:
    """Freeze the database for a few seconds during a turn, and check how much time the player was charged."""
    made = server.create("scatter", "screen", clock={"seconds": 60})
    async with client(server, made["id"], made["token"]) as screen:
        began = time.monotonic()
        await screen.play(0)
        with stand():
            stood = time.monotonic()
            await asyncio.sleep(5)
            stood = time.monotonic() - stood
        while (await screen.act("move", cell=24))["type"] != "accepted":
            await asyncio.sleep(0.1)
        state = await screen.until(ply=2)
        took = time.monotonic() - began
        assert 60_000 - state["clock"]["left"][1] <= 1000 * (took - stood) + 100


def test_a_locked_sqlite_file_charges_nobody(serve: Callable[..., Served], tmp_path: Path) -> None:
    @contextlib.contextmanager
    def locked() -> Iterator[None]:
        with contextlib.closing(sqlite3.connect(tmp_path / "games.sqlite3", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
            other.execute("ROLLBACK")

    asyncio.run(charged_during(serve(), locked))


def test_a_frozen_postgresql_charges_nobody(serve: Callable[..., Served], own_postgres: Cluster) -> None:
    @contextlib.contextmanager
    def frozen() -> Iterator[None]:
        own_postgres.freeze()
        try:
            yield
        finally:
            own_postgres.thaw()

    asyncio.run(charged_during(serve(database=f"{own_postgres.address}/postgres"), frozen))


def test_a_flag_falls_without_connections_and_after_a_restart(serve: Callable[..., Served], database: str) -> None:
    server = serve(
        database=database,
        patches={"gridlock.web.storage.clocks.RETURN": RETURN, "gridlock.web.games.open_games.BEAT": 0.1},
    )
    games = [server.create("scatter", "screen", clock={"seconds": 5}, name="Ada", other_name="Bo") for _ in range(2)]

    async def begin(made: dict) -> None:
        async with client(server, made["id"], made["token"]) as screen:
            await screen.play(0)
            assert screen.state["clock"]["runs"] == 2
            assert "takeback" not in screen.state["you"]["may"]
            assert (await screen.act("ask", what="takeback"))[
                "words"
            ] == "You can't take back a move in a game with a clock."

    for made in games:
        asyncio.run(begin(made))
    server.end()
    server.start()
    deadline = time.monotonic() + 60
    for made in games:
        state: dict = {"outcome": None}
        while not state["outcome"] and time.monotonic() < deadline:
            time.sleep(0.2)
            _, state = server.get(f"/api/games/{made['id']}", made["token"])
        assert state["outcome"]["termination"] == "time"
        assert state["words"] == "Bo (O) runs out of time. Ada (X) wins!"
        assert state["clock"]["left"][1] == 0
        assert state["you"]["may"] == ["rematch"]
        _, _, record = server.raw("GET", f"/api/games/{made['id']}/record", token=made["token"])
        assert '[Termination "time"]' in record.decode()
        _, review = server.post("/api/review", {"record": record.decode()})
        assert (review["steps"][-1]["kind"], review["steps"][-1]["text"]) == ("time", "runs out of time")
    assert server.complaints() == []


def test_the_flag_falls_before_a_late_move_and_everybody_sees_it(serve: Callable[..., Served]) -> None:
    server = serve()
    made = server.create("scatter", clock={"seconds": 5, "increment": 2})
    token = server.join(made)

    async def run() -> None:
        async with (
            client(server, made["id"], made["token"]) as ada,
            client(server, made["id"], token) as grace,
        ):
            assert ada.state["clock"] == {
                "seconds": 5, "increment": 2, "left": [5000, 5000], "runs": None, "wait": 0
            }  # fmt: skip
            await ada.play(0)
            await grace.until(ply=1)
            assert grace.state["clock"]["runs"] == 2
            await grace.play(24)
            assert 5000 < grace.state["clock"]["left"][1] <= 7000
            state = await grace.until(to_move=None)
            assert state["outcome"]["words"] == "Player 1 (X) runs out of time. Grace (O) wins!"
            assert (await ada.act("move", cell=12))["reason"] in ("over", "stale")
            await ada.until(to_move=None)
            assert (await ada.act("ask", what="rematch"))["type"] == "accepted"
            await grace.until(sequence=ada.state["sequence"])
            assert (await grace.act("ask", what="rematch"))["type"] == "accepted"
            while not grace.state["rematch"]:
                await grace.receive()
        async with client(server, grace.state["rematch"], token) as again:
            assert again.state["clock"]["left"] == [5000, 5000]

    asyncio.run(run())


def test_against_the_computer_only_the_persons_clock_runs(server: Served) -> None:
    made = server.create("scatter", "random", clock={"seconds": 60, "increment": 1})

    async def run() -> None:
        async with client(server, made["id"], made["token"]) as me:
            await me.play(0)
            state = await me.until(to_move=1)
            assert state["clock"]["runs"] == 1
            assert state["clock"]["left"][1] is None

    asyncio.run(run())
    for clock in ({"seconds": 0}, {"seconds": 60, "increment": -1}, {"minutes": 1}, 5):
        status, refused = server.post("/api/games", {"setup": {"game": "chain"}, "opponent": "link", "clock": clock})
        assert (status, refused["error"]) == (400, "malformed")
