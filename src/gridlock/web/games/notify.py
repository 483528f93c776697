"""Notices between the server processes on one PostgreSQL database: stored events, presence and reactions."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

import psycopg
from sqlalchemy import make_url

from gridlock.web.games.other_servers import OtherServers
from gridlock.web.storage.databases import NETWORK, PATIENCE
from gridlock.web.storage.store import CHANNEL

log = logging.getLogger("gridlock.web")
PRESENCE = f"{CHANNEL}_presence"


async def listen(
    url: str, ours: Callable[[str], bool], refresh: Callable[[str | None], None], others: OtherServers
) -> None:
    """Call `refresh` with the id of each game that another process changed, and with None after a gap."""

    async def receive(connection: psycopg.AsyncConnection) -> None:
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
    """Send this process's reports and reactions to the others."""

    async def notify(connection: psycopg.AsyncConnection) -> None:
        while True:
            await connection.execute("SELECT pg_notify(%s, %s)", (PRESENCE, await others.next()))

    await _reconnecting(url, notify)


async def _reconnecting(url: str, work: Callable[[psycopg.AsyncConnection], Awaitable[None]]) -> None:
    """Run work on a connection of its own, and start again on a new one whenever the connection is lost."""
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
            log.warning("no news from the database", extra={"error": type(error).__name__})
        await asyncio.sleep(pause)
        pause = min(2 * pause, 5)
