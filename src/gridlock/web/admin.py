"""`gridlock admin`: commands for managing clients and games while servers are running.

The commands access the database directly, so they need no running server, and their changes affect every server that
uses the database.
"""

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib import import_module
from typing import Any

import click

from gridlock.param_types import WholeNumber
from gridlock.userdata.folder import data_folder
from gridlock.web.extra import web_extra

_EXAMPLES = "Examples: gridlock admin clients, gridlock admin block 203.0.113.7 --reason 'Spam'"
_GAME = re.compile("[A-Za-z0-9_-]{22}")
_DASHES = {"ignore_unknown_options": True}  # a game's id may start with a dash
_AGAIN = "Running servers apply changes within seconds."


@contextmanager
def opened(database: str | None, writes: bool = False) -> Iterator[Any]:
    """Yield a connection to a server's database, which must exist and have the version that this program uses."""
    from sqlalchemy import select
    from sqlalchemy.exc import SQLAlchemyError

    from gridlock.web.storage.databases import Database
    from gridlock.web.storage.schema import VERSION, about

    given = database or str(data_folder() / "server.sqlite3")
    found = None
    try:
        found = Database(given)
        if found.file is not None and not found.file.exists():
            raise click.ClickException(
                f"there is no database at {found.file}. Give the server's database with --database."
            )
        with found.transaction(writes) as connection:
            version = connection.execute(select(about.c.version)).scalar_one()
            if version != VERSION:
                advice = (
                    "start this version's server once, which upgrades it." if version < VERSION else "use a newer one."
                )
                raise click.ClickException(f"the database has version {version}, this program {VERSION}: {advice}")
            yield connection
    except (SQLAlchemyError, ValueError) as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise click.ClickException(f"the database cannot be used: {reason}.") from None
    finally:
        if found is not None:
            found.close()


_database = click.option(
    "--database",
    metavar="FILE|URL",
    help="The server's database. [default: a file in your data folder; GRIDLOCK_DATABASE]",
    envvar="GRIDLOCK_DATABASE",
)


def _reason(command: Callable[..., None]) -> Callable[..., None]:
    return click.option(
        "--reason",
        metavar="TEXT",
        help="The reason that is shown to the people affected. [default: the reason already given, if any]",
        callback=_short,
    )(command)


