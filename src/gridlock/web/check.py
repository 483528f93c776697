"""`gridlock serve --check`: read the configuration, the database and the limits, and report anything unsafe."""

import ipaddress
import os
import resource
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, func, inspect, make_url, select, text
from sqlalchemy.exc import SQLAlchemyError

from gridlock.web.app import Serving
from gridlock.web.net.limits import Limits
from gridlock.web.storage.databases import Database
from gridlock.web.storage.schema import VERSION, about, games

FEW_FILES = 1024
LARGE_SHARE = 10  # percent
_WIDE = {4: 16, 6: 48}  # a trusted proxy's prefix shorter than this would include strangers' machines


def unsafe(serving: Serving, folder: Path | None) -> Iterator[str]:
    """Yield one sentence about each risk in a server's configuration and database."""
    yield from _process(folder)
    for proxy in serving.proxies:
        network = ipaddress.ip_network(proxy)
        if network.prefixlen < _WIDE[network.version]:
            yield f"--trusted-proxy {network} is a large network: every machine in it can pretend to be any client."
    if serving.metrics and not _local(serving.metrics[0]):
        yield (
            f"--metrics listens on {serving.metrics[0]}, so anyone who can reach this address can read the metrics. "
            "Use a firewall."
        )
    yield from _limits(serving.limits)
    if serving.addresses == "full":
        yield "--log-addresses full writes personal data into the log: delete old logs, and tell your visitors."
    yield from _database(serving)


def _process(folder: Path | None) -> Iterator[str]:
    if os.geteuid() == 0:
        yield "The server would run as root. Run the server under its own account, as deploy/gridlock.service does."
    _, files = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files != resource.RLIM_INFINITY and files < FEW_FILES:
        yield (
            f"The process may open only {files} files, and each connection counts as one. Raise the limit (ulimit -n)."
        )
    if folder is not None and folder.stat().st_mode & stat.S_IWOTH:
        yield f"Every user of this machine can put games into {folder}."


def _local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _limits(limits: Limits) -> Iterator[str]:
    if not limits.most_games:
        yield "--most-games 0 sets no limit, so no client has a limited share of the games."
    if not limits.megabytes:
        yield "--database-limit 0 sets no limit: games can fill the disk, and no client has a limited share of it."
    if limits.share > LARGE_SHARE and (limits.most_games or limits.megabytes):
        clients = -(-100 // limits.share)
        yield f"--share-per-client {limits.share}: {clients} clients can fill the database for everyone."
    for option, days in [
        ("untouched", limits.untouched),
        ("finished", limits.finished),
        ("abandoned", limits.abandoned),
    ]:
        if not days:
            yield f"--keep-{option} 0 keeps {option} games forever, so the database fills up sooner or later."


def _database(serving: Serving) -> Iterator[str]:
    try:
        database = Database(serving.database)
    except (SQLAlchemyError, ValueError) as error:
        yield f"The database cannot be used: {error}."
        return
    try:
        if database.file is not None:
            yield from _file(database.file, serving.limits)
            if not database.file.exists():
                return
        with database.transaction() as connection:
            yield from _tables(connection)
            if database.kind == "postgresql":
                yield from _postgresql(connection, make_url(serving.database).host)
            elif (found := connection.execute(text("PRAGMA quick_check(1)")).scalar_one()) != "ok":
                yield f"The database is damaged: {found}."
    except (SQLAlchemyError, OSError) as error:
        yield f"The database cannot be used: {str(getattr(error, 'orig', None) or error).splitlines()[0]}."
    finally:
        database.close()


def _file(file: Path, limits: Limits) -> Iterator[str]:
    folder = next(parent for parent in file.parents if parent.exists())
    if not os.access(folder, os.W_OK):
        yield f"The folder {folder} cannot be written to."
    for place in (folder, file):
        if place.exists() and place.stat().st_mode & stat.S_IWOTH and not place.stat().st_mode & stat.S_ISVTX:
            yield f"Every user of this machine can change {place}."
    free = shutil.disk_usage(folder).free + (file.stat().st_size if file.exists() else 0)
    if limits.megabytes * 1_000_000 > free:
        most = f"--database-limit {limits.megabytes}"
        yield (
            f"{most}: only {free // 1_000_000} MB of disk space is available for the database. The disk would fill up "
            "before the limit was reached."
        )


def _tables(connection: Connection) -> Iterator[str]:
    if not inspect(connection).has_table(about.name):
        return
    version = connection.execute(select(about.c.version)).scalar_one()
    if version > VERSION:
        yield f"The database has version {version}, but this program supports only up to {VERSION}."


def _postgresql(connection: Connection, host: str | None) -> Iterator[str]:
    for setting in ("fsync", "full_page_writes", "synchronous_commit"):
        if connection.execute(text(f"SHOW {setting}")).scalar_one() == "off":
            yield f"PostgreSQL is running with {setting} = off, so a crash can lose moves that players have seen."
    tls = connection.execute(text("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")).scalar_one()
    if host and not _local(host) and not host.startswith("/") and not tls:
        yield (
            f"The connection to PostgreSQL on {host} has no TLS. Add ?sslmode=require to the database's URL unless you "
            "trust the network."
        )


def summary(serving: Serving) -> Iterator[str]:
    """Yield lines of text that describe the settings that the server would use."""
    limits = serving.limits
    yield f"Browsers use {', '.join(sorted(serving.origins))}."
    yield (
        f"Each client: {limits.games} new games and {limits.thinking} seconds of analysis per hour, "
        f"{limits.connections} connections, {limits.requests} requests per second, {limits.share}% of the database."
    )
    yield f"All clients: {limits.most_games or 'any number of'} games, {limits.megabytes or 'any number of'} MB."
    database = Database(serving.database)
    try:
        if database.file is not None and not database.file.exists():
            yield f"The database {database.file} will be created."
            return
        with database.transaction() as connection:
            if not inspect(connection).has_table(about.name):
                yield f"The {database.kind} database is empty, or from version 1."
                return
            version = connection.execute(select(about.c.version)).scalar_one()
            count = connection.execute(select(func.count()).select_from(games)).scalar_one()
            upgrade = f", to be upgraded to {VERSION}" if version < VERSION else ""
            yield f"The {database.kind} database has version {version}{upgrade}. Games stored: {count}."
    finally:
        database.close()
