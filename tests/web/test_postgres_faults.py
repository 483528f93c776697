"""Tests that no move is lost or repeated if PostgreSQL freezes, crashes, restarts or loses connections."""

import asyncio
import random
import threading
from collections.abc import Callable, Iterator

import psycopg
import pytest
from web_client import client, closing
from web_player import Steady
from web_postgres import Cluster
from web_server import Served
from websockets.asyncio.client import connect

pytestmark = pytest.mark.slow


@pytest.fixture
def cluster(own_postgres: Cluster) -> Iterator[Cluster]:
    """A PostgreSQL server for a single test; if the test leaves the server frozen, the server is resumed afterwards."""
    yield own_postgres
    own_postgres.thaw()


def database(cluster: Cluster) -> str:
    """Return the address of the cluster's default database."""
    return f"{cluster.address}/postgres"


def stored(cluster: Cluster, game: str) -> list[str]:
    """Return a game's events as they are stored in the database."""
    with psycopg.connect(database(cluster)) as connection:
        rows = connection.execute("SELECT sequence, body FROM events WHERE game = %s ORDER BY sequence", [game])
        found = rows.fetchall()
    assert [number for number, _ in found] == list(range(len(found)))
    return [body for _, body in found]


async def hello(server: Served, made: dict) -> tuple[int, str]:
    """Try to open a game, and return the code and reason with which the server closes the connection."""
    async with connect(f"ws://127.0.0.1:{server.port}/ws", origin=server.origin) as link:
        await link.send(f'{{"type": "hello", "game": "{made["id"]}", "token": "{made["token"]}"}}')
        return await closing(link)


def test_a_frozen_database_is_reported_and_nothing_happens_twice(
    serve: Callable[..., Served], cluster: Cluster
) -> None:
    async def run() -> None:
        server = serve("--games-per-client=1000", database=database(cluster))
        made, other = server.create("scatter", "screen"), server.create("scatter", "screen")
        async with client(server, made["id"], made["token"]) as screen:
            await screen.play(0)
            cluster.freeze()
            refused = await screen.answer("move", ply=1, line=0, cell=24)
            assert (refused["type"], refused["reason"]) == ("refused", "storage")
            assert await hello(server, other) == (4503, "the database is not responding")
            for answer in await asyncio.gather(
                asyncio.to_thread(server.get, f"/api/games/{other['id']}", other["token"]),
                *(
                    asyncio.to_thread(server.post, "/api/games", {"setup": {"game": "chain"}, "opponent": "link"})
                    for _ in range(5)
                ),
            ):
                assert (answer[0], answer[1]["error"]) == (503, "busy")
            status, found = await asyncio.to_thread(server.get, "/health")
            assert (status, found["status"]) == (503, "failing")
            assert "did not respond" in found["words"] or "cannot be used" in found["words"]
            assert (await asyncio.to_thread(server.get, "/ready"))[0] == 503
            cluster.thaw()
            while (await screen.answer("move", ply=1, line=0, cell=24))["type"] != "accepted":
                await asyncio.sleep(0.1)
            await screen.until(ply=2)
            assert screen.state["setup"]["moves"] == ["1,1", "5,5"]
            await screen.play(4)
        assert stored(cluster, made["id"]) == [f'{{"kind":"move","cell":{cell}}}' for cell in (0, 24, 4)]
        # Requests from clients that have disconnected are not carried out later.
        with psycopg.connect(database(cluster)) as connection:
            assert connection.execute("SELECT count(*) FROM games").fetchone() == (2,)
        while (await asyncio.to_thread(server.get, "/health"))[0] != 200:
            await asyncio.sleep(0.1)
        assert not [line for line in server.lines() if "traceback" in line]

    asyncio.run(run())


