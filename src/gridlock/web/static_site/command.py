"""`gridlock site`: write the pages and the engine as files that need no server."""

import gzip
from pathlib import Path
from shlex import quote

import click

from gridlock.play.exits import Exit
from gridlock.web.extra import web_extra

MEGABYTE = 1_000_000


@click.command(epilog="Example: gridlock site public && python3 -m http.server --directory public")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--downloads",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="The folder for the Pyodide and msgspec downloads. [default: your cache folder]",
)
def site(folder: Path, downloads: Path | None) -> int:
    """Create a site in FOLDER that needs no server and has a computer opponent, lessons, analysis and a game designer.

    You can publish the folder on any web host, under any path. The engine runs in the browser. Pyodide is downloaded
    once with npm, and msgspec once with pip.
    """
    with web_extra():
        from gridlock.web.static_site.downloads import fetched
        from gridlock.web.static_site.folder import site, write_site, written
    written(folder)  # rejects a folder with other files before anything is downloaded
    made = site(*fetched(downloads))
    write_site(folder, made)
    whole, packed = (sum(map(len, parts)) / MEGABYTE for parts in (made.values(), map(gzip.compress, made.values())))
    click.echo(f"Wrote {len(made)} files to {folder}: {whole:.1f} MB, {packed:.1f} MB compressed.")
    click.echo(f"Try it: python3 -m http.server --directory {quote(str(folder))}")
    return Exit.DONE
