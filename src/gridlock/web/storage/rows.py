"""Reading and writing rows within a transaction; damaged rows are detected by their checksums.

Events are read in slices, so that a long game never needs much memory or time at once.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET
from sqlalchemy import BindParameter, Connection, and_, bindparam, exists, func, select, update
from sqlalchemy.exc import IntegrityError

from gridlock.web.referee import table as domain
from gridlock.web.storage.schema import checksum, event_row, events, game_row, games, hour_of, tally

SLICE = 500  # most events read at once
_COUNTED = 5000  # most events counted before an event is stored; only games from old databases may have more
# The maximum sizes, in bytes, of a game without its settings and of an event, in SQLite or PostgreSQL. The sizes
# include indexes (see test_shares.py).
GAME_BYTES, EVENT_BYTES = 400, 260
SPARE = 30  # events beyond the cells of a board that are reserved for takebacks, requests and joining

# Each SQL statement has a single form, so SQLAlchemy compiles it only once.
_UNCHANGED = (games.c.id == bindparam("game"), games.c.events == bindparam("before"))
_COUNTS: dict[str, BindParameter[Any]] = {"events": bindparam("after"), "tally": bindparam("new_tally")}
_DATED: dict[str, BindParameter[Any]] = {"changed": bindparam("hour"), "stage": bindparam("now_stage")}
_UPDATE = update(games).where(*_UNCHANGED).values(**_COUNTS, **_DATED)
# The index of games by age contains each game's stage and the hour of its last event. Most moves change neither a
# game's stage nor the hour of its last event, so they do not update the index of games by age. If every move updated
# this index, every commit would be twice as large.
_COUNT = update(games).where(*_UNCHANGED, *(games.c[name] == value for name, value in _DATED.items())).values(**_COUNTS)
# The deadline changes only in games with a clock, so moves in other games do not update the deadline index.
_FLAG: dict[str, BindParameter[Any]] = {"deadline": bindparam("flag")}
_WITH_CLOCK = {_COUNT: _COUNT.values(**_FLAG), _UPDATE: _UPDATE.values(**_FLAG)}
# The client index includes `room`, the number of bytes that a game takes up in its client's share of the database.
# `room` changes only when the game ends or has more events than expected, so most moves do not update the client index.
_WITH_ROOM = {one: one.values(room=bindparam("new_room")) for one in (_UPDATE, _WITH_CLOCK[_UPDATE])}
_INSERT = events.insert().inline()
_SETTINGS = select(games.c.created, games.c.settings, games.c.checksum).where(games.c.id == bindparam("game"))
_ORPHANS = select(exists().where(events.c.game == bindparam("game")))
# A single statement sees a consistent state of the database, even while another process writes.
_SINCE = (
    select(*games.c["events", "changed", "stage", "deadline", "tally"], *events.c["sequence", "at", "body", "checksum"])
    .select_from(games.outerjoin(events, and_(events.c.game == games.c.id, events.c.sequence >= bindparam("first"))))
    .where(games.c.id == bindparam("game"))
    .order_by(events.c.sequence)
    .limit(SLICE + 1)
)
_STORED = (
    select(func.count())
    .select_from(events)
    .where(events.c.game == bindparam("game"), events.c.sequence.between(bindparam("first"), bindparam("last")))
)

# In a game whose clock is running, the last event is the move that started the clock.
_RUNNING = (
    select(events.c.body)
    .join(games, and_(games.c.id == events.c.game, games.c.events == events.c.sequence + 1))
    .where(games.c.deadline.is_not(None))
)


@dataclass(eq=False)
class Damaged(Exception):
    """A game's rows differ from what this program wrote."""

    game: str
    what: str


class Owner(NamedTuple):
    """The codes that identify a game's creator and the creator's network; see shares.py."""

    network: int | None = None
    client: int | None = None


NOBODY = Owner()


class Counted(NamedTuple):
    """The summary of a game's events that is stored in the game's database row."""

    events: int
    changed: float
    stage: int
    deadline: int | None


def create(
    connection: Connection,
    id: str,
    settings: domain.Settings,
    happened: Sequence[domain.GameEvent],
    now: float,
    owner: Owner = NOBODY,
) -> None:
    """Insert a new game and its initial moves."""
    table = domain.Table(id, settings)
    for event in happened:
        table.apply(event)
    row = game_row(id, now, _json(settings), len(happened), now, table.stage)
    connection.execute(games.insert(), [{**row, **owner._asdict(), "room": room(table)}])
    if happened:
        rows = [event_row(id, number, now, _json(event)) for number, event in enumerate(happened)]
        connection.execute(events.insert(), rows)


def reserved(table: domain.Table) -> int:
    """Return the number of events to reserve space for; an unfinished game needs space for a move on every cell."""
    if table.stage is domain.Stage.FINISHED:
        return table.sequence
    return max(table.sequence, table.game.variant.grid.size + SPARE)


