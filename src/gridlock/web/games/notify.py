"""News between the server processes on one PostgreSQL database: what has been stored, and who is there."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

import psycopg
from sqlalchemy import make_url

from gridlock.web.games.other_servers import Elsewhere
from gridlock.web.storage.databases import NETWORK, PATIENCE
from gridlock.web.storage.store import CHANNEL

log = logging.getLogger("gridlock.web")
PRESENCE = f"{CHANNEL}_presence"


async def listen(
    url: str, ours: Callable[[str], bool], changed: Callable[[str | None], None], elsewhere: Elsewhere
) -> None:
    """Call back with the id of every game that another process has changed, and with None after a gap in the news."""

    async def hear(connection: psycopg.AsyncConnection) -> None:
        for channel in (CHANNEL, PRESENCE):
            await connection.execute(f"LISTEN {channel}")
        try:
            changed(None)
            elsewhere.listens(True)
            async for notice in connection.notifies():
                sender, _, game = notice.payload.partition(" ")
                if notice.channel == PRESENCE:
                    elsewhere.heard(notice.payload)
                elif not ours(sender):
                    changed(game)
        finally:
            elsewhere.listens(False)

    await _again_and_again(url, hear)


async def tell(url: str, elsewhere: Elsewhere) -> None:
    """Tell other processes who is here."""

    async def say(connection: psycopg.AsyncConnection) -> None:
        while True:
            await connection.execute("SELECT pg_notify(%s, %s)", (PRESENCE, await elsewhere.next()))

    await _again_and_again(url, say)


async def _again_and_again(url: str, work: Callable[[psycopg.AsyncConnection], Awaitable[None]]) -> None:
    """Do something on a connection of its own, and on the next one where that is lost."""
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
