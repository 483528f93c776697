"""The players' actions, presence and reactions in open games, and the computer's moves."""

import asyncio
import logging
import math
import time
from random import Random

from msgspec import UNSET
from sqlalchemy.exc import SQLAlchemyError

from gridlock.core.game import Player
from gridlock.core.names import clean_name
from gridlock.play.thinking.process import Failed
from gridlock.players.player import chance
from gridlock.web.games.live import Live, Viewer
from gridlock.web.games.lobby import LOST, Lobby
from gridlock.web.games.open_games import NO_STORAGE, OpenGames
from gridlock.web.games.other_servers import OtherServers
from gridlock.web.net import metrics
from gridlock.web.net.limits import Allowance, Limits
from gridlock.web.operations.games import SHOWN, THINK, WATCHED, failure_of
from gridlock.web.referee.decide import NO_REACTION, Claim, Decision, Rejection, claimable, decide
from gridlock.web.referee.table import Access, Joined, Rematched, Table, played
from gridlock.web.storage.rows import Damaged
from gridlock.web.storage.store import Store
from gridlock.web.thinking.pool import Busy, FairPool
from gridlock.web.thinking.questions import choose
from gridlock.web.wire import answers, messages, tokens

log = logging.getLogger("gridlock.web")
LEFT = 60.0  # seconds to wait before a claim in a game with a clock
MINUTE = 60.0  # seconds
REACTIONS: dict[messages.Reaction, str] = {
    "hello": "Hello!",
    "luck": "Good luck!",
    "nice": "Nice move!",
    "wow": "Wow!",
    "oops": "Oops.",
    "thanks": "Thank you, well played!",
}

TAKEN = Rejection("stale", "Another player has taken the seat. You can watch.")


