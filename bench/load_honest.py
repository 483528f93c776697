"""The honest clients that would suffer first from abuse, such as those that share an IP address with an abuser."""

import asyncio
import itertools
import json
import random
import time
from collections import Counter
from contextlib import suppress
from typing import Any

from msgspec.json import encode
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import WebSocketException

from bench.load_abuser import Prey
from bench.load_abusers_http import NEXT_DOOR
from bench.load_players import Accepted, Refused, State, dial, read
from bench.load_server import HOST, PATIENCE, Failure, Server
from bench.load_victims import Victims
from bench.load_visitors import Lobby, Visitors
from gridlock.web.wire import tokens

ASKING = 12  # addresses that take turns to ask
PAUSE = 1.0  # seconds between two questions (from any address), and between two actions of a neighbour
WAIT = 30.0  # seconds to wait for an answer, in order to notice if none ever comes
_BOARDS = [("showdown", "4x4"), ("scatter", "4x5"), ("keepaway", "4x4"), ("trails", "4x4"), ("chain", "5x5")]
_HIGHEST = 20  # the number of moves after which a neighbour undoes them one by one
ATTEMPTS = 10  # attempts to open a game
_LONGEST = 1500  # actions in one of a neighbour's games, because the server limits takebacks


async def fetch(server: Server, address: str, method: str, path: str, data: object = None) -> int:
    """Send a request, read the response to its end, and return its status."""
    body = b"" if data is None else json.dumps(data).encode()
    head = f"{method} {path} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
    reader, writer = await asyncio.open_connection(HOST, server.port, local_addr=(address, 0))
    try:
        writer.write(head.encode() + body)
        answer = await reader.read()
    finally:
        writer.close()
    return int(answer.split(b" ", 2)[1]) if answer else 0


