"""Tests of how much storage and engine time a single client or /48 network may use."""

import asyncio
import itertools
import json
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import select, text
from web_client import WAIT, Client
from web_server import Served
from websockets.asyncio.client import connect

from gridlock.core.game import Game
from gridlock.core.rules import RULE_BOOKS
from gridlock.web.net.limits import Allowance, Limits, NetworkAllowance, client_of, network_of
from gridlock.web.referee import table
from gridlock.web.storage import rows, shares
from gridlock.web.storage.retention import DAY, Maintenance
from gridlock.web.storage.schema import about, games
from gridlock.web.storage.shares import Full, Owner, written
from gridlock.web.storage.store import Store
from gridlock.web.thinking.pool import FairPool

SETTINGS = table.Settings(
    game="scatter", board="3x3", adjacency="king", starts=1, swap=False, opponent="screen", seat=1,
    names=("Ada", "Grace"), seats=("a" * 64, "b" * 64), watch=("c" * 64, "d" * 64), invitation=None,
)  # fmt: skip
HERE, NEXT_DOOR, ELSEWHERE = (client_of(one) for one in ("2001:db8:1:2::3", "2001:db8:1:3::3", "2001:db8:2::1"))


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2::3", "2001:db8:1::/48"),
        ("2001:db8:1:ffff::3", "2001:db8:1::/48"),
        ("2001:db8:2::", "2001:db8:2::/48"),
        ("testclient", "testclient"),
        ("", ""),
    ],
)
def test_a_network_is_a_48_or_one_address(address: str, network: str) -> None:
    assert network_of(client_of(address)) == network


def test_a_48_gets_four_times_the_pace_of_a_client() -> None:
    allowance = NetworkAllowance(10, 1e-9)
    clients = [client_of(f"2001:db8:1:{number:x}::1") for number in range(100)]
    granted = Counter(client for _ in range(10) for client in clients if allowance.take(client) == 0)
    assert sum(granted.values()) == 40
    assert allowance.take(ELSEWHERE) == 0
    assert [allowance.take("192.0.2.1") == 0 for _ in range(12)] == [True] * 10 + [False] * 2
    # A client that is over its own limit does not use up its network's limit.
    allowance = NetworkAllowance(10, 1e-9)
    assert sum(allowance.take(HERE) == 0 for _ in range(100)) == 10
    assert sum(allowance.take(NEXT_DOOR) == 0 for _ in range(100)) == 10


def test_the_heaviest_clients_of_an_allowance_are_known() -> None:
    allowance = Allowance(100, 1e-9)
    for client, amount in {"a": 50, "b": 90, "c": 10, "d": 70}.items():
        allowance.take(client, amount)
    assert {client: round(used) for client, used in allowance.heaviest(2, 20).items()} == {"b": 90, "d": 70}
    assert list(allowance.heaviest(5, 20)) == ["b", "d", "a"]


def stored(database: str, limits: Limits, work: Callable[[Store], Awaitable[None]]) -> None:
    """Call a function with a store that has the given limits."""
    store = Store(database, "test", limits)
    store.prepare()
    store.start()
    try:
        asyncio.run(work(store))
    finally:
        store.stop()


async def fill(store: Store, client: str, settings: table.Settings = SETTINGS) -> tuple[list[str], str]:
    """Start games as the given client until one is rejected; return the games and the error message."""
    made: list[str] = []
    while not (words := await store.shares.refusal(client)):
        made.append(f"{next(NUMBERS):022}")
        await store.create(made[-1], settings, client=client)
    return made, words


NUMBERS = itertools.count()


@pytest.mark.slow
def test_a_client_stores_its_share_of_the_games_and_others_theirs(database: str) -> None:
    async def work(store: Store) -> None:
        mine, words = await fill(store, HERE)
        assert len(mine) == 5  # a quarter of 1 % of 2,000
        assert words == (
            "This server stores at most 5 games per address, and your address has reached that limit. "
            "Try again once the server has deleted old games."
        )
        theirs, _ = await fill(store, NEXT_DOOR)
        assert len(theirs) == 5
        more = [len((await fill(store, client_of(f"2001:db8:1:{number:x}::")))[0]) for number in range(100, 200)]
        assert more == [5, 5, *[0] * 98]  # the /48 network may store 20 games in all
        _, words = await fill(store, client_of("2001:db8:1:ffff::"))
        assert words.startswith("This server stores at most 20 games per network")
        assert await store.shares.refusal(HERE)  # although another client asked in between
        assert len((await fill(store, ELSEWHERE))[0]) == 5
        four, words = await fill(store, "192.0.2.1")
        assert len(four) == 20
        assert "at most 20 games per address" in words

    stored(database, Limits(most_games=2000), work)


