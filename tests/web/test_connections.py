"""Tests that connections are counted from accept to close, and that a flood of connections cannot shut out players."""

import asyncio
import contextlib
import fcntl
import os
import resource
import socket
import time
from collections.abc import Callable

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from web_client import WAIT, client
from web_server import Served

from gridlock.web.net.connections import PLAYING, WATCHING, Connection, Registry
from gridlock.web.net.limits import Allowance

CLIENTS = ["192.0.2.1", "192.0.2.2", "2001:db8::1", "10.0.0.9"]
EACH, ALL = 3, 7
SEATS = ["a" * 32, "b" * 32]


class Rooms(RuleBasedStateMachine):
    """Compare a registry with a plain list of open connections."""

    def __init__(self) -> None:
        super().__init__()
        self.registry = Registry(EACH, ALL, lambda address: address == "10.0.0.9")
        self.registry.pace = self.registry._returns = Allowance(1e9, 1)
        self.watching: list[Connection] = []  # the spectators' connections, oldest first
        self.known: set[str] = set()
        self.open: list[Connection] = []  # all connections, the longest idle first
        self.dropped: list[Connection] = []

    @rule(address=st.sampled_from(CLIENTS))
    def enter(self, address: str) -> None:
        before = [one for one in self.open if not one.gone]
        mine = [one for one in before if one.client == self.room_client(address)]
        idle = [one for one in mine if not one.settled]
        dropped = []
        if address != "10.0.0.9" and len(mine) >= EACH and len(idle) >= EACH:
            dropped = self.first(idle)  # a few connections above the limit may turn out to be players'
        elif len(before) >= ALL:
            dropped = self.first([one for one in before if not one.settled])
        made = self.registry.enter(address)
        assert (made is None) == (len(before) >= ALL and not dropped)
        if made is None:
            return
        self.watch(made)
        assert [one for one in before if one.gone] == dropped

    @staticmethod
    def first(some: list[Connection]) -> list[Connection]:
        """Return the first connection that is not from a returning player; if there is none, return the first one."""
        return ([one for one in some if not one.back] or some)[:1]

    def watch(self, made: Connection) -> None:
        made.abort = lambda: self.dropped.append(made)
        self.open.append(made)

    @rule(address=st.sampled_from(CLIENTS), seat=st.sampled_from(SEATS))
    def come_back(self, address: str, seat: str) -> None:
        """Let a player reconnect, no matter how many connections are open from their address."""
        before = self.alive
        idle = [one for one in before if not one.settled]
        made = self.registry.enter_again(address, seat)
        allowed = seat in self.known and (len(before) < ALL or bool(idle))
        assert (made is not None) == allowed
        if made is not None:
            self.watch(made)

    @staticmethod
    def room_client(address: str) -> str:
        return "2001:db8::/64" if ":" in address else address

    @precondition(lambda self: self.alive)
    @rule(data=st.data(), seat=st.sampled_from(["", *SEATS]), other=st.sampled_from(CLIENTS[:2]))
    def settle(self, data: st.DataObject, seat: str, other: str) -> None:
        """Assign a connection to a player or a spectator; a player's connection may replace a spectator's.

        A spectator's connection never replaces another connection, so it is accepted only if there is room.
        """
        idle = [one for one in self.alive if not one.settled]
        if not idle:
            return
        one = data.draw(st.sampled_from(idle))
        settled = [them for them in self.alive if them.settled]
        theirs = [them for them in settled if them.client == other]
        watching = [them for them in self.watching if them in theirs]
        full = len(settled) >= (PLAYING if seat else WATCHING) * ALL
        allowed = not full and (len(theirs) < EACH or (seat != "" and sum(them.seat == seat for them in settled) < 2))
        makes_room = seat != "" and watching != [] and (full or len(theirs) >= EACH)
        if one.client != other:  # behind a proxy, the client's address is known only after the request
            self.open.remove(one)
            self.open.append(one)
        assert self.registry.settle(one, other, seat) == (allowed or makes_room)
        assert [them for them in settled if them.gone] == (self.first(watching) if makes_room else [])
        if one.settled and not seat:
            self.watching.append(one)
        if seat:
            self.registry.remember(seat)
            self.known.add(seat)

    @precondition(lambda self: self.alive)
    @rule(data=st.data())
    def rest(self, data: st.DataObject) -> None:
        one = data.draw(st.sampled_from(self.alive))
        if one.settled:
            self.open.remove(one)
            self.open.append(one)
        self.registry.release(one)
        self.watching = [them for them in self.watching if them is not one]

    @precondition(lambda self: self.alive)
    @rule(data=st.data(), twice=st.booleans())
    def leave(self, data: st.DataObject, twice: bool) -> None:
        one = data.draw(st.sampled_from(self.alive))
        for _ in range(1 + twice):
            self.registry.leave(one)

    @property
    def alive(self) -> list[Connection]:
        return [one for one in self.open if not one.gone]

    @invariant()
    def counted(self) -> None:
        assert self.registry.taken == len(self.alive) <= ALL
        assert self.registry.settled == sum(one.settled for one in self.alive)
        assert sum(self.registry._of.values()) == self.registry.taken
        assert set(self.registry._idle) == {one for one in self.alive if not one.settled}
        assert 0 not in self.registry._of.values()