class Analysts:
    """People who request analyses of small boards; together, they make one request per second."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.times: list[float] = []  # seconds until each answer
        self.asked = 0
        self.unanswered: Counter[str] = Counter()  # counted by what arrived instead of an answer
        self._waiting: set[asyncio.Task[None]] = set()

    async def keep_asking(self) -> None:
        """Ask until cancelled."""
        for number in itertools.count():
            task = asyncio.create_task(self._ask(number))
            self._waiting.add(task)
            task.add_done_callback(self._waiting.discard)
            await asyncio.sleep(PAUSE)

    async def finish(self) -> None:
        """Wait for the last answers."""
        await asyncio.gather(*self._waiting)

    async def _ask(self, number: int) -> None:
        game, board = _BOARDS[number % len(_BOARDS)]
        question = {"setup": {"game": game, "board": board}, "seconds": 2}
        begin = time.perf_counter()
        self.asked += 1
        try:
            async with asyncio.timeout(PATIENCE):
                address = f"127.11.0.{number % ASKING + 1}"
                status = await fetch(self.server, address, "POST", "/api/analyse", question)
        except (OSError, TimeoutError) as error:
            self.unanswered[type(error).__name__] += 1
            return
        if status == 200:
            self.times.append(time.perf_counter() - begin)
        else:
            self.unanswered[str(status or "cut off")] += 1


class Neighbour:
    """A person who plays both sides on one screen, and shares an address with clients that flood the server."""

    def __init__(self, server: Server, address: str, seed: str) -> None:
        self.server = server
        self.address = address
        self.latencies: list[float] = []
        self.errors: Counter[str] = Counter()
        self.made: dict[str, Any] = {}
        self._rng = random.Random(seed)
        self._socket: ClientConnection | None = None
        self._state: State | None = None
        self._games: list[dict[str, Any]] = []  # games still to be played
        self._actions = 0
        self._cells: list[int] = []  # cells that must be taken in the game
        self._back = False
        self._wrong = 0  # moves of earlier games that were missing or extra
        self.leaving = False

    async def enter(self, seconds: float) -> None:
        """Create enough games for a run of the given length, and open the first."""
        wish = {"setup": {"game": "scatter", "board": "12x12"}, "opponent": "screen"}
        for _ in range(2 + int(seconds / PAUSE / _LONGEST)):
            made = await asyncio.to_thread(self.server.request, "POST", "/api/games", wish, address=self.address)
            self._games.append(made)
        self.made = self._games.pop(0)
        await self._open()

    async def _open(self) -> None:
        """Open the game as a returning player would."""
        self._actions, self._cells, self._back = 0, [], False
        self._socket = await dial(self.server, self.address, tokens.back(self.made["token"]))
        await self._socket.send(
            encode({"type": "hello", "game": self.made["id"], "token": self.made["token"]}).decode()
        )
        await self._hear(-1, -1)

    async def play(self) -> None:
        """Move and undo until told to stop."""
        assert self._socket is not None
        try:
            while not self.leaving:
                await asyncio.sleep(PAUSE * self._rng.uniform(0.5, 1.5))
                if self._actions == _LONGEST:
                    await self._change_games()
                self._actions += 1
                await self._act()
        except (WebSocketException, OSError, TimeoutError):
            self.errors[f"closed with {self._socket.close_code}" if self._socket.close_code else "not answered"] += 1

    async def _change_games(self) -> None:
        """Compare this game with the server's copy, then open the next game, retrying if the connection fails."""
        await self.leave()
        self._wrong += await asyncio.to_thread(self._compare)
        self.made = self._games.pop(0)
        for left in reversed(range(ATTEMPTS)):
            try:
                await self._open()
                return
            except (OSError, TimeoutError, WebSocketException):
                if not left:
                    raise
                await asyncio.sleep(PAUSE)

    async def _act(self) -> None:
        assert self._socket is not None
        assert self._state is not None
        state = self._state
        self._back = state.ply > 2 if self._back else state.ply >= _HIGHEST
        now = {"ply": state.ply, "line": state.line}
        cell = self._rng.choice(state.board.legal)
        action = {"type": "ask", "what": "takeback", **now} if self._back else {"type": "move", "cell": cell, **now}
        begin = time.perf_counter()
        await self._socket.send(encode(action).decode())
        if await self._hear(state.ply, state.line, begin):
            self._cells = self._cells[: self._state.ply] if self._back else [*self._cells, cell]

    async def _hear(self, ply: int, line: int, begin: float = 0.0) -> bool:
        """Read until an action is acknowledged and its effect has arrived; return False if the action was rejected."""
        assert self._socket is not None
        accepted, seen = ply < 0, False
        while not (accepted and seen):
            async with asyncio.timeout(WAIT):
                message = read(await self._socket.recv())
            match message:
                case Accepted():
                    accepted = True
                    self.latencies.append(time.perf_counter() - begin)
                case Refused(reason):
                    self.errors[f"refused as {reason}"] += 1
                    return False
                case State():
                    self._state = message
                    seen = (message.ply, message.line) != (ply, line)
        return True

    async def leave(self) -> None:
        """Close the connection."""
        assert self._socket is not None
        with suppress(WebSocketException, OSError):
            await self._socket.close()

    def wrong(self) -> int:
        """Return how many stored moves, across all games, differ from the acknowledged moves."""
        return self._wrong + self._compare()

    def _compare(self) -> int:
        """Read the game back and return how many stored moves differ from the acknowledged moves."""
        path = f"/api/games/{self.made['id']}"
        state = self.server.request("GET", path, token=self.made["token"])  # not from the flooded address
        stored = [entry["cell"] for entry in state["moves"] if entry["kind"] == "move"]
        if self.errors and len(stored) > len(self._cells):
            stored.pop()  # it may or may not be stored, because it was not acknowledged
        return sum(ours != theirs for ours, theirs in itertools.zip_longest(stored, self._cells))


