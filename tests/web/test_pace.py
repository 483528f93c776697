"""Busy clients wait their turn, and bodies that never end are cut off."""

import asyncio
import socket
import time
from collections.abc import Callable

import pytest
from web_client import client
from web_server import Served

from gridlock.web.limits import BURST_SECONDS, Pace

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("per_second", [10, 40])
def test_each_client_has_its_own_share(per_second: int, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    async def turns() -> None:
        for _ in range(60):
            await pace.turn("busy")
        busy = len(slept)
        assert busy >= 60 - BURST_SECONDS * per_second - 1
        assert slept[-1] == pytest.approx((60 - BURST_SECONDS * per_second) / per_second, rel=0.01)
        await pace.turn("other")
        assert len(slept) == busy

    pace = Pace(per_second)
    monkeypatch.setattr("gridlock.web.limits.asyncio.sleep", sleep)
    monkeypatch.setattr("gridlock.web.limits.time.monotonic", lambda: 1000.0)
    asyncio.run(turns())


def test_looks_and_requests_wait_their_turn(serve: Callable[..., Served]) -> None:
    server = serve("--requests-per-client=10")

    async def look_around() -> int:
        made = server.create("showdown", "screen")
        async with client(server, made["id"], made["token"]) as page:
            for _ in range(30):
                assert (await page.answer("look", ply=0))["type"] == "position"
            for _ in range(20):
                assert (await page.answer("ping"))["type"] == "pong"
        return 32

    begin = time.monotonic()
    asked = asyncio.run(look_around())
    assert time.monotonic() - begin > (asked - 10 * BURST_SECONDS - 1) / 10  # cannot be quicker than the share


def test_a_body_that_trickles_in_after_the_answer_is_cut_off(serve: Callable[..., Served]) -> None:
    server = serve(patches={"gridlock.web.requests.BODY_SECONDS": 0.2, "gridlock.web.server.HEADER_SECONDS": 0.5})
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
        connection.sendall(b"POST /api/position HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n")
        assert b"400" in connection.recv(4096)
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            _trickle(connection)


def _trickle(connection: socket.socket) -> None:
    for _ in range(300):
        connection.sendall(b" ")
        time.sleep(0.1)
