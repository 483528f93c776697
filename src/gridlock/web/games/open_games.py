"""Manage this process's open games: load them, store each event before it is shown, and run their clocks."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

from msgspec import UNSET
from sqlalchemy.exc import SQLAlchemyError

from gridlock.core.errors import GridLockError
from gridlock.web.games.live import Live
from gridlock.web.games.moderation import Ended, Moderation
from gridlock.web.net import metrics
from gridlock.web.referee.decide import TOO_LONG, Decision, Rejection, fallen
from gridlock.web.referee.table import MOST_WITH_TAKEBACKS, GameEvent, Rematched, Table, Timed
from gridlock.web.storage.clocks import PULSE, Awake
from gridlock.web.storage.rows import Damaged
from gridlock.web.storage.shares import Full
from gridlock.web.storage.store import Store
from gridlock.web.wire.answers import Notice

log = logging.getLogger("gridlock.web")
T = TypeVar("T")
BEAT = 2.0  # seconds between two recordings of how far the clocks have advanced
_ASLEEP = 5.0  # seconds after each recording during which the players' presence counts
_ELSEWHERE = 1.0  # seconds until this process rechecks a deadline that another process should have noticed
_AFTER = 0.01  # seconds added to a deadline, so that it has certainly passed
_TRIES = 5  # how many times an action is decided again because another process was faster
_LONG = 100  # a game with at least this many events is slow to read
_MOST_CACHED = 10_000  # most moves of long games that stay in memory after the games are closed

NO_STORAGE = Rejection("storage", "The server could not save your action. Try again in a moment.")


class Unplayable(GridLockError):
    """This server does not know a stored game's rules, perhaps because a package is no longer installed."""


