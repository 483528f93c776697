"""Connections, counted from accept to close; where there is no room, the one that has been idle longest makes it."""

import asyncio
import logging
import socket
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gridlock.web.net import metrics
from gridlock.web.net.limits import Allowance, client_of

log = logging.getLogger("gridlock.web")
WATCHING, PLAYING = 0.8, 0.9  # shares of all connections that those who watch, and those who play, may fill
_LOOKS, _AT_ONCE = 64, 5  # connections looked at, and talked to, before those who play get their turn
_BETWEEN, _AT_MOST = 0.01, 0.02  # seconds until more are talked to: a crowd that is let in waits at the door
_LATE = 8  # how many times the delay of that moment is added to it: when it comes late, those who play wait, too
_PAUSE = 0.5  # seconds without new connections when no file descriptor is left
_QUIET = 60.0  # seconds until that is complained about again


def nothing() -> None:
    """Drop a connection that is not there."""


class Connection:
    """One connection, from accept to close."""

    def __init__(self, room: "Room", client: str) -> None:
        self.room = room
        self.client = client
        self.settled = False  # used by somebody who plays or watches, or for a request that is being answered
        self.gone = False
        self.abort: Callable[[], None] = nothing  # how to drop it, once that is known

    @contextmanager
    def working(self) -> Iterator[None]:
        """Keep its place while a request is being answered."""
        self.room.keep(self)
        try:
            yield
        finally:
            self.room.let_go(self)


class Room:
    """All connections of this process, within limits for each client and for all."""

    def __init__(self, per_client: int, overall: int, proxy: Callable[[str], bool] = lambda _address: False) -> None:
        self.per_client = per_client
        self.overall = overall
        self.proxy = proxy  # whether an address is that of a proxy, whose clients are told apart later
        self.pace = Allowance(per_client, per_client / 5)  # new connections of each client
        self.taken = 0
        self.settled = 0
        self._of: Counter[str] = Counter()
        self._idle: dict[Connection, None] = {}  # longest first
        self._idle_of: dict[str, dict[Connection, None]] = {}

    def enter(self, address: str) -> Connection | None:
        """Let a connection in, and another out if need be; None if they come too fast, or all are in use."""
        client = client_of(address)
        proxy = self.proxy(address)
        if not proxy and self.pace.take(client):
            return None
        if not proxy and self._of[client] >= self.per_client:
            if not self._make_room(self._idle_of.get(client, {})):
                return None
        elif self.taken >= self.overall and not self._make_room(self._idle):
            return None
        connection = Connection(self, client)
        self.taken += 1
        self._of[client] += 1
        self._rest(connection)
        return connection

    def settle(self, connection: Connection, client: str, share: float) -> bool:
        """Let somebody stay who plays or watches; behind a proxy it is only known now whose connection it is."""
        if connection.gone or self.settled >= share * self.overall:
            return False
        if client != connection.client:
            if self._of[client] >= self.per_client:
                return False
            self._forget(connection)
            connection.client = client
            self._of[client] += 1
        self.keep(connection)
        return True

    def keep(self, connection: Connection) -> None:
        """Do not let a connection make room for others."""
        if not connection.gone and not connection.settled:
            self._stir(connection)
            connection.settled = True
            self.settled += 1

    def let_go(self, connection: Connection) -> None:
        """Let it make room again."""
        if not connection.gone and connection.settled:
            connection.settled = False
            self.settled -= 1
            self._rest(connection)

    def leave(self, connection: Connection) -> None:
        """Forget a connection that is closed."""
        if connection.gone:
            return
        self.let_go(connection)
        connection.gone = True
        connection.abort = nothing
        self.taken -= 1
        self._forget(connection)

    def _make_room(self, idle: dict[Connection, None]) -> bool:
        oldest = next(iter(idle), None)
        if oldest is None:
            return False
        metrics.refusals.labels("connections").inc()
        abort = oldest.abort
        self.leave(oldest)
        abort()
        return True

    def _rest(self, connection: Connection) -> None:
        self._idle[connection] = None
        self._idle_of.setdefault(connection.client, {})[connection] = None

    def _stir(self, connection: Connection) -> None:
        if connection in self._idle:
            del self._idle[connection]
            of_client = self._idle_of[connection.client]
            del of_client[connection]
            if not of_client:
                del self._idle_of[connection.client]

    def _forget(self, connection: Connection) -> None:
        self._stir(connection)
        self._of[connection.client] -= 1
        if self._of[connection.client] <= 0:
            del self._of[connection.client]


