"""Salvaging the games from a damaged SQLite file into a new file.

Every row has a checksum, so a damaged row is recognised and left out, wherever it is in the file. The damaged file
itself is not changed.
"""

from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import UNSET
from sqlalchemy import Connection, delete, func, select, update
from sqlalchemy.dialects.sqlite import insert

from gridlock.web.referee import table as domain
from gridlock.web.storage import rows, schema
from gridlock.web.storage.databases import Database, lock
from gridlock.web.storage.rows import Damaged
from gridlock.web.storage.schema import about, events, games
from gridlock.web.storage.sqlite_pages import Value, records

_AT_ONCE = 1000  # records copied in one transaction
# A game's columns, except those that refer to its client, because salvaged games belong to no client.
_GAME = [column.name for column in games.c][: list(games.c).index(games.c.network)]
_LENGTHS = (len(_GAME) - 1, len(_GAME), len(games.c))  # of a game's row: before clocks, before shares, and now
_EVENT = [column.name for column in events.c]
_NEW_EVENT = insert(events).on_conflict_do_nothing()
_NEWER = insert(games)  # of two versions of a game's row, the one with more events is newer
_NEWER = _NEWER.on_conflict_do_update(
    index_elements=["id"],
    set_={name: _NEWER.excluded[name] for name in _GAME},
    where=_NEWER.excluded.events > games.c.events,
)


class Salvaged(NamedTuple):
    """The number of intact games, the damaged games themselves, and the number of lost games."""

    intact: int  # the number of games
    damaged: list[Damaged]  # games that have lost events; their other events were copied
    lost: int  # the number of games that have lost their settings, without which they cannot be opened


def salvage(old: str, new: Path) -> Salvaged:
    """Copy every readable game from a SQLite file to a new file; raise ValueError if that is impossible."""
    source = Database(old).file
    if source is None:
        raise ValueError("only a SQLite file can be salvaged; restore a PostgreSQL database from a backup")
    if not source.is_file():
        raise ValueError(f"there is no file {source}")
    if new.exists():
        raise ValueError(f"{new} already exists; give the name of a new file")
    part = new.with_name(f"{new.name}.part")  # so that an unfinished file is not mistaken for the result
    _remove(part)
    try:
        with closing(lock(source, "rb")), closing(Database(str(part))) as database:
            database.claim()
            with database.transaction(writes=True) as connection:
                schema.prepare(connection, 0.0)
            found, ticks = records(source), 0
            while some := list(islice(found, _AT_ONCE)):
                with database.transaction(writes=True) as connection:
                    ticks = max(ticks, _copy(connection, some))
            with database.transaction(writes=True) as connection:
                salvaged = _finish(connection, ticks)
        if not salvaged.intact and not salvaged.damaged:
            raise ValueError(f"no game can be read in {source}")
        part.rename(new)
    finally:
        _remove(part)
    return salvaged


def _remove(part: Path) -> None:
    for rest in ("", "-wal", "-shm", ".lock"):
        Path(f"{part}{rest}").unlink(missing_ok=True)


def _copy(connection: Connection, found: list[list[Value]]) -> int:
    """Insert all games and events from these records; return the time of the latest move, in ticks."""
    new_games = [row for values in found if (row := _game(values))]
    new_events = [row for values in found if (row := _event(values))]
    if new_games:
        connection.execute(_NEWER, new_games)
    if new_events:
        connection.execute(_NEW_EVENT, new_events)
    timed = [domain.read_event(row["body"]) for row in new_events if '"at"' in row["body"]]
    return max((event.at for event in timed if isinstance(event, domain.Timed) and event.at is not UNSET), default=0)


def _game(values: list[Value]) -> dict[str, Any] | None:
    """Convert a record to a row of the games table; return None if it is damaged or does not describe a game."""
    if len(values) not in _LENGTHS or not all(isinstance(values[at], int | float) for at in (1, 3, 4, 5, 6, 7)):
        return None
    row: dict[str, Any] = dict(zip(_GAME, [*values, None], strict=False))
    row["created"], row["changed"] = float(row["created"]), float(row["changed"])  # whole numbers are stored as int
    described = schema.checksum(row["id"], row["created"], row["settings"])
    counted = schema.tally(row["id"], row["events"], row["changed"], row["stage"], row["deadline"])
    return row if (described, counted) == (row["checksum"], row["tally"]) else None


def _event(values: list[Value]) -> dict[str, Any] | None:
    """Convert a record to an event row; return None if the record is damaged or is not an event."""
    if len(values) != len(_EVENT) or not all(isinstance(values[at], int | float) for at in (1, 2, 4)):
        return None
    row: dict[str, Any] = dict(zip(_EVENT, values, strict=True))
    row["at"] = float(row["at"])
    return row if schema.checksum(*list(row.values())[:-1]) == row["checksum"] else None


def _finish(connection: Connection, ticks: int) -> Salvaged:
    """Restore the recorded date and total playing time, delete events that belong to no game, and verify all games."""
    today = select(func.coalesce(func.max(games.c.changed), 0.0)).scalar_subquery()
    connection.execute(update(about).values(today=today, ticks=ticks))
    ids = list(connection.execute(select(games.c.id)).scalars())
    ownerless = events.c.game.not_in(select(games.c.id))
    lost = connection.execute(select(func.count(events.c.game.distinct())).where(ownerless)).scalar_one()
    connection.execute(delete(events).where(ownerless))
    damaged = list(_damages(connection, ids))
    return Salvaged(len(ids) - len(damaged), damaged, lost)


def _damages(connection: Connection, ids: list[str]) -> Iterator[Damaged]:
    for id in ids:
        seen = 0
        try:
            while found := rows.verify(connection, id, seen):
                seen += found[1]
                if seen >= found[0].events:
                    break
        except Damaged as damage:
            yield damage
