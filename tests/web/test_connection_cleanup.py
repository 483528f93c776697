"""Tests that a closed connection is freed immediately, without garbage collection, however it was closed."""

import asyncio
import gc
import json
import socket
import struct
import weakref
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
import uvicorn
from starlette.websockets import WebSocket
from uvicorn.server import ServerState

from gridlock.web.games.hub import Hub
from gridlock.web.net.connections import Registry
from gridlock.web.net.limits import MESSAGE, Allowance, Pace
from gridlock.web.net.protocols import AbortableSocket, Deadlines
from gridlock.web.pages.socket import Visit, meet
from gridlock.web.referee.table import Settings
from gridlock.web.storage.store import Store
from gridlock.web.thinking.pool import FairPool
from gridlock.web.wire import tokens

ASK = b"GET / HTTP/1.1\r\nHost: here\r\n%s\r\n"
UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Answer every HTTP request with one word, and read WebSocket messages until the client disconnects."""
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"hi"})
        return
    await receive()
    await send({"type": "websocket.accept"})
    while (await receive())["type"] != "websocket.disconnect":
        pass


async def nothing(_reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
    """Connect and disconnect without sending anything."""


async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send a request, read the answer, and disconnect."""
    writer.write(ASK % b"")
    await reader.readuntil(b"hi")


async def ask_and_stay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send a request, and then stay silent until the server closes the connection."""
    writer.write(ASK % b"")
    assert (await reader.read()).endswith(b"hi")


async def ask_for_the_last_time(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send a request, and let the server close the connection."""
    writer.write(ASK % b"Connection: close\r\n")
    assert (await reader.read()).endswith(b"hi")


async def break_off(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Disconnect in the middle of a request."""
    writer.write(ASK[:20])
    await writer.drain()
    await asyncio.sleep(0.01)
    writer.transport.abort()


async def ask_and_break_off(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send a request, read the answer, and reset the connection, which causes an error in the server."""
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.write(ASK % b"")
    await reader.readuntil(b"hi")
    writer.transport.abort()


async def make_no_sense(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send an invalid request."""
    writer.write(b"\x00\x01\x02\r\n\r\n")
    assert b" 400 " in await reader.read()


async def upgrade(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Open a WebSocket, send a message, and disconnect without a closing handshake."""
    writer.write(UPGRADE)
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"\x81\x82\x00\x00\x00\x00hi")
    await writer.drain()
    await asyncio.sleep(0.01)


async def upgrade_and_make_no_sense(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Open a WebSocket, and send invalid frames."""
    writer.write(UPGRADE)
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"\xff\xff\xff\xff")
    await reader.read()


@pytest.fixture
def no_search() -> Iterator[None]:
    """Disable garbage collection."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_search")
@pytest.mark.parametrize(
    "talk",
    [
        nothing,
        ask,
        ask_and_stay,
        ask_for_the_last_time,
        break_off,
        ask_and_break_off,
        make_no_sense,
        upgrade,
        upgrade_and_make_no_sense,
    ],
)
def test_a_closed_connection_is_freed(talk: Talk) -> None:
    async def run() -> None:
        config = uvicorn.Config(app, ws=AbortableSocket, log_config=None, timeout_keep_alive=1)
        config.load()
        registry, state = Registry(100, 100), ServerState()
        met: list[weakref.ref[Deadlines]] = []

        def protocol() -> Deadlines:
            connection = registry.enter("127.0.0.1")
            assert connection is not None
            made = Deadlines(connection, config=config, server_state=state, app_state={})
            met.append(weakref.ref(made))
            return made

        server = await asyncio.get_running_loop().create_server(protocol, "127.0.0.1", 0)
        address = server.sockets[0].getsockname()[1]
        for _ in range(3):
            reader, writer = await asyncio.open_connection("127.0.0.1", address)
            await talk(reader, writer)
            writer.close()
        async with asyncio.timeout(10):
            while len(met) < 3 or registry.taken or any(left() for left in met):
                await asyncio.sleep(0.01)
        server.close()

    asyncio.run(run())


def test_a_flood_of_small_messages_waits_outside() -> None:
    queued: list[int] = []

    async def stalled(_scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await asyncio.sleep(0.3)
        queued.append(receive.__self__.queue.qsize())

    async def run() -> None:
        config = uvicorn.Config(stalled, ws=AbortableSocket, log_config=None)
        config.load()
        registry, state = Registry(100, 100), ServerState()

        def protocol() -> Deadlines:
            connection = registry.enter("127.0.0.1")
            assert connection is not None
            return Deadlines(connection, config=config, server_state=state, app_state={})

        server = await asyncio.get_running_loop().create_server(protocol, "127.0.0.1", 0)
        _, writer = await asyncio.open_connection("127.0.0.1", server.sockets[0].getsockname()[1])
        writer.write(UPGRADE)
        await asyncio.sleep(0.1)
        writer.write(b"\x81\x82\x00\x00\x00\x00hi" * 10_000)
        while not queued:
            await asyncio.sleep(0.01)
        writer.close()
        server.close()

    asyncio.run(asyncio.wait_for(run(), 30))
    assert 0 < queued[0] <= MESSAGE // 8


GAME, TOKEN = "g" * 22, "t" * 32
SETTINGS = Settings(
    game="chain", board="3x3", adjacency="king", starts=1, swap=False, opponent="screen", seat=1,
    names=("Ada", "Grace"), seats=(tokens.digest(TOKEN),) * 2, watch=("c" * 64,) * 2, invitation=None,
)  # fmt: skip


@pytest.mark.usefixtures("no_search")
def test_a_visit_to_a_game_is_freed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    met: list[weakref.ref[Visit]] = []
    begin = Visit.__init__

    def watched(visit: Visit, *args: Any) -> None:
        begin(visit, *args)
        met.append(weakref.ref(visit))

    monkeypatch.setattr(Visit, "__init__", watched)
    store = Store(str(tmp_path / "games.db"), "test")
    store.prepare()
    store.start()

    async def visit(hub: Hub) -> None:
        """Open a game, wait for its state, and leave."""
        hello = {"type": "hello", "game": GAME, "token": TOKEN}
        received = [{"type": "websocket.connect"}, {"type": "websocket.receive", "text": json.dumps(hello)}]
        welcomed = asyncio.Event()

        async def receive() -> Any:
            if received:
                return received.pop(0)
            await welcomed.wait()
            return {"type": "websocket.disconnect"}

        async def send(message: Any) -> None:
            if "welcome" in message.get("text", ""):
                welcomed.set()

        state = {"connection": Registry(1, 1).enter("127.0.0.1")}
        scope = {"type": "websocket", "headers": [(b"origin", b"here")], "client": ("127.0.0.1", 1), "state": state}
        await meet(WebSocket(scope, receive, send), hub, frozenset({"here"}), Pace(1), "off")
        assert welcomed.is_set()

    async def run() -> None:
        await store.create(GAME, SETTINGS)
        hub = Hub(store, cast(FairPool, None), Allowance(100, 1))
        for _ in range(3):
            await visit(hub)
        await asyncio.sleep(0.01)
        assert [left() for left in met] == [None] * 3

    try:
        asyncio.run(run())
    finally:
        store.stop()
