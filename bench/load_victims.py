"""Honest players whose abusive opponents claim undeserved wins or keep asking for takebacks."""

import asyncio
import json
import time
from collections import Counter
from typing import Any

from msgspec.json import encode
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from bench.load_abuser import Prey
from bench.load_abusers_games import SHARED
from bench.load_players import dial
from bench.load_server import Server
from bench.load_visitors import greet, why
from gridlock.web.wire import tokens

_AWAY = 75.0  # seconds that absent players are away; an opponent may have a right to claim after 60
_BACK = 3.0  # seconds that absent players stay after returning
_AGAIN = 1.0  # seconds between two attempts to come back
_LONG = {"seconds": 36_000, "increment": 0}  # a clock that outlasts every soak


class Victim:
    """An honest player whose opponent is an abuser."""

    def __init__(self, server: Server, address: str, clock: dict[str, int] | None, first: bool) -> None:
        self.server = server
        self.address = address
        self.first = first  # whether the honest player has made the first move, so that the abuser is to move
        self.errors: Counter[str] = Counter()
        self._clock = clock
        self.game = ""
        self.token = ""
        self.prey = Prey("", "", "")

    async def begin(self) -> None:
        """Create the game and make its first move."""
        made = await asyncio.to_thread(self.server.new_game, {"game": "showdown"}, self.address, self._clock)
        self.game, seats = made
        self.token, other = seats if self.first else seats[::-1]
        async with dial(self.server, self.address) as socket:
            hello = {"type": "hello", "game": self.game, "token": seats[0]}
            await socket.send(encode(hello).decode())
            watch = json.loads(await socket.recv())["watch"]
            await socket.send(encode({"type": "move", "ply": 0, "line": 0, "cell": 12}).decode())
            while json.loads(await socket.recv())["type"] != "accepted":
                pass
        async with dial(self.server, self.address) as socket:  # so that the player can later come back
            await greet(socket, self.game, self.token)
        self.prey = Prey(self.game, other, watch)

    def outcome(self) -> dict[str, Any] | None:
        """Return the game's outcome, or None if the game is not over."""
        state = self.server.request("GET", f"/api/games/{self.game}", token=self.token, address=self.address)
        found: dict[str, Any] | None = state["outcome"]
        return found


class Absentee(Victim):
    """A player who repeatedly leaves a game and comes back after some time."""

    def __init__(self, server: Server, address: str, clock: dict[str, int] | None, first: bool, away: float) -> None:
        super().__init__(server, address, clock, first)
        self.away = away
        self.longest = 0.0  # seconds without a connection
        self.kept_out = 0.0  # the longest time from wanting to come back to being back
        self.returns = 0  # attempts to come back
        self.refused: Counter[str] = Counter()  # counted by what came instead of the game
        self._left = 0.0

    async def come_and_go(self) -> None:
        """Repeatedly leave the game and come back to it, until cancelled."""
        self._left = time.monotonic()
        try:
            while True:
                await asyncio.sleep(self.away)
                await self._come_back()
        finally:
            self.longest = max(self.longest, time.monotonic() - self._left)

    def _return(self) -> connect:
        return dial(self.server, self.address, tokens.back(self.token))

    async def _come_back(self) -> None:
        begin = time.monotonic()
        while True:
            self.returns += 1
            try:
                async with asyncio.timeout(_BACK + 2 * _AGAIN), self._return() as socket:
                    await greet(socket, self.game, self.token)
                    now = time.monotonic()
                    self.kept_out = max(self.kept_out, now - begin)
                    self.longest = max(self.longest, now - self._left)
                    await asyncio.sleep(_BACK)
                    self._left = time.monotonic()
                return
            except (OSError, TimeoutError, WebSocketException) as error:
                self.refused[why(error)] += 1
                self.kept_out = max(self.kept_out, time.monotonic() - begin)
                await asyncio.sleep(_AGAIN)


class Nagged(Victim):
    """A player whose opponent keeps asking for a takeback and keeps hiding the page."""

    def __init__(self, server: Server, address: str) -> None:
        super().__init__(server, address, None, first=False)
        self.questions = 0
        self.presences = 0

    async def listen(self) -> None:
        """Count the messages until cancelled."""
        asked = False
        try:
            async with dial(self.server, self.address) as socket:
                await greet(socket, self.game, self.token)
                async for text in socket:
                    message = json.loads(text)
                    if message["type"] == "state":
                        self.questions += bool(message["offer"]) and not asked
                        asked = bool(message["offer"])
                    self.presences += message["type"] == "presence"
            raise ConnectionClosed(None, None)
        except (OSError, TimeoutError, WebSocketException) as error:
            self.errors[f"a nagged player: {why(error)}"] += 1


class Victims:
    """Honest players who play against abusers: three of them repeatedly leave, and one gets many takeback requests."""

    def __init__(self, server: Server) -> None:
        self.absent = {
            "no clock": Absentee(server, "127.12.3.1", None, first=True, away=_AWAY),
            "both gone": Absentee(server, "127.12.3.2", _LONG, first=False, away=_AWAY),
            "same address": Absentee(server, SHARED, _LONG, first=False, away=_AGAIN),
        }
        self.nagged = Nagged(server, "127.12.3.4")
        self.lost: list[str] = []  # the situations in which an opponent claimed the win

    async def begin(self) -> dict[str, Prey]:
        """Create the games, and return the seats and tokens that the opponents need."""
        for victim in (*self.absent.values(), self.nagged):
            await victim.begin()
        return {name: victim.prey for name, victim in self.absent.items()} | {"nagging": self.nagged.prey}

    async def check(self) -> None:
        """Fetch the games' outcomes, and record which games were lost because an opponent claimed the win."""
        for name, victim in self.absent.items():
            outcome = await asyncio.to_thread(victim.outcome)
            if outcome is not None and outcome["termination"] == "left":
                self.lost.append(name)
