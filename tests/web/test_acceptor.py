"""Tests that the acceptor closes excess connections at once, and that a flood of them does not delay other clients."""

import asyncio
import contextlib
import socket
from asyncio.selector_events import _SelectorSocketTransport
from collections.abc import Iterator

import pytest

from gridlock.web.net.acceptor import Acceptor
from gridlock.web.net.connections import Connection, Registry

CROWD, MAY = 60, 40


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """A listening socket."""
    with socket.create_server(("127.0.0.1", 0), backlog=512) as opened:
        opened.setblocking(False)
        yield opened


def port_of(listener: socket.socket) -> int:
    """Return the port that clients connect to."""
    port: int = listener.getsockname()[1]
    return port


def connected(port: int, address: str) -> socket.socket:
    """Connect a client that sends nothing."""
    return socket.create_connection(("127.0.0.1", port), source_address=(address, 0), timeout=5)


def test_a_crowd_is_refused_at_once_and_another_client_does_not_wait_for_those_waiting(listener: socket.socket) -> None:
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
        port = port_of(listener)
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
        assert refused == CROWD - MAY  # the excess connections were closed before most clients were answered
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

    asyncio.run(asyncio.wait_for(run(), 30))


def seconds_for_a_crowd(listener: socket.socket, turn: float) -> float:
    """Return how many seconds it takes to answer many clients if each event-loop iteration lasts `turn` seconds."""
    made: list[Connection] = []
    now = 100.0

    async def run() -> float:
        nonlocal now
        loop = asyncio.get_running_loop()
        loop.time = lambda: now  # type: ignore[method-assign]
        crowd = [connected(port_of(listener), "127.0.0.2") for _ in range(MAY)]
        acceptor = Acceptor(
            listener, Registry(MAY, 1000), lambda connection: made.append(connection) or asyncio.Protocol()
        )
        acceptor.open()
        begin = now
        while len(made) < MAY:
            await asyncio.sleep(0)
            now += turn
        acceptor.close()
        for one in crowd:
            one.close()
        return now - begin

    return asyncio.run(run())


def test_newcomers_wait_longer_while_players_have_to_wait(listener: socket.socket) -> None:
    # The server admits five clients every hundredth of a second.
    assert 0.07 < seconds_for_a_crowd(listener, 0.0005) < 0.15
    assert (
        0.2 < seconds_for_a_crowd(listener, 0.01) < 0.4
    )  # five clients every fiftieth of a second; without the longer wait, it would be 0.17


def test_clients_that_have_left_delay_no_others(listener: socket.socket) -> None:
    made: list[Connection] = []

    async def run() -> None:
        registry = Registry(MAY, 1000)
        for _ in range(MAY):
            connected(port_of(listener), "127.0.0.2").close()
        other = connected(port_of(listener), "127.0.0.2")
        registry.pace.burst = 100
        registry.per_client = 100
        acceptor = Acceptor(listener, registry, lambda connection: made.append(connection) or asyncio.Protocol())
        acceptor.open()
        await asyncio.sleep(0)
        await asyncio.sleep(0)  # one turn for the check and one for the admitted clients
        assert acceptor._next_batch is None or not (acceptor._seldom or acceptor._crowds)
        assert registry.taken == 1
        acceptor.close()
        other.close()

    asyncio.run(asyncio.wait_for(run(), 30))


def test_a_connection_that_makes_room_gets_no_response(listener: socket.socket) -> None:
    made: list[Connection] = []

    async def run() -> None:
        registry = Registry(2, 2)
        registry.pace.burst = 100
        acceptor = Acceptor(listener, registry, lambda connection: made.append(connection) or asyncio.Protocol())
        clients = [connected(port_of(listener), f"127.0.0.{number}") for number in range(2, 22)]
        acceptor.open()
        while (acceptor._seldom or acceptor._crowds) or len(made) < 2:
            await asyncio.sleep(0.01)
        assert registry.taken == 2
        assert len([one for one in made if not one.gone]) == 2
        assert len(made) < 20
        acceptor.close()
        for one in clients:
            one.close()

    asyncio.run(asyncio.wait_for(run(), 30))


def test_a_client_that_comes_seldom_waits_for_no_crowd(listener: socket.socket) -> None:
    made: list[Connection] = []

    async def run() -> None:
        registry = Registry(MAY, 1000)
        port = port_of(listener)
        crowds = [connected(port, f"127.0.0.{number}") for number in range(2, 14) for _ in range(MAY // 2 + 1)]
        other = connected(port, "127.0.0.99")
        acceptor = Acceptor(listener, registry, lambda connection: made.append(connection) or asyncio.Protocol())
        while registry.taken < len(crowds) + 1:
            acceptor._accept()
        while all(one.client != "127.0.0.99" for one in made):
            await asyncio.sleep(0.001)
        before = [one.client for one in made].index("127.0.0.99")
        assert before <= 12 + 14  # at most the first connection of each crowd and two batches
        acceptor.close()
        for one in [*crowds, other]:
            one.close()

    asyncio.run(asyncio.wait_for(run(), 30))


BACK = "b" * 32


def test_a_player_who_comes_back_is_served_although_the_address_is_flooded(listener: socket.socket) -> None:
    made: list[Connection] = []

    def flood(port: int) -> list[socket.socket]:
        """Open many connections from one address, and begin a request on each."""
        sockets = [connected(port, "127.0.0.2") for _ in range(CROWD)]
        for one in sockets:
            one.sendall(b"GET /ws HTTP/1.1\r\n")
        return sockets

    async def run() -> None:
        registry = Registry(MAY, 1000)
        registry.pace.per_second = registry._to_play.per_second = 1e9
        registry.remember(BACK)
        port = port_of(listener)
        acceptor = Acceptor(listener, registry, lambda connection: made.append(connection) or asyncio.Protocol())
        sockets = flood(port)
        acceptor._accept()
        player = connected(port, "127.0.0.2")
        player.sendall(f"GET /ws?back={BACK} HTTP/1.1\r\n".encode())
        sockets += [player, *flood(port)]
        registry.pace.burst = 0.5  # so that every connection is asked whether it belongs to a player
        for _ in range(5):
            acceptor._accept()
            assert len(acceptor._seldom) + sum(map(len, acceptor._crowds.values())) <= registry.taken
        while all(one.back != BACK for one in made):
            await asyncio.sleep(0.001)
        (back,) = [one for one in made if one.back]
        assert not back.gone
        assert len(made) < MAY
        acceptor.close()
        for one in sockets:
            one.close()

    asyncio.run(asyncio.wait_for(run(), 30))


def test_connections_that_made_room_are_forgotten(listener: socket.socket) -> None:
    async def run() -> None:
        registry = Registry(MAY, 1000)
        registry.pace.burst = 1000
        acceptor = Acceptor(listener, registry, lambda _: asyncio.Protocol())
        sockets = [connected(port_of(listener), "127.0.0.2") for _ in range(5 * MAY)]
        for _ in range(5):
            acceptor._accept()
        waiting = [len(queue) for clients in (acceptor._seldom, acceptor._crowds) for queue in clients.values()]
        assert sum(waiting) <= registry.taken <= MAY
        acceptor.close()
        for one in sockets:
            one.close()

    asyncio.run(asyncio.wait_for(run(), 30))


def test_reading_takes_no_more_room_than_there_is_to_read() -> None:
    # The server overrides asyncio's default for `max_size`. If asyncio drops `max_size`, remove the override, too.
    assert _SelectorSocketTransport.max_size > 65536
