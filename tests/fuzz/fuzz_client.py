"""A client that sends unusual input to a server, checks every answer, and plays normally in between."""

import asyncio
import json
from dataclasses import dataclass, field

from fuzz_inputs import HELLO, Case
from fuzz_wire import Connection, Wrong, answer, masked
from fuzz_words import GAME, TOKEN, WATCH

PATIENCE = 30.0  # seconds for an answer; only to notice if there is none
_UPGRADE = (
    "GET /ws HTTP/1.1\r\nHost: x\r\nOrigin: http://127.0.0.1:{}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
_BARRIER = 2_000_000_000  # the number of the ping that comes after each batch


@dataclass
class Game:
    """A game on the server, and what its players have seen."""

    id: str
    token: str
    watch: str
    sequence: int = -1
    state: dict = field(default_factory=dict)

    def fill(self, data: bytes) -> bytes:
        """Replace the placeholders in a message with their values."""
        if b"@" not in data:
            return data
        legal = self.state.get("board", {}).get("legal") or [0]
        for name, value in (
            (GAME.encode(), self.id),
            (TOKEN.encode(), self.token),
            (WATCH.encode(), self.watch),
            (b"@ply@", self.state.get("ply", 0)),
            (b"@line@", self.state.get("line", 0)),
            (b"@legal@", legal[len(data) % len(legal)]),
        ):
            data = data.replace(name, str(value).encode())
        return data

    def seen(self, state: dict) -> None:
        """Check that a state belongs to this game and that no stored event has been lost."""
        if state["game"] != self.id:
            raise Wrong(f"a state of another game: {state['game']} in place of {self.id}")
        if state["sequence"] < self.state.get("sequence", 0) and state["sequence"] < self.sequence:
            raise Wrong(f"the sequence went back from {self.sequence} to {state['sequence']}")
        self.sequence = max(self.sequence, state["sequence"])
        self.state = state


class Runner:
    """A client that sends test cases to one server."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def run(self, case: Case, game: Game) -> None:
        """Send one case; raise Wrong if the server misbehaves."""
        connection = Connection(self.port, case.number)
        try:
            async with asyncio.timeout(PATIENCE):
                await (self._ask if case.requests else self._visit)(connection, case, game)
        except TimeoutError:
            raise Wrong("no answer") from None
        finally:
            connection.close(reset=case.number % 3 == 0)

    async def _ask(self, connection: Connection, case: Case, game: Game) -> None:
        for number, parts in enumerate(case.requests):
            briefly = case.broken and number == len(case.requests) - 1
            for part in parts:
                if not connection.send(game.fill(part)):
                    return
                if len(parts) > 1:
                    await asyncio.sleep(0)
            if await answer(connection, parts[0], briefly) is None:
                return

    async def _visit(self, connection: Connection, case: Case, game: Game) -> None:
        connection.send(_UPGRADE.format(self.port).encode())
        got = await answer(connection, b"HEAD")
        if got is None or got[0] != 101 or case.hello is None:
            return
        connection.send(masked(0x81, game.fill(case.hello)))
        game.state = {}
        if not await self._barrier(connection, game, case.broken and not case.batches):
            return
        for number, batch in enumerate(case.batches):
            last = case.broken and number == len(case.batches) - 1
            connection.send(b"".join(masked(first, game.fill(data)) for first, data in batch))
            if not await self._barrier(connection, game, last):
                return
        connection.send(case.rest)

    async def _barrier(self, connection: Connection, game: Game, briefly: bool) -> bool:
        """Ping the server and read until it answers; return False if the server closes the connection."""
        connection.send(masked(0x81, b'{"type":"ping","id":%d}' % _BARRIER))
        while (got := await connection.frame(briefly)) is not None:
            kind, data = got
            if kind == 8:
                return False
            if kind == 1:
                message = json.loads(data)
                if message["type"] == "state":
                    game.seen(message)
                elif message["type"] == "pong" and message.get("re") == _BARRIER:
                    return True
        return False

    # -- honest people ----------------------------------------------------------------------------------------

    async def request(self, method: str, path: str, data: object = None, token: str = "", number: int = 0) -> dict:
        """Return the JSON response to a valid request."""
        connection = Connection(self.port, number)
        try:
            body = b"" if data is None else json.dumps(data).encode()
            lines = [f"{method} {path} HTTP/1.1", "Host: x", f"Content-Length: {len(body)}", "Connection: close"]
            lines += [f"Authorization: Bearer {token}"] if token else []
            sent = "\r\n".join([*lines, "", ""]).encode() + body
            connection.send(sent)
            async with asyncio.timeout(PATIENCE):
                got = await answer(connection, sent)
        except TimeoutError:
            raise Wrong(f"no answer to an honest {method} {path}") from None
        finally:
            connection.close(reset=False)
        if got is None or got[0] >= 400:
            raise Wrong(f"an honest {method} {path} was answered with {got}")
        return json.loads(got[1])

    async def new_game(self, setup: dict, number: int) -> Game:
        """Create a game that both sides play on one screen."""
        made = await self.request("POST", "/api/games", {"setup": setup, "opponent": "screen"}, number=number)
        return Game(made["id"], made["token"], made["watch"])

    async def play(self, game: Game, number: int) -> None:
        """Make or take back a legal move in a separate game; check that the action is accepted, stored and shown."""
        state = await self.request("GET", f"/api/games/{game.id}", token=game.token, number=number)
        game.seen(state)
        action = b'{"type":"ask","what":"takeback","ply":@ply@,"line":@line@}'
        if state["ply"] < 10:
            action = b'{"type":"move","ply":@ply@,"line":@line@,"cell":@legal@}'
        await self.run(Case(number, hello=HELLO, batches=[[(0x81, action)]]), game)
        after = await self.request("GET", f"/api/games/{game.id}", token=game.token, number=number)
        if after["sequence"] != state["sequence"] + 1:
            raise Wrong("an honest move was not accepted")
        game.seen(after)