TestRooms = Rooms.TestCase
TestRooms.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)


def test_a_player_replaces_the_oldest_spectator_who_is_not_a_returning_player() -> None:
    registry = Registry(3, 100)
    registry.remember(SEATS[0])
    watching = [registry.enter_again(CLIENTS[0], SEATS[0]), registry.enter(CLIENTS[0]), registry.enter(CLIENTS[0])]
    assert all(one and registry.settle(one, CLIENTS[0]) for one in watching)
    player = registry.enter(CLIENTS[0])
    assert player
    assert registry.settle(player, CLIENTS[0], SEATS[1])
    assert [one and one.gone for one in watching] == [False, True, False]


def test_new_connections_come_at_a_pace() -> None:
    registry = Registry(10, 1000, lambda address: address == "10.0.0.9")
    made = [registry.enter("192.0.2.1") for _ in range(100)]
    assert sum(one is not None for one in made) == 10
    assert registry.enter("192.0.2.2")
    assert all(registry.enter("10.0.0.9") for _ in range(100))


def hold(server: Served, many: int) -> list[socket.socket]:
    """Open connections and send nothing."""
    return [socket.create_connection(("127.0.0.1", server.port), timeout=WAIT) for _ in range(many)]


def still_open(links: list[socket.socket]) -> int:
    """Return how many connections the server has not closed."""
    alive = 0
    for link in links:
        link.setblocking(False)
        try:
            alive += link.recv(1) != b""
        except BlockingIOError:
            alive += 1
        except OSError:
            pass
    return alive


@pytest.mark.slow
def test_idle_connections_make_room_and_players_stay(serve: Callable[..., Served]) -> None:
    server = serve("--connections-per-client=100")

    async def run() -> None:
        made = server.create("scatter", "screen")
        async with client(server, made["id"], made["token"]) as player:
            links = await asyncio.to_thread(hold, server, 150)
            await asyncio.sleep(0.5)
            assert still_open(links) <= 99
            await player.play(0)
            async with client(server, made["id"], made["token"]) as again:  # a player can connect even now
                assert again.state["ply"] == 1
            assert server.get("/health")[0] == 200
            for link in links:
                link.close()
        assert server.complaints() == []

    asyncio.run(run())