def test_a_server_stops_while_postgresql_is_frozen(serve: Callable[..., Served], cluster: Cluster) -> None:
    async def run() -> None:
        server = serve(database=database(cluster))
        made = server.create("scatter", "screen")
        async with client(server, made["id"], made["token"]) as screen:
            await screen.play(0)
            cluster.freeze()
            await screen.send("move", ply=1, line=0, cell=24)
            assert await asyncio.to_thread(server.end) == 0
        assert not [line for line in server.lines() if "traceback" in line]

    asyncio.run(run())


def test_what_a_frozen_postgresql_stores_after_all_is_seen(serve: Callable[..., Served], cluster: Cluster) -> None:
    """If PostgreSQL completes a commit that the server has given up on, the open game must catch up by itself."""

    async def run() -> None:
        # The commit hangs inside the database itself, waiting for a lock that another connection holds.
        server = serve(database=database(cluster), patches={"gridlock.web.storage.databases.PATIENCE": 60.0})
        made = server.create("scatter", "screen")
        with psycopg.connect(database(cluster), autocommit=True) as own:
            own.execute("CREATE TABLE gate (id int PRIMARY KEY)")
            own.execute("INSERT INTO gate VALUES (1)")
            own.execute(
                "CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS"
                " $$ BEGIN PERFORM 1 FROM gate FOR SHARE; RETURN NULL; END $$"
            )
            own.execute(
                "CREATE CONSTRAINT TRIGGER late AFTER INSERT ON events DEFERRABLE INITIALLY DEFERRED"
                " FOR EACH ROW EXECUTE FUNCTION wait()"
            )
        async with client(server, made["id"], made["token"]) as screen:
            holder = psycopg.connect(database(cluster))
            holder.execute("SELECT 1 FROM gate FOR UPDATE")
            refused = await screen.answer("move", ply=0, line=0, cell=0)
            assert refused["reason"] == "storage"
            holder.rollback()
            holder.close()
            await screen.until(ply=1)  # the page receives the move without asking again
            again = await screen.answer("move", ply=0, line=0, cell=0)
            assert again["type"] == "accepted"
            assert screen.state["setup"]["moves"] == ["1,1"]
        assert stored(cluster, made["id"]) == ['{"kind":"move","cell":0}']

    asyncio.run(run())


@pytest.mark.parametrize("times", [1, pytest.param(5, marks=pytest.mark.deep)])
def test_stopped_frozen_and_cut_under_load_nothing_is_lost(
    serve: Callable[..., Served], cluster: Cluster, times: int
) -> None:
    rng = random.Random(9)

    def cut() -> None:
        with psycopg.connect(database(cluster), autocommit=True) as own:
            own.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")

    async def run() -> None:
        server = serve("--connections-per-client=1000", database=database(cluster))
        tables = [Steady(server.create("scatter", "screen", setup={"board": "30x30"})) for _ in range(12)]
        stop = threading.Event()
        players = [asyncio.create_task(table.play(server, stop, rng)) for table in tables]

        async def progress() -> None:
            before = sum(len(table.cells) for table in tables)
            while sum(len(table.cells) for table in tables) < before + 24:
                await asyncio.sleep(0.02)
                assert not [player.result() for player in players if player.done()]

        await progress()
        for fault in ("stop", "cut", "freeze") * times:
            if fault == "stop":
                await asyncio.to_thread(cluster.stop)
                await asyncio.sleep(rng.random())
                await asyncio.to_thread(cluster.start)
            elif fault == "cut":
                for _ in range(5):
                    await asyncio.to_thread(cut)
                    await asyncio.sleep(rng.random() / 5)
            else:
                cluster.freeze()
                await asyncio.sleep(5 + rng.random())
                cluster.thaw()
            await progress()
        stop.set()
        await asyncio.gather(*players)
        for table in tables:
            kept = [int(body.removeprefix('{"kind":"move","cell":')[:-1]) for body in stored(cluster, table.made["id"])]
            assert kept[: len(table.cells)] == table.cells
            assert kept == table.sent[: len(kept)]  # no move is stored twice, and none that was not sent
        assert server.end() == 0
        assert not [line for line in server.lines() if "traceback" in line]

    asyncio.run(run())
