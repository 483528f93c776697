"""A game that is open: who looks on, and what each of them still has to be sent."""

import asyncio
from collections import deque
from collections.abc import Callable

import msgspec

from gridlock.web.games.presence import Presence
from gridlock.web.referee import views
from gridlock.web.referee.table import Access, Table
from gridlock.web.storage.ticks import Ticks
from gridlock.web.wire import answers, messages

_REPLIES = 64  # answers that a client may leave unread
_UNREAD = 1 << 18  # bytes of them


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
