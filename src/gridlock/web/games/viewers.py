"""An open game: the clients looking at it, and the messages still to be sent to each."""

import asyncio
from collections import deque
from collections.abc import Callable

import msgspec

from gridlock.web.games.presence import Presence
from gridlock.web.referee import views
from gridlock.web.referee.table import Access, Table
from gridlock.web.storage.ticks import Ticks
from gridlock.web.wire import answers, messages

_REPLIES = 64  # replies that a client may leave unread
_UNREAD = 1 << 18  # bytes of unread replies


class Viewer:
    """A client looking at a game, and the messages still to be sent to it.

    A state is complete in itself, so a newer one replaces one that has not been sent yet.
    """

    def __init__(self, access: Callable[[Table], Access]) -> None:
        self.access = access  # called each time: an invitation lapses when another player has joined
        self.overrun = False
        self._replies: deque[bytes] = deque()
        self._unread = 0  # bytes in _replies
        self._state: bytes | None = None
        self._updates: dict[object, bytes] = {}  # by subject: only the latest counts
        self._ready = asyncio.Event()

    def reply(self, message: answers.Reply, to: messages.Message) -> bytes:
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
        self._state = state
        self._ready.set()

    def notify(self, about: object, message: answers.Message) -> None:
        """Queue an update, replacing an older one on the same subject."""
        self._updates[about] = msgspec.json.encode(message)
        self._ready.set()

    async def next(self) -> bytes:
        """Wait for the next message to send: replies first, then the state, then updates."""
        await self._ready.wait()
        if self._replies:
            message = self._replies.popleft()
            self._unread -= len(message)
        elif self._state is not None:
            message, self._state = self._state, None
        else:
            message = self._updates.pop(next(iter(self._updates)))
        if not self._replies and self._state is None and not self._updates:
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
        self.presence = Presence()
        self.creator = ""  # the client that held a seat first; with the two tokens, for the lists of public games
        self.watch = ""  # the token to watch the game
        self.invitation = ""  # the token to join it
        self.alarm: asyncio.TimerHandle | None = None  # for the time when the player to move runs out of time
        self._encoded: dict[Access, bytes] = {}

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
        self._encoded.clear()
        for viewer in self.viewers:
            viewer.show(self._state(viewer, ticks))
