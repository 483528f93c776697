"""The tables, their checksums, and upgrades from earlier versions of the database.

Every row for a game or an event has a checksum, and a game's row also records how many events the game has. The
checksums and the event counts reveal changes made to a game by anything other than this program. The columns used
for clients' storage limits are not covered by a checksum, because they do not affect any game.

Version 2 added checksums, version 3 added players' clocks, and version 4 added clients' storage limits and moderation.
"""

import logging
import secrets
from collections import defaultdict
from hashlib import blake2b
from typing import Any

import msgspec
import sqlalchemy as sql
from sqlalchemy import Column, Connection, func, select, text

from gridlock.core.errors import GridLockError
from gridlock.web.referee import table as domain

log = logging.getLogger("gridlock.web")
VERSION = 4
_LOCK = 0x6772_6964  # the PostgreSQL advisory lock for creating and upgrading tables
_AT_ONCE = 500  # games upgraded in one step

metadata = sql.MetaData()
about = sql.Table(
    "gridlock",  # one row
    metadata,
    Column("version", sql.Integer, nullable=False),
    Column("today", sql.Float, nullable=False),  # the last recorded date; see clocks.py
    Column("ticks", sql.BigInteger, nullable=False, server_default="0"),  # the recorded time of play; see clocks.py
    Column("secret", sql.String(64), nullable=False, server_default=""),  # the key of the clients' codes; see shares.py
)
games = sql.Table(
    "games",
    metadata,
    Column("id", sql.String(22), primary_key=True),
    Column("created", sql.Float, nullable=False),
    Column("settings", sql.Text, nullable=False),
    Column("checksum", sql.BigInteger, nullable=False),  # a checksum of the columns above
    Column("events", sql.Integer, nullable=False),  # the number of events
    Column("changed", sql.Float, nullable=False),  # the hour of the last event
    Column("stage", sql.SmallInteger, nullable=False),
    Column("tally", sql.BigInteger, nullable=False),  # checksum of events, changed, stage and deadline, if any
    Column("deadline", sql.BigInteger),  # when the player to move runs out of time, in ticks
    Column("network", sql.BigInteger),  # codes of the client that started it and of its network; see shares.py
    Column("client", sql.BigInteger),
    Column("room", sql.Integer, nullable=False, server_default="0"),  # bytes that count against the client's share
    sql.Index("games_by_age", "stage", "changed"),
)
_RUNS = games.c.deadline.is_not(None)
_BY_DEADLINE = sql.Index("games_by_deadline", games.c.deadline, sqlite_where=_RUNS, postgresql_where=_RUNS)
_BY_CLIENT = sql.Index("games_by_client", games.c.network, games.c.client, games.c.room)  # covers sums of `room`
events = sql.Table(
    "events",
    metadata,
    Column("game", sql.String(22), primary_key=True),
    Column("sequence", sql.Integer, primary_key=True, autoincrement=False),
    Column("at", sql.Float, nullable=False),
    Column("body", sql.Text, nullable=False),
    Column("checksum", sql.BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
moderation = sql.Table(
    "moderation",
    metadata,
    Column("target", sql.String(64), primary_key=True),  # a network, a client's code, or a game
    Column("kind", sql.String(8), nullable=False),
    Column("since", sql.Float, nullable=False),
    Column("words", sql.Text, nullable=False),
)


def checksum(*parts: object) -> int:
    """Return a 64-bit checksum of the given values."""
    written = "\x1f".join(map(str, parts)).encode("utf-8", "surrogateescape")
    return int.from_bytes(blake2b(written, digest_size=8).digest(), "big", signed=True)


def tally(id: str, count: int, changed: float, stage: int, deadline: int | None) -> int:
    """Return the checksum of the fields in a game's row that depend on the game's events."""
    return checksum(id, count, changed, stage, *([] if deadline is None else [deadline]))


def hour_of(date: float) -> float:
    """Return the start of the hour that contains a given time."""
    return date // 3600 * 3600


def game_row(id: str, created: float, settings: str, count: int, changed: float, stage: int) -> dict[str, Any]:
    """Return a row of the games table with its checksums."""
    changed = hour_of(changed)
    return {
        "id": id,
        "created": created,
        "settings": settings,
        "checksum": checksum(id, created, settings),
        "events": count,
        "changed": changed,
        "stage": stage,
        "tally": tally(id, count, changed, stage, None),  # no clock runs before a game's first move
    }


def event_row(game: str, sequence: int, at: float, body: str) -> dict[str, Any]:
    """Return a row of the events table with its checksum."""
    written = {"game": game, "sequence": sequence, "at": at, "body": body}
    return {**written, "checksum": checksum(*written.values())}


def prepare(connection: Connection, now: float) -> None:
    """Create the tables or upgrade them to this version, within the current transaction."""
    if connection.dialect.name == "postgresql":  # two processes may start at once, and upgrades take a long time
        for setting in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"):
            connection.execute(text(f"SET LOCAL {setting} = 0"))
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    there = sql.inspect(connection).get_table_names()
    version = 1 if games.name in there else 0
    if about.name in there:
        version = connection.execute(select(func.max(about.c.version))).scalar_one()
        if version is None:
            raise ValueError("the record of its version is missing; restore a backup, or see gridlock serve --salvage")
    if version > VERSION:
        raise ValueError(f"it has version {version}, but this program supports only up to {VERSION}: use a newer one")
    if version < 2:
        if version == 1:
            _upgrade(connection)
        else:
            metadata.create_all(connection)
        latest = connection.execute(select(func.max(games.c.changed))).scalar()
        connection.execute(about.insert(), [{"version": VERSION, "today": now if latest is None else latest}])
    if version == 2:
        _add_columns(connection, games, "deadline BIGINT")
        _add_columns(connection, about, "ticks BIGINT DEFAULT 0 NOT NULL")
        _BY_DEADLINE.create(connection)
    if version in (2, 3):  # games stored so far belong to no client
        _add_columns(connection, games, "network BIGINT", "client BIGINT", "room INTEGER DEFAULT 0 NOT NULL")
        _add_columns(connection, about, "secret VARCHAR(64) DEFAULT '' NOT NULL")
        _BY_CLIENT.create(connection)
        moderation.create(connection)
        connection.execute(sql.update(about).values(version=VERSION))
        log.info("upgraded", extra={"version": VERSION})
    connection.execute(sql.update(about).where(about.c.secret == "").values(secret=secrets.token_hex(32)))


def _add_columns(connection: Connection, table: sql.Table, *columns: str) -> None:
    for column in columns:
        connection.execute(text(f"ALTER TABLE {table.name} ADD COLUMN {column}"))


def _upgrade(connection: Connection) -> None:
    """Upgrade version 1 by copying its rows to new tables.

    A server that still runs the old program cannot write to the new tables.
    """
    for old in (games.name, events.name):
        connection.execute(text(f"ALTER TABLE {old} RENAME TO {old}_1"))
        if connection.dialect.name == "postgresql":
            connection.execute(text(f"ALTER INDEX {old}_pkey RENAME TO {old}_1_pkey"))
    metadata.create_all(connection)
    some = text("SELECT id, created, settings FROM games_1 WHERE id > :last ORDER BY id LIMIT :most")
    theirs = text(
        "SELECT game, sequence, at, body FROM events_1 WHERE game > :last AND game <= :end ORDER BY game, sequence"
    )
    last, count = "", 0
    while found := connection.execute(some, {"last": last, "most": _AT_ONCE}).all():
        happened: dict[str, list[Any]] = defaultdict(list)
        for row in connection.execute(theirs, {"last": last, "end": found[-1].id}):
            happened[row.game].append(row)
        new_games = [_upgraded_row(row, happened[row.id]) for row in found]
        new_events = [event_row(*row) for row in found for row in happened[row.id]]
        connection.execute(games.insert(), new_games)
        if new_events:
            connection.execute(events.insert(), new_events)
        last, count = found[-1].id, count + len(found)
    connection.execute(text("DROP TABLE events_1"))
    connection.execute(text("DROP TABLE games_1"))
    log.info("upgraded", extra={"version": VERSION, "games": count})


def _upgraded_row(game: Any, happened: list[Any]) -> dict[str, Any]:
    """Return the new row for a version 1 game; any gap in its events remains, and is detected later."""
    count = happened[-1].sequence + 1 if happened else 0
    changed = max([game.created, *(row.at for row in happened)])
    try:
        table = domain.Table(game.id, domain.read_settings(game.settings))
        for row in happened:
            table.apply(domain.read_event(row.body))
        stage = table.stage
    except (GridLockError, msgspec.DecodeError):  # a game that is no longer installed, or damaged
        stage = domain.Stage.BEGUN if count else domain.Stage.UNTOUCHED
    return game_row(game.id, game.created, game.settings, count, changed, stage)