class OpenGames:
    """All games that are open in this process."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.ticks = store.ticks
        self.awake = Awake(_ASLEEP)  # for the presence of players
        self._clocks_run = asyncio.Event()
        self.open: dict[str, Live] = {}
        self.moderation = Moderation(store)
        self.stopping = False
        self._loading: dict[str, asyncio.Task[Table | None]] = {}
        self._cached: dict[str, Table] = {}  # long games, ordered by when they were closed
        self._unplayable: set[str] = set()  # games whose clocks are ignored
        self._tasks: set[asyncio.Task[Any]] = set()

    @asynccontextmanager
    async def game(self, id: str) -> AsyncIterator[Live | None]:
        """Keep a game open while it is in use.

        Yield None if the game does not exist. Raise Ended if the operator has ended the game.
        """
        self.moderation.check(id)
        live = self.open.get(id)
        if live is None:
            task = self._loading.get(id)
            if task is None:
                task = self._loading[id] = asyncio.create_task(self._load(id))
                task.add_done_callback(lambda _: self._loading.pop(id, None))
            try:
                table = await asyncio.shield(task)
            except GridLockError as error:
                raise Unplayable(f"This game cannot be continued on this server: {error}") from error
            if table is None:
                yield None
                return
            live = self.open.setdefault(id, Live(table, self.awake.now))
            self.on_open(live)
            if self.store.kind == "postgresql":
                self.refresh(id)  # another process may have changed the game while it was being loaded
        live.users += 1
        if live.alarm is None:
            self.watch_clock(live)
        try:
            yield live
        finally:
            self.release(live)

    def in_use(self) -> set[str]:
        """Return the ids of the games that are open or being opened."""
        return {*self.open, *self._loading}

    def on_open(self, live: Live) -> None:
        """A hook for subclasses, called when this process has opened a game."""

    def on_close(self, live: Live) -> None:
        """A hook for subclasses, called when this process has closed a game."""

    def release(self, live: Live) -> None:
        """Stop using a game, and close it if it has no other users."""
        live.users -= 1
        if live.users == 0:
            self.open.pop(live.table.id, None)
            self.watch_clock(live)
            self.on_close(live)
            if live.table.sequence >= _LONG:  # a player may come back to the game
                self._cached[live.table.id] = live.table
            while sum(_LONG + table.ply for table in self._cached.values()) > _MOST_CACHED:
                del self._cached[next(iter(self._cached))]

    async def _load(self, id: str) -> Table | None:
        await self._in_time()
        if table := self._cached.pop(id, None):
            with suppress(Damaged):  # the game is damaged or purged, and reading all of it will show which
                for event in await self.store.since(id, table.sequence):
                    table.apply(event)
                return table
        return await self.store.load(id)

    async def decide_and_store(
        self, live: Live, decide: Callable[[Table], Decision], client: str | None = None
    ) -> Rejection | None:
        """Decide on an action and store its event; decide again if time ran out or another process was faster."""
        if live.table.settings.clock is not UNSET:
            await self._in_time()
        at, spared = self.ticks.now(), live.spared  # read now, so that waiting for the database costs players no time
        async with live.lock:
            for _ in range(_TRIES):
                table = live.table
                flag = None if self._flag_falls_elsewhere(live) else fallen(table, at - spared)
                decision = flag or decide(table)
                if decision is None or isinstance(decision, Rejection):
                    return decision
                if isinstance(decision, Timed) and table.settings.clock is not UNSET:
                    decision.at, decision.spared = at, spared or UNSET
                next_round = (decision.game, table.next_round()) if isinstance(decision, Rematched) else None
                try:
                    stored = await self.store.append(table, decision, next_round, client)
                    if not stored:
                        await self._catch_up(live)
                        continue
                except Full as full:
                    metrics.refusals.labels("share").inc()
                    return Rejection("limit", str(full))
                except (SQLAlchemyError, OSError) as error:
                    log.error("not stored", extra={"game": table.id, "error": type(error).__name__})
                    return NO_STORAGE
                self._apply(live, decision)
                self._publish(live)
                if flag is None:
                    return None
        return NO_STORAGE

    def _apply(self, live: Live, event: GameEvent) -> None:
        """Apply a stored event, and notify every viewer if the game has just become too long for takebacks."""
        live.table.apply(event)
        if live.table.sequence == MOST_WITH_TAKEBACKS:
            for viewer in live.viewers:
                viewer.notify("limit", Notice(TOO_LONG.words))

    def _publish(self, live: Live, spared: int = 0) -> None:
        """Send viewers a game's new state, and set its alarm; the player is not charged for `spared` milliseconds."""
        live.spared = spared
        if live.table.began is not None:
            self.ticks.recorded(live.table.began)
        live.show(self.ticks)
        self.watch_clock(live)
        self.on_event(live)

    def on_event(self, live: Live) -> None:
        """A hook for subclasses, called after events in a game."""

    async def _catch_up(self, live: Live) -> None:
        """Apply the events that another process has stored; the caller holds the game's lock."""
        events = await self.store.since(live.table.id, live.table.sequence)
        for event in events:
            self._apply(live, event)
        if events:  # a turn begins when this process learns of it, even if the other process's time is behind ours
            self._publish(live, max(0, self.ticks.now() - (live.table.began or 0)))

    def start_task(self, live: Live, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start work on a game, and keep the game open until the work is done.

        If a game were closed and reopened while a task was working on it, the same events could be applied to the game
        twice.
        """
        live.users += 1
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _: self.release(live))
        return task

    def refresh(self, id: str | None) -> None:
        """Read the events that another process has stored for a game, or for every open game if the id is None."""
        for live in [self.open[id]] if id in self.open else list(self.open.values()) if id is None else []:
            self.start_task(live, self._refresh(live))

    async def _refresh(self, live: Live) -> None:
        try:
            async with live.lock:
                await self._catch_up(live)
        except Damaged:
            pass  # the store has logged it
        except (SQLAlchemyError, OSError) as error:
            log.error("not read", extra={"game": live.table.id, "error": type(error).__name__})

    def watch_clock(self, live: Live) -> None:
        """Set an alarm for an open game's deadline; the store watches the deadlines of closed games."""
        if live.alarm:
            live.alarm.cancel()
        deadline = live.table.deadline
        live.alarm = None
        if deadline is None:
            return
        self._clocks_run.set()
        if live.users and not self.stopping:
            seconds = max(0.0, (deadline - live.now(self.ticks) + self.ticks.wait) / 1000) + _AFTER
            if seconds <= _AFTER and self._flag_falls_elsewhere(live):
                seconds = _ELSEWHERE
            loop = asyncio.get_running_loop()
            live.alarm = loop.call_later(seconds, lambda: self.start_task(live, self._check_clock(live)))

    def _flag_falls_elsewhere(self, live: Live) -> bool:
        """Return whether the player to move is connected only to other processes, which then check the clock."""
        player = live.table.ticking
        return player is not None and live.presence.elsewhere(player)

    async def check_clock(self, id: str) -> None:
        """End a game if the player to move has run out of time."""
        try:
            async with self.game(id) as live:
                if live is not None:
                    await self._check_clock(live)
        except Ended:
            pass  # the game's clock is ignored until the operator allows the game again
        except (Unplayable, Damaged):
            self._unplayable.add(id)  # a game that cannot be played is neither won nor lost

    async def _check_clock(self, live: Live) -> None:
        try:
            if await self.decide_and_store(live, lambda _: None):
                await asyncio.sleep(1)  # the database is not responding, so try again after a pause
        except Damaged:
            return  # the store has logged it
        if not live.table.over:
            self.watch_clock(live)

    async def keep_time(self) -> None:
        """Record the time at regular intervals, and end games in which a player has run out of time."""
        while True:
            self.awake.beat()
            try:
                overdue = await self.store.keep_time({*self._unplayable, *self.moderation.ended})
                if overdue is not None:
                    self._clocks_run.set()
                elif not any(live.table.ticking for live in self.open.values()):
                    self._clocks_run.clear()
                for id in overdue or ():
                    await self.check_clock(id)
            except (SQLAlchemyError, OSError) as error:
                log.warning("clocks are waiting for the database", extra={"error": type(error).__name__})
            await asyncio.sleep(BEAT)

    async def run_clocks(self) -> None:
        """Let the players' clocks run only as long as this process is working and the database is responding."""
        while True:
            await self._clocks_run.wait()
            with suppress(SQLAlchemyError, OSError):  # time stands still, and `keep_time` logs why
                await self._beat()
            await asyncio.sleep(PULSE)

    async def _beat(self) -> None:
        ahead = await self.store.beat()
        for live in list(self.open.values()) if ahead else ():
            live.skip(ahead, self.ticks.now())

    async def _in_time(self) -> None:
        """Synchronise the time with the other processes if this process was frozen."""
        if self.store.kind == "postgresql" and self.ticks.awake.overdue and not self.stopping:
            with suppress(SQLAlchemyError, OSError):  # if this fails, nothing can be stored either
                await self._beat()
