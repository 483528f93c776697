"""News from the other server processes on the same PostgreSQL database."""

import asyncio
import logging
from collections.abc import Callable

import psycopg
from sqlalchemy import make_url

from gridlock.web.databases import NETWORK, PATIENCE
from gridlock.web.store import CHANNEL

log = logging.getLogger("gridlock.web")


async def listen(url: str, ours: Callable[[str], bool], changed: Callable[[str | None], None]) -> None:
    """Call back with the id of every game that another process has changed, and with None after a gap in the news."""
    address = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    pause = 0.1
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(
                address, autocommit=True, connect_timeout=round(PATIENCE), **NETWORK
            ) as connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                pause = 0.1
                changed(None)
                async for notice in connection.notifies():
                    sender, _, game = notice.payload.partition(" ")
                    if not ours(sender):
                        changed(game)
        except (psycopg.Error, OSError) as error:
            log.warning("no news from the database", extra={"error": type(error).__name__})
        await asyncio.sleep(pause)
        pause = min(2 * pause, 5)