def _has_left(accepted: socket.socket) -> bool:
    """Whether a client has closed its connection without a word, or broken it off."""
    try:
        return not accepted.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except OSError:
        return True


class Door:
    """Takes new connections off a listening socket.

    The event loop's own way accepts hundreds before any of them can be counted, and writes a line for each it cannot
    have; this one counts at once and is silent.
    """

    def __init__(self, listener: socket.socket, room: Room, protocol: Callable[[Connection], asyncio.Protocol]) -> None:
        self.listener = listener
        self.room = room
        self.protocol = protocol
        self.loop = asyncio.get_running_loop()
        self._reopening: asyncio.TimerHandle | None = None
        self._ushering: asyncio.TimerHandle | None = None
        self._complained = -_QUIET
        self._let_in: dict[str, deque[tuple[socket.socket, Connection]]] = {}  # still at the door; next client first
        self._entering: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        """Begin to take connections."""
        self.listener.setblocking(False)
        self.loop.add_reader(self.listener, self._accept)

    def close(self) -> None:
        """Take no more."""
        self.loop.remove_reader(self.listener)
        for timer in (self._reopening, self._ushering):
            if timer:
                timer.cancel()
        for waiting in self._let_in.values():
            for accepted, connection in waiting:
                self._turn_away(accepted, connection)
        self._let_in.clear()

    def _accept(self) -> None:
        """Look at those who have come: whoever may not come in is gone at once, the others enter a few at a time."""
        self._look()
        if self._ushering is None:
            self._usher()

    def _look(self) -> None:
        for _ in range(_LOOKS):
            try:
                accepted, address = self.listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionError):
                return
            except OSError as error:  # no descriptor or no memory is left for it
                if time.monotonic() - self._complained > _QUIET:
                    self._complained = time.monotonic()
                    log.warning("no connection can be taken", extra={"error": error.strerror})
                metrics.refusals.labels("descriptors").inc()
                self._rest(_PAUSE)
                return
            connection = self.room.enter(address[0])
            if connection is None:
                metrics.refusals.labels("connections").inc()
                accepted.close()
                continue
            connection.abort = accepted.close
            self._let_in.setdefault(connection.client, deque()).append((accepted, connection))

    def _usher(self) -> None:
        """Begin to talk to some of those who were let in, each client in its turn, and to the next ones in a moment."""
        late = self.loop.time() - self._ushering.when() if self._ushering else 0.0
        pause = min(_BETWEEN + _LATE * late, _AT_MOST)
        self._ushering = self.loop.call_later(pause, self._usher) if self._let_in else None
        talked_to = 0
        for _ in range(_LOOKS):
            if not self._let_in or talked_to == _AT_ONCE:
                return
            client = next(iter(self._let_in))
            waiting = self._let_in.pop(client)
            accepted, connection = waiting.popleft()
            if waiting:
                self._let_in[client] = waiting  # and now it comes last
            if _has_left(accepted):
                self._turn_away(accepted, connection)
            elif not connection.gone:  # to make room for another
                talked_to += 1
                connection.abort = nothing  # until there is something to talk over
                entering = self.loop.create_task(self._enter(accepted, connection))
                self._entering.add(entering)
                entering.add_done_callback(self._entering.discard)

    def _rest(self, seconds: float) -> None:
        """Take no connections for a moment; they wait in the system's queue."""
        self._reopening = self.loop.call_later(seconds, self.open)  # first: for want of memory it may fail
        self.loop.remove_reader(self.listener)

    async def _enter(self, accepted: socket.socket, connection: Connection) -> None:
        try:
            accepted.setblocking(False)
            await self.loop.connect_accepted_socket(lambda: self.protocol(connection), accepted)
        except OSError:  # it has left already
            self._turn_away(accepted, connection)
        except MemoryError:
            self._turn_away(accepted, connection)
            raise

    def _turn_away(self, accepted: socket.socket, connection: Connection) -> None:
        self.room.leave(connection)
        accepted.close()
