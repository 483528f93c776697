"""Clients that misuse a server: silent, slow, deaf, vanished and flooding ones, in a process of their own.

A connection counts as closed when its TCP connection is no longer established; nothing needs to be read for that.
"""

import asyncio
import base64
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any

from bench.load_server import HOST, Failure, Server

SLACK = 10.0  # seconds that a busy machine may take beyond a deadline
PAUSE = 1.0  # seconds before an abuser who was closed comes again
LAST_WAIT = 30.0  # seconds for all of them to end
_LOOK = 0.25  # seconds between looks at a connection
_ESTABLISHED = 1
_MOVES = [f"{row},{col + half}" for row in range(1, 30) for col in range(1, 16) for half in (0, 15)]
_LARGE = {"game": "keepaway", "board": "30x30", "moves": _MOVES}  # about 100 KB when it is told in full


@dataclass(frozen=True)
class Target:
    """What the abusers know: a server and a game on it."""

    port: int
    game: str
    token: str
    seconds: float


class Abuser:
    """One connection, and what can be sent over it."""

    def __init__(self, target: Target, sock: socket.socket, tally: "Tally") -> None:
        self.tally = tally
        self.target = target
        self.sock = sock

    async def send(self, data: bytes) -> None:
        """Send raw bytes."""
        await asyncio.get_running_loop().sock_sendall(self.sock, data)

    async def upgrade(self) -> None:
        """Ask for a WebSocket; the answer is not waited for."""
        key = base64.b64encode(os.urandom(16)).decode()
        head = (
            f"GET /ws HTTP/1.1\r\nHost: {HOST}:{self.target.port}\r\nOrigin: http://{HOST}:{self.target.port}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key}\r\n\r\n"
        )
        await self.send(head.encode())
        await asyncio.sleep(1)

    async def say(self, **message: object) -> None:
        """Send a message; the mask of zeros leaves it as it is."""
        text = json.dumps(message).encode()
        length = bytes([0x80 | len(text)]) if len(text) < 126 else bytes([0xFE]) + len(text).to_bytes(2, "big")
        await self.send(b"\x81" + length + bytes(4) + text)

    async def hear(self) -> None:
        """Read to the end of an answer, which is the end of its JSON."""
        data = b""
        while not data.endswith(b"}"):
            data = await asyncio.get_running_loop().sock_recv(self.sock, 1 << 20)
            if not data:
                raise ConnectionError
        self.tally.answers += 1

    async def hello(self) -> None:
        """Enter the game."""
        await self.upgrade()
        await self.say(type="hello", game=self.target.game, token=self.target.token)


# -- what they do -------------------------------------------------------------------------------------------------


async def _silent(_abuser: Abuser) -> None:
    """Connect, and say nothing."""


async def _slow_header(abuser: Abuser) -> None:
    """Send a request byte by byte."""
    await abuser.send(b"GET / HTTP/1.1\r\nX: ")
    while True:
        await asyncio.sleep(1)
        await abuser.send(b"x")


async def _slow_body(abuser: Abuser) -> None:
    """Send a request's body byte by byte."""
    await abuser.send(b"POST /api/position HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n")
    while True:
        await asyncio.sleep(1)
        await abuser.send(b" ")


async def _mute(abuser: Abuser) -> None:
    """Open a WebSocket, and do not say hello."""
    await abuser.upgrade()


async def _vanished(abuser: Abuser) -> None:
    """Enter a game and never be heard of again: not even pings are answered."""
    await abuser.hello()


async def _deaf(abuser: Abuser) -> None:
    """Ask for large answers at a rate that is allowed, and read none."""
    await abuser.hello()
    while True:
        await abuser.say(type="look", ply=900)
        await asyncio.sleep(0.1)


async def _flood(abuser: Abuser) -> None:
    """Send a thousand messages a second."""
    await abuser.hello()
    while True:
        for _ in range(10):
            await abuser.say(type="ping")
        await asyncio.sleep(0.01)


async def _asking(abuser: Abuser) -> None:
    """Ask for large positions over HTTP, again and again."""
    body = json.dumps({"setup": _LARGE}).encode()
    head = f"POST /api/position HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    while True:
        await abuser.send(head + body)
        await abuser.hear()