def _short(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    from gridlock.web.storage.moderation import LONGEST

    if value is None:
        return None
    if len(value) > LONGEST or not value.isprintable():
        raise click.BadParameter(f"a reason is one line of at most {LONGEST} characters.")
    return value.strip()


@click.group(epilog=_EXAMPLES, no_args_is_help=False)
def admin() -> None:
    """Block clients, end or hide games, and see how much of a server's database each client uses.

    You can use the admin commands while a server is running; the server applies each change within seconds.
    """
    with web_extra():
        import_module("gridlock.web.storage.store")  # loads everything that the commands need


@admin.command(
    epilog="Examples: gridlock admin block 203.0.113.7 --reason 'Spam', gridlock admin block 2001:db8:1::/48"
)
@click.argument("client")
@_reason
@_database
def block(client: str, reason: str | None, database: str | None) -> None:
    """Block CLIENT, given by its address, its network prefix, or its code from 'gridlock admin clients'.

    The client receives status 403 with the reason, and its open connections are closed. Blocking an IPv6 address
    blocks its whole /64 network.
    """
    from gridlock.web.storage.moderation import BLOCK

    target = _target(client)
    if target is None:
        raise click.UsageError(f"'{client[:80]}' is not an address, a prefix or a client's code.")
    _rule(database, BLOCK, target, reason)
    click.echo(f"Blocked {target}. {_AGAIN}")


@admin.command(context_settings=_DASHES, epilog="Example: gridlock admin end xYq3… --reason 'Abusive names'")
@click.argument("game")
@_reason
@_database
def end(game: str, reason: str | None, database: str | None) -> None:
    """End GAME, given by its id or link; the players see the reason, and the game can no longer be opened."""
    from gridlock.web.storage.moderation import END

    id = _game(game)
    _rule(database, END, id, reason, must_exist=True)
    click.echo(f"Ended {id}. {_AGAIN}")


@admin.command(context_settings=_DASHES, epilog="Example: gridlock admin hide xYq3…")
@click.argument("game")
@_database
def hide(game: str, database: str | None) -> None:
    """Hide GAME, given by its id or link, from the list of public games; its players can play on."""
    from gridlock.web.storage.moderation import HIDE

    id = _game(game)
    _rule(database, HIDE, id, "", must_exist=True)
    click.echo(f"Hid {id}. {_AGAIN}")


@admin.command(
    context_settings=_DASHES, epilog="Examples: gridlock admin allow 203.0.113.7, gridlock admin allow xYq3…"
)
@click.argument("target")
@_database
def allow(target: str, database: str | None) -> None:
    """Allow TARGET again: a blocked client, or a game that was ended or hidden."""
    from gridlock.web.storage import moderation

    known = _target(target) or _game(target)
    with opened(database, writes=True) as connection:
        if not moderation.lift(connection, known):
            raise click.ClickException(
                f"there is no blocked client, ended game or hidden game {known}. See 'gridlock admin list'."
            )
    click.echo(f"Allowed {known} again. {_AGAIN}")


@admin.command("list", epilog="Example: gridlock admin list")
@_database
def list_rulings(database: str | None) -> None:
    """List the blocked clients and the games that were ended or hidden."""
    from gridlock.web.storage import moderation

    with opened(database) as connection:
        rulings = moderation.read(connection)
    _table(
        ["what", "since", "target", "reason"], [[one.kind, _day(one.since), one.target, one.words] for one in rulings]
    )


@admin.command(epilog="Examples: gridlock admin clients --most 5, gridlock admin clients 203.0.113.7")
@click.argument("client", required=False)
@click.option("--most", default=20, show_default=True, type=WholeNumber(1, 10_000), help="Maximum number of clients.")
@_database
def clients(client: str | None, most: int, database: str | None) -> None:
    """List the clients whose games take up the most space, or only the client with the address CLIENT.

    Addresses are not stored, so every client and every network (a /48 for IPv6) is identified by a code.
    'gridlock admin block' accepts either code. The size of an unfinished game includes space for a move on every cell.
    """
    from sqlalchemy import case, func, select

    from gridlock.web.net.limits import client_of
    from gridlock.web.referee.table import Stage
    from gridlock.web.storage.schema import about, games
    from gridlock.web.storage.shares import code, written

    room = func.sum(games.c.room)
    unfinished = func.sum(case((games.c.stage == Stage.FINISHED, 0), else_=1))
    query = select(games.c.client, games.c.network, func.count(), unfinished, room, func.max(games.c.changed))
    query = query.where(games.c.client.is_not(None)).group_by(games.c.client, games.c.network)
    with opened(database) as connection:
        if client is not None:
            secret = connection.execute(select(about.c.secret)).scalar_one()
            query = query.where(games.c.client == code(client_of(client), secret))
        found = connection.execute(query.order_by(room.desc()).limit(most)).all()
    rows = [
        [written(one), "" if one == network else written(network), *map(str, numbers), f"{taken / 1e6:.2f}", _day(last)]
        for one, network, *numbers, taken, last in found
    ]
    _table(["client", "network", "games", "unfinished", "MB", "last move"], rows)


@admin.command(epilog="Example: gridlock admin games 3f9a0c1d2e4b5a69")
@click.argument("client", required=False)
@click.option("--most", default=20, show_default=True, type=WholeNumber(1, 10_000), help="Maximum number of games.")
@_database
def games(client: str | None, most: int, database: str | None) -> None:
    """List the most recently played games, or only those started by the client with the code CLIENT."""
    from sqlalchemy import or_, select

    from gridlock.web.storage import schema
    from gridlock.web.storage.shares import written

    row = schema.games.c
    query = select(row.id, row.changed, row.events, row.client, row.settings).order_by(row.changed.desc(), row.id)
    if client is not None:
        if not re.fullmatch("[0-9a-f]{16}", client):
            raise click.UsageError(f"'{client[:80]}' is not a code that 'gridlock admin clients' lists.")
        number = int.from_bytes(bytes.fromhex(client), "big", signed=True)
        query = query.where(or_(row.client == number, row.network == number))
    with opened(database) as connection:
        found = connection.execute(query.limit(most)).all()
    rows = []
    for id, changed, events, whose, settings in found:
        try:
            told = json.loads(settings)
            about = [str(told["game"]), str(told["board"]), " v ".join(name or "-" for name in told["names"])]
        except (KeyError, TypeError, ValueError):
            about = ["damaged", "", ""]
        rows.append([id, _day(changed), str(events), "" if whose is None else written(whose), *about])
    _table(["game", "last move", "events", "client", "rules", "board", "names"], rows)


def _target(client: str) -> str | None:
    """Return the stored form of an address, a network or a client's code, or None for any other string."""
    from gridlock.web.storage.moderation import network

    try:
        return network(client.strip().lower())
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _game(game: str) -> str:
    """Return a game's id, given either the id itself or a link to the game."""
    found = _GAME.fullmatch(game) or re.search(r"(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{22}(?![A-Za-z0-9_-])", game)
    if not found:
        raise click.UsageError(f"'{game[:80]}' is not a game's id, which has 22 characters, or a link to a game.")
    return found[0]


def _rule(database: str | None, kind: str, target: str, reason: str | None, must_exist: bool = False) -> None:
    """Store a ruling; without a reason, keep the reason of an earlier ruling of the same kind."""
    from sqlalchemy import select

    from gridlock.web.storage import moderation
    from gridlock.web.storage.schema import games

    with opened(database, writes=True) as connection:
        if must_exist and connection.execute(select(games.c.id).where(games.c.id == target)).first() is None:
            raise click.ClickException(f"there is no game {target} in this database.")
        earlier = {one.kind: one.words for one in moderation.read(connection) if one.target == target}
        if kind == moderation.HIDE and moderation.END in earlier:  # hiding the game would reopen it
            raise click.ClickException(
                f"game {target} is ended, so no list shows it. To reopen it: gridlock admin allow {target}"
            )
        reason = earlier.get(kind, "") if reason is None else reason
        moderation.write(connection, moderation.Ruling(target, kind, time.time(), reason))


def _day(date: float) -> str:
    return datetime.fromtimestamp(date, UTC).strftime("%Y-%m-%d %H:%M")


def _table(titles: list[str], rows: list[list[str]]) -> None:
    """Print a table, replacing characters that could control a terminal."""
    from gridlock.drawing.text import visible

    if not rows:
        click.echo("Nothing to list.")
        return
    shown = [titles, *([visible(cell, 200) for cell in row] for row in rows)]
    wide = [max(len(row[at]) for row in shown) for at in range(len(titles))]
    for row in shown:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, wide, strict=True)).rstrip())
