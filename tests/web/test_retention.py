"""Tests of the limits on the number and age of stored games, and of the search for damaged games."""

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from urllib.request import urlopen

import msgspec
import pytest
from sqlalchemy import select, text
from web_server import Served

from gridlock.web.net import metrics
from gridlock.web.net.limits import Limits
from gridlock.web.referee import table
from gridlock.web.referee.table import Stage
from gridlock.web.storage import retention
from gridlock.web.storage.clocks import FASTEST, GAP, Dates
from gridlock.web.storage.retention import DAY, Maintenance
from gridlock.web.storage.schema import about, events, game_row, games
from gridlock.web.storage.store import Store

MOVE, RESIGN = table.Moved(0), table.Resigned(1)
pytestmark = pytest.mark.slow

STORIES = {Stage.UNTOUCHED: [], Stage.BEGUN: [MOVE], Stage.FINISHED: [MOVE, RESIGN]}
SETTINGS = table.Settings(
    game="scatter", board="3x3", adjacency="king", starts=1, swap=False, opponent="screen", seat=1,
    names=("Ada", "Grace"), seats=("a" * 64, "b" * 64), watch=("c" * 64, "d" * 64), invitation=None,
)  # fmt: skip


class Calendar(Dates):
    """A clock whose date is set by the test."""

    def __init__(self, date: float) -> None:
        super().__init__()
        self.date = date

    def now(self) -> float:
        return self.date


def kept(database: str, work: Callable[[Store, Calendar], Awaitable[None]]) -> None:
    """Call a function with a store whose current date is set by the test."""
    store = Store(database, "test")
    store.prepare()
    store.dates = Calendar(1000 * DAY)
    store.start()
    try:
        asyncio.run(work(store, store.dates))
    finally:
        store.stop()


def those(store: Store) -> set[str]:
    """Return the ids of all stored games."""
    with store.engine.connect() as connection:
        return set(connection.execute(select(games.c.id)).scalars())


def test_every_stage_has_its_days(database: str) -> None:
    async def work(store: Store, dates: Calendar) -> None:
        keeper = Maintenance(store, Limits(), lambda: {"open0"})
        for stage, happened in STORIES.items():
            await store.create(f"old{stage}", SETTINGS, happened)
        await store.create("open0", SETTINGS)
        before = metrics.purged.labels("untouched")._value.get()
        for days, left in [
            (6.9, {"old0", "old1", "old2", "open0"}),
            (7.1, {"old1", "old2", "open0"}),
            (89.9, {"old1", "old2", "open0"}),
            (90.1, {"old1", "open0"}),
            (364.9, {"old1", "open0"}),
            (365.1, {"open0"}),
        ]:
            dates.date = (1000 + days) * DAY
            for stage in Stage:
                await keeper.purge(stage)
            assert those(store) == left
        with store.engine.connect() as connection:
            assert connection.execute(select(events)).all() == []
        assert metrics.purged.labels("untouched")._value.get() == before + 1
        never = Maintenance(store, Limits(untouched=0), lambda: ())
        assert await never.purge(Stage.UNTOUCHED) == 0

    kept(database, work)


def test_a_move_makes_a_game_young_again(database: str) -> None:
    async def work(store: Store, dates: Calendar) -> None:
        keeper = Maintenance(store, Limits(), lambda: ())
        await store.create("a", SETTINGS)
        dates.date += 6 * DAY
        stood = await store.load("a")
        assert stood is not None
        assert await store.append(stood, MOVE)
        dates.date += 300 * DAY
        assert [await keeper.purge(stage) for stage in Stage] == [0, 0, 0]
        # A game is not deleted if it has changed since it was selected for deletion.
        dates.date += 300 * DAY
        read = store.read

        for moves, reads in enumerate((1, 2), 2):  # the game changes before it is verified, and then after
            dates.date += 400 * DAY
            left = reads

            async def read_and_play(work: Callable[..., object], game: str = "", slow: bool = False) -> object:
                nonlocal left
                found = await read(work, game, slow)
                left -= 1
                if left == 0:
                    store.read = read  # type: ignore[method-assign]
                    stood = await store.load("a")
                    assert stood is not None
                    assert await store.append(stood, table.Moved(8 if stood.ply == 1 else 2))
                return found

            store.read = read_and_play  # type: ignore[method-assign, assignment]
            assert await keeper.purge(Stage.BEGUN) == 0
            assert left == 0
            stood = await store.load("a")
            assert stood is not None
            assert stood.sequence == moves

    kept(database, work)


