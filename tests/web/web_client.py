"""A WebSocket client that talks to the server in the same way as the game page in a browser."""

import asyncio
import contextlib
import itertools
import json
from collections.abc import AsyncIterator

from web_server import Served
from websockets.asyncio.client import ClientConnection, connect

WAIT = 30  # seconds until a test gives up waiting


class Client:
    """A client that is connected to one game and stores the latest state that it has received."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.welcome: dict = {}
        self.state: dict = {}
        self._numbers = itertools.count(1)

    async def send(self, type: str, **fields: object) -> int:
        """Send a message and return its number."""
        number = next(self._numbers)
        await self.socket.send(json.dumps({"type": type, "id": number, **fields}))
        return number

    async def receive(self) -> dict:
        """Return the next message."""
        async with asyncio.timeout(WAIT):
            message = json.loads(await self.socket.recv())
        if message["type"] == "state":
            self.state = message
        return message

    async def answer(self, type: str, **fields: object) -> dict:
        """Send a message and wait for its direct answer."""
        number = await self.send(type, **fields)
        while (message := await self.receive()).get("re") != number:
            pass
        return message

    async def until(self, **wanted: object) -> dict:
        """Wait for a state with these values."""
        while not self.state or any(self.state[name] != value for name, value in wanted.items()):
            await self.receive()
        return self.state

    async def act(self, type: str, **fields: object) -> dict:
        """Perform an action in the last position that this client saw."""
        if type != "resign":
            fields = {"ply": self.state["ply"], "line": self.state["line"], **fields}
        return await self.answer(type, **fields)

    async def play(self, cell: int) -> None:
        """Make a move that must be accepted, and wait until the new state arrives."""
        ply = self.state["ply"]
        answer = await self.act("move", cell=cell)
        assert answer["type"] == "accepted", answer
        while self.state["ply"] <= ply:
            await self.receive()


@contextlib.asynccontextmanager
async def client(server: Served, game: str, token: str, address: str = "") -> AsyncIterator[Client]:
    """Connect a client to a game; `address`, if given, is the client's address as a trusted proxy would report it."""
    headers = {"X-Forwarded-For": address} if address else {}
    url = f"ws://127.0.0.1:{server.port}/ws"
    async with connect(url, origin=server.origin, open_timeout=WAIT, additional_headers=headers) as socket:
        made = Client(socket)
        made.welcome = await made.answer("hello", game=game, token=token)
        await made.until()
        yield made


async def closing(socket: ClientConnection) -> tuple[int, str]:
    """Read until the server closes the connection; return the code and the reason."""
    async with asyncio.timeout(WAIT):
        with contextlib.suppress(Exception):
            while True:
                await socket.recv()
    return socket.close_code or 0, socket.close_reason or ""