async def _looking(abuser: Abuser) -> None:
    """Look at a large game as often as one connection may, and read every answer."""
    await abuser.hello()
    while True:
        await abuser.say(type="look", ply=900)
        await abuser.hear()
        await asyncio.sleep(0.055)


@dataclass(frozen=True)
class Kind:
    """A way of misusing the server."""

    act: Callable[[Abuser], Awaitable[None]]
    count: int  # of connections at a time
    allowed: float | None  # seconds after which the server must have closed a connection; None: it may live, slowly


KINDS = {
    "silent": Kind(_silent, 150, 10),  # more than the 100 connections that one client may have
    "slow header": Kind(_slow_header, 50, 10),
    "slow body": Kind(_slow_body, 50, 20),
    "mute": Kind(_mute, 50, 21),
    "vanished": Kind(_vanished, 50, 43),
    "deaf": Kind(_deaf, 20, 43),
    "flooding": Kind(_flood, 20, 21),
    "asking": Kind(_asking, 50, None),
    "looking": Kind(_looking, 90, None),
}


# -- the process --------------------------------------------------------------------------------------------------


@dataclass
class Tally:
    """What became of the connections of one kind."""

    lives: list[float] = field(default_factory=list)  # seconds until the server closed
    answers: int = 0  # that were read
    left: list[float] = field(default_factory=list)  # seconds that those had lived that were open at the end

    def report(self, allowed: float | None) -> dict[str, Any]:
        """The same in a few numbers."""
        return {
            "opened": len(self.lives) + len(self.left),
            "closed": len(self.lives),
            "longest": round(max(self.lives, default=0.0), 1),
            "allowed": allowed,
            "overdue": sum(allowed is not None and life > allowed + SLACK for life in self.lives + self.left),
            "answers": self.answers,
        }


def _established(sock: socket.socket) -> bool:
    return sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] == _ESTABLISHED


async def _abuse(kind: Kind, address: str, target: Target, end: float, tally: Tally) -> None:
    """Be an abuser of one kind until the end, coming again whenever the server closes."""
    loop = asyncio.get_running_loop()
    while time.monotonic() < end:
        with socket.socket() as sock:
            sock.setblocking(False)
            sock.bind((address, 0))
            begin = time.monotonic()
            with suppress(OSError):
                await loop.sock_connect(sock, (HOST, target.port))
            acting = asyncio.ensure_future(kind.act(Abuser(target, sock, tally)))
            while _established(sock) and time.monotonic() < end:
                await asyncio.sleep(_LOOK)
            (tally.left if _established(sock) else tally.lives).append(time.monotonic() - begin)
            acting.cancel()
            with suppress(OSError, asyncio.CancelledError):
                await acting
        await asyncio.sleep(PAUSE)


async def _all(target: Target) -> dict[str, Any]:
    end = time.monotonic() + target.seconds
    tallies = {name: Tally() for name in KINDS}
    async with asyncio.TaskGroup() as group:
        for number, (name, kind) in enumerate(KINDS.items(), 1):  # each kind from an address of its own
            for _ in range(kind.count):
                group.create_task(_abuse(kind, f"127.20.0.{number}", target, end, tallies[name]))
    return {name: tally.report(KINDS[name].allowed) for name, tally in tallies.items()}


class Gang:
    """The process of the abusers, seen from the load test."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def gather(cls, server: Server, seconds: float) -> "Gang":
        """Let them begin."""
        game, (token, _) = await asyncio.to_thread(server.new_game, _LARGE, "127.20.0.250")
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bench.load_abusers", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        assert process.stdin is not None
        process.stdin.write(json.dumps(asdict(Target(server.port, game, token, seconds))).encode())
        process.stdin.close()
        return cls(process)

    async def report(self) -> dict[str, Any]:
        """What became of them."""
        out, _ = await self._process.communicate()
        if self._process.returncode:
            raise Failure("the abusers did not come to an end")
        found: dict[str, Any] = json.loads(out)
        return found


if __name__ == "__main__":
    given = Target(**json.load(sys.stdin))
    signal.alarm(round(given.seconds + LAST_WAIT))  # ends the process, whatever happens
    print(json.dumps(asyncio.run(_all(given))))
