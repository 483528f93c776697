"""Check that uvicorn, websockets, h11 and asyncio still have the undocumented attributes that the server needs.

If a test in this file fails with a new version of uvicorn, websockets or h11, check `web/net/protocols.py` and
`web/server.py` before raising the package's upper limit in `pyproject.toml`. If a package no longer has an undocumented
attribute that the server needs, connections may leak or hang, even if the tests in all other files pass.
"""

import asyncio
import socket
from collections.abc import Callable

import h11
import pytest
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from gridlock.web.net.protocols import AbortableSocket, Deadlines
from gridlock.web.server import Server

OVERRIDDEN = [
    *((Deadlines, name) for name in ("connection_made", "data_received", "send_400_response", "on_response_complete")),
    *((Deadlines, name) for name in ("handle_websocket_upgrade", "connection_lost")),
    *((AbortableSocket, name) for name in ("connection_lost", "send_receive_event_to_app", "send")),
    *((AbortableSocket, name) for name in ("keepalive_timeout", "shutdown")),
    *((Server, name) for name in ("startup", "shutdown", "capture_signals")),
]


@pytest.mark.parametrize(("ours", "name"), OVERRIDDEN, ids=lambda one: getattr(one, "__name__", one))
def test_overridden_methods_exist(ours: type, name: str) -> None:
    theirs = ours.__mro__[1]
    assert name in vars(ours), f"{ours.__name__}.{name} is no longer overridden: leave it out here."
    assert callable(getattr(theirs, name, None)), f"{theirs.__name__} has no {name} any more: nobody would call ours."


async def on_a_connection(make: Callable[[], asyncio.Protocol]) -> tuple[asyncio.Transport, asyncio.Protocol]:
    """Run a protocol on a real connection in the event loop."""
    ours, other = socket.socketpair()
    try:
        ours.setblocking(False)
        return await asyncio.get_running_loop().connect_accepted_socket(make, ours)
    finally:
        other.close()


def config() -> uvicorn.Config:
    """Return uvicorn settings for an application that never gets a request."""

    async def app(_scope: object, _receive: object, _send: object) -> None:
        raise AssertionError

    return uvicorn.Config(app, log_config=None, ws=WebSocketsSansIOProtocol, http=H11Protocol)


def need(owner: object, why: str, *names: str) -> None:
    """Fail with a clear message if an object lacks an attribute."""
    kind = f"{type(owner).__module__}.{type(owner).__name__}"
    for name in names:
        assert hasattr(owner, name), f"{kind} has no {name} any more, which we need {why}."


def test_every_private_attribute_we_use_exists() -> None:
    async def run() -> None:
        settings = config()
        settings.load()
        state, app_state = ServerState(), {"connection": None}
        made = [
            lambda: H11Protocol(config=settings, server_state=state, app_state=app_state),
            lambda: WebSocketsSansIOProtocol(config=settings, server_state=state, app_state=app_state),
        ]
        for make in made:
            transport, protocol = await on_a_connection(make)
            need(transport, "to let go of a closed connection at once", "_read_ready_cb")
            need(transport, "to read less at once", "max_size")
            need(protocol, "to count connections and to end them", "app_state", "loop", "transport")
            if isinstance(protocol, H11Protocol):
                need(protocol, "to cancel what waits for a closed connection", "_unset_keepalive_if_required")
                need(protocol, "for deadlines and for answers to nonsense", "conn", "cycle")
                need(protocol.conn, "to know whether a request has begun", "their_state", "our_state")
            else:
                need(protocol, "to look at a message before it is read", "curr_msg_data_type", "close_sent")
                need(protocol, "to look at a message before it is read", "handle_parser_exception", "frames")
                need(protocol.conn, "to let go of a closed connection at once", "parser", "parser_exc")
                need(protocol.conn.parser, "to let go of a closed connection at once", "close")
                need(protocol.conn, "to refuse what is no text", "send_close")
            transport.abort()
        server = uvicorn.Server(settings)
        need(server, "to start and to stop", "handle_exit", "should_exit", "server_state", "config")
        for name in ("IDLE", "SEND_RESPONSE", "SEND_BODY"):
            assert hasattr(h11, name), f"h11 has no {name} any more, by which deadlines are set."
        await asyncio.sleep(0)

    asyncio.run(run())


def test_a_cycle_can_be_marked_as_disconnected() -> None:
    from uvicorn.protocols.http.h11_impl import RequestResponseCycle

    written = set(RequestResponseCycle.__init__.__code__.co_names)
    for name in ("response_complete", "disconnected", "message_event"):
        assert name in written, f"uvicorn's RequestResponseCycle has no {name} any more, by which it is told to stop."
