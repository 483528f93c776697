"""Tests of databases from the server's first version, the current version and a future version."""

import asyncio
import json

import msgspec
import pytest
from sqlalchemy import Connection, Engine, create_engine, inspect, select, text, update

from gridlock import SWAP
from gridlock.web.referee import table
from gridlock.web.storage.rows import Damaged
from gridlock.web.storage.schema import VERSION, about, checksum, events, games
from gridlock.web.storage.store import Store
from gridlock.web.wire.messages import TimeControl

pytestmark = pytest.mark.slow

ID = "q" * 22
SETTINGS = json.dumps(
    {
        "game": "showdown", "board": "3x3", "adjacency": "king", "starts": 1, "swap": True, "opponent": "link",
        "seat": 1, "names": ["Ada", ""], "seats": ["a" * 64, None], "watch": ["b" * 64, None],
        "invitation": "c" * 64, "round": 1, "score": [0, 0],
    },
    separators=(",", ":"),
)  # fmt: skip
HAPPENED = [
    f'{{"kind":"join","player":2,"name":"Grace","seat":"{"d" * 64}","watch":"{"e" * 64}"}}',
    '{"kind":"move","cell":0}',
    '{"kind":"ask","player":1,"what":"takeback"}',
    '{"kind":"settle"}',
    '{"kind":"move","cell":8}',
    '{"kind":"takeback","ply":1}',
    '{"kind":"swap"}',
    '{"kind":"move","cell":8}',
    '{"kind":"resign","player":2}',
    '{"kind":"ask","player":1,"what":"rematch"}',
    f'{{"kind":"rematch","game":"{"r" * 22}"}}',
]


def with_store(database: str, work: object) -> object:
    """Open a store, run a function with it, and close it."""
    store = Store(database, "test")
    store.prepare()
    store.start()
    try:
        return asyncio.run(work(store))
    finally:
        store.stop()


# -- version 1 ----------------------------------------------------------------------------------------------------

VERSION_1 = (
    "CREATE TABLE games (id VARCHAR(22) NOT NULL, created FLOAT NOT NULL, settings TEXT NOT NULL, PRIMARY KEY (id))",
    "CREATE TABLE events (game VARCHAR(22) NOT NULL, sequence INTEGER NOT NULL, at FLOAT NOT NULL, body TEXT NOT NULL,"
    " PRIMARY KEY (game, sequence))",
)


def bare(database: str) -> Engine:
    """Open the database directly, without the server."""
    return create_engine(
        database.replace("postgresql://", "postgresql+psycopg://") if "://" in database else f"sqlite:///{database}"
    )


def store_1(database: str, stories: dict[str, list[str]]) -> None:
    """Write a database in the format of version 1."""
    engine = bare(database)
    with engine.begin() as connection:
        for statement in VERSION_1:
            connection.execute(text(statement))
        for id, happened in stories.items():
            game = {"id": id, "created": 1.5, "settings": SETTINGS}
            connection.execute(text("INSERT INTO games VALUES (:id, :created, :settings)"), game)
            for number, body in enumerate(happened):
                row = {
                    "game": id,
                    "sequence": number,
                    "at": (9000.5 if len(happened) == 1 else 2.5) + number,
                    "body": body,
                }
                connection.execute(text("INSERT INTO events VALUES (:game, :sequence, :at, :body)"), row)
    engine.dispose()


