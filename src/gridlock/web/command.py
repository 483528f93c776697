"""`gridlock serve`: the games in the browser."""

import io
import ipaddress
import re
import socket
import sys
from pathlib import Path
from urllib.parse import quote, urlencode

import click
from click.core import ParameterSource

from gridlock.core.rules import load_packages
from gridlock.players import NoAgent, agents
from gridlock.userdata.folder import data_folder
from gridlock.userdata.settings import Preferences, load_and_warn


def default_database() -> Path:
    """Return where the server keeps its games."""
    return data_folder() / "server.sqlite3"


def _origins(host: str, port: int, given: tuple[str, ...]) -> frozenset[str]:
    """The addresses under which pages of this server are seen: its own, or the given ones."""
    if given:
        return frozenset(given)
    if host in ("0.0.0.0", "::"):
        raise click.UsageError(
            "on all addresses, say how browsers will call the server, such as --origin http://192.168.1.5:8000"
        )
    names = ["127.0.0.1", "localhost", "[::1]"] if host in ("127.0.0.1", "localhost", "::1") else [host]
    names = [f"[{name}]" if ":" in name and name[0] != "[" else name for name in names]
    return frozenset(f"http://{name}:{port}" if port != 80 else f"http://{name}" for name in names)


def _lan_address() -> str:
    """This computer's address in its network: the one it would send from. Nothing is sent to find out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address that is kept free for examples
            address = str(probe.getsockname()[0])
        except OSError:
            address = "127.0.0.1"
    if ipaddress.ip_address(address).is_loopback:
        raise click.ClickException(
            "this computer is in no network that --lan could find. "
            "Name its address with --host, and with --origin how browsers call it."
        )
    return address


def _complete_agent(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    """Complete the agents that are not offered without being named."""
    return [name for name in [*agents, "learned"] if name not in agents.online() and name.startswith(begun)]


def _allow(names: tuple[str, ...]) -> None:
    """Let browsers play against these agents; one that does not load is noticed now, not in the middle of a game."""
    for name in names:
        try:
            agents[name]
        except NoAgent as error:
            raise click.UsageError(f"{str(error)[:1].lower()}{str(error)[1:]}") from None
    agents.allow(*(name for name in names if name not in agents.online()))


def _printed_code(address: str) -> str:
    """A QR code in signs, for the camera of a phone that looks at the terminal."""
    import segno

    written = io.StringIO()
    segno.make(address, micro=False).terminal(out=written, compact=True, border=2)
    return written.getvalue()


def _exact(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Accept an origin as browsers send it."""
    for value in values:
        if not re.fullmatch(r"https?://[a-z0-9.:\[\]-]+", value):
            raise click.BadParameter(f"'{value[:80]}' is not an origin. It looks like https://games.example.org")
    return values


