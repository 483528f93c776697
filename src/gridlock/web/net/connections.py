"""Connection limits: every connection counts from accept to close, and the longest idle one is evicted when full."""

import asyncio
import logging
import socket
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gridlock.web.net import metrics
from gridlock.web.net.limits import Allowance, client_of

log = logging.getLogger("gridlock.web")
WATCHING, PLAYING = 0.8, 0.9  # shares of all connections that spectators and players may fill
_BATCH, _STARTED = 64, 5  # connections examined, and served for the first time, before other work gets its turn
_BETWEEN, _AT_MOST = 0.01, 0.02  # seconds between two batches, so that a crowd waits and not the players
_LATE = 8  # a batch that comes late by some delay postpones the next one by this many times the delay
_PAUSE = 0.5  # seconds without new connections when no file descriptor is left
_QUIET = 60.0  # seconds until that is logged again


def _nothing() -> None:
    """Abort a connection that has no transport."""


class Connection:
    """One connection, from accept to close."""

    def __init__(self, registry: "Registry", client: str) -> None:
        self.registry = registry
        self.client = client
        self.gone = False
        self.abort: Callable[[], None] = _nothing

    @property
    def settled(self) -> bool:
        """Whether a player or a spectator uses it, or a request is being answered."""
        return not self.gone and self not in self.registry._idle

    @contextmanager
    def working(self) -> Iterator[None]:
        """Protect the connection from eviction while a request is being answered."""
        self.registry.hold(self)
        try:
            yield
        finally:
            self.registry.release(self)


class Registry:
    """All connections of this process, within limits per client and overall."""

    def __init__(self, per_client: int, overall: int, proxy: Callable[[str], bool] = lambda _address: False) -> None:
        self.per_client = per_client
        self.overall = overall
        self.proxy = proxy  # whether an address is a proxy's; the clients behind it become known later
        self.pace = Allowance(per_client, per_client / 5)  # new connections per client
        self.taken = 0
        self._of: Counter[str] = Counter()
        self._idle: dict[Connection, None] = {}  # longest idle first
        self._idle_of: defaultdict[str, dict[Connection, None]] = defaultdict(dict)

    @property
    def settled(self) -> int:
        """The number of connections that are not idle."""
        return self.taken - len(self._idle)

    def enter(self, address: str) -> Connection | None:
        """Register a connection, evicting an idle one if necessary; None if over the rate or if all are in use."""
        client = client_of(address)
        proxy = self.proxy(address)
        if not proxy and self.pace.take(client):
            return None
        if not proxy and self._of[client] >= self.per_client:
            if not self._evict(self._idle_of[client]):
                return None
        elif self.taken >= self.overall and not self._evict(self._idle):
            return None
        connection = Connection(self, client)
        self.taken += 1
        self._of[client] += 1
        self.release(connection)
        return connection

    def settle(self, connection: Connection, client: str, share: float) -> bool:
        """Hold a player's or spectator's connection; behind a proxy, the client is not known before."""
        if connection.gone or self.settled >= share * self.overall:
            return False
        if client != connection.client:
            if self._of[client] >= self.per_client:
                return False
            self._uncount(connection)
            connection.client = client
            self._of[client] += 1
        self.hold(connection)
        return True

    def hold(self, connection: Connection) -> None:
        """Protect a connection from eviction."""
        if not connection.gone:
            self._idle.pop(connection, None)
            self._idle_of[connection.client].pop(connection, None)

    def release(self, connection: Connection) -> None:
        """Allow a connection to be evicted again."""
        if connection.settled:
            self._idle[connection] = self._idle_of[connection.client][connection] = None

    def leave(self, connection: Connection) -> None:
        """Remove a closed connection."""
        if not connection.gone:
            self._uncount(connection)
            connection.gone = True
            connection.abort = _nothing
            self.taken -= 1

    def _evict(self, idle: dict[Connection, None]) -> bool:
        oldest = next(iter(idle), None)
        if oldest is None:
            return False
        metrics.refusals.labels("connections").inc()
        abort = oldest.abort
        self.leave(oldest)
        abort()
        return True

    def _uncount(self, connection: Connection) -> None:
        self.hold(connection)
        self._of[connection.client] -= 1
        if not self._of[connection.client]:
            del self._of[connection.client], self._idle_of[connection.client]


