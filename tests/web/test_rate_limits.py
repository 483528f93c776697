"""Tests that excessive requests are rejected at once, do not use up allowances, and do not slow players down."""

import asyncio
import contextlib
import json
import socket
import struct
import threading
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from web_client import client, closing
from web_server import Served
from websockets.asyncio.client import connect

from gridlock.web.net import limits
from gridlock.web.net.limits import Allowance, Pace, client_of

# -- the buckets --------------------------------------------------------------------------------------------------


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock controlled by the test."""
    now = [1000.0]
    monkeypatch.setattr(limits.time, "monotonic", lambda: now[0])
    return now


STEPS = st.lists(st.tuples(st.sampled_from("ab"), st.floats(0, 30), st.sampled_from([0.5, 1, 3])), max_size=60)


@given(STEPS, st.sampled_from([3.0, 10.0]), st.sampled_from([0.25, 2.0]))
def test_an_allowance_is_never_more_than_its_burst_and_never_a_debt(
    steps: list[tuple[str, float, float]], burst: float, rate: float
) -> None:
    """Compare an allowance with a model in which each client has a token bucket that refills over time."""
    with pytest.MonkeyPatch.context() as patch:
        now = [1000.0]
        patch.setattr(limits.time, "monotonic", lambda: now[0])
        allowance = Allowance(burst, rate)
        model = {"a": (burst, 1000.0), "b": (burst, 1000.0)}
        for who, later, amount in steps:
            now[0] += later
            left, seen = model[who]
            left = min(burst, left + (now[0] - seen) * rate)
            wait = allowance.take(who, amount)
            if left >= amount:
                assert wait == 0
                left -= amount
            else:
                assert wait == pytest.approx((amount - left) / rate)
                assert wait <= amount / rate  # however often the client was rejected before
            model[who] = left, now[0]


def test_a_long_request_counts_as_many(clock: list[float]) -> None:
    pace = Pace(10)
    for _ in range(20):
        assert not pace.ask("brief")
        pace.charge("brief", request=limits.BRIEF)
    assert pace.ask("brief")
    asked = 0
    while not pace.ask("long"):
        pace.charge("long", request=4 * limits.BRIEF)
        asked += 1
    assert asked == 5
    pace.charge("long", request=10**9)  # however large the request, the debt is at most one burst
    clock[0] += 20.1 / 10 + 2
    assert not pace.ask("long")


def test_a_seat_has_a_share_that_others_behind_its_address_cannot_use_up(clock: list[float]) -> None:
    pace = Pace(10)
    pace.add_seat("seat")
    for _ in range(1000):
        pace.ask("crowd")
    assert pace.ask("crowd") > 0
    assert pace.ask("crowd", "a seat that nobody has proved") > 0
    assert [pace.ask("crowd", "seat") for _ in range(5)] == [0] * 5
    assert pace.ask("crowd", "seat") > 0
    clock[0] += 0.05  # not long enough to earn a request
    assert pace.ask("crowd", "seat") > 0
    clock[0] += 2
    assert pace.ask("crowd") == 0  # rejected requests do not use up allowances
    assert pace.ask("somebody else") == 0


def test_a_large_answer_counts_for_many_and_is_soon_forgotten(clock: list[float]) -> None:
    pace = Pace(10)
    assert pace.ask("reader") == 0
    pace.charge("reader", answer=10_000)  # the size of a typical answer
    assert pace.ask("reader") == 0
    for _ in range(50):
        pace.charge("reader", answer=100_000)
    assert 0 < pace.ask("reader") <= 2.1  # seconds, because the debt is bounded
    assert pace.ask("somebody else") == 0
    clock[0] += 2.2
    assert pace.ask("reader") == 0


def test_checks_are_answered_in_a_flood_of_anything_else(clock: list[float]) -> None:
    pace = Pace(10)
    for _ in range(1000):
        pace.ask("crowd")
        pace.pages.take("crowd")
    assert pace.checks.take("crowd") == 0
    while not pace.checks.take("crowd"):
        pass
    assert pace.ask("somebody else") == pace.checks.take("somebody else") == 0
    clock[0] += 1
    assert pace.checks.take("crowd") == 0


def test_what_is_remembered_of_clients_is_bounded() -> None:
    allowance = Allowance(1, 1)
    for number in range(3 * limits._REMEMBERED):
        allowance.take(f"client {number}")
    assert len(allowance._left) == limits._REMEMBERED


@pytest.mark.parametrize(
    ("address", "client"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("x" * 5000, "x" * 64),
    ],
)
def test_a_client_is_an_address_or_a_network_of_ipv6(address: str, client: str) -> None:
    assert client_of(address) == client


# -- a real server ------------------------------------------------------------------------------------------------

slow = pytest.mark.slow


def flood(server: Served, requests: int, pause: float = 0.0, stop: threading.Event | None = None) -> None:
    """Repeatedly connect, send a request and reset the connection without waiting for an answer."""
    body = b'{"setup": {"game": "showdown"}}'
    request = b"POST /api/position HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    for _ in range(requests):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", server.port)) as link:
            link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            link.sendall(request)
        if stop and stop.is_set():
            return
        time.sleep(pause)


@slow
def test_too_fast_is_refused_at_once_and_a_flood_leaves_no_debt(serve: Callable[..., Served]) -> None:
    server = serve("--requests-per-client=10")
    flood(server, 600)  # a minute's worth of requests
    statuses = []
    for _ in range(40):
        status, headers, body = server.raw("POST", "/api/position", b'{"setup": {"game": "showdown"}}')
        statuses.append(status)
        if status == 429:
            assert int(headers["retry-after"]) <= 2
            assert json.loads(body)["error"] == "too-many"
    assert set(statuses) == {200, 429}
    time.sleep(2.5)
    assert server.post("/api/position", {"setup": {"game": "showdown"}})[0] == 200
    assert server.complaints() == []


@slow
@pytest.mark.parametrize("piece", [4000, 400])
def test_a_long_body_counts_as_many_requests_in_however_many_pieces_it_comes(
    serve: Callable[..., Served], piece: int
) -> None:
    server = serve("--requests-per-client=10")
    body = b'{"setup": {"game": "showdown"}' + b" " * 8000 + b"}"  # costs as much as 16 requests out of a burst of 20
    chunks = [body[at : at + piece] for at in range(0, len(body), piece)]
    for _ in range(2):
        with socket.create_connection(("127.0.0.1", server.port), timeout=20) as link:
            link.sendall(b"POST /api/position HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
            for chunk in chunks:
                link.sendall(b"%x\r\n%s\r\n" % (len(chunk), chunk))
                time.sleep(0.01)  # so that the server receives separate chunks
            link.sendall(b"0\r\n\r\n")
            assert link.recv(4096).startswith(b"HTTP/1.1 200")
    assert server.raw("POST", "/api/position", b'{"setup": {"game": "showdown"}}')[0] == 429


@slow
def test_a_flood_does_not_take_the_turn_of_a_player_behind_the_same_address(serve: Callable[..., Served]) -> None:
    server = serve("--requests-per-client=2")

    async def run() -> None:
        made = server.create("scatter", "screen", setup={"board": "9x9"})
        ended = threading.Event()
        flooding = asyncio.create_task(asyncio.to_thread(flood, server, 100_000, 0.003, ended))
        try:
            while server.get(f"/api/games/{made['id']}", made["token"])[0] != 429:
                await asyncio.sleep(0.05)
            for ply in (0, 2):  # the player may connect, move and reconnect at any time
                await asyncio.sleep(3 if ply else 0)  # players may connect about once per second
                async with client(server, made["id"], made["token"]) as player:
                    for _ in range(2):
                        await player.play(player.state["board"]["legal"][0])
                    assert player.state["ply"] == ply + 2
            assert not flooding.done()
        finally:
            ended.set()
        await flooding
        assert server.complaints() == []

    asyncio.run(run())


@slow
def test_on_a_websocket_too_fast_is_refused_and_then_closed(serve: Callable[..., Served]) -> None:
    server = serve("--requests-per-client=2", patches={"gridlock.web.pages.socket.PER_SECOND": 1000.0})

    async def run() -> None:
        made = server.create("showdown", "screen")
        async with client(server, made["id"], made["watch"]) as watcher:
            answers = [await watcher.answer("look", ply=0) for _ in range(8)]
            assert [answer["type"] for answer in answers][-1] == "refused"
            assert answers[-1]["reason"] == "pace"
            assert (await watcher.answer("ping"))["type"] == "pong"  # a ping costs nothing
            for number in range(1000, 1030):
                await watcher.socket.send(json.dumps({"type": "look", "ply": 0, "id": number}))
            assert await closing(watcher.socket) == (4429, "too many requests")
        refused = {"type": "welcome"}
        while refused["type"] == "welcome":  # on a slow machine, the allowance may refill before the hello
            await asyncio.to_thread(flood, server, 50)
            async with connect(f"ws://127.0.0.1:{server.port}/ws", origin=server.origin) as stranger:
                hello = {"type": "hello", "id": 7, "game": made["id"], "token": made["watch"]}
                await stranger.send(json.dumps(hello))
                refused = json.loads(await stranger.recv())
                if refused["type"] != "welcome":
                    assert await closing(stranger) == (4429, "too many requests")
        assert (refused["type"], refused["reason"], refused["re"]) == ("refused", "pace", 7)
        assert server.complaints() == []

    asyncio.run(run())


@slow
def test_a_body_that_trickles_in_after_the_answer_is_cut_off(serve: Callable[..., Served]) -> None:
    server = serve(
        patches={"gridlock.web.pages.requests.BODY_SECONDS": 0.2, "gridlock.web.net.protocols.HEADER_SECONDS": 0.5}
    )
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
        connection.sendall(b"POST /api/position HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n")
        assert b"400" in connection.recv(4096)
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            _trickle(connection)


def _trickle(connection: socket.socket) -> None:
    for _ in range(300):
        connection.sendall(b" ")
        time.sleep(0.1)
