"""HTTP connections with deadlines, and WebSockets that close even if the client does not respond."""

import asyncio
import sys
from contextlib import suppress
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

from gridlock.web.net.connections import Connection
from gridlock.web.net.limits import MESSAGE

HEADER_SECONDS = 10.0  # for a request's head to arrive
REQUEST_SECONDS = 60.0  # for a whole request and its answer
LAST_SECONDS = 2.0  # for a close frame to arrive
_AT_ONCE = 16384  # bytes per read; more rarely arrive at once, and allocating asyncio's 256 KB is slow


def _break_cycle(transport: asyncio.Transport) -> None:
    """Break a closed transport's reference cycle, so that its memory is freed before the next garbage collection."""
    transport._read_ready_cb = None  # type: ignore[attr-defined]


class Deadlines(H11Protocol):
    """An HTTP connection with time limits for sending a request and for receiving the answer."""

    _timer: asyncio.TimerHandle | None = None

    def __init__(self, connection: Connection, **settings: Any) -> None:
        super().__init__(**settings)
        self.connection = connection
        self.app_state = {**self.app_state, "connection": connection}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Set the deadline for the first request."""
        super().connection_made(transport)
        transport.max_size = _AT_ONCE  # type: ignore[attr-defined]
        self.connection.abort = transport.abort
        if self.connection.gone:  # evicted already
            transport.abort()
        self._wait(HEADER_SECONDS)

    def data_received(self, data: bytes) -> None:
        """Read data, then set the next deadline."""
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
        """Reject a malformed request, unless a response has been sent already."""
        if error := sys.exception():
            error.__traceback__ = None  # the traceback would keep this connection in memory
        if self.cycle is not None and not self.cycle.response_complete:  # cancel the request in progress
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            head = f"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: {len(msg)}\r\n\r\n"
            self.transport.write(head.encode() + msg.encode())  # not through h11, whose state forbids it
        self.transport.close()

    def on_response_complete(self) -> None:
        """Clear the deadline, or set one for the rest of a request that was answered before all of it had arrived."""
        unread = self.conn.their_state is h11.SEND_BODY  # answered, but the body is still arriving
        self._wait(HEADER_SECONDS if unread else None)
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Prepare a connection that becomes a WebSocket: clear its deadline, and receive data in smaller chunks.

        A WebSocket needs no deadline. Smaller chunks limit the memory that a WebSocket's queued input takes up.
        """
        self._wait(None)
        self.transport.max_size = MESSAGE  # type: ignore[attr-defined]
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """Unregister the connection, and free everything that it refers to."""
        self._wait(None)
        self.connection.registry.leave(self.connection)
        _break_cycle(self.transport)
        super().connection_lost(exc)
        self._unset_keepalive_if_required()  # otherwise the timer would remain after the connection was reset
        self.cycle = None  # type: ignore[assignment]  # a reference cycle

    def _wait(self, seconds: float | None) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = self.loop.call_later(seconds, self.transport.abort) if seconds else None


class AbortableSocket(WebSocketsSansIOProtocol):
    """A WebSocket that can always be closed, even if the client reads nothing."""

    def connection_lost(self, exc: Exception | None) -> None:
        """Unregister the connection, and free everything that it refers to."""
        self.app_state["connection"].registry.leave(self.app_state["connection"])
        _break_cycle(self.transport)
        super().connection_lost(exc)
        self.conn.parser.close()  # a generator in a reference cycle with the connection
        self.conn.parser_exc = None  # a malformed message's traceback is in a reference cycle, too

    def send_receive_event_to_app(self) -> None:
        """Pass on a complete message; close the connection if the message is not valid UTF-8."""
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
        """Send a message; raise ClientDisconnected if the connection has been closed in the meantime."""
        if self.close_sent:
            raise ClientDisconnected
        try:
            await super().send(message)
        except InvalidState:
            raise ClientDisconnected from None

    def keepalive_timeout(self) -> None:
        """Close the connection because the client did not answer a ping."""
        with suppress(InvalidState):
            super().keepalive_timeout()
        self.loop.call_later(LAST_SECONDS, self.transport.abort)

    def shutdown(self) -> None:
        """Close the connection when the server stops."""
        with suppress(InvalidState):
            super().shutdown()
        self.loop.call_later(LAST_SECONDS, self.transport.abort)
