"""Accepting connections: each connection is counted immediately, and returning players are always admitted."""

import asyncio
import logging
import re
import socket
import time
from collections.abc import Callable
from functools import partial

from gridlock.web.net import metrics
from gridlock.web.net.connections import Connection, Registry, nothing
from gridlock.web.net.limits import client_of

log = logging.getLogger("gridlock.web")
_BATCH = 64  # connections examined before other work gets its turn
_STARTED, _OF_CROWDS = 5, 2  # new connections per batch from clients that rarely connect, and from busy clients
_BETWEEN, _AT_MOST = 0.01, 0.02  # seconds between two batches, so that busy clients wait instead of players
_LATE = 8  # a delayed batch postpones the next batch by this many times the delay
_PAUSE = 0.5  # seconds without new connections when no file descriptor is left
_QUIET = 60.0  # seconds until the lack of file descriptors is logged again
_DOORSTEP = 0.4  # seconds in which a busy client's connection, or one over the limits, can show that it is a player's
_ON_DOORSTEP, _OF_CLIENT = 256, 64  # most connections that get this much time, overall and per client
Waiting = dict[str, dict[Connection, socket.socket]]  # by client
_PLAYER = re.compile(rb"GET /ws(?:\?back=([A-Za-z0-9_-]{32}))? HTTP")  # see `back` in docs/protocol.md


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
    failure. This class counts each connection immediately and logs at most one line per minute.
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
        # Each client has a queue of waiting connections. Clients that rarely connect are kept apart from busy clients.
        self._seldom: Waiting = {}
        self._crowds: Waiting = {}
        self._starting: set[asyncio.Task[None]] = set()
        self._doorstep: dict[str, dict[socket.socket, asyncio.TimerHandle]] = {}  # not admitted yet, by client

    def open(self) -> None:
        """Start accepting connections."""
        self.listener.setblocking(False)
        self.loop.add_reader(self.listener, self._accept)

    def close(self) -> None:
        """Stop accepting connections, and close the connections that have not been served yet."""
        self.loop.remove_reader(self.listener)
        for timer in (self._reopening, self._next_batch):
            if timer:
                timer.cancel()
        for waiting in (self._seldom, self._crowds):
            for queue in waiting.values():
                for connection, accepted in queue.items():
                    self._drop(accepted, connection)
            waiting.clear()
        for client, sockets in list(self._doorstep.items()):
            for one in list(sockets):
                self._turn_away(client, one)

    def _accept(self) -> None:
        """Accept new connections, reject connections over the limits, and serve the rest in small batches."""
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
                # Until the server accepts connections again, the operating system queues new ones. The timer is set
                # before the reader is removed, so that the server recovers even if memory runs out in between.
                self._reopening = self.loop.call_later(_PAUSE, self.open)
                self.loop.remove_reader(self.listener)
                break
            asks_first = self.registry.remembers and not self.registry.comes_seldom(client_of(address[0]))
            connection = None if asks_first else self.registry.enter(address[0])
            if connection is not None:
                self._queue(accepted, connection)
            elif self.registry.remembers:
                self._ask_who(address[0], accepted)
            else:
                metrics.refusals.labels("connections").inc()
                accepted.close()
        if self._next_batch is None:
            self._serve_batch()

    def _queue(self, accepted: socket.socket, connection: Connection) -> None:
        """Queue a connection; a returning player does not share a queue with other clients at the same address."""
        client = connection.back or connection.client
        seldom = connection.back or self.registry.comes_seldom(client)
        waiting = self._seldom if seldom else self._crowds
        waiting.setdefault(client, {})[connection] = accepted
        connection.abort = partial(self._evicted, waiting, client, connection)

    def _evicted(self, waiting: Waiting, client: str, connection: Connection) -> None:
        """Close a waiting connection to make room for another."""
        waiting[client].pop(connection).close()
        if not waiting[client]:
            del waiting[client]

    def _keep_on_doorstep(self, address: str, accepted: socket.socket) -> None:
        """Hold a new connection briefly, until its request shows whether the client could be a returning player."""
        client = client_of(address)
        waiting = self._doorstep.get(client, {})
        if accepted in waiting:
            return
        if len(waiting) >= _OF_CLIENT:
            self._turn_away(client, next(iter(waiting)))
        elif sum(map(len, self._doorstep.values())) >= _ON_DOORSTEP:
            crowd = max(self._doorstep, key=lambda one: len(self._doorstep[one]))
            self._turn_away(crowd, next(iter(self._doorstep[crowd])))
        accepted.setblocking(False)
        timer = self.loop.call_later(_DOORSTEP, self._turn_away, client, accepted)
        self._doorstep.setdefault(client, {})[accepted] = timer
        self.loop.add_reader(accepted.fileno(), self._ask_who, address, accepted)

    def _ask_who(self, address: str, accepted: socket.socket) -> None:
        """Admit a connection if there is room, or if its request may come from a returning player."""
        try:
            found = _PLAYER.match(accepted.recv(128, socket.MSG_PEEK | socket.MSG_DONTWAIT))
        except BlockingIOError:  # nothing has arrived yet
            self._keep_on_doorstep(address, accepted)
            return
        except OSError:
            found = None
        connection = None
        if found and found[1]:
            connection = self.registry.enter_again(address, found[1].decode())
        connection = connection or self.registry.enter(address)
        if found and connection is None:
            connection = self.registry.enter(address, to_play=True)
        if connection is None:
            self._turn_away(client_of(address), accepted)
            return
        self._off_doorstep(client_of(address), accepted)
        self._queue(accepted, connection)
        if self._next_batch is None:
            self._serve_batch()

    def _off_doorstep(self, client: str, accepted: socket.socket) -> None:
        waiting = self._doorstep.get(client, {})
        if timer := waiting.pop(accepted, None):
            timer.cancel()
            self.loop.remove_reader(accepted.fileno())
            if not waiting:
                del self._doorstep[client]

    def _turn_away(self, client: str, accepted: socket.socket) -> None:
        metrics.refusals.labels("connections").inc()
        self._off_doorstep(client, accepted)
        accepted.close()

    def _serve_batch(self) -> None:
        """Start serving a few waiting connections, taking one from each client in turn, and schedule the next batch.

        Clients that rarely connect do not wait behind busy clients.
        """
        late = self.loop.time() - self._next_batch.when() if self._next_batch else 0.0
        pause = min(_BETWEEN + _LATE * late, _AT_MOST)
        self._next_batch = self.loop.call_later(pause, self._serve_batch) if self._seldom or self._crowds else None
        for waiting, most in ((self._seldom, _STARTED), (self._crowds, _OF_CROWDS)):
            self._serve(waiting, most)

    def _serve(self, waiting: Waiting, most: int) -> None:
        """Start serving up to `most` waiting connections, taking one from each client in turn."""
        for _ in range(_BATCH):
            if not waiting or most == 0:
                return
            client = next(iter(waiting))
            queue = waiting.pop(client)
            connection = next(iter(queue))
            accepted = queue.pop(connection)
            if queue:
                waiting[client] = queue  # now last in line
            if _has_left(accepted):
                self._drop(accepted, connection)
            else:
                most -= 1
                connection.abort = nothing  # until the connection has a transport
                task = self.loop.create_task(self._start(accepted, connection))
                self._starting.add(task)
                task.add_done_callback(self._starting.discard)

    async def _start(self, accepted: socket.socket, connection: Connection) -> None:
        try:
            accepted.setblocking(False)
            await self.loop.connect_accepted_socket(lambda: self.protocol(connection), accepted)
        except OSError:  # the client has already disconnected
            self._drop(accepted, connection)
        except MemoryError:
            self._drop(accepted, connection)
            raise

    def _drop(self, accepted: socket.socket, connection: Connection) -> None:
        self.registry.leave(connection)
        accepted.close()
