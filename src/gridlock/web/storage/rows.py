"""What stands in the tables, written and read within a transaction; nothing that is damaged is taken for the truth."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET
from sqlalchemy import BindParameter, Connection, and_, bindparam, exists, select, update
from sqlalchemy.exc import IntegrityError

from gridlock.web.referee import table as domain
from gridlock.web.storage.schema import checksum, event_row, events, game_row, games, hour_of, tally

# Compiled once and for all, since each statement has one form only.
_HERE = (games.c.id == bindparam("game"), games.c.events == bindparam("before"))
_NEWS: dict[str, BindParameter[Any]] = {"events": bindparam("after"), "tally": bindparam("new_tally")}
_DATED: dict[str, BindParameter[Any]] = {"changed": bindparam("hour"), "stage": bindparam("now_stage")}
_UPDATE = update(games).where(*_HERE).values(**_NEWS, **_DATED)
# Most often neither the hour nor the stage is another one. Then the index of games by age is left alone, which would
# make every commit twice as large.
_COUNT = update(games).where(*_HERE, *(games.c[name] == value for name, value in _DATED.items())).values(**_NEWS)
# With a clock, its flag falls at another moment after each move; without one, the index of those is left alone, too.
_FLAG: dict[str, BindParameter[Any]] = {"deadline": bindparam("flag")}
_WITH_CLOCK = {_COUNT: _COUNT.values(**_FLAG), _UPDATE: _UPDATE.values(**_FLAG)}
_INSERT = events.insert().inline()
_SETTINGS = select(games.c.created, games.c.settings, games.c.checksum).where(games.c.id == bindparam("game"))
_ORPHANS = select(exists().where(events.c.game == bindparam("game")))
# One statement sees one state of the database, also while another process writes.
_SINCE = (
    select(
        games.c.events,
        games.c.changed,
        games.c.stage,
        games.c.deadline,
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
    deadline: int | None


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


def append(connection: Connection, event: domain.Event, after: domain.Table, now: float) -> bool:
    """An event, and the game as it is then; False if the game has another number of events by now."""
    id, count, hour, stage = after.id, after.sequence, hour_of(now), after.stage
    sequence = count - 1
    values = {
        "game": id,
        "before": sequence,
        "after": count,
        "hour": hour,
        "now_stage": stage,
        "new_tally": tally(id, count, hour, int(stage), after.deadline),
    }
    statements = [_COUNT, _UPDATE]
    if after.settings.clock is not UNSET:
        statements = [_WITH_CLOCK[one] for one in statements]
        values["flag"] = after.deadline
    if not any(connection.execute(one, values).rowcount for one in statements):
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
    counted = Counted(rows[0].events, rows[0].changed, rows[0].stage, rows[0].deadline)
    if rows[0].tally != tally(id, *counted):
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
