"""The games that are open in this process: who looks on, what they do, and the computer's turns."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import msgspec
from msgspec import UNSET
from sqlalchemy.exc import SQLAlchemyError

from gridlock.errors import GridLockError
from gridlock.game import Player, clean_name
from gridlock.players.chance import chance
from gridlock.web import answers, messages, metrics, tokens, views
from gridlock.web.decide import Decision, Refusal, decide, fallen, timed
from gridlock.web.limits import Allowance
from gridlock.web.presence import Presence
from gridlock.web.questions import Choice, Move
from gridlock.web.rows import Damaged
from gridlock.web.setups import setup_to_keep
from gridlock.web.store import Store
from gridlock.web.table import Access, Joined, Rematched, Table, played
from gridlock.web.thinkers import Busy, Failed, Thinkers
from gridlock.web.ticks import Ticks

log = logging.getLogger("gridlock.web")
THINK = 2.0  # seconds the computer may think about a move that it cannot prove
SHOWN = 1.2  # the same for one of two levels that play each other, and how long each move takes at least
BEAT = 2.0  # seconds between two records of the time that counts for clocks
_AFTER = 0.01  # seconds after a flag should have fallen, so that it certainly has
_TRIES = 5  # how often an action is decided anew because another process came first
_REPLIES = 64  # answers that a client may leave unread
_UNREAD = 1 << 18  # bytes of them

REACTIONS: dict[messages.Reaction, str] = {
    "hello": "Hello!",
    "luck": "Good luck!",
    "nice": "Nice move!",
    "wow": "Wow!",
    "oops": "Oops.",
    "thanks": "Thank you, well played!",
}

NO_STORAGE = Refusal("storage", "The server could not store that. Try again in a moment.")
TAKEN = Refusal("stale", "Somebody else has taken the seat. You can watch.")


class Unplayable(GridLockError):
    """A stored game that this server does not know: one of a package that is no longer installed."""


class Viewer:
    """A client that looks at a game: what still has to be sent to it.

    A state says everything, so a newer one takes the place of one that has not gone out yet.
    """

    def __init__(self, access: Callable[[Table], Access]) -> None:
        self.access = access  # asked each time: an invitation ends when somebody has joined
        self.overrun = False
        self._replies: deque[bytes] = deque()
        self._unread = 0  # bytes of them
        self._state: bytes | None = None
        self._news: dict[object, bytes] = {}  # by what they are about: only the latest counts
        self._ready = asyncio.Event()

    def reply(self, message: answers.Reply, to: messages.Message) -> bytes:
        """Answer a message of the client, after the answers that wait."""
        if to.id is not None:
            message.re = to.id
        self.overrun = self.overrun or len(self._replies) >= _REPLIES or self._unread >= _UNREAD
        answer = msgspec.json.encode(message)
        self._replies.append(answer)
        self._unread += len(answer)
        self._ready.set()
        return answer

    def show(self, state: bytes) -> None:
        """Send the state of the game, in place of an older one."""
        self._state = state
        self._ready.set()

    def tell(self, about: object, message: answers.Message) -> None:
        """Send some news, in place of older news about the same."""
        self._news[about] = msgspec.json.encode(message)
        self._ready.set()

    async def next(self) -> bytes:
        """What is to be sent next."""
        await self._ready.wait()
        if self._replies:
            message = self._replies.popleft()
            self._unread -= len(message)
        elif self._state is not None:
            message, self._state = self._state, None
        else:
            message = self._news.pop(next(iter(self._news)))
        if not self._replies and self._state is None and not self._news:
            self._ready.clear()
        return message


class Live:
    """A game that is open."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.lock = asyncio.Lock()  # one thing happens at a time
        self.viewers: set[Viewer] = set()
        self.users = 0  # connections and requests that need it
        self.thinking: asyncio.Task[None] | None = None
        self.client = ""  # who made the last move, and so asks the computer for one
        self.presence = Presence()
        self.maker = ""  # the client that held a seat first, and for the lists of public games:
        self.watch = ""  # the token to watch it
        self.invitation = ""  # and the one to join it
        self.alarm: asyncio.TimerHandle | None = None  # rings when the flag of the player to move falls
        self._told: dict[Access, bytes] = {}

    def state(self, viewer: Viewer, ticks: Ticks) -> bytes:
        """What a client is told of the game."""
        if self.table.ticking:
            self._told.clear()  # it has other numbers at every moment
        return self._state(viewer, ticks)

    def _state(self, viewer: Viewer, ticks: Ticks) -> bytes:
        """The same for several: those who may do the same get the very same text."""
        access = viewer.access(self.table)
        if access not in self._told:
            self._told[access] = msgspec.json.encode(views.state(self.table, access, ticks.now(), ticks.wait))
        return self._told[access]

    def show(self, ticks: Ticks) -> None:
        """Send the new state to everybody."""
        self._told.clear()
        for viewer in self.viewers:
            viewer.show(self._state(viewer, ticks))


