"""The acceptor closes excess connections immediately, and a crowd does not delay other clients."""

import asyncio
import contextlib
import socket
from asyncio.selector_events import _SelectorSocketTransport

from gridlock.web.net.acceptor import Acceptor
from gridlock.web.net.connections import Connection, Registry

CROWD, MAY = 60, 40


def connected(port: int, address: str) -> socket.socket:
    """A client that sends nothing."""
    return socket.create_connection(("127.0.0.1", port), source_address=(address, 0), timeout=5)


def test_a_crowd_is_refused_at_once_and_another_client_does_not_wait_for_those_waiting() -> None:
    talked_to: list[str] = []

    class Talk(asyncio.Protocol):
        def __init__(self, connection: Connection) -> None:
            self.connection = connection

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            talked_to.append(self.connection.client)
            self.connection.abort = transport.abort  # type: ignore[attr-defined]

        def connection_lost(self, _error: Exception | None) -> None:
            self.connection.registry.leave(self.connection)

    async def run() -> None:
        registry = Registry(MAY, 1000)
        listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        port = listener.getsockname()[1]
        crowd = [connected(port, "127.0.0.2") for _ in range(CROWD)]
        other = connected(port, "127.0.0.3")
        acceptor = Acceptor(listener, registry, Talk)
        acceptor.open()
        while registry.taken < MAY + 1:
            await asyncio.sleep(0)
        refused = 0
        for one in crowd:
            one.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                refused += one.recv(1) == b""
        assert refused == CROWD - MAY  # before most of the others were answered
        assert len(talked_to) < MAY / 2
        while len(talked_to) < MAY + 1:
            await asyncio.sleep(0.01)
        assert talked_to.index("127.0.0.3") < 6
        acceptor.close()
        assert registry.taken == MAY + 1
        for one in [*crowd, other]:
            one.close()
        while registry.taken:
            await asyncio.sleep(0.01)
        listener.close()

    asyncio.run(asyncio.wait_for(run(), 30))


def seconds_for_a_crowd(turn: float) -> float:
    """Return how long it takes until a whole crowd has been answered, if every turn of the server takes this long."""
    made: list[Connection] = []
    now = 100.0

    async def run() -> float:
        nonlocal now
        loop = asyncio.get_running_loop()
        loop.time = lambda: now  # type: ignore[method-assign]
        listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        crowd = [connected(listener.getsockname()[1], "127.0.0.2") for _ in range(MAY)]
        acceptor = Acceptor(
            listener, Registry(MAY, 1000), lambda connection: made.append(connection) or asyncio.Protocol()
        )
        acceptor.open()
        begin = now
        while len(made) < MAY:
            await asyncio.sleep(0)
            now += turn
        acceptor.close()
        listener.close()
        for one in crowd:
            one.close()
        return now - begin

    return asyncio.run(run())


def test_newcomers_wait_longer_while_players_have_to_wait() -> None:
    assert 0.07 < seconds_for_a_crowd(0.0005) < 0.15  # five every hundredth of a second
    assert 0.2 < seconds_for_a_crowd(0.01) < 0.4  # ... every fiftieth; without the longer wait it would be 0.17


def test_clients_that_have_left_delay_no_others() -> None:
    made: list[Connection] = []

    async def run() -> None:
        registry = Registry(MAY, 1000)
        listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        for _ in range(MAY):
            connected(listener.getsockname()[1], "127.0.0.2").close()
        other = connected(listener.getsockname()[1], "127.0.0.2")
        registry.pace.burst = 100
        registry.per_client = 100
        acceptor = Acceptor(listener, registry, lambda connection: made.append(connection) or asyncio.Protocol())
        acceptor.open()
        await asyncio.sleep(0)
        await asyncio.sleep(0)  # one check, and one turn for those who were admitted
        assert acceptor._next_batch is None or not acceptor._waiting
        assert registry.taken == 1
        acceptor.close()
        other.close()
        listener.close()

    asyncio.run(asyncio.wait_for(run(), 30))


def test_a_connection_that_makes_room_gets_no_response() -> None:
    made: list[Connection] = []

    async def run() -> None:
        registry = Registry(2, 2)
        registry.pace.burst = 100
        listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        acceptor = Acceptor(listener, registry, lambda connection: made.append(connection) or asyncio.Protocol())
        clients = [connected(listener.getsockname()[1], f"127.0.0.{number}") for number in range(2, 22)]
        acceptor.open()
        while acceptor._waiting or len(made) < 2:
            await asyncio.sleep(0.01)
        assert registry.taken == 2
        assert len([one for one in made if not one.gone]) == 2
        assert len(made) < 20
        acceptor.close()
        listener.close()
        for one in clients:
            one.close()

    asyncio.run(asyncio.wait_for(run(), 30))


def test_reading_takes_no_more_room_than_there_is_to_read() -> None:
    assert _SelectorSocketTransport.max_size > 65536  # which we replace; if it has gone, so can our number
