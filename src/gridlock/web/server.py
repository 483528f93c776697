"""The running server: sockets, deadlines, and a clean stop."""

import asyncio
import logging
import resource
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import h11
import uvicorn
from sqlalchemy.exc import SQLAlchemyError
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from gridlock.web import logs
from gridlock.web.app import Serving, build
from gridlock.web.hub import Hub
from gridlock.web.limits import MESSAGE, Open, client_of
from gridlock.web.socket import ABORT

log = logging.getLogger("gridlock.web")
HEADER_SECONDS = 10.0  # for the head of a request to arrive
REQUEST_SECONDS = 60.0  # for a whole request and its answer
DRAIN_SECONDS = 10.0
LAST_SECONDS = 2.0  # for a farewell to arrive
LARGEST_HEAD = 16384


def protocol_for(connections: int) -> type[H11Protocol]:
    """HTTP with deadlines, and with a limit on what one client holds open before it has said what it wants."""
    held = Open(connections)

    class Deadlines(H11Protocol):
        """A connection that has to say what it wants, and to take the answer, in time."""

        _timer: asyncio.TimerHandle | None = None
        _holder: str | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            client = client_of(self.client[0] if self.client else "")
            if not held.enter(client):
                transport.abort()
                return
            self._holder = client
            self._wait(HEADER_SECONDS)

        def data_received(self, data: bytes) -> None:
            waiting = self.conn.their_state is h11.IDLE
            super().data_received(data)
            if self.transport.get_protocol() is not self or self.transport.is_closing():
                return
            if self.conn.their_state is not h11.IDLE:
                if waiting:
                    self._wait(REQUEST_SECONDS)
            elif self._timer is None:
                self._wait(HEADER_SECONDS)

        def on_response_complete(self) -> None:
            unread = self.conn.their_state is h11.SEND_BODY  # answered already, but the body still trickles in
            self._wait(HEADER_SECONDS if unread else None)
            super().on_response_complete()

        def handle_websocket_upgrade(self, event: h11.Request) -> None:
            self._let_go()
            super().handle_websocket_upgrade(event)

        def connection_lost(self, exc: Exception | None) -> None:
            self._let_go()
            super().connection_lost(exc)

        def _let_go(self) -> None:
            self._wait(None)
            if self._holder is not None:
                held.leave(self._holder)
                self._holder = None

        def _wait(self, seconds: float | None) -> None:
            if self._timer:
                self._timer.cancel()
            self._timer = self.loop.call_later(seconds, self.transport.abort) if seconds else None

    return Deadlines


class AbortableSocket(WebSocketsSansIOProtocol):
    """A WebSocket that goes away for certain: a client that reads nothing would otherwise hold it open for ever."""

    def handle_connect(self, event: Request) -> None:
        """Lend the application the means to drop the connection."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["extensions"][ABORT] = {"abort": self.transport.abort}

    def keepalive_timeout(self) -> None:
        """A ping was not answered."""
        super().keepalive_timeout()
        self.loop.call_later(LAST_SECONDS, self.transport.abort)

    def shutdown(self) -> None:
        """The server stops."""
        super().shutdown()
        self.loop.call_later(LAST_SECONDS, self.transport.abort)


class Server(uvicorn.Server):
    """A server that finishes what is under way before it stops."""

    def __init__(self, config: uvicorn.Config, hub: Hub, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._hub = hub
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say so."""
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no new connections, finish what was begun, then close the rest."""
        log.info("stopping")
        for server in self.servers:
            server.close()
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
    return socket.create_server((host, port), family=family, backlog=2048)


def run(listener: socket.socket, serving: Serving, ready: Callable[[], None]) -> None:
    """Serve until told to stop."""
    logs.to_stderr()
    _allow_many_files()
    try:
        app, hub = build(serving)
        hub.store.prepare()
    except (SQLAlchemyError, ValueError) as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise OSError(f"the database cannot be used: {reason}") from None
    settings: dict[str, Any] = {
        "http": protocol_for(serving.limits.connections),
        "ws": AbortableSocket,
        "ws_max_size": MESSAGE,
        "ws_ping_interval": 20.0,
        "ws_ping_timeout": 20.0,
        "ws_per_message_deflate": False,  # a state is small, and compression costs memory for every connection
        "h11_max_incomplete_event_size": LARGEST_HEAD,
        "timeout_keep_alive": 15,
        "timeout_graceful_shutdown": 10,
        "proxy_headers": False,
        "server_header": False,
        "access_log": False,
        "log_config": None,
    }

    def started() -> None:
        log.info("started", extra={"address": listener.getsockname()[:2], "database": hub.store.kind})
        ready()

    asyncio.run(Server(uvicorn.Config(app, **settings), hub, started).serve([listener]))


def _allow_many_files() -> None:
    """Every connection is a file: use what the system lets us have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 65536 if hard == resource.RLIM_INFINITY else min(hard, 65536)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
