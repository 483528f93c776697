"""What is kept and for how long: old games are purged, room is measured, and everything is looked over for damage.

All of it happens in small steps with pauses between them, so that no player notices; and by dates that do not jump, so
that a wrong clock purges nothing.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from itertools import islice

from sqlalchemy import Connection, delete, func, select, text
from sqlalchemy.exc import SQLAlchemyError

from gridlock.web.net import metrics
from gridlock.web.referee.table import Stage
from gridlock.web.storage import rows
from gridlock.web.storage.rows import Damaged
from gridlock.web.storage.schema import events, games, hour_of
from gridlock.web.storage.store import Store

log = logging.getLogger("gridlock.web")
DAY = 86400.0
STEP_GAMES, STEP_EVENTS = 50, 2000  # that are purged, or looked over, at once
MEASURING = 10.0  # seconds between two measurements
BUSY, IDLE = 1.0, 60.0  # seconds between two steps of a purge: while there is more to do, and otherwise
SCRUBBING, ROUND = 2.0, 3600.0  # seconds between two slices, and between the beginnings of two rounds at least
NOTED = 3600.0  # seconds after which the date is written down, even if nothing else is
_REASONS = {Stage.UNTOUCHED: "untouched", Stage.FINISHED: "finished", Stage.BEGUN: "abandoned"}


@dataclass(frozen=True)
class Keeping:
    """What an operator may set; 0 means for ever, and without a limit."""

    untouched: int = 7  # days that a game without a move is kept
    finished: int = 90
    abandoned: int = 365  # days after the last move of a game that was not finished
    most_games: int = 1_000_000
    # A million ordinary games take about 1.5 GB. Beyond this something is wrong, and most disks are not full yet.
    megabytes: int = 4096

    def days(self, stage: Stage) -> int:
        """How long a game is kept that has come so far."""
        return {Stage.UNTOUCHED: self.untouched, Stage.FINISHED: self.finished, Stage.BEGUN: self.abandoned}[stage]


class Maintenance:
    """Looks after a database while the server runs."""

    def __init__(self, store: Store, keeping: Keeping, in_use: Callable[[], Collection[str]]) -> None:
        self.store = store
        self.keeping = keeping
        self.in_use = in_use  # games that are open, and therefore not purged
        self._noted = 0.0  # when the date was last written down

    async def run(self) -> None:
        """Go on until it is cancelled."""
        await asyncio.gather(self._again(self.measure), self._again(self._purge), self._again(self._scrub_slice()))

    async def _again(self, step: Callable[[], Awaitable[float]]) -> None:
        """Do something again and again, after the pause that it asks for; a database that fails is tried later."""
        failing = False
        while True:
            try:
                pause = await step()
                failing = False
            except (SQLAlchemyError, OSError) as error:
                if not failing:
                    log.warning("keeping waits for the database", extra={"error": type(error).__name__})
                failing, pause = True, MEASURING
            except Exception:  # whatever it is, games are looked after again in a while
                log.exception("keeping failed")
                pause = MEASURING
            await asyncio.sleep(pause)

    # -- room -------------------------------------------------------------------------------------------------

    async def measure(self) -> float:
        """Find out how much there is, and whether there is room for more."""
        kept, size = await self.store.read(lambda connection: (_count(connection), self._bytes(connection)))
        metrics.games_kept.set(kept)
        metrics.database_bytes.set(size)
        most, limit = self.keeping.most_games, self.keeping.megabytes * 1_000_000
        full = None
        if most and kept >= most:
            full = f"This server keeps {most} games and no more. Try again when old ones have been purged."
        elif limit and size >= limit:
            full = "This server's database has reached its limit. Try again when old games have been purged."
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

    # -- the purge --------------------------------------------------------------------------------------------

    async def _purge(self) -> float:
        if self.store.dates.now() - self._noted >= NOTED:
            self._noted = self.store.dates.now()
            await self.store.alive()  # writes the date, so that the next start knows until when there was a server
        purged = [await self.purge(stage) for stage in Stage]
        return BUSY if any(purged) else IDLE

    async def purge(self, stage: Stage) -> int:
        """Purge a few of the games that have come so far and have been kept long enough; how many."""
        days = self.keeping.days(stage)
        if not days:
            return 0
        before = hour_of(self.store.dates.now() - days * DAY)
        spared = {*self.in_use(), *self.store.damaged}
        chosen = await self.store.read(lambda connection: self._old(connection, stage, before, spared))
        if not chosen:
            return 0
        count = await self.store.write(lambda connection: _delete(connection, chosen), alone=True)
        metrics.purged.labels(_REASONS[stage]).inc(count)
        log.info("purged", extra={"games": count, "reason": _REASONS[stage]})
        return count

    def _old(
        self, connection: Connection, stage: Stage, before: float, spared: Collection[str]
    ) -> dict[str, rows.Counted]:
        """Games that may go; a damaged one may not, however old its row says it is."""
        query = select(games.c.id).where(games.c.stage == stage, games.c.changed < before).order_by(games.c.changed)
        ids = connection.execute(query.limit(STEP_GAMES + len(spared))).scalars().all()
        chosen: dict[str, rows.Counted] = {}
        for id in islice((id for id in ids if id not in spared), STEP_GAMES):
            try:
                chosen[id], _ = rows.since(connection, id, 0)
            except Damaged as damage:
                self.store.found(damage)
            if sum(counted.events for counted in chosen.values()) > STEP_EVENTS:
                break
        return chosen

    # -- the scrub --------------------------------------------------------------------------------------------

    def _scrub_slice(self) -> Callable[[], Awaitable[float]]:
        last, began = "", asyncio.get_running_loop().time()

        async def step() -> float:
            nonlocal last, began
            last = await self.scrub(last)
            if last:
                return SCRUBBING
            passed = asyncio.get_running_loop().time() - began
            began += passed
            return max(SCRUBBING, ROUND - passed)

        return step

    async def scrub(self, last: str) -> str:
        """Verify the checksums of the games after this one; the last one looked at, or nothing at the end."""
        looked, damages = await self.store.read(lambda connection: _verify(connection, last))
        for damage in damages:
            self.store.found(damage)
        return looked


def _count(connection: Connection) -> int:
    return int(connection.execute(select(func.count()).select_from(games)).scalar_one())


def _delete(connection: Connection, chosen: dict[str, rows.Counted]) -> int:
    """Delete games, unless something has happened in them meanwhile; how many."""
    deleted = 0
    for id, counted in sorted(chosen.items()):
        unchanged = delete(games).where(games.c.id == id, games.c.events == counted.events)
        if connection.execute(unchanged).rowcount:
            connection.execute(delete(events).where(events.c.game == id))
            deleted += 1
    return deleted


def _verify(connection: Connection, last: str) -> tuple[str, list[Damaged]]:
    """Verify a slice of games in the order of their ids, those too that only have events."""
    known = select(games.c.id).where(games.c.id > last).order_by(games.c.id).limit(STEP_GAMES)
    played = select(events.c.game).where(events.c.game > last).order_by(events.c.game).distinct().limit(STEP_GAMES)
    ids = sorted({*connection.execute(known).scalars(), *connection.execute(played).scalars()})[:STEP_GAMES]
    damages, seen, looked = [], 0, ""
    for looked in ids:
        try:
            if rows.settings_of(connection, looked) is not None:
                counted, _ = rows.since(connection, looked, 0)
                seen += counted.events
        except Damaged as damage:
            damages.append(damage)
        if seen > STEP_EVENTS:
            break
    metrics.scrubbed.inc(seen)
    return looked, damages
