"""Limits on how much of the database a single client or a whole IPv6 /48 network may use.

Addresses are not stored. Each game is stored with two codes: one for the client that started the game, and one for that
client's network. The codes are keyed hashes, and the key is stored in the same database as the codes. The codes
therefore distinguish clients, but are useless on another server. Deleting a game also deletes the codes stored with it.

Until a game ends, space in the database is reserved for a move on every cell of its board. Therefore, an ordinary move
is never rejected for lack of space, and the server does not have to check how much the client has stored. A game may
use up its reserved space, for example after many takebacks. Once a game has used up its reserved space, further events
in the game are rejected if the client that started the game, or that client's network, has reached a storage limit.
"""

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

from sqlalchemy import Connection, bindparam, case, func, select

from gridlock.web.net.limits import Limits, network_of
from gridlock.web.storage.rows import Owner
from gridlock.web.storage.schema import games

FRESH = 10.0  # seconds that a measurement is reused; new games in this process are added to it
PART = 4  # a /64 network may use at most 1/PART of its /48 network's share
_REMEMBERED = 10_000  # measurements
_IS_CLIENTS = games.c.client == bindparam("client")
_HELD = select(
    func.count(),
    func.coalesce(func.sum(games.c.room), 0),
    func.coalesce(func.sum(case((_IS_CLIENTS, 1), else_=0)), 0),
    func.coalesce(func.sum(case((_IS_CLIENTS, games.c.room), else_=0)), 0),
).where(games.c.network == bindparam("network"))
_OWNER = select(games.c.network, games.c.client).where(games.c.id == bindparam("game"))
_AGAIN = "Try again once the server has deleted old games."


Read = Callable[[Callable[[Connection], tuple[int, ...]]], Awaitable[tuple[int, ...]]]


class Full(Exception):
    """Raised when a client has used up its share of the database; the message is meant for the client."""


@dataclass
class Held:
    """How many games a client or a network has stored, and how many bytes they take up."""

    games: int
    room: int
    at: float  # when the games and bytes were measured


def code(client: str, secret: str) -> int:
    """Return the code (a keyed hash) that identifies a client or network."""
    key = bytes.fromhex(secret)
    return int.from_bytes(blake2b(client.encode(), key=key, digest_size=8).digest(), "big", signed=True)


def written(number: int) -> str:
    """Return a client's code in hexadecimal, as operators see it."""
    return f"{number % (1 << 64):016x}"


class Shares:
    """The storage limits of clients and networks, and their current usage, which is cached for a few seconds."""

    def __init__(self, limits: Limits, read: Read) -> None:
        self.secret = ""  # known once the database has been prepared
        self.most_games = limits.most_games * limits.share // 100 or min(1, limits.most_games)
        self.most_room = limits.megabytes * 10_000 * limits.share
        self._read = read
        self._held: OrderedDict[Owner, Held] = OrderedDict()  # a network's own entry has no client
        self._code = lru_cache(4096)(lambda client: code(client, self.secret))

    def owner(self, client: str) -> Owner:
        """Return the codes (keyed hashes) that identify a client and its network."""
        return Owner(self._code(network_of(client)), self._code(client))

    def name(self, client: str) -> str:
        """Return the code that identifies a client, in the form that operators see."""
        return written(self._code(client))

    async def refusal(self, client: str) -> str | None:
        """Return a sentence that says why a client cannot store another game, or None if it can."""
        return await self._refusal(self.owner(client))

    async def growth(self, game: str) -> str | None:
        """Return a sentence that says why a game may not exceed its reserved space, or None if the game may do so."""
        owner = Owner(*await self._read(lambda connection: tuple(connection.execute(_OWNER, {"game": game}).one())))
        return None if owner.network is None else await self._refusal(owner)

    def add(self, owner: Owner, room: int) -> None:
        """Add a new game to the cached usage of its client and of the client's network."""
        for key in {owner, Owner(owner.network)}:
            if held := self._held.get(key):
                held.games += 1
                held.room += room

    async def _refusal(self, owner: Owner) -> str | None:
        whole = Owner(owner.network)
        if self._over(whole):  # known without another look at the database
            return self._words(owner if owner.client == owner.network else whole)
        if not self._fresh(owner):
            held = await self._read(lambda connection: tuple(connection.execute(_HELD, owner._asdict()).one()))
            self._remember(whole, *held[:2])
            self._remember(owner, *held[2:])
        return next((self._words(key) for key in (owner, whole) if self._over(key)), None)

    def _fresh(self, key: Owner) -> bool:
        held = self._held.get(key)
        return held is not None and time.monotonic() - held.at < FRESH

    def _remember(self, key: Owner, games: int, room: int) -> None:
        self._held[key] = Held(games, room, time.monotonic())
        self._held.move_to_end(key)
        while len(self._held) > _REMEMBERED:
            self._held.popitem(last=False)

    def most(self, key: Owner) -> tuple[int, int]:
        """Return how many games and bytes a client or network may store; 0 means no limit."""
        part = PART if key.client not in (None, key.network) else 1
        return -(-self.most_games // part), self.most_room // part

    def _over(self, key: Owner) -> bool:
        games, room = self.most(key)
        held = self._held.get(key)
        return held is not None and self._fresh(key) and (0 < games <= held.games or 0 < room <= held.room)

    def _words(self, key: Owner) -> str:
        games, _ = self.most(key)
        whose = "address" if key.client is not None else "network"
        if 0 < games <= self._held[key].games:
            return (
                f"This server stores at most {games} games per {whose}, and your {whose} has reached that limit. "
                f"{_AGAIN}"
            )
        return (
            f"The games started from your {whose} already take up all the space that this server allows per {whose}. "
            f"{_AGAIN}"
        )