def _networks(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Accept addresses and networks."""
    for value in values:
        try:
            ipaddress.ip_network(value)
        except ValueError:
            raise click.BadParameter(f"'{value[:80]}' is no address. It looks like 10.0.0.2 or 10.0.0.0/24") from None
    return values


def _warnings(host: str, origins: tuple[str, ...], proxies: tuple[str, ...]) -> list[str]:
    """What whoever runs the server should know about the way it is reached."""
    told = []
    if not _is_local(host) and not any(origin.startswith("https://") for origin in origins):
        told.append("Without TLS in front, everybody on the way can read the links that players hold.")
    if origins and not proxies:
        told.append("If a proxy is in front, its clients count as one: name it with --trusted-proxy.")
    return told


def _is_local(host: str) -> bool:
    """Whether only this machine gets there."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _address(_ctx: click.Context, _param: click.Parameter, value: str | None) -> tuple[str, int] | None:
    """Accept an address with a port."""
    if value is None:
        return None
    match = re.fullmatch(r"(?:\[([0-9a-fA-F:]+)\]|([^\s:/]+)):([0-9]{1,5})", value)
    if not match or int(match[3]) > 65535:
        raise click.BadParameter(f"'{value[:80]}' is no address with a port. It looks like 127.0.0.1:9100")
    return match[1] or match[2], int(match[3])


def start_page(address: str, preferences: Preferences) -> str:
    """Where the page opens for whoever runs the server: with their name and level, in a part that no browser sends."""
    known = {"name": preferences.name, "level": preferences.level}
    offered = urlencode({key: value for key, value in known.items() if value}, quote_via=quote)
    return f"{address}/#{offered}" if offered else f"{address}/"


@click.command(epilog="Example: gridlock serve --open")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--lan",
    is_flag=True,
    help="Let others in your network play: listen on its address, and show that as a QR code, too.",
)
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0: any that is free.")
@click.option(
    "--database",
    metavar="FILE|URL",
    help="A file for SQLite, or postgresql://… [default: a file in your data folder; GRIDLOCK_DATABASE]",
    envvar="GRIDLOCK_DATABASE",
)
@click.option(
    "--games",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder with games of your own, one TOML file each, to be offered beside the others.",
)
@click.option(
    "--agent",
    "names",
    multiple=True,
    metavar="NAME",
    shell_complete=_complete_agent,
    help="Let browsers play against an agent from an installed package, or against 'learned'. Can be repeated.",
)
@click.option(
    "--origin",
    "origins",
    multiple=True,
    callback=_exact,
    help="How browsers call the server, if it is not its own address (behind a proxy). Can be repeated.",
)
@click.option(
    "--games-per-client", type=click.IntRange(1), default=200, show_default=True, help="New games in an hour."
)
@click.option(
    "--connections-per-client", type=click.IntRange(1), default=100, show_default=True, help="Open at the same time."
)
@click.option(
    "--thinking-per-client",
    type=click.IntRange(10),
    default=900,
    show_default=True,
    help="Seconds of analysis in an hour.",
)
@click.option(
    "--requests-per-client",
    type=click.IntRange(1),
    default=30,
    show_default=True,
    help="API requests and moves in a second; what goes beyond is refused.",
)
@click.option(
    "--trusted-proxy",
    "proxies",
    multiple=True,
    callback=_networks,
    metavar="ADDRESS",
    help="A proxy in front of the server, or a network of them, whose X-Forwarded-For is believed. Can be repeated.",
)
@click.option(
    "--keep-untouched",
    "untouched",
    type=click.IntRange(0),
    default=7,
    show_default=True,
    metavar="DAYS",
    help="How long games without a move are kept; 0: for ever, here and below.",
)
@click.option(
    "--keep-finished",
    "finished",
    type=click.IntRange(0),
    default=90,
    show_default=True,
    metavar="DAYS",
    help="How long finished games are kept.",
)
@click.option(
    "--keep-abandoned",
    "abandoned",
    type=click.IntRange(0),
    default=365,
    show_default=True,
    metavar="DAYS",
    help="How long other games are kept after their last move.",
)
@click.option(
    "--most-games",
    type=click.IntRange(0),
    default=1_000_000,
    show_default=True,
    help="Games kept at most: then no new ones are started. 0: no limit.",
)
@click.option(
    "--database-limit",
    "megabytes",
    type=click.IntRange(0),
    default=4096,
    show_default=True,
    metavar="MB",
    help="The database's size from which no new games are started. 0: no limit.",
)
@click.option(
    "--metrics", callback=_address, metavar="HOST:PORT", help="Answer Prometheus there, at /metrics. [default: off]"
)
@click.option(
    "--open", "open_browser", is_flag=True, help="Open the start page in your browser, with your name and level."
)
def serve(
    host: str,
    lan: bool,
    port: int,
    database: str | None,
    folder: Path | None,
    names: tuple[str, ...],
    origins: tuple[str, ...],
    games_per_client: int,
    connections_per_client: int,
    thinking_per_client: int,
    requests_per_client: int,
    proxies: tuple[str, ...],
    open_browser: bool,
    metrics: tuple[str, int] | None,
    **kept: int,
) -> None:
    """Serve the games to browsers: against the computer, with a friend on one screen or by link, and to analyse.

    Ctrl-C or SIGTERM stops the server; games go on where they were when it is started again.

    A client is an address. Behind a proxy all clients have the proxy's, unless --trusted-proxy names it.
    """
    if sys.platform == "win32":
        raise click.ClickException(
            "the server needs Linux or macOS. On Windows, run it in WSL or Docker; everything else works as it is."
        )
    try:
        from gridlock.web.app import Serving
        from gridlock.web.net.limits import Limits
        from gridlock.web.pages.own_games import load_folder
        from gridlock.web.server import listen_on, run
        from gridlock.web.storage.retention import Retention
    except ModuleNotFoundError as error:
        raise click.ClickException(
            f"{error.name} is missing. Install the web extra: pip install 'gridlock-games[web]'"
        ) from None
    load_packages()
    _allow(names)
    if folder is not None and not load_folder(folder):
        raise click.UsageError(f"there is no game in {folder}: no file in it ends with .toml")
    if lan and (origins or click.get_current_context().get_parameter_source("host") is not ParameterSource.DEFAULT):
        raise click.UsageError("--lan finds the address by itself: leave --host and --origin away")
    here, host = (_lan_address(), "0.0.0.0") if lan else (host, host)
    preferences = load_and_warn() if open_browser else Preferences()  # a damaged file is told of before anything else
    listener = listen_on(host, port)
    port = listener.getsockname()[1]
    allowed = _origins(here, port, origins) | (_origins("127.0.0.1", port, ()) if lan else frozenset())
    address = origins[0] if origins else f"http://{f'[{here}]' if ':' in here else here}:{port}"
    limits = Limits(games_per_client, connections_per_client, thinking_per_client, requests_per_client)
    serving = Serving(
        database or str(default_database()),
        allowed,
        limits,
        proxies,
        Retention(**kept),
        metrics,
        origins[0] if origins else None,
        address if lan else "",
    )

    def ready() -> None:
        click.echo(f"GridLock is at {address}/ (Ctrl-C stops it)")
        for warning in _warnings(host, origins, proxies):
            click.echo(warning)
        if lan:
            click.echo("Everybody in your network can open this address; the games are shown to whoever has a link.")
            if sys.stdout.isatty():
                click.echo(_printed_code(f"{address}/"))
        if open_browser:
            click.launch(start_page(address, preferences))

    run(listener, serving, ready)
