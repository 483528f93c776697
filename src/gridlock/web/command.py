"""`gridlock serve`: start the server for browsers."""

import ipaddress
import re
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, get_args
from urllib.parse import quote, urlencode

import click
from click.core import ParameterSource

from gridlock.core.errors import GridLockError
from gridlock.core.rules import load_packages
from gridlock.param_types import WholeNumber
from gridlock.play.exits import Exit
from gridlock.players import AgentFailed, NoAgent, agents, is_spec, read_spec
from gridlock.userdata.folder import data_folder
from gridlock.userdata.settings import Preferences, load_and_warn
from gridlock.web.extra import web_extra
from gridlock.web.net.limits import Limits
from gridlock.web.net.logs import Addresses

if TYPE_CHECKING:
    from gridlock.web.app import Serving


def _origins(host: str, port: int, given: tuple[str, ...]) -> frozenset[str]:
    """Return the origins that browsers use for this server: the given origins or, if none are given, its own."""
    if given:
        return frozenset(given)
    if host in ("0.0.0.0", "::"):
        raise click.UsageError(
            "to listen on all addresses, give the URL that browsers use, such as --origin http://192.168.1.5:8000."
        )
    names = ["127.0.0.1", "localhost", "[::1]"] if host in ("127.0.0.1", "localhost", "::1") else [host]
    names = [f"[{name}]" if ":" in name and name[0] != "[" else name for name in names]
    return frozenset(f"http://{name}:{port}" if port != 80 else f"http://{name}" for name in names)


def _lan_address() -> str:
    """Return this computer's address on its local network, without sending any packets."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address reserved for documentation
            address = str(probe.getsockname()[0])
        except OSError:
            address = "127.0.0.1"
    if ipaddress.ip_address(address).is_loopback:
        raise click.ClickException(
            "--lan found no network. "
            "Use --host to give this computer's address, and --origin to give the URL that browsers use."
        )
    return address


def _complete_agent(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    """Complete an agent's name for --agent, suggesting only agents that a server does not offer by default."""
    return [name for name in [*agents, "learned"] if name not in agents.online() and name.startswith(begun)]


def _is_address(value: str) -> bool:
    """Return whether a value is an IP address or network."""
    try:
        ipaddress.ip_network(value)
    except ValueError:
        return False
    return True