@pytest.mark.slow
def test_deleted_games_make_room_again(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(store: Store) -> None:
        assert len((await fill(store, HERE))[0]) == 1  # every client may store at least one game, however low the limit
        monkeypatch.setattr(shares, "FRESH", 0.0)  # as if ten seconds had passed
        now = store.dates.now()
        store.dates.now = lambda: now + 8 * DAY  # type: ignore[method-assign]
        assert await Maintenance(store, Limits(), lambda: ()).purge(table.Stage.UNTOUCHED) == 1
        assert await store.shares.refusal(HERE) is None

    stored(database, Limits(most_games=10), work)


@pytest.mark.slow
def test_room_is_reserved_until_a_game_ends_and_only_growth_beyond_it_is_refused(database: str) -> None:
    async def work(store: Store) -> None:
        made, words = await fill(store, "192.0.2.1")
        reserve = rows.room(table.Table("", SETTINGS))
        assert len(made) == -(-10_000_000 // 100 // reserve)
        assert words == (
            "The games started from your address already take up all the space that this server allows per address. "
            "Try again once the server has deleted old games."
        )
        game = await store.load(made[0])
        assert game is not None
        for _ in range(9 + rows.SPARE):  # enough for every move of an ordinary game
            event = table.TookBack(0) if game.ply else table.Moved(0)
            assert await store.append(game, event)
            game.apply(event)
        with pytest.raises(Full, match="all the space"):
            await store.append(game, table.TookBack(0) if game.ply else table.Moved(0))
        last = await store.load(made[1])
        assert last is not None
        for event in (table.Moved(0), table.Resigned(2)):
            assert await store.append(last, event)
            last.apply(event)
        with store.engine.connect() as connection:
            rooms = {row.id: row.room for row in connection.execute(select(games.c.id, games.c.room))}
        assert rooms[made[0]] == reserve
        assert rooms[made[1]] == reserve - rows.EVENT_BYTES * (9 + rows.SPARE - 2)
        # Another client's game is not affected.
        await store.create("x" * 22, SETTINGS, client="192.0.2.2")
        game = table.Table("x" * 22, SETTINGS)
        for number in range(100):
            event = table.TookBack(0) if number % 2 else table.Moved(0)
            assert await store.append(game, event)
            game.apply(event)
        with store.engine.connect() as connection:
            grown = connection.execute(select(games.c.room).where(games.c.id == "x" * 22)).scalar_one()
        assert grown == rows.room(game) > reserve

    stored(database, Limits(most_games=0, megabytes=10), work)


@pytest.mark.slow
def test_no_address_is_stored(database: str) -> None:
    async def work(store: Store) -> None:
        await store.create("a" * 22, SETTINGS, client="192.0.2.77")
        with store.engine.connect() as connection:
            row = connection.execute(select(games)).mappings().one()
            assert "192.0.2.77" not in str(dict(row))
            secret = connection.execute(select(about.c.secret)).scalar_one()
        owner = store.shares.owner("192.0.2.77")
        assert (row["network"], row["client"]) == owner
        assert owner != Owner(*[shares.code("192.0.2.77", "00" * 32)] * 2)
        assert owner.client == shares.code("192.0.2.77", secret)
        assert len(written(owner.client)) == 16

    stored(database, Limits(), work)


# -- the figures ----------------------------------------------------------------------------------------------------


class Behind:
    """Clients with their own addresses, as a proxy would report them."""

    def __init__(self, server: Served) -> None:
        self.server = server

    def create(self, address: str, **setup: object) -> tuple[int, dict]:
        """Start a game that both sides play on one screen."""
        wish = {"setup": {"game": "scatter", **setup}, "opponent": "screen"}
        status, _, body = self.server.raw("POST", "/api/games", json.dumps(wish).encode(), X_Forwarded_For=address)
        return status, json.loads(body)

    def crowd(self, network: str, most: int, **setup: object) -> list[dict]:
        """Start games from one /48 network until further attempts are rejected; return the games."""
        made, refused = [], 0
        for number in itertools.count():
            status, answer = self.create(f"{network}:{number % 400:x}::1", **setup)
            if status == 201:
                made.append(answer)
            else:
                assert (status, answer["error"]) == (429, "too-many")
                assert answer["words"].endswith("Try again once the server has deleted old games."), answer
                refused += 1
            if refused == 20:
                return made
            assert len(made) <= most
        raise AssertionError


async def grow(server: Served, made: dict) -> int:
    """Make and undo moves until the server rejects one; return how many events were stored."""
    events = 0
    origin, headers = server.origin, {"X-Forwarded-For": "2001:db8:1:ffff::1"}
    url = f"ws://127.0.0.1:{server.port}/ws"
    async with connect(url, origin=origin, additional_headers=headers, open_timeout=WAIT) as socket:
        player = Client(socket)
        await player.answer("hello", game=made["id"], token=made["token"])
        await player.until()
        while True:
            act = {"type": "ask", "what": "takeback"} if player.state["ply"] else {"type": "move", "cell": 0}
            answer = await player.act(**act)
            if answer["type"] == "refused":
                assert answer["reason"] == "limit", answer
                return events
            events += 1
            await player.until(ply=0 if act["type"] == "ask" else 1)


def size(database: str) -> int:
    """Return the size of a database in bytes."""
    store = Store(database, "test")
    with store.engine.connect() as connection:
        if store.kind == "sqlite":
            connection.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))
            names = ("page_count", "freelist_count", "page_size")
            pages, free, each = (connection.execute(text(f"PRAGMA {name}")).scalar_one() for name in names)
            found = (pages - free) * each
        else:
            found = connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one()
    store.engine.dispose()
    return int(found)


