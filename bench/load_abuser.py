"""An abusive client that controls every byte that it sends, together with a tally of how its connections end."""

import asyncio
import base64
import json
import os
import socket
import struct
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from bench.load_server import HOST

SLACK = 10.0  # seconds that a busy machine may take beyond a deadline
STAYING = 2.0  # seconds after which a connection counts as left open by the server
FAREWELL = b"\x88\x82" + bytes(4) + (1000).to_bytes(2, "big")  # a close frame
_RESET = struct.pack("ii", 1, 0)


@dataclass(frozen=True)
class Prey:
    """A game between an abusive client and an honest player: the client's token, and a token for spectators."""

    game: str
    token: str
    watch: str


@dataclass(frozen=True)
class Target:
    """What the abusive clients attack (a server, a large game, and games against honest players), and for how long."""

    port: int
    game: str
    token: str
    seconds: float
    prey: dict[str, Prey]


@dataclass
class Tally:
    """The results for one kind of abusive client: how its connections ended, and what the server answered."""

    opened: int = 0
    closed: int = 0  # connections that the server closed
    refused: int = 0  # closed connections that got no further than connecting
    left: int = 0  # connections that the abusers themselves closed when they were done
    overdue: int = 0  # connections open for longer than allowed
    longest: float = 0.0  # seconds until the server closed a connection
    staying: int = 0  # connections now open that have lasted longer than STAYING
    most: int = 0  # the most such connections at once
    games: int = 0  # games created
    seats: int = 0  # seats now held in other players' games
    most_seats: int = 0  # the most seats held at once
    told: Counter[str] = field(default_factory=Counter)  # answers, by status, reason or closing code
    broken: Counter[str] = field(default_factory=Counter)  # answers that the server should never give


@dataclass(frozen=True)
class Kind:
    """One way of misusing the server."""

    act: Callable[["Abuser"], Awaitable[None]]
    count: int  # connections at a time
    allowed: float | None = None  # seconds within which the server must close a connection; None: it may stay open
    pause: float = 1.0  # seconds before a client comes back
    leaves: bool = False  # whether the client disconnects without a close frame when it is done
    most: int | None = None  # connections that the server may leave open per address
    games: int | None = None  # games that it may create at the start, and then per hour
    seats: int | None = None  # seats that it may hold at once in other players' games
    addresses: tuple[str, ...] = ()  # addresses for the connections, in turn; by default, all share one address


class Abuser:
    """A connection from an abusive client, with methods to send and receive messages."""

    def __init__(self, target: Target, sock: socket.socket, tally: Tally, number: int) -> None:
        self.target = target
        self.sock = sock
        self.tally = tally
        self.number = number  # the connection's number within its kind, from 0; it stays the same after a reconnection
        self._unread = b""

    async def send(self, data: bytes) -> None:
        """Send raw bytes."""
        await asyncio.get_running_loop().sock_sendall(self.sock, data)

    def reset(self) -> None:
        """Reset the connection, so that everything still in transit is lost."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)

    async def _more(self) -> None:
        data = await asyncio.get_running_loop().sock_recv(self.sock, 1 << 18)
        if not data:
            raise ConnectionError
        self._unread += data

    async def _until(self, mark: bytes) -> bytes:
        while mark not in self._unread:
            await self._more()
        head, _, self._unread = self._unread.partition(mark)
        return head

    async def _exactly(self, count: int) -> bytes:
        while len(self._unread) < count:
            await self._more()
        data, self._unread = self._unread[:count], self._unread[count:]
        return data

    # -- HTTP -------------------------------------------------------------------------------------------------

    async def ask(self, method: str, path: str, body: object = None, *headers: str) -> None:
        """Send a request without waiting for the response."""
        data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        lines = [f"{method} {path} HTTP/1.1", f"Host: {HOST}:{self.target.port}", *headers]
        if body is not None:
            lines.append(f"Content-Length: {len(data)}")
        await self.send("\r\n".join([*lines, "", ""]).encode() + data)

    async def answer(self) -> tuple[int, bytes, bytes]:
        """Read a response: its status, its headers in lower case, and its body."""
        first, _, headers = (await self._until(b"\r\n\r\n")).lower().partition(b"\r\n")
        status = int(first.split()[1])
        length = [line for line in headers.split(b"\r\n") if line.startswith(b"content-length:")]
        body = await self._exactly(int(length[0].partition(b":")[2])) if length else b""
        self.tally.told[str(status)] += 1
        if status == 500:
            self.tally.broken["500"] += 1
        return status, headers, body

    async def asked(self, method: str, path: str, body: object = None, *headers: str) -> tuple[int, Any]:
        """Send a request and read its answer, whose body is JSON."""
        await self.ask(method, path, body, *headers)
        status, _, data = await self.answer()
        return status, json.loads(data)

    # -- WebSocket --------------------------------------------------------------------------------------------

    async def upgrade(self) -> None:
        """Request a WebSocket connection without waiting for the answer."""
        key = base64.b64encode(os.urandom(16)).decode()
        await self.ask(
            "GET",
            "/ws",
            None,
            f"Origin: http://{HOST}:{self.target.port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {key}",
        )

    async def say(self, **message: object) -> None:
        """Send a message."""
        await self.frame(json.dumps(message).encode())

    async def frame(self, data: bytes, opcode: int = 1) -> None:
        """Send a frame; its all-zero mask leaves the payload unchanged."""
        length = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0xFE]) + len(data).to_bytes(2, "big")
        await self.send(bytes([0x80 | opcode]) + length + bytes(4) + data)

    async def hear(self) -> dict[str, Any]:
        """Read the next message."""
        while True:
            first, second = await self._exactly(2)
            extended = {126: 2, 127: 8}.get(second & 127)
            length = int.from_bytes(await self._exactly(extended)) if extended else second & 127
            data = await self._exactly(length)
            if first & 15 == 8:
                self.tally.told[str(int.from_bytes(data[:2]))] += 1
                raise ConnectionError
            if first & 15 == 9:
                await self.frame(data, 10)
            if first & 15 == 1:
                message: dict[str, Any] = json.loads(data)
                return message

    async def hear_of(self, *types: str) -> dict[str, Any]:
        """Read messages until one of the given types arrives, and return that message."""
        while (message := await self.hear())["type"] not in types:
            pass
        self.tally.told[message.get("reason") or message["type"]] += 1
        return message

    async def hello(self, game: str | None = None, token: str | None = None) -> None:
        """Open a WebSocket and send a request to enter a game; do not wait for the answer."""
        await self.upgrade()
        head = await self._until(b"\r\n\r\n")
        if b" 101 " not in head:
            self.tally.told[head.split(b" ", 2)[1].decode()] += 1
            raise ConnectionError
        await self.say(type="hello", game=game or self.target.game, token=token or self.target.token)

    async def enter(self, game: str | None = None, token: str | None = None) -> dict[str, Any]:
        """Enter a game and return its state."""
        await self.hello(game, token)
        while (message := await self.hear())["type"] != "state":
            pass
        return message
