"""An open game: the clients looking at it, and the presence of its players."""

import asyncio
import time
from collections import deque
from collections.abc import Callable

import msgspec

from gridlock.core.game import Player
from gridlock.web.referee import views
from gridlock.web.referee.table import Access, Table
from gridlock.web.storage.clocks import Ticks
from gridlock.web.wire import answers, messages
from gridlock.web.wire.answers import Status

Seats = tuple[Status, Status]
Pages = dict[object, tuple[tuple[Player, ...], bool]]  # page -> its seats, and whether it is away
Reports = dict[str, tuple[Seats, float]]  # other process -> its seats, and until when that holds
_ORDER: tuple[Status, ...] = ("here", "away", "gone")
LEFT = 60.0  # seconds without a connection after which a player counts as having left
_REPLIES = 64  # replies that a client may leave unread
_UNREAD = 1 << 18  # bytes of unread replies


class Attendance:
    """The pages that hold a game's seats, whether they are visible, and since when a seat has had none.

    Each seat is here, away or gone. Other server processes on the same database report the players connected to them;
    each report holds for a while. A player who has been gone for long enough counts as having left.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._pages: Pages = {}
        self._reports: Reports = {}
        self._gone = [clock(), clock()]  # when each seat became empty; at the earliest, when the game was opened

    @property
    def here(self) -> Seats:
        """Each seat's status at this process: one visible page is enough for "here"."""
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

    def enter(self, page: object, seats: tuple[Player, ...], away: bool = False) -> bool:
        """Note that a page is open, and whether it is visible; return whether any status changed."""
        return self._update(self._pages | {page: (seats, away)}, self._reports)

    def leave(self, page: object) -> bool:
        """Note that a page has closed; return whether any status changed."""
        return self._update({one: held for one, held in self._pages.items() if one != page}, self._reports)

    def report(self, process: str, seats: Seats, seconds: float) -> bool:
        """Note another process's seats, valid for some seconds; return whether any status changed."""
        reports = {name: known for name, known in self._reports.items() if name != process}
        if set(seats) != {"gone"}:
            reports[process] = (seats, self._clock() + seconds)
        return self._update(self._pages, reports)

    def expire(self) -> bool:
        """Forget reports that no longer hold; return whether any status changed."""
        now = self._clock()
        return self._update(self._pages, {name: known for name, known in self._reports.items() if known[1] > now})

    def _update(self, pages: Pages, reports: Reports) -> bool:
        here, before = self.here, self.seats
        self._pages, self._reports = pages, reports
        for at, (was, now) in enumerate(zip(before, self.seats, strict=True)):
            if was != now == "gone":
                self._gone[at] = self._clock()
        return (here, before) != (self.here, self.seats)

    def left_in(self, player: Player) -> float | None:
        """Return the seconds until a player counts as having left, 0 if they do; None while they are connected."""
        if self.seats[player - 1] != "gone":
            return None
        return max(0.0, self._gone[player - 1] + LEFT - self._clock())


class Viewer:
    """A client looking at a game, and the messages still to be sent to it.

    A state is complete in itself, so a newer one replaces one that has not been sent yet.
    """

    def __init__(self, access: Callable[[Table], Access], address: str = "") -> None:
        self.address = address
        self.dismissal: tuple[int, str] | None = None  # why the connection must be closed: a code and a sentence
        self.access = access  # called each time: an invitation lapses when another player has joined
        self.overrun = False
        self._replies: deque[bytes] = deque()
        self._unread = 0  # bytes in _replies
        self._updates: dict[object, bytes] = {}  # by subject, of which only the latest counts; the state comes first
        self._ready = asyncio.Event()

    def reply(self, message: answers.Reply, to: messages.ClientMessage) -> bytes:
        """Queue the answer to a client's message, and return it as it will be sent."""
        if to.id is not None:
            message.re = to.id
        self.overrun = self.overrun or len(self._replies) >= _REPLIES or self._unread >= _UNREAD
        answer = msgspec.json.encode(message)
        self._replies.append(answer)
        self._unread += len(answer)
        self._ready.set()
        return answer

    def show(self, state: bytes) -> None:
        """Queue the state of the game, replacing an older one."""
        self._updates.pop("state", None)
        self._updates = {"state": state, **self._updates}
        self._ready.set()

    def notify(self, about: object, message: answers.Message) -> None:
        """Queue an update, replacing an older one on the same subject."""
        self._updates[about] = msgspec.json.encode(message)
        self._ready.set()

    def dismiss(self, code: int, words: str) -> None:
        """Close the connection as soon as possible."""
        self.dismissal = code, words
        self._replies.append(b"")  # so that `next` returns; it is not sent
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

    def __init__(self, table: Table) -> None:
        self.table = table
        self.lock = asyncio.Lock()  # held while an event is decided and stored
        self.viewers: set[Viewer] = set()
        self.users = 0  # connections and requests that need the game
        self.thinking: asyncio.Task[None] | None = None
        self.client = ""  # the client that made the last move, and so asks the computer for one
        self.presence = Attendance()
        self.creator = ""  # the client that held a seat first; with the two tokens, for the lists of public games
        self.watch = ""  # the token to watch the game
        self.invitation = ""  # the token to join it
        self.joiner = ""  # the client that took the open seat of a public game
        self.idle_since: float | None = None  # when the player who has joined should have begun to think
        self._newcomer: str | None = None  # that player's seat
        self.alarm: asyncio.TimerHandle | None = None  # for the time when the player to move runs out of time
        self._encoded: dict[Access, bytes] = {}
        self._note_newcomer()

    def state(self, viewer: Viewer, ticks: Ticks) -> bytes:
        """Return the current state as a viewer may see it, in JSON."""
        if self.table.ticking:
            self._encoded.clear()  # a running clock changes all the time
        return self._state(viewer, ticks)

    def _state(self, viewer: Viewer, ticks: Ticks) -> bytes:
        """Encode the state once for all viewers with the same rights."""
        access = viewer.access(self.table)
        if access not in self._encoded:
            self._encoded[access] = msgspec.json.encode(views.state(self.table, access, ticks.now(), ticks.wait))
        return self._encoded[access]

    def show(self, ticks: Ticks) -> None:
        """Send the new state to every viewer."""
        self._note_newcomer()
        self._encoded.clear()
        for viewer in self.viewers:
            viewer.show(self._state(viewer, ticks))

    def _note_newcomer(self) -> None:
        """Note since when the game waits for the first move of the player who has joined, with no clock running."""
        table, player = self.table, self.table.newcomer
        waits = player is not None and table.to_move == player and table.ticking is None
        newcomer = table.seats[player - 1] if player is not None and waits else None
        if newcomer != self._newcomer:
            self._newcomer, self.idle_since = newcomer, None if newcomer is None else time.monotonic()
            for viewer in self.viewers:  # a page whose seat another player has taken only watches
                if not viewer.access(table).seats:
                    self.presence.leave(viewer)
