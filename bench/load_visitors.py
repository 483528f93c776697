"""Honest clients who open games now and then, and honest players who wait in the lobby for an opponent."""

import asyncio
import itertools
import json
import time
from collections import Counter
from typing import Any

from msgspec.json import encode
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from bench.load_abusers_games import GANG
from bench.load_players import dial
from bench.load_server import Failure, Server

SLOW = 1.0  # seconds, after which an opening counts as slow
GAMES = 40  # games that visitors open in turn; between two visits, the server closes the game
EVERY = 0.2  # seconds between two openings
WAIT = 30.0  # seconds to wait for a game to open
CHALLENGERS = 3
LOOK = 1.0  # seconds between two checks of the lobby
_AGAIN = 20.0  # seconds until a challenger offers another game; the server allows 200 an hour
_RACE = 0.5  # seconds within which challengers learn that their challenge was accepted
_SETUP = {"game": "showdown", "board": "5x5", "moves": ["3,3", "1,1", "5,3"]}
_OFFER = {"setup": {"game": "showdown"}, "opponent": "link", "public": True, "name": "Ada"}


async def greet(socket: ClientConnection, game: str, token: str) -> dict[str, Any]:
    """Open a game over a new connection, and return its state."""
    await socket.send(encode({"type": "hello", "game": game, "token": token}).decode())
    while (message := json.loads(await socket.recv()))["type"] != "state":
        pass
    state: dict[str, Any] = message
    return state


def why(error: Exception) -> str:
    """Return a few words that say why a connection failed."""
    match error:
        case ConnectionClosed():
            return f"closed with {error.rcvd.code if error.rcvd else 1006}"
        case InvalidStatus():
            return str(error.response.status_code)
    return type(error).__name__


class Visitors:
    """Clients that open five games per second and leave them immediately; the server must load every game."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.times: list[float] = []  # seconds until each game's state arrived
        self.tried = 0
        self.slow = 0
        self.refused: Counter[str] = Counter()  # counted by what came instead of the game
        self._games: list[tuple[str, str, str]] = []  # address, game and token
        self._waiting: set[asyncio.Task[None]] = set()

    async def begin(self) -> None:
        """Create the games."""
        for number in range(1, GAMES + 1):
            address = f"127.12.0.{number}"
            game, (token, _) = await asyncio.to_thread(self.server.new_game, _SETUP, address)
            self._games.append((address, game, token))

    async def keep_opening(self) -> None:
        """Open a game at regular intervals until cancelled."""
        for number in itertools.count():
            task = asyncio.create_task(self._open(*self._games[number % GAMES]))
            self._waiting.add(task)
            task.add_done_callback(self._waiting.discard)
            await asyncio.sleep(EVERY)

    async def finish(self) -> None:
        """Wait for the last answers."""
        await asyncio.gather(*self._waiting)

    async def _open(self, address: str, game: str, token: str) -> None:
        begin = time.perf_counter()
        self.tried += 1
        try:
            async with asyncio.timeout(WAIT), dial(self.server, address) as socket:
                await greet(socket, game, token)
                took = time.perf_counter() - begin
        except (OSError, TimeoutError, WebSocketException) as error:
            self.refused[why(error)] += 1
            return
        self.times.append(took)
        self.slow += took > SLOW


class Challenger:
    """A player who waits in the lobby for an opponent, then waits for a move, and then offers another game."""

    def __init__(self, server: Server, address: str) -> None:
        self.server = server
        self.address = address
        self.open: str | None = None  # the game that should be in the list
        self.taken = 0
        self.errors: Counter[str] = Counter()

    async def keep_offering(self) -> None:
        """Offer games until this task is cancelled."""
        while True:
            try:
                made = await asyncio.to_thread(self.server.request, "POST", "/api/games", _OFFER, address=self.address)
                async with dial(self.server, self.address) as socket:
                    state = await greet(socket, made["id"], made["token"])
                    while not all(player["joined"] for player in state["players"]):
                        self.open = made["id"]
                        while (state := json.loads(await socket.recv()))["type"] != "state":
                            pass
                    self.open = None
                    self.taken += 1
                    await asyncio.sleep(_AGAIN)  # waiting for a move, which no abuser makes
            except (Failure, OSError, TimeoutError, WebSocketException) as error:
                self.errors[f"a challenger was turned away: {error if isinstance(error, Failure) else why(error)}"] += 1
                self.open = None
                await asyncio.sleep(_AGAIN)


class Lobby:
    """The challengers, and a client that checks whether their games are listed."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.challengers = [Challenger(server, f"127.12.1.{number + 1}") for number in range(CHALLENGERS)]
        self.looked = 0  # how often a challenge should have been listed
        self.missing = 0  # how often a challenge was not listed
        self.most = 0  # the most challenges of abusers in the list at once

    async def keep_looking(self) -> None:
        """Check the list of challenges at regular intervals, until this task is cancelled."""
        while True:
            await asyncio.sleep(LOOK)
            offered = [(one, one.open) for one in self.challengers if one.open]
            try:
                lobby = await asyncio.to_thread(self.server.request, "GET", "/api/lobby", address="127.12.2.1")
            except (Failure, OSError):
                lobby = {"challenges": []}  # without a list, no player finds a challenge
            listed = {challenge["game"] for challenge in lobby["challenges"]}
            self.looked += len(offered)
            self.most = max(self.most, sum(challenge["name"] == GANG for challenge in lobby["challenges"]))
            if unseen := [(one, game) for one, game in offered if game not in listed]:
                await asyncio.sleep(_RACE)
                self.missing += sum(one.open == game for one, game in unseen)
