"""`gridlock sheet`: exercises to print, with their answers."""

import click

from gridlock.cli.files import check_picture, write_picture
from gridlock.cli.options import seed_option
from gridlock.play.exits import Exit


@click.command(epilog="Example: gridlock sheet --kind values --seed 7 --out sheet.html")
@click.option(
    "--kind", type=click.Choice(["values"]), default="values", show_default=True, help="The topic of the exercises."
)
@seed_option("A random seed, for a reproducible sheet.")
@click.option("--out", default="-", type=click.Path(dir_okay=False), help="The HTML file. [default: standard output]")
def sheet(kind: str, seed: int, out: str) -> int:  # noqa: ARG001  (there is one kind so far)
    """Make a sheet of exercises to print, with the answers on their own page.

    The exercises are about values: find the value of a position, find the region in which to move first, and explain
    why a mirror strategy works. The same seed always gives the same sheet.
    """
    from gridlock.play.sheet import sheet_html

    check_picture(out, as_json=False, option="--out")
    write_picture(out, sheet_html(seed), "--out", "exercise sheet")
    return Exit.DONE