def test_a_purge_goes_in_small_steps(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "STEP_GAMES", 5)
    monkeypatch.setattr(retention, "STEP_EVENTS", 3)

    async def work(store: Store, dates: Calendar) -> None:
        keeper = Maintenance(store, Limits(), lambda: ())
        for number in range(12):
            await store.create(f"u{number}", SETTINGS)
        for number in range(5):
            await store.create(f"f{number}", SETTINGS, STORIES[Stage.FINISHED])
        dates.date += 400 * DAY
        assert [await keeper.purge(Stage.UNTOUCHED) for _ in range(4)] == [5, 5, 2, 0]
        assert [await keeper.purge(Stage.FINISHED) for _ in range(4)] == [2, 2, 1, 0]

    kept(database, work)


def test_damaged_games_are_never_purged_and_do_not_stand_in_the_way(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "STEP_GAMES", 2)

    async def work(store: Store, dates: Calendar) -> None:
        keeper = Maintenance(store, Limits(), lambda: ())
        for number in range(6):
            await store.create(f"f{number}", SETTINGS, STORIES[Stage.FINISHED])
            dates.date += 1
        with store.engine.begin() as connection:
            connection.execute(text("UPDATE events SET at = 5 WHERE game < 'f3' AND sequence = 1"))
            # A damaged date alone must not make a game count as old.
            connection.execute(text("UPDATE games SET changed = 5 WHERE id = 'f5'"))
        dates.date += 91 * DAY
        for _ in range(10):
            await keeper.purge(Stage.FINISHED)
        assert those(store) == {"f0", "f1", "f2", "f5"}
        assert store.damaged == {"f0", "f1", "f2", "f5"}

    kept(database, work)


def test_a_scrub_finds_all_damage(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "STEP_GAMES", 3)

    async def work(store: Store, _dates: Calendar) -> None:
        keeper = Maintenance(store, Limits(), lambda: ())
        assert await keeper.scrub("") == ""
        for number in range(10):
            await store.create(f"g{number}", SETTINGS, STORIES[Stage(number % 3)])
        with store.engine.begin() as connection:
            connection.execute(text("UPDATE events SET body = body || ' ' WHERE game = 'g1'"))
            connection.execute(text("DELETE FROM games WHERE id = 'g4'"))
            connection.execute(text("UPDATE games SET settings = '{}' WHERE id = 'g6'"))
            connection.execute(text("DELETE FROM events WHERE game = 'g8'"))
        last, slices = "", 0
        while (last := await keeper.scrub(last)) or not slices:
            slices += 1
        assert slices == 4
        assert store.damaged == {"g1", "g4", "g6", "g8"}

    kept(database, work)


def test_without_room_there_is_a_sentence(database: str) -> None:
    async def work(store: Store, dates: Calendar) -> None:
        few = Maintenance(store, Limits(most_games=2), lambda: ())
        small = Maintenance(store, Limits(megabytes=1), lambda: ())
        for number in range(2):
            assert await few.measure() > 0
            assert store.full is None
            await store.create(f"g{number}", SETTINGS)
        await few.measure()
        assert store.full == "This server stores at most 2 games. Try again once the server has deleted old games."
        assert metrics.games_kept._value.get() == 2
        size = metrics.database_bytes._value.get()
        assert size > 4096
        await small.measure()
        if store.kind == "sqlite":  # an empty PostgreSQL database already has several megabytes
            assert store.full is None
            big = [table.Moved(cell % 9) for cell in range(2)]
            for number in range(100):
                padded = "x" * 20_000
                settings = table.replace(SETTINGS, names=(padded, str(number)))
                await store.create(f"b{number}", settings, big[:1])
            await small.measure()
        assert store.full == "This server's database is full. Try again once the server has deleted old games."
        dates.date += 366 * DAY
        for _ in range(3):
            await few.purge(Stage.BEGUN)
            await few.purge(Stage.UNTOUCHED)
        await few.measure()
        assert store.full is None

    kept(database, work)


def test_retention_resumes_when_the_database_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("MEASURING", "BUSY", "IDLE", "SCRUBBING", "ROUND"):
        monkeypatch.setattr(retention, name, 0.01)

    async def work(store: Store, dates: Calendar) -> None:
        running = asyncio.create_task(Maintenance(store, Limits(), lambda: ()).run())
        await store.create("a", SETTINGS)
        with store.engine.begin() as connection:
            connection.execute(text("ALTER TABLE games RENAME TO elsewhere"))
        while "maintenance is waiting for the database" not in caplog.text:
            await asyncio.sleep(0.01)
        with store.engine.begin() as connection:
            connection.execute(text("ALTER TABLE elsewhere RENAME TO games"))
        dates.date += 8 * DAY
        while those(store):
            await asyncio.sleep(0.01)
        running.cancel()

    kept(str(tmp_path / "games.sqlite3"), work)