def crowded(serve: Callable[..., Served], database: str, most_games: int, megabytes: int) -> str:
    """Let one /48 network take all the games and megabytes it can get, and return the figures, none above 1%."""
    options = ["--trusted-proxy=127.0.0.1", "--games-per-client=100000", "--share-per-client=1"]
    server = serve(*options, f"--most-games={most_games}", "--database-limit=0", database=database)
    kept = len(Behind(server).crowd("2001:db8:1", most_games // 100))
    assert Behind(server).create("2001:db8:2::1")[0] == 201  # another network can still start a game
    server.end()
    before = size(database)
    server = serve(*options, "--most-games=0", f"--database-limit={megabytes}", database=database)
    made = Behind(server).crowd("2001:db8:3", 40 * megabytes, board="4x4")
    assert len(made) > 0.6 * megabytes
    events = [asyncio.run(grow(server, one)) for one in made]
    assert Behind(server).create("2001:db8:2::1", board="30x30")[0] == 201
    assert not server.complaints()
    server.end()
    taken = size(database) - before
    figures = f"{100 * kept / most_games:.2f} % of the games and {taken / megabytes / 10_000:.2f} % of the bytes"
    assert kept == most_games // 100, figures
    assert taken <= megabytes * 10_000, figures
    assert min(events) >= 16  # enough for at least a whole game
    return figures


@pytest.mark.deep
def test_the_figure_one_48_holds_at_most_one_percent(
    serve: Callable[..., Served], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = crowded(serve, str(tmp_path / "games.sqlite3"), 1000, 10)
    with capsys.disabled():
        print(f"\nsqlite: one /48 network holds {figures}")


@pytest.mark.deep
def test_the_figure_one_48_holds_at_most_one_percent_of_a_larger_database(
    serve: Callable[..., Served], database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a limit of 50 MB, PostgreSQL's own overhead for growing tables (about 100 kilobytes) does not matter."""
    figures = crowded(serve, database, 5000, 50)
    with capsys.disabled():
        print(f"\n{'postgresql' if '://' in database else 'sqlite'}: one /48 network holds {figures}")


async def _turns() -> float:
    """Return the percentage of answers that go to 400 clients in one /48 network while 99 other clients compete."""
    pool = FairPool("test", 4, 0, most_waiting=10_000, most_each=4, allowance=Allowance(1e9, 1))

    async def think(*_: object) -> None:
        await asyncio.sleep(0.001)

    pool._ask = think  # type: ignore[method-assign]  # no processes, because only the order of turns matters
    answered: Counter[str] = Counter()
    game = Game(RULE_BOOKS["scatter"])

    async def asks(client: str) -> None:
        while True:
            try:
                await pool.ask(client, lambda *_: None, game, 1.0)
            except Exception:  # too many clients of one network are already waiting
                await asyncio.sleep(0.01)
                continue
            answered[network_of(client)] += 1

    honest = [f"192.0.2.{number}" for number in range(1, 100)]
    crowd = [client_of(f"2001:db8:1:{number:x}::1") for number in range(400)]
    with ExitStack() as ending:
        for client in [*crowd, *honest]:
            ending.callback(asyncio.create_task(asks(client)).cancel)
        for _ in range(2):  # the first round only waits until all clients have asked
            answered.clear()
            while answered.total() < 3000:
                await asyncio.sleep(0.01)
    return 100 * answered["2001:db8:1::/48"] / answered.total()


def test_the_figure_one_48_thinks_at_most_one_percent(capsys: pytest.CaptureFixture[str]) -> None:
    percent = asyncio.run(_turns())
    with capsys.disabled():
        print(f"\none /48 network gets {percent:.2f} % of the thinking while 99 other clients ask")
    assert percent <= 1.1  # one turn in a hundred
