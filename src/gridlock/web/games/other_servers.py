"""Sharing events, presence and reactions with other server processes on the same PostgreSQL database.

The players' presence is not stored. In its reports, each process tells the others which of a game's players are
connected to it. A process sends its report when a player connects or disconnects, when another process opens the game,
and at regular intervals. Reports must be repeated, because a process that is killed cannot report that its players
have disconnected.
"""

import asyncio
import logging
import math
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, get_args

from msgspec import convert
from sqlalchemy import make_url

from gridlock.core.game import Player
from gridlock.web.games.live import Live, Seats
from gridlock.web.storage.databases import NETWORK, PATIENCE
from gridlock.web.storage.store import CHANNEL
from gridlock.web.wire.answers import Status
from gridlock.web.wire.messages import Reaction

if TYPE_CHECKING:
    from psycopg import AsyncConnection  # loaded only for PostgreSQL

log = logging.getLogger("gridlock.web")
PRESENCE = f"{CHANNEL}_presence"
REPEAT = 10.0  # seconds between two reports on a game
HOLDS = 25.0  # seconds that a report is valid, so that one report may be lost
QUERY = "?"  # ends a report that also asks the other processes for their reports
_MOST_REACTIONS = 1000  # most reactions waiting to be sent
NOBODY: Seats = ("gone", "gone")
_BY_LETTER: dict[str, Status] = {status[0]: status for status in get_args(Status)}


@dataclass(eq=False)
class OtherServers:
    """The presence reports and reactions that this process sends to other processes or receives from them."""

    _process: str
    _games: dict[str, Live]
    _show_presence: Callable[[Live], None]
    _show_reaction: Callable[[Live, Player, Reaction], None]
    _listening: float | None = None  # the time since which no report can have been missed
    _reports: dict[str, bool] = field(default_factory=dict)  # games to report on, and whether to ask for reports
    _reactions: deque[str] = field(default_factory=lambda: deque(maxlen=_MOST_REACTIONS))
    _ready: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def blind(self) -> float:
        """The number of seconds until every other process has had time to report its connected players.

        No player may claim a win or cancel the game until the other processes have had time to report which players
        are connected to them, because the opponent may be connected to another process.
        """
        return math.inf if self._listening is None else max(0.0, self._listening + HOLDS - time.monotonic())

    def report(self, live: Live, ask: bool = False) -> None:
        """Tell the other processes which of a game's players are connected to this process.

        If `ask` is true, also ask the other processes for their reports.
        """
        self._reports[live.table.id] = ask or self._reports.get(live.table.id, False)
        self._ready.set()

    def send_reaction(self, live: Live, player: Player, what: Reaction) -> None:
        """Forward a player's reaction to the other processes."""
        self._reactions.append(f"{self._process} {live.table.id} {player} {what}")
        self._ready.set()

    async def next(self) -> str:
        """Return the next notification to send; wait until there is one.

        A presence report is created just before it is sent, so it is always up to date.
        """
        await self._ready.wait()
        if len(self._reports) + len(self._reactions) == 1:
            self._ready.clear()
        if self._reactions:
            return self._reactions.popleft()
        game = next(iter(self._reports))
        ask = self._reports.pop(game)
        here = self._games[game].presence.here if game in self._games else NOBODY
        return f"{self._process} {game} {''.join(status[0] for status in here)}{QUERY if ask else ''}"

    async def repeat(self) -> None:
        """Report this process's players at regular intervals, and forget expired reports from other processes."""
        while True:
            await asyncio.sleep(REPEAT)
            for live in self._shared():
                if set(live.presence.here) != {"gone"}:
                    self.report(live)
                if live.presence.expire():
                    self._show_presence(live)

    def _shared(self) -> list[Live]:
        """Return the open games that more than one person can take part in."""
        return [live for live in self._games.values() if not live.table.alone]

    def set_listening(self, listening: bool) -> None:
        """Record that this process has started or stopped receiving notifications."""
        self._listening = time.monotonic() if listening else None
        for live in self._shared():
            if listening:
                self.report(live, ask=True)
            self._show_presence(live)

    def receive(self, notice: str) -> None:
        """Handle a notification from another process: a report, a request for a report, or a reaction."""
        process, game, what, *words = notice.split(" ")
        live = self._games.get(game)
        if process == self._process or live is None:
            return
        if words:
            self._show_reaction(live, int(what), convert(words[0], Reaction))
            return
        if what.endswith(QUERY):
            self.report(live)
        seats: Seats = (_BY_LETTER[what[0]], _BY_LETTER[what[1]])
        if live.presence.report(process, seats, HOLDS):
            self._show_presence(live)


async def listen(
    url: str, ours: Callable[[str], bool], refresh: Callable[[str | None], None], others: OtherServers
) -> None:
    """Call `refresh` with the id of each game that another process has changed, or with None after a gap in updates."""

    async def receive(connection: "AsyncConnection") -> None:
        for channel in (CHANNEL, PRESENCE):
            await connection.execute(f"LISTEN {channel}")
        try:
            refresh(None)
            others.set_listening(True)
            async for notice in connection.notifies():
                sender, _, game = notice.payload.partition(" ")
                if notice.channel == PRESENCE:
                    others.receive(notice.payload)
                elif not ours(sender):
                    refresh(game)
        finally:
            others.set_listening(False)

    await _reconnecting(url, receive)


async def send(url: str, others: OtherServers) -> None:
    """Send this process's presence reports and its players' reactions to the other processes."""

    async def notify(connection: "AsyncConnection") -> None:
        while True:
            await connection.execute("SELECT pg_notify(%s, %s)", (PRESENCE, await others.next()))

    await _reconnecting(url, notify)


async def _reconnecting(url: str, work: Callable[["AsyncConnection"], Awaitable[None]]) -> None:
    """Run a function on its own database connection; reconnect and rerun the function if the connection is lost."""
    import psycopg

    address = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    pause = 0.1
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(
                address, autocommit=True, connect_timeout=round(PATIENCE), **NETWORK
            ) as connection:
                pause = 0.1
                await work(connection)
        except (psycopg.Error, OSError) as error:
            log.warning("no updates from the database", extra={"error": type(error).__name__})
        await asyncio.sleep(pause)
        pause = min(2 * pause, 5)
