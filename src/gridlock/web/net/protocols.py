"""How connections speak: HTTP with deadlines, and WebSockets that go away for certain."""

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

HEADER_SECONDS = 10.0  # for the head of a request to arrive
REQUEST_SECONDS = 60.0  # for a whole request and its answer
LAST_SECONDS = 2.0  # for a farewell to arrive
_AT_ONCE = 16384  # bytes to read at once: there is seldom more, and room for asyncio's 256 KB is slow to be had


def _let_go(transport: asyncio.Transport) -> None:
    """Break the circle that asyncio leaves a closed transport in: else it stays until garbage is looked for."""
    transport._read_ready_cb = None  # type: ignore[attr-defined]


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
        transport.max_size = _AT_ONCE  # type: ignore[attr-defined]
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
        if error := sys.exception():
            error.__traceback__ = None  # else they hold each other, and us
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
        _let_go(self.transport)
        super().connection_lost(exc)
        self._unset_keepalive_if_required()  # which stays, else, if the connection was broken off
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
        _let_go(self.transport)
        super().connection_lost(exc)
        self.conn.parser.close()  # the same: it is a generator that knows the connection that knows it,
        self.conn.parser_exc = None  # and so does the trace of what was wrong with a message

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
