"""Apply the operator's decisions: disconnect blocked clients, and everyone in games that the operator has ended."""

import asyncio
import ipaddress
import logging
from collections.abc import Collection
from functools import lru_cache

from sqlalchemy.exc import SQLAlchemyError

from gridlock.core.errors import GridLockError
from gridlock.web.games.live import Live
from gridlock.web.net.limits import client_of
from gridlock.web.storage import moderation
from gridlock.web.storage.moderation import BLOCK, END, HIDE, Ruling
from gridlock.web.storage.shares import written
from gridlock.web.storage.store import Store

log = logging.getLogger("gridlock.web")
READING = 2.0  # seconds between two reads of the decisions
FORBIDDEN = 4403  # the WebSocket close code for blocked clients and ended games
BLOCKED = "This server's operator has blocked your address."
ENDED = "This server's operator has ended this game."


class Ended(GridLockError):
    """The operator has ended the game; the message says so and gives the reason."""


class Moderation:
    """The operator's moderation decisions, as last read from the database."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._rulings: list[Ruling] = []
        self._blocks: dict[str, str] = {}  # clients' codes, with the reasons
        self._networks: list[tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, str]] = []
        self.ended: dict[str, str] = {}  # games, with the reasons
        self.hidden: Collection[str] = ()  # games that are not listed
        self._why = lru_cache(10_000)(self._find)

    def why_blocked(self, address: str) -> str | None:
        """Return the message for clients at a blocked address; None if the address is not blocked."""
        return self._why(address) if self._blocks or self._networks else None

    def check(self, game: str) -> None:
        """Raise Ended if the operator has ended this game."""
        if words := self.ended.get(game):
            raise Ended(words)

    async def read(self, games: dict[str, Live]) -> None:
        """Read the operator's decisions, and disconnect the clients that the decisions affect."""
        rulings = await self._store.read(moderation.read)
        if rulings == self._rulings:
            return
        self._rulings = rulings
        blocks = {one.target: _sentence(BLOCKED, one) for one in rulings if one.kind == BLOCK}
        self._blocks = {target: words for target, words in blocks.items() if not _is_network(target)}
        self._networks = [(ipaddress.ip_network(one), words) for one, words in blocks.items() if _is_network(one)]
        self.ended = {one.target: _sentence(ENDED, one) for one in rulings if one.kind == END}
        self.hidden = {one.target for one in rulings if one.kind == HIDE}
        self._why.cache_clear()
        for id, live in games.items():
            for viewer in live.viewers:
                if words := self.ended.get(id) or self.why_blocked(viewer.address):
                    viewer.dismiss(FORBIDDEN, words)
        kinds = {f"{kind}s": sum(one.kind == kind for one in rulings) for kind in (BLOCK, END, HIDE)}
        log.info("moderation", extra=kinds)

    async def run(self, games: dict[str, Live]) -> None:
        """Poll the database for the operator's decisions."""
        while True:
            try:
                await self.read(games)
            except (SQLAlchemyError, OSError) as error:
                log.warning("moderation is waiting for the database", extra={"error": type(error).__name__})
            await asyncio.sleep(READING)

    def _find(self, address: str) -> str | None:
        client = client_of(address)
        for code in self._store.shares.owner(client):
            if code is not None and (words := self._blocks.get(written(code))):
                return words
        try:
            parsed = ipaddress.ip_address(address)
        except ValueError:
            return None
        parsed = getattr(parsed, "ipv4_mapped", None) or parsed
        return next((words for one, words in self._networks if parsed in one), None)


def _is_network(target: str) -> bool:
    return "/" in target


def _sentence(start: str, ruling: Ruling) -> str:
    return f"{start} The reason: {ruling.words}" if ruling.words else start
