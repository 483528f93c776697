"""A real server is killed in the middle of games with clocks; GRIDLOCK_KILLS sets how often."""

import asyncio
import contextlib
import os
import random
import signal
import time
from collections.abc import Callable

import pytest
from web_client import client
from web_server import Served
from websockets.exceptions import WebSocketException

from gridlock.web.storage.clocks import GRACE

pytestmark = pytest.mark.slow

KILLS = int(os.environ.get("GRIDLOCK_KILLS", "5")) // 5 or 1
RETURN = 0.2  # seconds that clocks stand still after a start here, so that tests need not wait
CLOCK = {"seconds": 3600, "increment": 0}
LOST = (OSError, WebSocketException, TimeoutError, EOFError)


async def moves(server: Served, made: dict, rng: random.Random) -> None:
    """Move for both players, a little later each time, until the server has stopped."""
    with contextlib.suppress(*LOST):
        async with client(server, made["id"], made["token"]) as screen:
            while True:
                await screen.play(rng.choice(screen.state["board"]["legal"]))
                await asyncio.sleep(rng.random() * 0.1)


def test_killed_at_random_moments_the_server_charges_what_it_was_up_for(
    serve: Callable[..., Served], rng: random.Random
) -> None:
    server = serve(patches={"gridlock.web.storage.clocks.RETURN": RETURN, "gridlock.web.games.open_games.BEAT": 0.1})
    made = server.create("scatter", "screen", setup={"board": "30x30"}, clock=CLOCK)
    down = starting = 0.0

    async def run() -> tuple[float, float]:
        nonlocal down, starting
        before = time.monotonic()
        async with client(server, made["id"], made["token"]) as screen:
            await screen.play(0)
        began = time.monotonic()
        for _ in range(KILLS):
            playing = asyncio.create_task(moves(server, made, rng))
            await asyncio.sleep(rng.random() * 1.5)
            await asyncio.to_thread(server.end, signal.SIGKILL)
            dead = time.monotonic()
            await playing
            await asyncio.sleep(rng.random())
            launched = time.monotonic()
            down += launched - dead
            await asyncio.to_thread(server.start)
            starting += time.monotonic() - launched
        async with client(server, made["id"], made["token"]) as screen:
            await asyncio.sleep(RETURN)
            asked = time.monotonic()
            await screen.play(screen.state["board"]["legal"][0])
            left = screen.state["clock"]["left"]
        charged = 2 * CLOCK["seconds"] - sum(left) / 1000
        assert charged <= time.monotonic() - before - down, "time was stolen"
        least = asked - began - down - starting - KILLS * (GRACE + RETURN)
        return charged, least

    charged, least = asyncio.run(run())
    assert charged >= least
    assert server.complaints() == []


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