class Honest:
    """All honest clients except the players that `Crowd` simulates."""

    def __init__(self, server: Server, seed: int) -> None:
        self.analysts = Analysts(server)
        self.neighbours = [Neighbour(server, address, f"{seed} {address}") for address in NEXT_DOOR]
        self.visitors = Visitors(server)
        self.lobby = Lobby(server)
        self.victims = Victims(server)
        self._playing: list[asyncio.Task[None]] = []
        self._until_cancelled: list[asyncio.Task[None]] = []

    async def begin(self, seconds: float) -> dict[str, Prey]:
        """Start all clients for a run of the given length; return the games in which abusers have a seat."""
        try:
            for neighbour in self.neighbours:
                await neighbour.enter(seconds)
            await self.visitors.begin()
            prey = await self.victims.begin()
        except (Failure, OSError, WebSocketException) as error:
            raise Failure(f"an honest player could not begin: {error}") from error
        self._playing = [asyncio.create_task(neighbour.play()) for neighbour in self.neighbours]
        self._until_cancelled = [
            asyncio.create_task(work)
            for work in (
                self.analysts.keep_asking(),
                self.visitors.keep_opening(),
                self.lobby.keep_looking(),
                self.victims.nagged.listen(),
                *(challenger.keep_offering() for challenger in self.lobby.challengers),
                *(absentee.come_and_go() for absentee in self.victims.absent.values()),
            )
        ]
        return prey

    async def end(self) -> None:
        """Stop the honest clients, and wait until their moves, analyses and requests to open games are complete."""
        for neighbour in self.neighbours:
            neighbour.leaving = True
        for task in self._until_cancelled:
            task.cancel()
        for ended in await asyncio.gather(*self._until_cancelled, return_exceptions=True):
            if isinstance(ended, Exception):
                raise ended
        await asyncio.gather(*self._playing)
        await self.analysts.finish()
        await self.visitors.finish()

    async def part(self) -> None:
        """Close all connections."""
        await asyncio.gather(*(neighbour.leave() for neighbour in self.neighbours))

    async def check(self) -> int:
        """Return how many moves by honest players were stored incorrectly.

        Also record which games were lost because an abusive opponent claimed the win.
        """
        await self.victims.check()
        return sum([await asyncio.to_thread(neighbour.wrong) for neighbour in self.neighbours])

    @property
    def errors(self) -> Counter[str]:
        """Return how often honest players encountered each error."""
        found = sum((neighbour.errors for neighbour in self.neighbours), Counter())
        return sum((challenger.errors for challenger in self.lobby.challengers), found + self.victims.nagged.errors)

    def take(self) -> tuple[list[float], list[float], list[float]]:
        """Return the waiting times recorded since the last call, for each kind of client."""
        acted = [latency for neighbour in self.neighbours for latency in neighbour.latencies]
        answered, opened = list(self.analysts.times), list(self.visitors.times)
        self.analysts.times.clear()
        self.visitors.times.clear()
        for neighbour in self.neighbours:
            neighbour.latencies.clear()
        return acted, answered, opened

    def noticed(self) -> dict[str, Any]:
        """Return the abusers' effects on honest players, apart from the waiting times that `take` returns."""
        absent = self.victims.absent
        return {
            "openings": self.visitors.tried,
            "openings_refused": dict(self.visitors.refused),
            "openings_slow": self.visitors.slow,
            "challenges_looked_for": self.lobby.looked,
            "challenges_missing": self.lobby.missing,
            "challenges_taken": sum(challenger.taken for challenger in self.lobby.challengers),
            "challenges_of_abusers": self.lobby.most,
            "absent": len(absent),
            "absent_seconds": round(max(absentee.longest for absentee in absent.values()), 1),
            "lost_by_claim": self.victims.lost,
            "returns": sum(absentee.returns for absentee in absent.values()),
            "returns_refused": sum(absentee.refused.total() for absentee in absent.values()),
            "kept_out_seconds": round(max(absentee.kept_out for absentee in absent.values()), 1),
            "questions": self.victims.nagged.questions,
            "presences": self.victims.nagged.presences,
        }
