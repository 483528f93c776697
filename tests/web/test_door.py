"""The door: who may not come in is gone at once, and nobody who may waits for a crowd of others."""

import asyncio
import contextlib
import socket
from asyncio.selector_events import _SelectorSocketTransport

from gridlock.web.connections import Connection, Door, Room

CROWD, MAY = 60, 40


def connected(port: int, address: str) -> socket.socket:
    """A client that says nothing."""
    return socket.create_connection(("127.0.0.1", port), source_address=(address, 0), timeout=5)


def test_a_crowd_is_refused_at_once_and_another_client_does_not_wait_for_those_let_in() -> None:
    talked_to: list[str] = []

    class Talk(asyncio.Protocol):
        def __init__(self, connection: Connection) -> None:
            self.connection = connection

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            talked_to.append(self.connection.client)
            self.connection.abort = transport.abort  # type: ignore[attr-defined]

        def connection_lost(self, _error: Exception | None) -> None:
            self.connection.room.leave(self.connection)

    async def run() -> None:
        room = Room(MAY, 1000)
        listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        port = listener.getsockname()[1]
        crowd = [connected(port, "127.0.0.2") for _ in range(CROWD)]
        other = connected(port, "127.0.0.3")
        door = Door(listener, room, Talk)
        door.open()
        while room.taken < MAY + 1:
            await asyncio.sleep(0)
        refused = 0
        for one in crowd:
            one.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                refused += one.recv(1) == b""
        assert refused == CROWD - MAY  # before most of the others were talked to
        assert len(talked_to) < MAY / 2
        while len(talked_to) < MAY + 1:
            await asyncio.sleep(0.01)
        assert talked_to.index("127.0.0.3") < 6
        door.close()
        assert room.taken == MAY + 1
        for one in [*crowd, other]:
            one.close()
        while room.taken:
            await asyncio.sleep(0.01)
        listener.close()

    asyncio.run(asyncio.wait_for(run(), 30))


def test_whoever_has_to_make_room_at_the_door_is_never_talked_to() -> None:
    made: list[Connection] = []

    async def run() -> None:
        room = Room(2, 2)
        room.pace.burst = 100
        listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        door = Door(listener, room, lambda connection: made.append(connection) or asyncio.Protocol())
        clients = [connected(listener.getsockname()[1], f"127.0.0.{number}") for number in range(2, 22)]
        door.open()
        while door._let_in or len(made) < 2:
            await asyncio.sleep(0.01)
        assert room.taken == 2
        assert len([one for one in made if not one.gone]) == 2
        assert len(made) < 20
        door.close()
        listener.close()
        for one in clients:
            one.close()

    asyncio.run(asyncio.wait_for(run(), 30))


def test_reading_takes_no_more_room_than_there_is_to_read() -> None:
    assert _SelectorSocketTransport.max_size > 65536  # which we replace; if that has gone, so can our number
