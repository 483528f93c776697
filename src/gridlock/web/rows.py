"""What stands in the tables, written and read within a transaction; nothing that is damaged is taken for the truth."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import BindParameter, Connection, and_, bindparam, exists, select, update
from sqlalchemy.exc import IntegrityError

from gridlock.web import table as domain
from gridlock.web.schema import checksum, event_row, events, game_row, games, hour_of

# Compiled once and for all, since each statement has one form only.
_HERE = (games.c.id == bindparam("game"), games.c.events == bindparam("before"))
_NEWS: dict[str, BindParameter[Any]] = {"events": bindparam("after"), "tally": bindparam("new_tally")}
_DATED: dict[str, BindParameter[Any]] = {"changed": bindparam("hour"), "stage": bindparam("now_stage")}
_UPDATE = update(games).where(*_HERE).values(**_NEWS, **_DATED)
# Most often neither the hour nor the stage is another one. Then the index of games by age is left alone, which would
# make every commit twice as large.
_COUNT = update(games).where(*_HERE, *(games.c[name] == value for name, value in _DATED.items())).values(**_NEWS)
_INSERT = events.insert().inline()
_SETTINGS = select(games.c.created, games.c.settings, games.c.checksum).where(games.c.id == bindparam("game"))
_ORPHANS = select(exists().where(events.c.game == bindparam("game")))
# One statement sees one state of the database, also while another process writes.
_SINCE = (
    select(
        games.c.events,
        games.c.changed,
        games.c.stage,
        games.c.tally,
        events.c.sequence,
        events.c.at,
        events.c.body,
        events.c.checksum,
    )
    .select_from(games.outerjoin(events, and_(events.c.game == games.c.id, events.c.sequence >= bindparam("first"))))
    .where(games.c.id == bindparam("game"))
    .order_by(events.c.sequence)
)


class Damaged(Exception):
    """A game whose rows are not as they were written."""

    def __init__(self, game: str, what: str) -> None:
        super().__init__(f"game {game}: {what}")
        self.game = game
        self.what = what


class Counted(NamedTuple):
    """What the row of a game says about its events."""

    events: int
    changed: float
    stage: int


# -- writing ------------------------------------------------------------------------------------------------------


def create(
    connection: Connection, id: str, settings: domain.Settings, happened: Sequence[domain.Event], now: float
) -> None:
    """A new game and the moves it begins with."""
    table = domain.Table(id, settings)
    for event in happened:
        table.apply(event)
    written = msgspec.json.encode(settings).decode()
    connection.execute(games.insert(), [game_row(id, now, written, len(happened), now, table.stage)])
    if happened:
        rows = [event_row(id, number, now, _written(event)) for number, event in enumerate(happened)]
        connection.execute(events.insert(), rows)


def append(
    connection: Connection, id: str, sequence: int, event: domain.Event, stage: domain.Stage, now: float
) -> bool:
    """The event with that number; False if the game has another number of events by now."""
    count, hour = sequence + 1, hour_of(now)
    values = {
        "game": id,
        "before": sequence,
        "after": count,
        "hour": hour,
        "now_stage": stage,
        "new_tally": checksum(id, count, hour, int(stage)),
    }
    if not (connection.execute(_COUNT, values).rowcount or connection.execute(_UPDATE, values).rowcount):
        return False
    try:
        connection.execute(_INSERT, event_row(id, sequence, now, _written(event)))
    except IntegrityError:
        raise Damaged(id, f"event {sequence} is there already") from None
    return True


def _written(event: domain.Event) -> str:
    return msgspec.json.encode(event).decode()


# -- reading ------------------------------------------------------------------------------------------------------


def load(connection: Connection, id: str) -> domain.Table | None:
    """A game with everything that has happened in it, or None if there is no such game."""
    settings = settings_of(connection, id)
    if settings is None:
        return None
    _, bodies = since(connection, id, 0)
    try:
        table = domain.Table(id, domain.read_settings(settings))
        happened = [domain.read_event(body) for body in bodies]
    except msgspec.DecodeError as error:
        raise Damaged(id, f"it cannot be read: {error}") from None
    for event in happened:
        table.apply(event)
    return table


def settings_of(connection: Connection, id: str) -> str | None:
    """The settings of a game, or None if there is no such game."""
    row = connection.execute(_SETTINGS, {"game": id}).first()
    if row is None:
        if connection.execute(_ORPHANS, {"game": id}).scalar():
            raise Damaged(id, "its settings are lost")
        return None
    if row.checksum != checksum(id, row.created, row.settings):
        raise Damaged(id, "its settings are damaged")
    return str(row.settings)


def since(connection: Connection, id: str, first: int) -> tuple[Counted, list[str]]:
    """What the game's row tells about its events, and the events themselves from a number on."""
    rows = connection.execute(_SINCE, {"game": id, "first": first}).all()
    if not rows:
        raise Damaged(id, "it is not in the database any more")
    counted = Counted(rows[0].events, rows[0].changed, rows[0].stage)
    if rows[0].tally != checksum(id, *counted):
        raise Damaged(id, "the number of its events is damaged")
    rows = [row for row in rows if row.sequence is not None]  # an outer join tells of no event by an empty row
    for number, row in enumerate(rows, first):
        _check(id, number, row)
    if first + len(rows) != counted.events:
        raise Damaged(id, f"it has {first + len(rows)} events where it should have {counted.events}")
    return counted, [row.body for row in rows]


def _check(id: str, number: int, row: Any) -> None:
    if row.sequence != number:
        raise Damaged(id, f"event {number} is missing")
    if row.checksum != checksum(id, number, row.at, row.body):
        raise Damaged(id, f"event {number} is damaged")
