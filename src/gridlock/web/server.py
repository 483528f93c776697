"""The running server: sockets, deadlines, and a clean stop."""

import asyncio
import ctypes
import gc
import ipaddress
import logging
import resource
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import h11
import uvicorn
from sqlalchemy.exc import SQLAlchemyError
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

from gridlock.web import logs
from gridlock.web.app import Serving, build
from gridlock.web.connections import Connection, Door, Room
from gridlock.web.hub import Hub
from gridlock.web.limits import MESSAGE

log = logging.getLogger("gridlock.web")
HEADER_SECONDS = 10.0  # for the head of a request to arrive
REQUEST_SECONDS = 60.0  # for a whole request and its answer
DRAIN_SECONDS = 10.0
LAST_SECONDS = 2.0  # for a farewell to arrive
LARGEST_HEAD = 16384
_OWN_FILES = 128  # for the database, the workers and what is being read
_RARELY = (1000, 5, 100)  # new objects until cycles are looked for: often among the newest, rarely among all
_TURN = 0.0005  # seconds until a thread that wants to run gets its turn: a commit needs a dozen of them
_MMAP_THRESHOLD = -3  # what malloc.h calls M_MMAP_THRESHOLD
_FEWEST = 16  # connections, however few files there are


class Deadlines(H11Protocol):
    """An HTTP connection that has to say what it wants, and to take the answer, in time."""

    _timer: asyncio.TimerHandle | None = None

    def __init__(self, connection: Connection, **settings: Any) -> None:
        super().__init__(**settings)
        self.connection = connection
        self.app_state = {**self.app_state, "connection": connection}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """It is there."""
        super().connection_made(transport)
        self.connection.abort = transport.abort
        if self.connection.gone:  # it has had to make room already
            transport.abort()
        self._wait(HEADER_SECONDS)

    def data_received(self, data: bytes) -> None:
        """Something has arrived."""
        waiting = self.conn.their_state is h11.IDLE
        super().data_received(data)
        if self.transport.get_protocol() is not self or self.transport.is_closing():
            return
        if self.conn.their_state is not h11.IDLE:
            if waiting:
                self._wait(REQUEST_SECONDS)
        elif self._timer is None:
            self._wait(HEADER_SECONDS)

    def send_400_response(self, msg: str) -> None:
        """What has arrived makes no sense; if that comes after an answer, there is nothing left to say."""
        if self.cycle is not None and not self.cycle.response_complete:  # whoever is at work on it need not answer
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            head = f"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: {len(msg)}\r\n\r\n"
            self.transport.write(head.encode() + msg.encode())  # not by h11, which knows rules against it
        self.transport.close()

    def on_response_complete(self) -> None:
        """A request is answered."""
        unread = self.conn.their_state is h11.SEND_BODY  # answered already, but the body still trickles in
        self._wait(HEADER_SECONDS if unread else None)
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """It becomes a WebSocket."""
        self._wait(None)
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone."""
        self._wait(None)
        self.connection.room.leave(self.connection)
        super().connection_lost(exc)
        self.cycle = None  # type: ignore[assignment]  # which knows us, too: neither would be let go of before garbage is looked for

    def _wait(self, seconds: float | None) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = self.loop.call_later(seconds, self.transport.abort) if seconds else None


class AbortableSocket(WebSocketsSansIOProtocol):
    """A WebSocket that goes away for certain: a client that reads nothing would otherwise hold it open for ever."""

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone."""
        self.app_state["connection"].room.leave(self.app_state["connection"])
        super().connection_lost(exc)
        self.conn.parser.close()  # the same: it is a generator that knows the connection that knows it

    def send_receive_event_to_app(self) -> None:
        """A whole message is here; one that is no text at all ends the connection."""
        if self.curr_msg_data_type == "text" and not self.close_sent:
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.frames = []
                with suppress(InvalidState):
                    self.conn.send_close(1007)
                    self.handle_parser_exception()
                return
        super().send_receive_event_to_app()

    async def send(self, message: Any) -> None:
        """Send something, unless the connection has ended meanwhile."""
        if self.close_sent:
            raise ClientDisconnected
        try:
            await super().send(message)
        except InvalidState:
            raise ClientDisconnected from None

    def keepalive_timeout(self) -> None:
        """A ping was not answered."""
        with suppress(InvalidState):
            super().keepalive_timeout()
        self.loop.call_later(LAST_SECONDS, self.transport.abort)

    def shutdown(self) -> None:
        """The server stops."""
        with suppress(InvalidState):
            super().shutdown()
        self.loop.call_later(LAST_SECONDS, self.transport.abort)


