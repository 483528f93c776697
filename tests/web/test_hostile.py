"""Tests that no input from clients causes a 500 response, a traceback or an error in the log."""

import asyncio
import json
import os
import socket
from collections.abc import Callable

import pytest
from web_client import client, closing
from web_server import Served
from websockets.asyncio.client import connect

pytestmark = pytest.mark.slow


def say(server: Served, data: bytes) -> bytes:
    """Send raw bytes, and read until the server stops sending or disconnects."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=3) as link:
        heard = b""
        try:
            link.sendall(data)
            while part := link.recv(65536):
                heard += part
        except (ConnectionError, TimeoutError):
            pass
        return heard


@pytest.mark.parametrize("tag", ["Board", "Game", "Adjacency", "Definition", "Position", "Date", "Player1"])
@pytest.mark.parametrize("path", ["position", "analyse", "review"])
def test_half_a_character_in_a_record_is_refused_in_words(server: Served, tag: str, path: str) -> None:
    record = json.dumps({"GridLock": "1", "Game": "showdown", "Board": "3x3", tag: "\ud800"})
    status, answer = server.post(f"/api/{path}", {"record": record})
    assert (status, answer["error"]) == (422, "illegal")
    assert "a lone surrogate" in answer["words"]
    assert server.complaints() == []


@pytest.mark.parametrize(
    "data",
    [
        b"POST /nothing HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
        b"POST /api/position HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nZZ\r\n",
        b"GET /health HTTP/1.1\r\nHost: x\r\n\r\nZZ\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
        b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        b"GET /\xff%ff%00 HTTP/1.1\r\nHost: \xff\r\n\r\n",
        b"GET /pictures/%00.svg HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /static/%00 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /static/" + b"a" * 5000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET http://evil.example/ HTTP/1.1\r\nHost: x\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00",
        b"\r\n" * 2000,
    ],
)
def test_requests_that_make_no_sense_are_survived(server: Served, data: bytes) -> None:
    answer = say(server, data)
    assert not answer.startswith(b"HTTP/1.1 5")
    assert server.get("/health")[0] == 200
    assert server.complaints() == []


@pytest.mark.parametrize("path", ["/play/", "/analyse/"])
def test_a_redirect_does_not_believe_the_host_it_was_given(server: Served, path: str) -> None:
    answer = say(server, f"GET {path} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n".encode())
    assert b"308" in answer.splitlines()[0]
    assert b"evil.example" not in answer
    assert f"location: {path[:-1]}\r\n".encode() in answer.lower()


@pytest.mark.parametrize("name", ["%00", "%ff", "..", "a" * 5000, "A" * 22 + "%0a"])
def test_strange_names_of_games_open_none(serve: Callable[..., Served], database: str, name: str) -> None:
    server = serve(database=database)
    assert server.get(f"/api/games/{name}", "x" * 32)[0] in (401, 404)
    assert server.complaints() == []


def test_a_binary_message_closes_with_its_code(server: Served) -> None:
    async def run() -> None:
        made = server.create("chain", "screen")
        for frames in ([b"\xff\xfe"], [b'{"ty', b"\xc3", b"\x28"]):
            async with client(server, made["id"], made["token"]) as player:
                await player.socket.send(frames if len(frames) > 1 else frames[0], text=True)
                assert (await closing(player.socket))[0] == 1007

    asyncio.run(run())
    assert server.complaints() == []


def test_a_client_that_leaves_mid_answer_leaves_no_trace(server: Served) -> None:
    """Send messages, then immediately abort the connection, send nonsense, or send a close frame and more data."""

    async def visit(made: dict, how: int) -> None:
        async with connect(f"ws://127.0.0.1:{server.port}/ws", origin=server.origin) as link:
            await link.send(json.dumps({"type": "hello", "game": made["id"], "token": made["token"]}))
            for number in range(5):
                await link.send(json.dumps({"type": "look", "ply": 0, "id": number}))
            if how % 4 == 0:
                link.transport.abort()
            elif how % 4 == 1:
                # Send a close frame, then another message.
                link.transport.write(b"\x88\x80" + bytes(4) + b"\x81\x82" + bytes(4) + b"{}")
            elif how % 4 == 2:
                link.transport.write(b"\x88\x82" + bytes(4) + b"\x03\xe8" + os.urandom(40))
            else:
                link.transport.write(b"\xff" * 20)
            if how % 4:
                await closing(link)

    async def run() -> None:
        made = server.create("scatter", "screen", setup={"board": "30x30"})
        for block in range(0, 200, 20):
            await asyncio.gather(*(visit(made, how) for how in range(block, block + 20)), return_exceptions=True)
        assert server.get("/health")[0] == 200

    asyncio.run(run())
    assert server.complaints() == []