class Hub(OpenGames):
    """The open games, and the actions that players take in them."""

    def __init__(self, store: Store, pool: FairPool, games: Allowance, absence: int = Limits.absence) -> None:
        super().__init__(store)
        self._pool = pool
        self.games = games  # new games per client
        self.lobby = Lobby(self.open)
        self._absence = absence  # minutes to wait before a claim in a game without a clock; 0 means no claims
        self.reactions = Allowance(3, 1 / 3)  # per seat
        self._presences = Allowance(5, 1)  # updates to all viewers, per game
        self.connections = 0
        self.others: OtherServers | None = None
        if store.kind == "postgresql":
            self.others = OtherServers(store.process, self.open, self._send_presence, self._send_reaction)

    def no_new_game(self, client: str, no_room: str | None) -> tuple[str, float] | None:
        """Return why a client cannot start a game now, and how many seconds it must wait, or None if it can start one.

        `no_room` says why the client's share of the database is full, or is None if the share has room.
        """
        if full := self.store.full or no_room:
            metrics.refusals.labels("full" if self.store.full else "share").inc()
            return full, 3600
        if wait := self.games.take(client):
            metrics.refusals.labels("games").inc()
            return "You've started too many games. Try again later.", wait
        return None

    async def act(self, live: Live, access: Access, action: messages.Action, client: str) -> Rejection | None:
        """Carry out a player's action; when this method returns, the action has been stored or rejected."""
        no_room: str | None = None
        if live.table.over and isinstance(action, messages.Ask | messages.Respond):  # perhaps for a rematch
            try:
                no_room = await self.store.shares.refusal(client)
            except (SQLAlchemyError, OSError):
                return NO_STORAGE

        def decide_action(table: Table) -> Decision:
            claims = [player for player in (1, 2) if (claim := self._claim(live, player)) and claim[1] == 0]
            decision = decide(table, access, action, claims)
            if isinstance(decision, Rematched) and (no := self.no_new_game(client, no_room)):
                return Rejection("limit", no[0])
            return decision

        refusal = await self.decide_and_store(live, decide_action, client)
        live.client = client
        self.take_turn(live)
        return refusal

    async def join(
        self, live: Live, invitation: str, nonce: str, name: str, client: str
    ) -> tuple[Player, str] | Rejection:
        """Exchange an invitation for the open seat; return the seat and its token."""
        token = tokens.joining(invitation, nonce)
        player = 3 - live.table.settings.seat
        joined = Joined(player, clean_name(name), tokens.digest(token), tokens.digest(tokens.watching(token)))

        reserved = False

        def take_seat(table: Table) -> Decision:
            nonlocal reserved
            if tokens.opens(token, table.seats[player - 1]):
                return None
            if not self.lobby.is_open(live):
                return TAKEN
            refusal = self.lobby.refusal(live, client)
            reserved = refusal is None
            return refusal or joined

        joiner, seats = self.lobby.joiner(live), len(live.table.replaced)
        pages = [viewer for viewer in live.viewers if player in viewer.access(live.table).seats]
        refusal = await self.start_task(live, self.decide_and_store(live, take_seat))
        if refusal and reserved:  # the seat was not stored
            self.lobby.restore(live, joiner)
        elif len(live.table.replaced) > seats:
            for viewer in pages:
                viewer.notify("notice", answers.Notice(LOST))
        if not refusal and live.presence.enter(token, (player,)):
            live.presence.leave(token)  # the player counts as gone from now on, not since the game was opened
        self.show_presence(live)
        return refusal or (player, token)

    def take_turn(self, live: Live) -> None:
        """If it is the computer's turn, start choosing its move, unless that has already begun."""
        unseen = live.table.settings.levels is not UNSET and not live.viewers
        if live.table.thinking and live.thinking is None and not self.stopping and not unseen:
            live.users += 1
            live.thinking = asyncio.create_task(self._think(live))
            live.thinking.add_done_callback(lambda _: self._finish_turn(live))

    def _finish_turn(self, live: Live) -> None:
        live.thinking = None
        self.take_turn(live)  # after a pass or a takeback, it may be the computer's turn again
        self.release(live)

    async def _think(self, live: Live) -> None:
        """Let a worker choose the computer's move, and play it unless the game has changed in the meantime."""
        table = live.table
        asked_at = (table.ply, table.line)
        level = table.level(table.game.turn)
        assert level is not None
        game = table.game.copy()
        started, failed = time.monotonic(), False
        try:
            crowd = 1 + self._pool.waiting // self._pool.size  # with many games, each gets less time
            shown = table.settings.levels is not UNSET
            move = await self._pool.ask(live.client, choose, game, (WATCHED if shown else THINK) / crowd, level)
        except Busy:
            await asyncio.sleep(1)  # after that, the turn starts again
            return
        except Failed:
            move, failed = chance(game, Random(), 0), True  # a weak move is better than a stalled game
        if shown:  # so that viewers can follow
            await asyncio.sleep(max(0.0, SHOWN - (time.monotonic() - started)))
        took = round(time.monotonic() - started, 3)
        log.info("computer", extra={"game": table.id, "opponent": level, "seconds": took})

        def play_unless_changed(now: Table) -> Decision:
            if (now.ply, now.line) != asked_at or not now.thinking:
                return None
            return played(move)

        try:
            refusal = await self.decide_and_store(live, play_unless_changed)
        except Damaged:
            refusal = NO_STORAGE
        if refusal:
            await asyncio.sleep(1)  # the database is not responding; the turn then starts again
        elif failed:
            for viewer in live.viewers:
                viewer.notify("notice", failure_of(level))

    def shares(self, table: Table) -> bool:
        """Return whether two people are playing each other, and can therefore see each other's presence."""
        return not table.alone and table.open_seat is None

    def on_open(self, live: Live) -> None:
        """Ask the other processes which players are connected to a game that this process has opened."""
        if self.others and not live.table.alone:
            self.others.report(live, ask=True)

    def on_close(self, live: Live) -> None:
        """Tell the lobby that a game has been closed, and send any pending presence report immediately."""
        self.lobby.close(live)
        if live.presence_timer:
            live.presence_timer.cancel()
            if self.others:
                self.others.report(live)

    def on_event(self, live: Live) -> None:
        """After an event, tell the players what they can now claim; the event may have ended a turn or the game."""
        live.note_turn()
        for viewer in live.viewers:
            seats = viewer.access(live.table).seats
            if viewer.claims or (len(seats) == 1 and self._claim(live, seats[0])):
                self._send_presence(live, viewer)

    def show_presence(self, live: Live, viewer: Viewer | None = None) -> None:
        """Send the players' presence to one viewer, or to all viewers in all processes; rapid changes are combined."""
        if viewer is not None:
            self._send_presence(live, viewer)
        elif live.presence_timer is None and not live.table.alone:
            if wait := self._presences.take(live.table.id):
                live.presence_timer = asyncio.get_running_loop().call_later(wait, self._show_later, live)
                return
            if self.others:
                self.others.report(live)
            self._send_presence(live)

    def _show_later(self, live: Live) -> None:
        live.presence_timer = None
        self.show_presence(live)

    def _send_presence(self, live: Live, viewer: Viewer | None = None) -> None:
        if not self.shares(live.table):
            return
        for one in live.viewers if viewer is None else [viewer]:
            seats = one.access(live.table).seats
            claim = self._claim(live, seats[0]) if len(seats) == 1 else None
            prize, wait = claim or (None, None)
            one.claims = claim is not None
            told = answers.Presence(live.presence.seats, None if wait is None else math.ceil(wait * 1000), prize)
            one.notify("presence", told)

    def _claim(self, live: Live, player: Player) -> tuple[Claim, float] | None:
        """Return what a player may claim, and the seconds until the claim is allowed; None if no claim is possible."""
        table = live.table
        prize = claimable(table, player)
        seconds = LEFT if table.settings.clock is not UNSET else self._absence * MINUTE
        wait = live.presence.left_to_wait(player, seconds) if prize and seconds else None
        if wait is not None and self.others:
            wait = max(wait, self.others.blind)
        return None if prize is None or wait is None or math.isinf(wait) else (prize, wait)

    def react(self, live: Live, access: Access, what: messages.Reaction) -> Rejection | None:
        """Send a player's reaction to all viewers; reactions are not stored."""
        if not self.shares(live.table) or len(access.seats) != 1:
            return NO_REACTION
        player = access.seats[0]
        if self.reactions.take(f"{live.table.id}{player}"):
            return Rejection("pace", "You're sending reactions too quickly. Wait a moment and try again.")
        self._send_reaction(live, player, what)
        if self.others:
            self.others.send_reaction(live, player, what)
        return None

    def _send_reaction(self, live: Live, player: Player, what: messages.Reaction) -> None:
        words = f"{live.table.game.player_name(player)}: {REACTIONS[what]}"
        for viewer in live.viewers:
            viewer.notify(player, answers.Said(player, what, words))

    async def drain(self, seconds: float) -> None:
        """Finish the work in progress, and start no new work."""
        self.stopping = True
        self.ticks.stand()
        for live in list(self.open.values()):
            if live.thinking:
                live.thinking.cancel()
        end = time.monotonic() + seconds
        while self._tasks and time.monotonic() < end:
            await asyncio.sleep(0.01)