class Server(uvicorn.Server):
    """A server that finishes what is under way before it stops."""

    def __init__(
        self, config: uvicorn.Config, listener: socket.socket, room: Room, hub: Hub, ready: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._listener = listener
        self._room = room
        self._hub = hub
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say so."""
        await super().startup(sockets or [])  # nothing listens yet: our own door does that
        self._door = Door(self._listener, self._room, self._protocol)
        self._door.open()
        self._ready()

    def _protocol(self, connection: Connection) -> Deadlines:
        return Deadlines(connection, config=self.config, server_state=self.server_state, app_state=self.lifespan.state)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no new connections, finish what was begun, then close the rest."""
        log.info("stopping")
        self._door.close()
        self._listener.close()
        await self._hub.drain(DRAIN_SECONDS)
        await super().shutdown(sockets)
        log.info("stopped")

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on SIGTERM and Ctrl-C; at the second one, at once."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.handle_exit, number, None)
        yield


def listen_on(host: str, port: int) -> socket.socket:
    """A socket for the address; port 0 means any that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=512)


def run(listener: socket.socket, serving: Serving, ready: Callable[[], None]) -> None:
    """Serve until told to stop."""
    logs.to_stderr()
    files = _allow_many_files()
    try:
        app, hub = build(serving)
        hub.store.prepare()
    except (SQLAlchemyError, ValueError) as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise OSError(f"the database cannot be used: {reason}") from None
    networks = [ipaddress.ip_network(proxy) for proxy in serving.proxies]
    room = Room(
        serving.limits.connections,
        max(_FEWEST, files - _OWN_FILES),
        lambda address: any(ipaddress.ip_address(address) in network for network in networks),
    )
    settings: dict[str, Any] = {
        "ws": AbortableSocket,
        "ws_max_size": MESSAGE,
        "ws_ping_interval": 20.0,
        "ws_ping_timeout": 20.0,
        "ws_per_message_deflate": False,  # a state is small, and compression costs memory for every connection
        "h11_max_incomplete_event_size": LARGEST_HEAD,
        "timeout_keep_alive": 15,
        "timeout_graceful_shutdown": 10,
        "proxy_headers": bool(serving.proxies),
        "forwarded_allow_ips": [str(network) for network in networks],
        "server_header": False,
        "access_log": False,
        "log_config": None,
    }

    _return_memory()
    gc.freeze()  # what is there now stays: it need not be looked through again and again
    gc.set_threshold(*_RARELY)
    sys.setswitchinterval(_TURN)

    def started() -> None:
        log.info("started", extra={"address": listener.getsockname()[:2], "database": hub.store.kind})
        ready()

    asyncio.run(Server(uvicorn.Config(app, **settings), listener, room, hub, started).serve())


def _allow_many_files() -> int:
    """Every connection is a file: use what the system lets us have, and say how many that are."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 65536 if hard == resource.RLIM_INFINITY else min(hard, 65536)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return max(soft, wanted)


def _return_memory() -> None:
    """Have large buffers given back to the system when they are freed; by itself, the C library keeps most of them."""
    if mallopt := getattr(ctypes.CDLL(None), "mallopt", None):  # glibc's
        mallopt(_MMAP_THRESHOLD, 1 << 16)
