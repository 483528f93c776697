"""Database maintenance: purging old games, measuring the size, and verifying checksums.

Maintenance runs in small steps, with pauses in between, so that players do not notice it. A game's age does not
jump when the machine's clock does, so a wrong clock does not cause games to be purged.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from itertools import islice

from sqlalchemy import Connection, delete, func, select, text
from sqlalchemy.exc import SQLAlchemyError

from gridlock.web.net import metrics
from gridlock.web.net.limits import Limits
from gridlock.web.referee.table import Stage
from gridlock.web.storage import moderation, rows
from gridlock.web.storage.rows import Damaged
from gridlock.web.storage.schema import events, games, hour_of
from gridlock.web.storage.store import Store

log = logging.getLogger("gridlock.web")
DAY = 86400.0
STEP_GAMES, STEP_EVENTS = 50, 2000  # purged or verified in one step
MEASURING = 10.0  # seconds between two measurements
BUSY, IDLE = 1.0, 60.0  # seconds between two purges: while there is more to do, and otherwise
SCRUBBING, ROUND = 2.0, 3600.0  # seconds between two slices, and minimum seconds between the starts of two rounds
DATING = 3600.0  # seconds after which the date is recorded even if nothing else is written
# For each stage of play, the name of the Limits field that says how many days games at that stage are kept. The
# field's name is also logged as the reason for purging a game.
_REASONS = {Stage.UNTOUCHED: "untouched", Stage.FINISHED: "finished", Stage.BEGUN: "abandoned"}


class Maintenance:
    """The background tasks that maintain a database while the server runs."""

    def __init__(self, store: Store, limits: Limits, in_use: Callable[[], Collection[str]]) -> None:
        self.store = store
        self.limits = limits
        self.in_use = in_use  # open games, which are not purged
        self._dated = 0.0  # when the date was last recorded
        self._scrubbed = ""  # the last game that was verified in this round
        self._round = time.monotonic()  # when this round began

    async def run(self) -> None:
        """Repeat all tasks until cancelled."""
        await asyncio.gather(self._repeat(self.measure), self._repeat(self._purge), self._repeat(self._scrub))

    async def _repeat(self, step: Callable[[], Awaitable[float]]) -> None:
        """Run a step repeatedly, with pauses in between.

        Each run of the step returns how many seconds to pause; after an error, the pause has a fixed length.
        """
        failing = False
        while True:
            try:
                pause = await step()
                failing = False
            except (SQLAlchemyError, OSError) as error:
                if not failing:
                    log.warning("maintenance is waiting for the database", extra={"error": type(error).__name__})
                failing, pause = True, MEASURING
            except Exception:  # maintenance continues after any error
                log.exception("maintenance failed")
                pause = MEASURING
            await asyncio.sleep(pause)

    async def measure(self) -> float:
        """Measure the size of the database, and record whether there is room for new games."""
        count = select(func.count()).select_from(games)
        kept, size = await self.store.read(
            lambda connection: (connection.execute(count).scalar_one(), self._bytes(connection))
        )
        metrics.games_kept.set(kept)
        metrics.database_bytes.set(size)
        most, limit = self.limits.most_games, self.limits.megabytes * 1_000_000
        full = None
        if most and kept >= most:
            full = f"This server stores at most {most} games. Try again once the server has deleted old games."
        elif limit and size >= limit:
            full = "This server's database is full. Try again once the server has deleted old games."
        if full and not self.store.full:
            log.error("no room for new games", extra={"games": kept, "bytes": size})
        self.store.full = full
        return MEASURING

    def _bytes(self, connection: Connection) -> int:
        if self.store.kind == "postgresql":
            return int(connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one())
        pages, free, size = (
            connection.execute(text(f"PRAGMA {name}")).scalar_one()
            for name in ("page_count", "freelist_count", "page_size")
        )
        assert self.store.database.file is not None
        log_file = self.store.database.file.with_name(f"{self.store.database.file.name}-wal")
        return int((pages - free) * size + (log_file.stat().st_size if log_file.exists() else 0))

    async def _purge(self) -> float:
        if self.store.dates.now() - self._dated >= DATING:
            self._dated = self.store.dates.now()
            await self.store.alive()  # records the date, so that the next start knows when a server last ran
        purged = [await self.purge(stage) for stage in Stage]
        return BUSY if any(purged) else IDLE

    async def purge(self, stage: Stage) -> int:
        """Purge a few old games that are at the given stage of play, and return how many were purged."""
        reason = _REASONS[stage]
        days = getattr(self.limits, reason)
        if not days:
            return 0
        before = hour_of(self.store.dates.now() - days * DAY)
        spared = {*self.in_use(), *self.store.damaged}
        chosen = await self._old(stage, before, spared)
        if not chosen:
            return 0
        count = await self.store.write(lambda connection: _delete(connection, chosen), alone=True)
        metrics.purged.labels(reason).inc(count)
        log.info("purged", extra={"games": count, "reason": reason})
        return count

    async def _old(self, stage: Stage, before: float, spared: Collection[str]) -> dict[str, rows.Counted]:
        """Return a few games to purge; damaged games are kept, since the age in their rows may be wrong."""
        query = select(games.c.id).where(games.c.stage == stage, games.c.changed < before).order_by(games.c.changed)
        query = query.limit(STEP_GAMES + len(spared))
        ids = await self.store.read(lambda connection: connection.execute(query).scalars().all())
        chosen: dict[str, rows.Counted] = {}
        for id in islice((id for id in ids if id not in spared), STEP_GAMES):
            with suppress(Damaged):  # the store has logged it
                counted = await self.store.verify(id)
                if counted and counted.stage == stage and counted.changed < before:  # it may have changed
                    chosen[id] = counted
            if sum(counted.events for counted in chosen.values()) > STEP_EVENTS:
                break
        return chosen

    async def _scrub(self) -> float:
        self._scrubbed = await self.scrub(self._scrubbed)
        if self._scrubbed:
            return SCRUBBING
        passed = time.monotonic() - self._round
        self._round += passed
        return max(SCRUBBING, ROUND - passed)

    async def scrub(self, last: str) -> str:
        """Verify the next few games after the given id; return the last id verified, or "" if no games are left."""
        seen, verified = 0, ""
        for verified in await self.store.read(lambda connection: _after(connection, last)):
            with suppress(Damaged):  # the store has logged it
                counted = await self.store.verify(verified)
                seen += counted.events if counted else 0
            if seen > STEP_EVENTS:
                break
        metrics.scrubbed.inc(seen)
        return verified


def _delete(connection: Connection, chosen: dict[str, rows.Counted]) -> int:
    """Delete each chosen game unless it has changed in the meantime, and return how many games were deleted."""
    deleted = 0
    for id, counted in sorted(chosen.items()):
        unchanged = delete(games).where(games.c.id == id, games.c.events == counted.events)
        if connection.execute(unchanged).rowcount:
            connection.execute(delete(events).where(events.c.game == id))
            moderation.lift(connection, id)
            deleted += 1
    return deleted


def _after(connection: Connection, last: str) -> list[str]:
    """Return the next few game ids in order, including ids that have events but no game."""
    known = select(games.c.id).where(games.c.id > last).order_by(games.c.id).limit(STEP_GAMES)
    played = select(events.c.game).where(events.c.game > last).order_by(events.c.game).distinct().limit(STEP_GAMES)
    return sorted({*connection.execute(known).scalars(), *connection.execute(played).scalars()})[:STEP_GAMES]