def room(table: domain.Table) -> int:
    """Return the number of bytes that a game takes up in its client's share of the database."""
    return GAME_BYTES + len(msgspec.json.encode(table.settings)) + EVENT_BYTES * reserved(table)


def append(
    connection: Connection, event: domain.GameEvent, after: domain.Table, now: float, new_room: bool = False
) -> bool:
    """Insert an event and update its game; return False if another event was stored first.

    Count the game's earlier events (at most the last `_COUNTED`), and raise Damaged if one of these events is missing,
    so that no further move is acknowledged.
    """
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
    if new_room:
        statements = [_WITH_ROOM[statements[-1]]]
        values["new_room"] = room(after)
    if not any(connection.execute(one, values).rowcount for one in statements):
        return False
    first = max(0, sequence - _COUNTED)
    stored = connection.execute(_STORED, {"game": id, "first": first, "last": sequence - 1}).scalar_one()
    if stored != sequence - first:
        raise Damaged(id, f"it has {first + stored} events but should have {sequence}")
    try:
        connection.execute(_INSERT, event_row(id, sequence, now, _json(event)))
    except IntegrityError:
        raise Damaged(id, f"event {sequence} already exists") from None
    return True


def _json(value: domain.GameEvent | domain.Settings) -> str:
    return msgspec.json.encode(value).decode()


def begin(connection: Connection, id: str) -> domain.Table | None:
    """Return a game as it was before its first event, or None if there is no such game."""
    settings = settings_of(connection, id)
    if settings is None:
        return None
    try:
        return domain.Table(id, domain.read_settings(settings))
    except msgspec.DecodeError as error:
        raise Damaged(id, f"it cannot be read: {error}") from None


def advance(connection: Connection, table: domain.Table) -> bool:
    """Apply the next slice of events to a game; return whether more events remain."""
    counted, happened = since(connection, table.id, table.sequence)
    for event in happened:
        table.apply(event)
    return table.sequence < counted.events


def last_tick(connection: Connection) -> int:
    """Return the latest time at which any running clock was started; 0 if no clock is running."""
    latest = 0
    for body in connection.execute(_RUNNING).scalars():
        with suppress(msgspec.DecodeError):  # damage to a game is reported when the game is opened
            event = domain.read_event(body)
            if isinstance(event, domain.Timed) and event.at is not UNSET:
                latest = max(latest, event.at)
    return latest


def settings_of(connection: Connection, id: str) -> str | None:
    """Return a game's settings as JSON, or None if the game does not exist."""
    row = connection.execute(_SETTINGS, {"game": id}).first()
    if row is None:
        if connection.execute(_ORPHANS, {"game": id}).scalar():
            raise Damaged(id, "its settings are missing")
        return None
    if row.checksum != checksum(id, row.created, row.settings):
        raise Damaged(id, "its settings are damaged")
    return str(row.settings)


def since(connection: Connection, id: str, first: int) -> tuple[Counted, list[domain.GameEvent]]:
    """Return a game's event data (`Counted`), and a slice of its events, starting with the event `first`."""
    counted, bodies = _slice(connection, id, first)
    try:
        return counted, [domain.read_event(body) for body in bodies]
    except msgspec.DecodeError as error:
        raise Damaged(id, f"it cannot be read: {error}") from None


def verify(connection: Connection, id: str, first: int) -> tuple[Counted, int] | None:
    """Verify a slice of a game's events, starting with the event `first`.

    Return the game's event data (`Counted`) and the number of events verified, or None if the game does not exist.
    """
    if settings_of(connection, id) is None:
        return None
    counted, bodies = _slice(connection, id, first)
    return counted, len(bodies)


def _slice(connection: Connection, id: str, first: int) -> tuple[Counted, list[str]]:
    """Return a game's event data (`Counted`), and a slice of its events as JSON, starting with the event `first`."""
    rows = connection.execute(_SINCE, {"game": id, "first": first}).all()
    if not rows:
        raise Damaged(id, "it is no longer in the database")
    counted = Counted(*rows[0][:4])
    if rows[0].tally != tally(id, *counted):
        raise Damaged(id, "its event count is damaged")
    rows = [row for row in rows if row.sequence is not None]  # the outer join has an empty row if there are no events
    for number, row in enumerate(rows, first):
        if row.sequence != number:
            raise Damaged(id, f"event {number} is missing")
        if row.checksum != checksum(id, number, row.at, row.body):
            raise Damaged(id, f"event {number} is damaged")
    if len(rows) != min(counted.events - first, SLICE + 1):
        raise Damaged(id, f"it has {first + len(rows)} events but should have {counted.events}")
    return counted, [row.body for row in rows[:SLICE]]