def _each(valid: Callable[[str], object], expected: str) -> Callable[..., tuple[str, ...]]:
    """Return a callback that checks every value of an option."""

    def check(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
        for value in values:
            if not valid(value):
                raise click.BadParameter(f"'{value[:80]}' is not {expected}.")
        return values

    return check


def _warnings(host: str, origins: tuple[str, ...], proxies: tuple[str, ...]) -> list[str]:
    """Return warnings for the operator about how browsers reach the server."""
    local = ipaddress.ip_address(host).is_loopback if _is_address(host) else host == "localhost"
    warnings = []
    if not local and not any(origin.startswith("https://") for origin in origins):
        warnings.append("Without TLS, anyone on the network path can read the players' links.")
    if origins and not proxies:
        warnings.append(
            "If the server is behind a proxy, name the proxy with --trusted-proxy; if you don't, all clients count as "
            "one."
        )
    return warnings


def _engines(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """Return the engines' specifications, keyed by name."""
    engines: dict[str, str] = {}
    for value in values:
        name, _, command = value.partition("=")
        if not name or not command or name in engines:
            raise click.BadParameter(f"'{value[:80]}' is not a new name with a command, such as sharp=./my-bot.")
        try:
            engines[name] = read_spec(command).text
        except AgentFailed as error:
            raise click.BadParameter(str(error)) from None
    return engines


def _check(serving: "Serving", folder: Path | None, warnings: list[str]) -> int:
    """Print the settings that the server would use, and anything unsafe about them; return the exit code."""
    from gridlock.web.check import summary, unsafe

    found = [*warnings, *unsafe(serving, folder)]
    lines = [] if any("database cannot be used" in words for words in found) else summary(serving)
    for line in lines:
        click.echo(line)
    for words in found:
        click.echo(f"Unsafe: {words}")
    problems = "1 problem" if len(found) == 1 else f"{len(found)} problems"
    click.echo(f"{problems} found." if found else "Nothing unsafe was found.")
    return Exit.FAILED if found else Exit.DONE


def _address(_ctx: click.Context, _param: click.Parameter, value: str | None) -> tuple[str, int] | None:
    """Split an address into its host and its port."""
    if value is None:
        return None
    match = re.fullmatch(r"(?:\[([0-9a-fA-F:]+)\]|([^\s:/]+)):([0-9]{1,5})", value)
    if not match or int(match[3]) > 65535:
        raise click.BadParameter(f"'{value[:80]}' is not an address with a port, such as 127.0.0.1:9100.")
    return match[1] or match[2], int(match[3])


def _salvage(database: str, new: Path) -> None:
    """Copy the readable games from a damaged database, and report how many were copied, damaged or lost."""
    from gridlock.web.storage.salvage import salvage

    try:
        found = salvage(database, new)
    except ValueError as error:
        raise click.ClickException(f"nothing was copied: {error}.") from None
    click.echo(f"Intact games copied to {new}: {found.intact}")
    for damage in found.damaged:
        click.echo(f"Damaged game, copied as far as it is readable: {damage.game} ({damage.what})")
    if found.lost:
        click.echo(f"Games whose settings are lost, not copied: {found.lost}")
    click.echo(f"Now start the server with --database {new}")


def start_page(address: str, preferences: Preferences) -> str:
    """Return the start page's URL with the operator's name and level in its fragment, which browsers never send."""
    known = {"name": preferences.name, "level": preferences.level}
    offered = urlencode({key: value for key, value in known.items() if value}, quote_via=quote)
    return f"{address}/#{offered}" if offered else f"{address}/"


def _number(
    option: str, field: str, help: str, unit: str | None = None, least: int = 0
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Declare an option for a field of Limits, with the field's default value."""
    kind, default = WholeNumber(least), getattr(Limits, field)
    return click.option(option, field, type=kind, default=default, show_default=True, metavar=unit, help=help)


@click.command(epilog="Examples: gridlock serve --open, gridlock serve --offline, gridlock serve --check")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--lan",
    is_flag=True,
    help="Let others on your network play: listen on this computer's network address, and show it as a QR code.",
)
@click.option(
    "--port",
    type=WholeNumber(0, 65535),
    default=8000,
    show_default=True,
    help="The port to listen on (0: any free port).",
)
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
    help="A folder of additional games to offer, with one TOML file per game.",
)
@click.option(
    "--agent",
    "names",
    multiple=True,
    metavar="NAME",
    shell_complete=_complete_agent,
    help="Offer the 'learned' agent, or an agent from an installed package, as an opponent. Can be repeated.",
)
@click.option(
    "--engine",
    "engines",
    multiple=True,
    callback=_engines,
    metavar="NAME=COMMAND",
    help="Offer a UGI engine as an opponent. Example: sharp=./my-bot. Can be repeated.",
)
@click.option(
    "--origin",
    "origins",
    multiple=True,
    callback=_each(re.compile(r"https?://[a-z0-9.:\[\]-]+").fullmatch, "an origin, such as https://games.example.org"),
    help="The server's public URL if it is not the server's own address (for example behind a proxy). Can be repeated.",
)
@_number("--games-per-client", "games", "How many games a client may start per hour.", least=1)
@_number("--connections-per-client", "connections", "How many simultaneous connections a client may have.", least=1)
@_number("--thinking-per-client", "thinking", "How many seconds of analysis a client may use per hour.", least=10)
@_number(
    "--requests-per-client",
    "requests",
    "How many API requests and moves a client may send per second; excess requests are rejected.",
    least=1,
)
@_number(
    "--claim-after",
    "absence",
    "In games without a clock: how long the player to move must be absent before the opponent may claim the win "
    "(0: no claims).",
    "MINUTES",
)
@click.option(
    "--share-per-client",
    "share",
    type=WholeNumber(1, 100),
    default=Limits.share,
    show_default=True,
    metavar="PERCENT",
    help="The largest share of the limits --most-games and --database-limit that one client may use.",
)
@click.option(
    "--trusted-proxy",
    "proxies",
    multiple=True,
    callback=_each(_is_address, "an IP address or network, such as 10.0.0.2 or 10.0.0.0/24"),
    metavar="ADDRESS",
    help="Trust the X-Forwarded-For header from this proxy (or network of proxies). Can be repeated.",
)
@_number("--keep-untouched", "untouched", "How long to keep games in which no move was made (0: forever).", "DAYS")
@_number("--keep-finished", "finished", "How long to keep finished games (0: forever).", "DAYS")
@_number(
    "--keep-abandoned", "abandoned", "How long to keep unfinished games after their last move (0: forever).", "DAYS"
)
@_number("--most-games", "most_games", "Accept no new games once this many are stored (0: no limit).")
@_number("--database-limit", "megabytes", "Accept no new games once the database is this large (0: no limit).", "MB")
@click.option(
    "--metrics",
    callback=_address,
    metavar="HOST:PORT",
    help="Serve Prometheus metrics at this address, under /metrics. [default: off]",
)
@click.option(
    "--salvage",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Copy every readable game from a damaged SQLite database to a new file and exit. "
    "The old file will not be changed.",
)
@click.option(
    "--log-addresses",
    "addresses",
    type=click.Choice(get_args(Addresses)),
    default="off",
    show_default=True,
    help="How much of each client's address to log: none of it, only its network (/24 or /48), or all of it.",
)
@click.option(
    "--offline",
    is_flag=True,
    help="Send the engine to browsers, so that games, puzzles and analysis work even if the server can't be reached.",
)
@click.option(
    "--downloads",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="With --offline: the folder for the Pyodide and msgspec downloads. [default: your cache folder]",
)
@click.option(
    "--check",
    "check_only",
    is_flag=True,
    help="Report anything unsafe about the configuration, the database and the limits, without starting the server.",
)
@click.option(
    "--open",
    "open_browser",
    is_flag=True,
    help="Open the start page in your browser, with your name and level filled in.",
)
def serve(
    host: str,
    lan: bool,
    port: int,
    database: str | None,
    folder: Path | None,
    names: tuple[str, ...],
    engines: dict[str, str],
    origins: tuple[str, ...],
    proxies: tuple[str, ...],
    metrics: tuple[str, int] | None,
    salvage: Path | None,
    addresses: Addresses,
    offline: bool,
    downloads: Path | None,
    check_only: bool,
    open_browser: bool,
    **limits: int,
) -> int:
    """Serve games to browsers, for analysis and for play against the computer or a friend (on one screen or by link).

    Ctrl-C or SIGTERM stops the server; after a restart, games continue where they left off.

    For the limits per client, each IPv4 address or IPv6 /64 network counts as one client. Behind a proxy, all clients
    appear to have the proxy's address, unless you name the proxy with --trusted-proxy.
    """
    if sys.platform == "win32":
        raise click.ClickException(
            "the server needs Linux or macOS. "
            "On Windows, run the server in WSL or Docker; everything else runs natively."
        )
    with web_extra():
        from gridlock.web.app import Serving
        from gridlock.web.engines import engine_failures, unprotected
        from gridlock.web.server import listen_on, run
        from gridlock.web.static_site.downloads import fetched
        from gridlock.web.static_site.engine import engine_files
        from gridlock.web.wire.setups import load_folder
    database = database or str(data_folder() / "server.sqlite3")
    if salvage is not None:
        _salvage(database, salvage)
        return Exit.DONE
    load_packages()
    for name in names:
        if is_spec(name):
            raise click.UsageError(f"'{name[:80]}' is a program, not an agent. Offer it with --engine NAME=COMMAND.")
        try:
            agents[name]  # loads the agent now, so that it cannot fail to load in the middle of a game
        except NoAgent as error:
            raise click.UsageError(f"{str(error)[:1].lower()}{str(error)[1:]}") from None
    agents.allow(*(name for name in names if name not in agents.online()))
    try:
        agents.allow_engines(engines)
    except GridLockError as error:
        raise click.UsageError(f"{str(error)[:1].lower()}{str(error)[1:]}") from None
    failures = list(engine_failures(engines))  # starts the engines before any browser uses them
    if failures and not check_only:
        raise AgentFailed(failures[0])
    if folder is not None and not load_folder(folder):
        raise click.UsageError(f"there are no games in {folder}: no file's name ends with .toml.")
    if downloads and not offline:
        raise click.UsageError("--downloads is where --offline finds the engine: give both.")
    engine = engine_files(*fetched(downloads)) if offline else {}
    if lan and (origins or click.get_current_context().get_parameter_source("host") is not ParameterSource.DEFAULT):
        raise click.UsageError("--lan finds the address itself: leave out --host and --origin.")
    here, host = (_lan_address(), "0.0.0.0") if lan else (host, host)
    preferences = load_and_warn() if open_browser else Preferences()  # may warn about a damaged file
    listener = None if check_only else listen_on(host, port)
    port = listener.getsockname()[1] if listener else port
    allowed = _origins(here, port, origins) | (_origins("127.0.0.1", port, ()) if lan else frozenset())
    address = origins[0] if origins else f"http://{f'[{here}]' if ':' in here else here}:{port}"
    serving = Serving(
        database,
        allowed,
        Limits(**limits),
        proxies,
        metrics,
        origins[0] if origins else None,
        address if lan else "",
        addresses,
        engine,
    )
    if listener is None:
        return _check(serving, folder, [*_warnings(host, origins, proxies), *failures, *unprotected(engines)])

    def ready() -> None:
        click.echo(f"GridLock is running at {address}/ (press Ctrl-C to stop)")
        for warning in _warnings(host, origins, proxies):
            click.echo(warning)
        if lan:
            click.echo("Anyone on your network can open this address, but to join a private game, they need its link.")
            if sys.stdout.isatty():
                import segno

                segno.make(f"{address}/", micro=False).terminal(compact=True, border=2)  # a QR code for phones
                click.echo()
        if open_browser:
            click.launch(start_page(address, preferences))

    run(listener, serving, ready)
    return Exit.DONE