def test_games_of_version_1_are_upgraded_and_read(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridlock.web.storage.schema._AT_ONCE", 50)
    ids = [f"{number:022}" for number in range(120)]  # more games than are upgraded in one batch
    store_1(database, {ID: HAPPENED, "s" * 22: HAPPENED[:2], **dict.fromkeys(ids, HAPPENED[:1])})

    async def work(store: Store) -> table.Table | None:
        for id in ids:
            short = await store.load(id)
            assert short is not None
            assert short.sequence == 1
        with store.engine.connect() as connection:
            assert connection.execute(select(about.c.version)).scalars().all() == [VERSION]
            rows = connection.execute(select(games.c.id, games.c.stage, games.c.changed, games.c.events)).all()
            assert not {name for name in inspect(connection).get_table_names() if name.endswith("_1")}
        found = {row.id: tuple(row)[1:] for row in rows}
        assert len(found) == 122
        assert found[ID] == (table.Stage.FINISHED, 0.0, 11)
        assert found["s" * 22] == (table.Stage.BEGUN, 0.0, 2)
        assert found[ids[7]] == (table.Stage.UNTOUCHED, 7200.0, 1)
        return await store.load(ID)

    found = with_store(database, work)
    assert isinstance(found, table.Table)
    assert (found.sequence, found.line, found.rematch) == (len(HAPPENED), 1, "r" * 22)
    assert found.offer is None
    assert found.game.moves == [0, SWAP, 8]
    assert found.game.names == ("Ada", "Grace")
    assert (found.game.resigned, found.game.outcome.winner) == (2, 1)
    assert [(made.player, made.cell) for made in found.game.history()] == [(1, 0), (2, None), (1, 8)]
    with_store(database, lambda store: store.load(ID))  # a second start finds nothing to upgrade


def test_an_upgrade_that_fails_leaves_everything_as_it_was(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store_1(database, {ID: HAPPENED})
    monkeypatch.setattr("gridlock.web.storage.schema.event_row", lambda *_: {"game": None})
    with pytest.raises(Exception, match=r"NULL|null|required"):
        with_store(database, lambda store: store.load(ID))
    monkeypatch.undo()
    found = with_store(database, lambda store: store.load(ID))
    assert isinstance(found, table.Table)
    assert found.sequence == len(HAPPENED)


def test_a_gap_from_version_1_is_detected_and_preserved(database: str) -> None:
    store_1(database, {ID: HAPPENED})
    engine = bare(database)
    with engine.begin() as connection:
        connection.execute(text("DELETE FROM events WHERE sequence = 4"))

    async def work(store: Store) -> None:
        with pytest.raises(Damaged, match="event 4 is missing"):
            await store.load(ID)

    with_store(database, work)
    with engine.connect() as connection:
        assert len(connection.execute(select(events)).all()) == len(HAPPENED) - 1
    engine.dispose()


def test_an_old_program_cannot_write_into_the_new_tables(database: str) -> None:
    store_1(database, {})
    with_store(database, lambda store: store.load(ID))
    engine = bare(database)
    with pytest.raises(Exception, match=r"NOT NULL|not-null"), engine.begin() as connection:
        connection.execute(text("INSERT INTO games (id, created, settings) VALUES ('x', 1, '{}')"))
    engine.dispose()


def test_a_database_of_a_newer_version_is_refused(database: str) -> None:
    with_store(database, lambda store: store.load(ID))
    engine = bare(database)
    with engine.begin() as connection:
        connection.execute(update(about).values(version=VERSION + 1))
    engine.dispose()
    too_new = f"it has version {VERSION + 1}, but this program supports only up to {VERSION}"
    with pytest.raises(ValueError, match=too_new):
        with_store(database, lambda store: store.load(ID))


# -- versions 2 and 3 ------------------------------------------------------------


def make_version_3(connection: Connection) -> None:
    """Remove everything that later versions have added to a database."""
    connection.execute(text("DROP INDEX games_by_client"))
    connection.execute(text("DROP TABLE moderation"))
    for column in ("games.network", "games.client", "games.room", "gridlock.secret"):
        connection.execute(text("ALTER TABLE {} DROP COLUMN {}".format(*column.split("."))))
    connection.execute(update(about).values(version=3))


def test_those_of_version_3_get_clients_and_moderation(database: str) -> None:
    async def begin(store: Store) -> None:
        await store.create(ID, table.read_settings(SETTINGS), [table.read_event(body) for body in HAPPENED])

    with_store(database, begin)
    engine = bare(database)
    with engine.begin() as connection:
        make_version_3(connection)
        before = connection.execute(text("SELECT * FROM games")).mappings().one()

    async def work(store: Store) -> None:
        found = await store.load(ID)
        assert found is not None
        with store.engine.connect() as connection:
            row = connection.execute(select(games)).mappings().one()
            assert dict(row) == {**before, "network": None, "client": None, "room": 0}
            assert connection.execute(select(about.c.version)).scalar_one() == VERSION
            secrets.append(connection.execute(select(about.c.secret)).scalar_one())
        await store.create("n" * 22, found.settings, client="192.0.2.1")
        with store.engine.connect() as connection:
            assert connection.execute(select(games.c.client).where(games.c.id == "n" * 22)).scalar_one()
        assert {index["name"] for index in inspect(engine).get_indexes("games")} >= {"games_by_client"}
        assert inspect(engine).has_table("moderation")

    async def again(store: Store) -> None:
        assert await store.load(ID) is not None
        assert store.shares.secret == secrets[0]

    secrets: list[str] = []
    with_store(database, work)
    assert len(secrets[0]) == 64
    with_store(database, again)  # a second start finds nothing to upgrade
    engine.dispose()


def test_an_upgrade_that_fails_changes_nothing(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def begin(store: Store) -> None:
        await store.create(ID, table.read_settings(SETTINGS))

    with_store(database, begin)
    engine = bare(database)
    with engine.begin() as connection:
        make_version_3(connection)
    with monkeypatch.context() as broken:
        # Make the last step of the upgrade fail.
        broken.setattr("gridlock.web.storage.schema.secrets.token_hex", lambda _: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            with_store(database, begin)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT version FROM gridlock")).scalar_one() == 3
    assert "room" not in {column["name"] for column in inspect(engine).get_columns("games")}
    assert not inspect(engine).has_table("moderation")
    with_store(database, lambda store: store.load(ID))
    engine.dispose()


def test_games_of_version_2_get_clocks(database: str) -> None:
    async def begin(store: Store) -> None:
        await store.create(ID, table.read_settings(SETTINGS), [table.read_event(body) for body in HAPPENED])

    with_store(database, begin)
    engine = bare(database)
    with engine.begin() as connection:  # turn the database into version 2 by removing what version 3 added
        make_version_3(connection)
        connection.execute(text("DROP INDEX games_by_deadline"))
        connection.execute(text("ALTER TABLE games DROP COLUMN deadline"))
        connection.execute(text("ALTER TABLE gridlock DROP COLUMN ticks"))
        connection.execute(update(about).values(version=2))

    async def work(store: Store) -> None:
        found = await store.load(ID)
        assert found is not None
        assert (found.sequence, found.deadline) == (len(HAPPENED), None)
        timed = msgspec.structs.replace(found.settings, clock=TimeControl(seconds=60, increment=1))
        await store.create("t" * 22, timed, [table.read_event(HAPPENED[0])])
        game = await store.load("t" * 22)
        assert game is not None
        assert await store.append(game, table.Moved(0, at=1500))
        with store.engine.connect() as connection:
            assert connection.execute(select(about.c.version, about.c.ticks)).one() == (VERSION, 0)
            assert connection.execute(select(games.c.deadline).order_by(games.c.id)).scalars().all() == [None, 61_500]
        assert {index["name"] for index in inspect(engine).get_indexes("games")} >= {"games_by_deadline"}

    with_store(database, work)
    with_store(database, lambda store: store.load(ID))  # a second start finds nothing to upgrade
    engine.dispose()


# -- this version -------------------------------------------------------------------------------------------------


def test_written_rows_can_be_verified_independently(database: str) -> None:
    async def work(store: Store) -> None:
        happened = [table.read_event(body) for body in HAPPENED]
        await store.create(ID, table.read_settings(SETTINGS), happened[:3])
        for event in happened[3:]:
            stood = await store.load(ID)
            assert stood is not None
            assert await store.append(stood, event)
            assert not await store.append(stood, event)  # the event is already stored
        with store.engine.connect() as connection:
            game = connection.execute(select(games)).one()
            stored = connection.execute(select(events).order_by(events.c.sequence)).all()
        assert game.settings == SETTINGS
        assert [row.body for row in stored] == HAPPENED
        assert (game.events, game.stage, game.changed) == (len(HAPPENED), 2, stored[-1].at // 3600 * 3600)
        assert game.checksum == checksum(ID, game.created, SETTINGS)
        assert game.tally == checksum(ID, len(HAPPENED), game.changed, 2)
        assert [row.checksum for row in stored] == [checksum(ID, row.sequence, row.at, row.body) for row in stored]

    with_store(database, work)


@pytest.mark.parametrize(
    ("damage", "what"),
    [
        ('UPDATE events SET body = \'{"kind":"move","cell":1}\' WHERE sequence = 1', "event 1 is damaged"),
        ("UPDATE events SET at = at + 1 WHERE sequence = 1", "event 1 is damaged"),
        ("UPDATE events SET sequence = 99 WHERE sequence = 1", "event 1 is missing"),
        ("DELETE FROM events WHERE sequence = 1", "event 1 is missing"),
        ("DELETE FROM events WHERE sequence = 10", "it has 10 events but should have 11"),
        ("DELETE FROM events", "it has 0 events but should have 11"),
        (
            "INSERT INTO events SELECT game, 11, at, body, checksum FROM events WHERE sequence = 1",
            "event 11 is damaged",
        ),
        ("UPDATE games SET events = 10", "its event count is damaged"),
        ("UPDATE games SET stage = 0", "its event count is damaged"),
        ("UPDATE games SET changed = changed + 1", "its event count is damaged"),
        ("UPDATE games SET deadline = 1", "its event count is damaged"),
        ("UPDATE games SET settings = '{}'", "its settings are damaged"),
        ("UPDATE games SET created = created + 1", "its settings are damaged"),
        ("DELETE FROM games", "its settings are missing"),
    ],
)
def test_any_damage_is_detected_logged_once_and_preserved(
    database: str, damage: str, what: str, caplog: pytest.LogCaptureFixture
) -> None:
    other = "o" * 22

    async def work(store: Store) -> None:
        happened = [table.read_event(body) for body in HAPPENED]
        await store.create(ID, table.read_settings(SETTINGS), happened)
        with store.engine.begin() as connection:
            connection.exec_driver_sql(damage)
        await store.create(other, table.read_settings(SETTINGS), happened)
        for _ in range(2):
            with pytest.raises(Damaged) as told:
                await store.load(ID)
            assert told.value.what == what
        assert store.damaged == {ID}
        assert [record.getMessage() for record in caplog.records].count("damaged") == 1
        sound = await store.load(other)
        assert sound is not None
        assert sound.sequence == len(HAPPENED)

    with_store(database, work)


def test_an_extra_row_in_the_way_of_the_next_event_is_noticed(database: str) -> None:
    async def work(store: Store) -> None:
        happened = [table.read_event(body) for body in HAPPENED]
        await store.create(ID, table.read_settings(SETTINGS), happened[:3])
        stood = await store.load(ID)
        assert stood is not None
        with store.engine.begin() as connection:
            connection.execute(
                text("INSERT INTO events SELECT game, 3, at, body, checksum FROM events WHERE sequence = 1")
            )
        with pytest.raises(Damaged, match="event 3 already exists"):
            await store.append(stood, happened[3])
        with pytest.raises(Damaged, match="event 3 is damaged"):
            await store.since(ID, 3)

    with_store(database, work)


def test_invalid_utf8_counts_as_damage(tmp_path: object) -> None:
    database = f"{tmp_path}/games.sqlite3"

    async def work(store: Store) -> None:
        await store.create(ID, table.read_settings(SETTINGS), [table.read_event(body) for body in HAPPENED])
        with store.engine.begin() as connection:
            connection.execute(text("UPDATE events SET body = CAST(x'ff7b7d' AS TEXT) WHERE sequence = 1"))
        with pytest.raises(Damaged, match="event 1 is damaged"):
            await store.load(ID)

    with_store(database, work)


@pytest.mark.parametrize("body", ['{"kind":"move"}', '{"kind":"dance"}', '{"cell":1}', "[]"])
def test_invalid_events_are_rejected(body: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        table.read_event(body)