class Hub:
    """All open games of this process."""

    def __init__(self, store: Store, thinkers: Thinkers, games: Allowance) -> None:
        self.store = store
        self.ticks = store.ticks
        self.thinkers = thinkers
        self.games = games  # that each client may start
        self.said = Allowance(3, 1 / 3)  # by each seat
        self.open: dict[str, Live] = {}
        self.connections = 0
        self.stopping = False
        self._loading: dict[str, asyncio.Task[Table | None]] = {}
        self._unplayable: set[str] = set()  # games whose flags have fallen
        self._busy = 0  # actions under way
        self._refreshing: set[asyncio.Task[None]] = set()

    # -- opening and closing ----------------------------------------------------------------------------------

    @asynccontextmanager
    async def game(self, id: str) -> AsyncIterator[Live | None]:
        """A game, kept open as long as it is used; None if there is no such game."""
        live = self.open.get(id)
        if live is None:
            task = self._loading.get(id)
            if task is None:
                task = self._loading[id] = asyncio.create_task(self.store.load(id))
                task.add_done_callback(lambda _: self._loading.pop(id, None))
            try:
                table = await asyncio.shield(task)
            except GridLockError as error:
                raise Unplayable(f"This game cannot be gone on with here: {error}") from error
            if table is None:
                yield None
                return
            live = self.open.setdefault(id, Live(table))
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

    def hold(self, live: Live) -> None:
        """Keep a game open."""
        live.users += 1

    def release(self, live: Live) -> None:
        """Let go of a game; it closes when nobody needs it."""
        live.users -= 1
        if live.users == 0:
            self.open.pop(live.table.id, None)
            self.watch_clock(live)

    # -- actions ----------------------------------------------------------------------------------------------

    def no_new_game(self, client: str) -> tuple[str, float] | None:
        """Why a client may not start another game now, and in how many seconds it may; None if it may."""
        if full := self.store.room():
            metrics.refusals.labels("full").inc()
            return full, 3600
        if wait := self.games.take(client):
            metrics.refusals.labels("games").inc()
            return "You have started many games. Try again later.", wait
        return None

    async def act(self, live: Live, access: Access, action: messages.Action, client: str) -> Refusal | None:
        """Do what a player asks: it is stored when this returns, or refused."""
        now = self.ticks.now()  # what waits for its turn to be stored costs nobody time

        def decided(table: Table) -> Decision:
            left = [player for player in (1, 2) if self.shares(table) and live.presence.left_in(player) == 0]
            decision = decide(table, access, action, now, left)
            if isinstance(decision, Rematched) and (no := self.no_new_game(client)):
                return Refusal("limit", no[0])
            return decision

        self._busy += 1
        try:
            async with live.lock:
                refusal = await self._until_stored(live, decided, now)
            live.client = client
            self.let_computer_think(live)
            return refusal
        finally:
            self._busy -= 1

    async def join(self, live: Live, invitation: str, nonce: str, name: str) -> tuple[Player, str] | Refusal:
        """Exchange an invitation for the open seat: which it is and its token."""
        token = tokens.joining(invitation, nonce)
        player = 3 - live.table.settings.seat
        joined = Joined(player, clean_name(name), tokens.digest(token), tokens.digest(tokens.watching(token)))

        def take_seat(table: Table) -> Decision:
            if tokens.opens(token, table.seats[player - 1]):
                return None
            return joined if table.open_seat else TAKEN

        self._busy += 1
        try:
            async with live.lock:
                refusal = await self._until_stored(live, take_seat, self.ticks.now())
            self.show_presence(live)
            return refusal or (player, token)
        finally:
            self._busy -= 1

    async def _until_stored(self, live: Live, decide_on: Callable[[Table], Decision], now: int) -> Refusal | None:
        """Store the event that a decision leads to, deciding anew when a flag or another process was quicker."""
        for _ in range(_TRIES):
            table = live.table
            flag = fallen(table, now)
            decision = flag or decide_on(table)
            if decision is None or isinstance(decision, Refusal):
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
            self._in_background(self._refresh(live))

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._refreshing.add(task)
        task.add_done_callback(self._refreshing.discard)

    async def _refresh(self, live: Live) -> None:
        try:
            async with live.lock:
                await self._catch_up(live)
        except Damaged:
            pass  # the store has told of it
        except (SQLAlchemyError, OSError) as error:
            log.error("not read", extra={"game": live.table.id, "error": type(error).__name__})

    # -- the computer -----------------------------------------------------------------------------------------

    def let_computer_think(self, live: Live) -> None:
        """Begin the computer's turn, if it is its turn and it has not begun."""
        unseen = live.table.settings.levels is not UNSET and not live.viewers  # nobody would see it
        if live.table.thinking and live.thinking is None and not self.stopping and not unseen:
            self.hold(live)
            live.thinking = asyncio.create_task(self._computer(live))
            live.thinking.add_done_callback(lambda _: self._thought(live))

    def _thought(self, live: Live) -> None:
        live.thinking = None
        self.let_computer_think(live)  # it may be to move again: after a pass, or a takeback meanwhile
        self.release(live)

    async def _computer(self, live: Live) -> None:
        table = live.table
        player, seen = table.game.turn, (table.ply, table.line)
        level = table.level(player)
        assert level is not None
        game = table.game.copy()
        started = time.monotonic()
        try:
            crowd = 1 + self.thinkers.waiting // self.thinkers.size  # with many games, everybody gets less
            shown = table.settings.levels is not UNSET
            question = Move(setup_to_keep(game), (SHOWN if shown else THINK) / crowd, level)
            move = (await self.thinkers.ask(question, Choice, live.client)).move
        except Busy:
            await asyncio.sleep(1)  # and begin anew
            return
        except Failed:
            move = chance(game, Random(), 0)  # a weak move is better than a game that stands still
        if shown:  # so that whoever watches can follow
            await asyncio.sleep(max(0.0, SHOWN - (time.monotonic() - started)))
        log.info(
            "computer", extra={"game": table.id, "opponent": level, "seconds": round(time.monotonic() - started, 3)}
        )

        def if_still_asked(now: Table) -> Decision:
            if (now.ply, now.line) != seen or not now.thinking:
                return None
            return played(move, timed(now, self.ticks.now()))

        try:
            async with live.lock:
                refusal = await self._until_stored(live, if_still_asked, self.ticks.now())
        except Damaged:
            refusal = NO_STORAGE
        if refusal:
            await asyncio.sleep(1)  # the database does not answer; begin anew

    # -- together ---------------------------------------------------------------------------------------------

    def shares(self, table: Table) -> bool:
        """Whether two people play who want to know of each other; of those at other processes nothing is known here."""
        return not table.alone and table.open_seat is None and self.store.kind == "sqlite"

    def show_presence(self, live: Live, viewer: Viewer | None = None) -> None:
        """Tell everybody, or one, who is there."""
        if not self.shares(live.table):
            return
        for one in live.viewers if viewer is None else [viewer]:
            seats = one.access(live.table).seats
            wait = live.presence.left_in(3 - seats[0]) if len(seats) == 1 and not live.table.game.outcome else None
            one.tell("presence", answers.Presence(live.presence.seats, None if wait is None else round(wait * 1000)))

    def react(self, live: Live, access: Access, what: messages.Reaction) -> Refusal | None:
        """Say something to all who look on; it is stored nowhere."""
        table = live.table
        if table.alone or table.open_seat or len(access.seats) != 1:
            return Refusal("watching", "Only somebody who plays another person says something.")
        player = access.seats[0]
        if self.said.take(f"{table.id}{player}"):
            return Refusal("pace", "You have just said something. Wait a moment.")
        words = f"{table.game.player_name(player)}: {REACTIONS[what]}"
        for viewer in live.viewers:
            viewer.tell(player, answers.Said(player, what, words))
        return None

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
        self._in_background(self._let_fall(live))

    async def let_fall(self, id: str) -> None:
        """Let the flag of a game fall, if it has."""
        try:
            async with self.game(id) as live:
                if live is not None:
                    await self._let_fall(live)
        except (Unplayable, Damaged):
            self._unplayable.add(id)  # nobody wins or loses what cannot be played

    async def _let_fall(self, live: Live) -> None:
        self.hold(live)
        try:
            async with live.lock:
                refusal = await self._until_stored(live, lambda _: None, self.ticks.now())
            if refusal:
                await asyncio.sleep(1)  # the database does not answer; begin anew
        except Damaged:
            return  # the store has told of it
        finally:
            self.release(live)
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

    # -- the end ----------------------------------------------------------------------------------------------

    async def drain(self, seconds: float) -> None:
        """Finish what is under way, and begin nothing new."""
        self.stopping = True
        self.ticks.stand()
        for live in list(self.open.values()):
            if live.thinking:
                live.thinking.cancel()
        end = time.monotonic() + seconds
        while (self._busy or self._refreshing) and time.monotonic() < end:
            await asyncio.sleep(0.01)
