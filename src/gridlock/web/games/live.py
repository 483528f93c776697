"""An open game, the clients that are viewing it, and whether its players are present."""

import asyncio
import time
from collections import deque
from collections.abc import Callable

import msgspec
from msgspec import UNSET

from gridlock.core.game import Player
from gridlock.web.referee import views
from gridlock.web.referee.table import Access, Table
from gridlock.web.storage.clocks import Ticks
from gridlock.web.wire import answers, messages
from gridlock.web.wire.answers import Status

Seats = tuple[Status, Status]
Pages = dict[object, tuple[tuple[Player, ...], bool]]  # page -> the seats that the page holds, and whether it is hidden
Reports = dict[str, tuple[Seats, float]]  # other process -> its seats, and until when its report is valid
_ORDER: tuple[Status, ...] = ("here", "away", "gone")
_REPLIES = 64  # replies that a client may leave unread
_UNREAD = 1 << 18  # bytes of unread replies


class Attendance:
    """The players' open pages, whether the pages are visible, and how long each player has waited for the other.

    Each seat's status is "here", "away" or "gone". Other server processes that use the same database report which
    players are connected to them; each report is valid for a limited time. A player's waiting time runs while the
    player is connected and the opponent is gone, and is reset to 0 when the opponent comes back.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._pages: Pages = {}
        self._reports: Reports = {}
        self._awaited: Player | None = None  # the player whom the other one awaits even if both are connected
        self._waited = [0.0, 0.0]  # seconds that each player had waited at `_counted`
        self._counted = clock()

    @property
    def here(self) -> Seats:
        """Each seat's status in this process; a seat with at least one visible page counts as "here"."""
        found: list[Status] = []
        for player in (1, 2):
            aways = [away for seats, away in self._pages.values() if player in seats]
            found.append("gone" if not aways else "away" if all(aways) else "here")
        return found[0], found[1]

    @property
    def seats(self) -> Seats:
        """Each seat's status across all processes."""
        known = [self.here, *(seats for seats, _ in self._reports.values())]
        first, second = (min((seats[at] for seats in known), key=_ORDER.index) for at in (0, 1))
        return first, second

    def elsewhere(self, player: Player) -> bool:
        """Return whether a player is connected to other processes but not to this one."""
        return self.here[player - 1] == "gone" != self.seats[player - 1]

    def enter(self, page: object, seats: tuple[Player, ...], away: bool = False) -> bool:
        """Record that a page is open, and whether it is visible; return whether any seat's status changed."""
        return self._update(self._pages | {page: (seats, away)}, self._reports)

    def leave(self, page: object) -> bool:
        """Record that a page has closed; return whether any seat's status changed."""
        return self._update({one: held for one, held in self._pages.items() if one != page}, self._reports)

    def report(self, process: str, seats: Seats, seconds: float) -> bool:
        """Record another process's report, valid for `seconds`; return whether any seat's status changed."""
        reports = {name: known for name, known in self._reports.items() if name != process}
        if set(seats) != {"gone"}:
            reports[process] = (seats, self._clock() + seconds)
        return self._update(self._pages, reports)

    def expire(self) -> bool:
        """Forget reports that are no longer valid; return whether any seat's status changed."""
        now = self._clock()
        return self._update(self._pages, {name: known for name, known in self._reports.items() if known[1] > now})

    def new_turn(self, awaited: Player | None) -> None:
        """Reset both waiting times to 0.

        If a player is `awaited`, the opponent counts as waiting for that player even while both players are connected.
        """
        self._awaited = awaited
        self._waited = [0.0, 0.0]
        self._counted = self._clock()

    def _update(self, pages: Pages, reports: Reports) -> bool:
        here, before = self.here, self.seats
        waited = [self._waited_by(1), self._waited_by(2)]
        self._pages, self._reports = pages, reports
        # A player's waiting time does not increase while that player is away, and is reset once the player no longer
        # has to wait.
        self._waited = [waited[player - 1] * (not self._reached(player)) for player in (1, 2)]
        self._counted = self._clock()
        return (here, before) != (self.here, self.seats)

    def _reached(self, player: Player) -> bool:
        """Return whether a player's opponent is connected and is not the `awaited` player (see `new_turn`)."""
        return self.seats[2 - player] != "gone" and self._awaited != 3 - player

    def _waits(self, player: Player) -> bool:
        return self.seats[player - 1] != "gone" and not self._reached(player)

    def _waited_by(self, player: Player) -> float:
        return self._waited[player - 1] + (self._clock() - self._counted) * self._waits(player)

    def left_to_wait(self, player: Player, seconds: float) -> float | None:
        """Return how many more seconds a player must wait, or None if the player is not waiting.

        `seconds` is the total length of the wait.
        """
        return max(0.0, seconds - self._waited_by(player)) if self._waits(player) else None