@pytest.mark.slow
def test_with_few_descriptors_the_log_stays_quiet_and_the_game_continues(serve: Callable[..., Served]) -> None:
    async def run() -> None:
        server = serve("--connections-per-client=100000", limits={"RLIMIT_NOFILE": 200})
        made = server.create("scatter", "screen")
        async with client(server, made["id"], made["token"]) as player:
            links = []
            for _ in range(5):
                with contextlib.suppress(OSError):
                    links += await asyncio.to_thread(hold, server, 150)
                await player.play(player.state["board"]["legal"][0])
                assert server.get("/health")[0] == 200
            for link in links:
                link.close()
        assert server.complaints() == []
        assert len([line for line in server.lines() if line["level"] != "info"]) <= 1

    asyncio.run(run())


@pytest.mark.slow
def test_clients_behind_a_trusted_proxy_are_distinguished(serve: Callable[..., Served]) -> None:
    server = serve("--games-per-client=1", "--trusted-proxy=127.0.0.0/8")
    wish = b'{"setup": {"game": "chain"}, "opponent": "screen"}'

    def create(**headers: str) -> int:
        return server.raw("POST", "/api/games", wish, **headers)[0]

    assert [create(X_Forwarded_For="192.0.2.1") for _ in range(2)] == [201, 429]
    assert create(X_Forwarded_For="192.0.2.2") == 201
    # The server does not trust an address that the client itself added to the header.
    assert create(X_Forwarded_For="192.0.2.99, 192.0.2.1") == 429
    assert create(X_Forwarded_For="\xff" * 200) in (201, 429)
    plain = serve("--games-per-client=1", database=str(server.log) + ".sqlite3")
    statuses = [plain.raw("POST", "/api/games", wish, X_Forwarded_For=f"192.0.2.{number}")[0] for number in (1, 2)]
    assert statuses == [201, 429]
    assert server.complaints() == plain.complaints() == []


@pytest.mark.slow
def test_rejections_use_no_memory(serve: Callable[..., Served]) -> None:
    """Each rejection used to leave the whole game in memory: 240 KB per rejection, and 480 MB in this test."""
    moves = [f"{row},{col + half}" for row in range(1, 30) for col in range(1, 16) for half in (0, 15)]
    server = serve("--connections-per-client=1000")

    def resident() -> int:
        with open(f"/proc/{server.pid}/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize()

    async def run() -> None:
        made = server.create("keepaway", "screen", setup={"board": "30x30", "moves": moves})

        async def refused(times: int) -> None:
            for _ in range(times):
                async with client(server, made["id"], made["token"]) as player:
                    answer = await player.answer("move", ply=5, line=7, cell=3)
                    assert (answer["type"], answer["reason"]) == ("refused", "stale")

        await refused(40)
        before = resident()
        await refused(300)
        assert resident() - before < 15 << 20
        assert server.complaints() == []

    asyncio.run(run())


@pytest.mark.slow
def test_rematches_count_as_games(serve: Callable[..., Served]) -> None:
    server = serve("--games-per-client=4")

    async def run() -> None:
        made = server.create("chain", "screen", setup={"board": "2x2"})
        id, token = made["id"], made["token"]
        for _ in range(3):
            async with client(server, id, token) as player:
                await player.answer("resign")
                await player.until(to_move=None)
                assert (await player.act("ask", what="rematch"))["type"] == "accepted"
                while not player.state["rematch"]:
                    await player.receive()
                id = player.state["rematch"]
        async with client(server, id, token) as player:
            await player.answer("resign")
            await player.until(to_move=None)
            refused = await player.act("ask", what="rematch")
            assert (refused["type"], refused["reason"]) == ("refused", "limit")
        assert server.post("/api/games", {"setup": {"game": "chain"}, "opponent": "screen"})[0] == 429

    asyncio.run(run())


@pytest.mark.slow
def test_an_unread_log_does_not_stop_the_server(serve: Callable[..., Served]) -> None:
    reading, writing = os.pipe()
    try:
        fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)  # so that a few lines fill the pipe
        server = serve(stderr=writing)
        for _ in range(150):
            assert server.get("/api/games/none", "x" * 32)[0] == 401
        begin = time.monotonic()
        assert server.end() == 0
        assert time.monotonic() - begin < WAIT
    finally:
        os.close(reading)
        os.close(writing)
