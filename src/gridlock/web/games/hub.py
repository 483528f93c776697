"""What players do in the games that are open, and what those who look on are told of each other."""

import asyncio
import math
import time

from gridlock.core.game import Player
from gridlock.core.names import clean_name
from gridlock.web.games.computer import Computer
from gridlock.web.games.open_games import OpenGames
from gridlock.web.games.other_servers import Elsewhere
from gridlock.web.games.viewers import Live, Viewer
from gridlock.web.net import metrics
from gridlock.web.net.limits import Allowance
from gridlock.web.referee.decide import Decision, Rejection, decide
from gridlock.web.referee.table import Access, Joined, Rematched, Table
from gridlock.web.storage.store import Store
from gridlock.web.thinking.pool import FairPool
from gridlock.web.wire import answers, messages, tokens

REACTIONS: dict[messages.Reaction, str] = {
    "hello": "Hello!",
    "luck": "Good luck!",
    "nice": "Nice move!",
    "wow": "Wow!",
    "oops": "Oops.",
    "thanks": "Thank you, well played!",
}

TAKEN = Rejection("stale", "Somebody else has taken the seat. You can watch.")


class Hub(OpenGames):
    """The open games, and all that can be done in them."""

    def __init__(self, store: Store, pool: FairPool, games: Allowance) -> None:
        super().__init__(store)
        self.pool = pool
        self.games = games  # that each client may start
        self.said = Allowance(3, 1 / 3)  # by each seat
        self.connections = 0
        self.elsewhere: Elsewhere | None = None
        if store.kind == "postgresql":
            self.elsewhere = Elsewhere(store.process, self.open, self._tell_presence, self._tell_reaction)
        self._computer = Computer(self, pool)
        self._busy = 0  # actions under way

    # -- actions ----------------------------------------------------------------------------------------------

    def no_new_game(self, client: str) -> tuple[str, float] | None:
        """Why a client may not start another game now, and in how many seconds it may; None if it may."""
        if full := self.store.full:
            metrics.refusals.labels("full").inc()
            return full, 3600
        if wait := self.games.take(client):
            metrics.refusals.labels("games").inc()
            return "You have started many games. Try again later.", wait
        return None

    async def act(self, live: Live, access: Access, action: messages.Action, client: str) -> Rejection | None:
        """Do what a player asks: it is stored when this returns, or refused."""
        now = self.ticks.now()  # what waits for its turn to be stored costs nobody time

        def decided(table: Table) -> Decision:
            left = [player for player in (1, 2) if self.shares(table) and self._left_in(live, player) == 0]
            decision = decide(table, access, action, now, left)
            if isinstance(decision, Rematched) and (no := self.no_new_game(client)):
                return Rejection("limit", no[0])
            return decision

        self._busy += 1
        try:
            async with live.lock:
                refusal = await self.until_stored(live, decided, now)
            live.client = client
            self.let_computer_think(live)
            return refusal
        finally:
            self._busy -= 1

    async def join(self, live: Live, invitation: str, nonce: str, name: str) -> tuple[Player, str] | Rejection:
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
                refusal = await self.until_stored(live, take_seat, self.ticks.now())
            self.show_presence(live)
            return refusal or (player, token)
        finally:
            self._busy -= 1

    def let_computer_think(self, live: Live) -> None:
        """Begin the computer's turn, if it is its turn and it has not begun."""
        self._computer.take_turn(live)

    # -- together ---------------------------------------------------------------------------------------------

    def shares(self, table: Table) -> bool:
        """Whether two people play who want to know of each other."""
        return not table.alone and table.open_seat is None

    def opened(self, live: Live) -> None:
        """A game has been opened here; somebody may be at it elsewhere."""
        if self.elsewhere and not live.table.alone:
            self.elsewhere.ask(live)

    def show_presence(self, live: Live, viewer: Viewer | None = None) -> None:
        """Tell one who is there; or everybody, those at other processes as well."""
        if viewer is None and self.elsewhere and not live.table.alone:
            self.elsewhere.tell(live)
        self._tell_presence(live, viewer)

    def _tell_presence(self, live: Live, viewer: Viewer | None = None) -> None:
        if not self.shares(live.table):
            return
        for one in live.viewers if viewer is None else [viewer]:
            seats = one.access(live.table).seats
            wait = self._left_in(live, 3 - seats[0]) if len(seats) == 1 and not live.table.game.outcome else None
            claim = None if wait is None or math.isinf(wait) else round(wait * 1000)
            one.tell("presence", answers.Presence(live.presence.seats, claim))

    def _left_in(self, live: Live, player: Player) -> float | None:
        """Seconds until a player counts as having left, as far as can be known here; None while somebody is there."""
        wait = live.presence.left_in(player)
        return wait if wait is None or self.elsewhere is None else max(wait, self.elsewhere.blind)

    def react(self, live: Live, access: Access, what: messages.Reaction) -> Rejection | None:
        """Say something to all who look on; it is stored nowhere."""
        table = live.table
        if table.alone or table.open_seat or len(access.seats) != 1:
            return Rejection("watching", "Only somebody who plays another person says something.")
        player = access.seats[0]
        if self.said.take(f"{table.id}{player}"):
            return Rejection("pace", "You have just said something. Wait a moment.")
        self._tell_reaction(live, player, what)
        if self.elsewhere:
            self.elsewhere.carry(live, player, what)
        return None

    def _tell_reaction(self, live: Live, player: Player, what: messages.Reaction) -> None:
        words = f"{live.table.game.player_name(player)}: {REACTIONS[what]}"
        for viewer in live.viewers:
            viewer.tell(player, answers.Said(player, what, words))

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
