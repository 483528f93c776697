"""The games that are open in this process: loaded, stored before anybody sees what happens, and kept to time."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from gridlock.core.errors import GridLockError
from gridlock.web.games.viewers import Live
from gridlock.web.referee.decide import Decision, Rejection, fallen
from gridlock.web.referee.table import Rematched, Table
from gridlock.web.storage.rows import Damaged
from gridlock.web.storage.store import Store

log = logging.getLogger("gridlock.web")
BEAT = 2.0  # seconds between two records of the time that counts for clocks
_AFTER = 0.01  # seconds after a flag should have fallen, so that it certainly has
_TRIES = 5  # how often an action is decided anew because another process came first
_LONG = 100  # moves, from which on reading a game anew takes its time
_AT_HAND = 10_000  # moves of such games that are kept although nobody has them open any more

NO_STORAGE = Rejection("storage", "The server could not store that. Try again in a moment.")


class Unplayable(GridLockError):
    """A stored game that this server does not know: one of a package that is no longer installed."""


class OpenGames:
    """All open games of this process."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.ticks = store.ticks
        self.open: dict[str, Live] = {}
        self.stopping = False
        self._loading: dict[str, asyncio.Task[Table | None]] = {}
        self._at_hand: dict[str, Table] = {}  # closed, the latest last
        self._unplayable: set[str] = set()  # games whose flags have fallen
        self._refreshing: set[asyncio.Task[None]] = set()

    # -- opening and closing ----------------------------------------------------------------------------------

    @asynccontextmanager
    async def game(self, id: str) -> AsyncIterator[Live | None]:
        """A game, kept open as long as it is used; None if there is no such game."""
        live = self.open.get(id)
        if live is None:
            task = self._loading.get(id)
            if task is None:
                task = self._loading[id] = asyncio.create_task(self._load(id))
                task.add_done_callback(lambda _: self._loading.pop(id, None))
            try:
                table = await asyncio.shield(task)
            except GridLockError as error:
                raise Unplayable(f"This game cannot be gone on with here: {error}") from error
            if table is None:
                yield None
                return
            live = self.open.setdefault(id, Live(table))
            self.opened(live)
            if table.began is not None:
                self.ticks.recorded(table.began)
            if self.store.kind == "postgresql":
                self.changed(id)  # news from another process may have come while it was loaded
        self.hold(live)
        if live.alarm is None:
            self.watch_clock(live)
        try:
            yield live
        finally:
            self.release(live)

    def opened(self, live: Live) -> None:
        """A game has been opened here."""

    def hold(self, live: Live) -> None:
        """Keep a game open."""
        live.users += 1

    def release(self, live: Live) -> None:
        """Let go of a game; it closes when nobody needs it."""
        live.users -= 1
        if live.users == 0:
            self.open.pop(live.table.id, None)
            self.watch_clock(live)
            self._keep_at_hand(live.table)

    def _keep_at_hand(self, table: Table) -> None:
        """Remember a long game for whoever comes back to it, and forget the oldest where there are too many."""
        if table.sequence < _LONG:
            return
        self._at_hand[table.id] = table
        while sum(kept.sequence for kept in self._at_hand.values()) > _AT_HAND:
            del self._at_hand[next(iter(self._at_hand))]

    async def _load(self, id: str) -> Table | None:
        table = self._at_hand.pop(id, None)
        if table is not None:
            with suppress(Damaged):  # or purged: reading all of it will tell
                for event in await self.store.since(id, table.sequence):
                    table.apply(event)
                return table
        return await self.store.load(id)

    # -- what happens -----------------------------------------------------------------------------------------

    async def until_stored(self, live: Live, decide_on: Callable[[Table], Decision], now: int) -> Rejection | None:
        """Store the event that a decision leads to, deciding anew when a flag or another process was quicker."""
        for _ in range(_TRIES):
            table = live.table
            flag = fallen(table, now)
            decision = flag or decide_on(table)
            if decision is None or isinstance(decision, Rejection):
                return decision
            next_round = (decision.game, table.next_round()) if isinstance(decision, Rematched) else None
            try:
                stored = await self.store.append(table, decision, next_round)
                if not stored:
                    await self._catch_up(live)
                    continue
            except (SQLAlchemyError, OSError) as error:
                log.error("not stored", extra={"game": table.id, "error": type(error).__name__})
                return NO_STORAGE
            table.apply(decision)
            self._happened(live)
            if flag is None:
                return None
        return NO_STORAGE

    def _happened(self, live: Live) -> None:
        """Everybody is to see what has happened in a game, and its clock goes on."""
        if live.table.began is not None:
            self.ticks.recorded(live.table.began)
        live.show(self.ticks)
        self.watch_clock(live)

    async def _catch_up(self, live: Live) -> None:
        """Let happen here what another process has stored; called with the lock held."""
        news = await self.store.since(live.table.id, live.table.sequence)
        for event in news:
            live.table.apply(event)
        if news:
            self._happened(live)

    # -- news from other processes ----------------------------------------------------------------------------

    def changed(self, id: str | None) -> None:
        """Another process has changed a game; None if news may have been missed."""
        for live in [self.open[id]] if id in self.open else list(self.open.values()) if id is None else []:
            self._in_background(live, self._refresh(live))

    def _in_background(self, live: Live, work: Coroutine[Any, Any, None]) -> None:
        """Do something with a game, which stays open until then: opened anew, the same would happen to it twice."""
        self.hold(live)
        task = asyncio.create_task(work)
        self._refreshing.add(task)
        task.add_done_callback(self._refreshing.discard)
        task.add_done_callback(lambda _: self.release(live))

    async def _refresh(self, live: Live) -> None:
        try:
            async with live.lock:
                await self._catch_up(live)
        except Damaged:
            pass  # the store has told of it
        except (SQLAlchemyError, OSError) as error:
            log.error("not read", extra={"game": live.table.id, "error": type(error).__name__})

    # -- clocks -----------------------------------------------------------------------------------------------

    def watch_clock(self, live: Live) -> None:
        """Be there when the flag of an open game falls; of the others, the store keeps the time."""
        if live.alarm:
            live.alarm.cancel()
        deadline = live.table.deadline
        live.alarm = None
        if deadline is not None and live.users and not self.stopping:
            seconds = max(0.0, (deadline - self.ticks.now() + self.ticks.wait) / 1000) + _AFTER
            live.alarm = asyncio.get_running_loop().call_later(seconds, self._alarmed, live)

    def _alarmed(self, live: Live) -> None:
        self._in_background(live, self._let_fall(live))

    async def let_fall(self, id: str) -> None:
        """Let the flag of a game fall, if it has."""
        try:
            async with self.game(id) as live:
                if live is not None:
                    await self._let_fall(live)
        except (Unplayable, Damaged):
            self._unplayable.add(id)  # nobody wins or loses what cannot be played

    async def _let_fall(self, live: Live) -> None:
        try:
            async with live.lock:
                refusal = await self.until_stored(live, lambda _: None, self.ticks.now())
            if refusal:
                await asyncio.sleep(1)  # the database does not answer; begin anew
        except Damaged:
            return  # the store has told of it
        if not live.table.game.outcome:
            self.watch_clock(live)

    async def keep_time(self) -> None:
        """Record the time again and again, and let the flags fall of games that nobody looks at."""
        while True:
            try:
                for id in await self.store.keep_time(self._unplayable):
                    await self.let_fall(id)
            except (SQLAlchemyError, OSError) as error:
                log.warning("clocks wait for the database", extra={"error": type(error).__name__})
            await asyncio.sleep(BEAT)