class Viewer:
    """A client that is viewing a game, and the messages still to be sent to it.

    Each state is complete, so a newer one replaces any older one that has not been sent yet.
    """

    def __init__(self, access: Callable[[Table], Access], address: str = "") -> None:
        self.address = address
        self.dismissal: tuple[int, str] | None = None  # why the connection must be closed: a code and a sentence
        self.access = access  # called each time, because an invitation expires once another player has joined
        self.overrun = False
        self.claims = False  # whether the last update to this client allowed a claim, now or later
        self._replies: deque[bytes] = deque()
        self._unread = 0  # bytes in _replies
        self._updates: dict[object, bytes] = {}  # the latest update on each subject; the state comes first
        self._ready = asyncio.Event()

    def reply(self, message: answers.Reply, to: messages.ClientMessage) -> bytes:
        """Queue the answer to a client's message, and return the encoded answer."""
        if to.id is not None:
            message.re = to.id
        self.overrun = self.overrun or len(self._replies) >= _REPLIES or self._unread >= _UNREAD
        answer = msgspec.json.encode(message)
        self._replies.append(answer)
        self._unread += len(answer)
        self._ready.set()
        return answer

    def show(self, state: bytes) -> None:
        """Queue the state of the game, replacing any older state."""
        self._updates.pop("state", None)
        self._updates = {"state": state, **self._updates}
        self._ready.set()

    def notify(self, about: object, message: answers.Message) -> None:
        """Queue an update, replacing any older update on the same subject."""
        self._updates[about] = msgspec.json.encode(message)
        self._ready.set()

    def dismiss(self, code: int, words: str) -> None:
        """Close the connection as soon as possible."""
        self.dismissal = code, words
        self._replies.append(b"")  # makes `next` return; the empty reply is not sent
        self._ready.set()

    async def next(self) -> bytes:
        """Wait for the next message to send: replies first, then the state, then updates."""
        await self._ready.wait()
        if self._replies:
            message = self._replies.popleft()
            self._unread -= len(message)
        else:
            message = self._updates.pop(next(iter(self._updates)))
        if not self._replies and not self._updates:
            self._ready.clear()
        return message


class Live:
    """An open game."""

    def __init__(self, table: Table, clock: Callable[[], float] = time.monotonic) -> None:
        self.table = table
        self.lock = asyncio.Lock()  # held while an event is decided and stored
        self.viewers: set[Viewer] = set()
        self.users = 0  # connections and requests that need the game
        self.thinking: asyncio.Task[None] | None = None
        self.client = ""  # the client that made the last move, and is charged for the computer's reply
        self.presence = Attendance(clock)
        self.presence_timer: asyncio.TimerHandle | None = None  # sends presence updates that were delayed
        self.creator = ""  # the client that first held a seat; like both tokens, it is for the lists of public games
        self.watch = ""  # the token for watching the game
        self.invitation = ""  # the token for joining the game
        self.idle_since: float | None = None  # since when the player who joined has kept the creator waiting
        self._newcomer: str | None = None  # the seat of the player who joined
        self.alarm: asyncio.TimerHandle | None = None  # fires when the player to move runs out of time
        self.spared = 0  # milliseconds of the current turn that its player is not charged for
        self._encoded: dict[Access, bytes] = {}
        self._note_newcomer()
        self._turn: tuple[int, int, bool] | None = None
        self.note_turn()

    def note_turn(self) -> None:
        """Reset the players' waiting times if the turn has changed, unless a clock is running."""
        table = self.table
        ticks = table.ticking is not None
        turn = (0, 0, True) if ticks else (table.ply, table.line, False)
        if turn != self._turn:
            self._turn = turn
            self.presence.new_turn(None if ticks or table.settings.clock is UNSET else table.to_move)

    def now(self, ticks: Ticks) -> int:
        """Return the current time in ticks, minus the part of this turn for which the player to move is not charged."""
        return ticks.now() - self.spared

    def skip(self, ahead: int, now: int) -> None:
        """Do not charge any player for the last `ahead` milliseconds before `now`, because the clock has jumped."""
        if self.table.ticking and self.table.began is not None:
            used = max(0, now - ahead - self.spared - self.table.began)
            self.spared = now - self.table.began - used

    def state(self, viewer: Viewer, ticks: Ticks) -> bytes:
        """Return the current state as JSON, limited to what the viewer may see."""
        if self.table.ticking:
            self._encoded.clear()  # a running clock changes all the time
        return self._state(viewer, ticks)

    def _state(self, viewer: Viewer, ticks: Ticks) -> bytes:
        """Return the state as JSON, encoding it only once for all viewers with the same rights."""
        access = viewer.access(self.table)
        if access not in self._encoded:
            self._encoded[access] = msgspec.json.encode(views.state(self.table, access, self.now(ticks), ticks.wait))
        return self._encoded[access]

    def show(self, ticks: Ticks) -> None:
        """Send the new state to every viewer."""
        self._note_newcomer()
        self._encoded.clear()
        for viewer in self.viewers:
            viewer.show(self._state(viewer, ticks))

    def _note_newcomer(self) -> None:
        """If no clock is running and a player who has joined is to make their first move, start timing that move."""
        table, player = self.table, self.table.newcomer
        waits = player is not None and table.to_move == player and table.ticking is None
        newcomer = table.seats[player - 1] if player is not None and waits else None
        if newcomer != self._newcomer:
            self._newcomer, self.idle_since = newcomer, None if newcomer is None else time.monotonic()
            for viewer in self.viewers:  # a page can only watch once another player has taken its seat
                if not viewer.access(table).seats:
                    self.presence.leave(viewer)