def _has_left(accepted: socket.socket) -> bool:
    """Return whether a client has closed or reset its connection without sending anything."""
    try:
        return not accepted.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except OSError:
        return True


class Acceptor:
    """Accepts new connections from a listening socket.

    asyncio's own servers accept hundreds of connections before any of them can be counted, and log a line for each
    failure. This class counts each connection immediately and logs at most one line a minute.
    """

    def __init__(
        self, listener: socket.socket, registry: Registry, protocol: Callable[[Connection], asyncio.Protocol]
    ) -> None:
        self.listener = listener
        self.registry = registry
        self.protocol = protocol
        self.loop = asyncio.get_running_loop()
        self._reopening: asyncio.TimerHandle | None = None
        self._next_batch: asyncio.TimerHandle | None = None
        self._logged = -_QUIET
        self._waiting: dict[str, deque[tuple[socket.socket, Connection]]] = {}  # not yet served; next client first
        self._starting: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        """Start accepting connections."""
        self.listener.setblocking(False)
        self.loop.add_reader(self.listener, self._accept)

    def close(self) -> None:
        """Stop accepting connections, and close those that were not served yet."""
        self.loop.remove_reader(self.listener)
        for timer in (self._reopening, self._next_batch):
            if timer:
                timer.cancel()
        for queue in self._waiting.values():
            for accepted, connection in queue:
                self._drop(accepted, connection)
        self._waiting.clear()

    def _accept(self) -> None:
        """Accept new connections: close those over the limits immediately, and serve the others in small batches."""
        for _ in range(_BATCH):
            try:
                accepted, address = self.listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionError):
                break
            except OSError as error:  # no descriptor or memory is left
                if time.monotonic() - self._logged > _QUIET:
                    self._logged = time.monotonic()
                    log.warning("no connection can be accepted", extra={"error": error.strerror})
                metrics.refusals.labels("descriptors").inc()
                # New connections wait in the system's queue. The timer comes first because memory may run out here.
                self._reopening = self.loop.call_later(_PAUSE, self.open)
                self.loop.remove_reader(self.listener)
                break
            connection = self.registry.enter(address[0])
            if connection is None:
                metrics.refusals.labels("connections").inc()
                accepted.close()
                continue
            connection.abort = accepted.close
            self._waiting.setdefault(connection.client, deque()).append((accepted, connection))
        if self._next_batch is None:
            self._serve_batch()

    def _serve_batch(self) -> None:
        """Start serving a few of the waiting connections, one client after another, and schedule the next batch."""
        late = self.loop.time() - self._next_batch.when() if self._next_batch else 0.0
        pause = min(_BETWEEN + _LATE * late, _AT_MOST)
        self._next_batch = self.loop.call_later(pause, self._serve_batch) if self._waiting else None
        started = 0
        for _ in range(_BATCH):
            if not self._waiting or started == _STARTED:
                return
            client = next(iter(self._waiting))
            queue = self._waiting.pop(client)
            accepted, connection = queue.popleft()
            if queue:
                self._waiting[client] = queue  # now last in line
            if _has_left(accepted):
                self._drop(accepted, connection)
            elif not connection.gone:  # not evicted meanwhile
                started += 1
                connection.abort = _nothing  # until it has a transport
                task = self.loop.create_task(self._start(accepted, connection))
                self._starting.add(task)
                task.add_done_callback(self._starting.discard)

    async def _start(self, accepted: socket.socket, connection: Connection) -> None:
        try:
            accepted.setblocking(False)
            await self.loop.connect_accepted_socket(lambda: self.protocol(connection), accepted)
        except OSError:  # the client has left already
            self._drop(accepted, connection)
        except MemoryError:
            self._drop(accepted, connection)
            raise

    def _drop(self, accepted: socket.socket, connection: Connection) -> None:
        self.registry.leave(connection)
        accepted.close()