def test_an_idle_server_writes_down_the_date(database: str) -> None:
    async def work(store: Store, dates: Calendar) -> None:
        keeper = Maintenance(store, Limits(), lambda: ())
        for passed, written in ((0, 1000 * DAY), (60, 1000 * DAY), (3600, 1000 * DAY + 3660)):
            dates.date += passed
            await keeper._purge()
            with store.engine.connect() as connection:
                assert connection.execute(select(about.c.today)).scalar_one() == written

    kept(database, work)


# -- clocks -------------------------------------------------------------------------------------------------------


class Machine:
    """A machine's wall clock and monotonic clock."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wall, self.passed = 1e9, 50.0
        monkeypatch.setattr(time, "time", lambda: self.wall)
        monkeypatch.setattr(time, "monotonic", lambda: self.passed)

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.wall += seconds
        self.passed += seconds


def test_dates_follow_a_clock_that_goes_right(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch)
    dates = Dates()
    for _ in range(100):
        machine.wait(60)
        assert dates.now() == machine.wall


@pytest.mark.parametrize("jump", [365 * DAY, -365 * DAY])
def test_a_clock_jump_of_an_hour_makes_little_difference(monkeypatch: pytest.MonkeyPatch, jump: float) -> None:
    machine = Machine(monkeypatch)
    dates = Dates()
    machine.wait(60)
    last = dates.now()
    machine.wall += jump
    for _ in range(60):
        machine.wait(60)
        assert last < dates.now() <= last + 120  # the date moves neither back nor far ahead
        last = dates.now()
    machine.wall -= jump
    for _ in range(180):
        machine.wait(60)
        assert last < dates.now()
        last = dates.now()
    assert last == machine.wall


def test_a_start_believes_a_day_at_once(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    machine = Machine(monkeypatch)
    dates = Dates()
    dates.begin(machine.wall - 3600)
    assert dates.now() == machine.wall
    assert caplog.text == ""
    dates.begin(machine.wall - GAP)
    assert dates.now() == machine.wall
    dates.begin(machine.wall - 365 * DAY)
    assert dates.now() == machine.wall - 365 * DAY
    assert "the clock has jumped" in caplog.text
    dates.begin(machine.wall + 365 * DAY)
    assert dates.now() == machine.wall + 365 * DAY


def test_restarts_with_a_wrong_clock_do_not_age_games(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch)
    began = recorded = machine.wall
    machine.wall += 400 * DAY
    for _ in range(400):  # simulate a server that keeps crashing and restarting
        dates = Dates()
        dates.begin(recorded)
        machine.wait(4)
        recorded = dates.now()
    assert recorded <= began + 400 * 4 * FASTEST


@pytest.mark.parametrize("jump", [365 * DAY, -365 * DAY])
def test_no_game_is_lost_to_a_clock_that_jumps(database: str, monkeypatch: pytest.MonkeyPatch, jump: float) -> None:
    """Games survive clock jumps, and their events stay in order, even if the server starts while the clock is wrong."""
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + offset)
    offset, ids = 0.0, {f"g{number}" for number in range(3)}

    async def play(store: Store) -> None:
        for id in ids:
            stood = await store.load(id)
            if stood is None:
                await store.create(id, SETTINGS)
            else:
                assert await store.append(stood, table.Moved((0, 8)[stood.sequence]))
        keeper = Maintenance(store, Limits(), lambda: ())
        assert [await keeper.purge(stage) for stage in Stage] == [0, 0, 0]
        for id in ids:
            found = await store.load(id)
            assert found is not None
            assert found.game.moves == [0, 8][: found.sequence]

    for offset in (0.0, jump, 0.0):  # noqa: B007 (the clock reads it)
        store = Store(database, "test")
        store.prepare()
        store.start()
        asyncio.run(play(store))
        assert those(store) == ids
        store.stop()


# -- the command --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_server_purges_and_counts(serve: Callable[..., Served], tmp_path: Path) -> None:
    server = serve()
    server.end()
    with closing(sqlite3.connect(tmp_path / "games.sqlite3")) as connection, connection:
        written = msgspec.json.encode(SETTINGS).decode()
        for number in range(120):
            row = game_row(f"{number:022}", 5.0, written, 0, time.time() - (8 if number else 6) * DAY, 0)
            connection.execute(
                f"INSERT INTO games ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", list(row.values())
            )
    server = serve("--metrics=127.0.0.1:0", patches={"gridlock.web.storage.retention.BUSY": 0.01})
    purged: list[object] = []
    while sum(purged) < 119:
        purged = [line["games"] for line in server.lines() if line["event"] == "purged"]
        time.sleep(0.05)
    assert purged == [50, 50, 19]
    assert server.complaints() == []
    (address,) = (line["address"] for line in server.lines() if line["event"] == "metrics")
    with urlopen(f"http://127.0.0.1:{address[1]}/metrics") as answer:
        told = answer.read().decode()
    assert 'gridlock_purged_games_total{reason="untouched"} 119.0' in told
    assert "gridlock_database_bytes " in told
