"""Writing pictures to files."""

from collections.abc import Callable
from pathlib import Path

import click

from gridlock.core.files import check_place, write_safely
from gridlock.drawing.text import visible


def check_picture(out: str | None, as_json: bool) -> None:
    """Fail before a long calculation if its picture could not be written, or would be mixed with the JSON."""
    if out == "-" and as_json:
        raise click.UsageError("--svg - and --json would both write to standard output. Give a file for the picture.")
    if out is not None and out != "-":
        _to_picture(out, check_place)


def write_picture(out: str, text: str) -> None:
    """Write a picture to a file (- for the output) in one step; only another picture is overwritten."""
    if out == "-":
        click.echo(text.encode(), nl=False)
        return
    _to_picture(out, lambda path: write_safely(path, text))
    click.echo(f"Wrote the picture to {visible(out)}.", err=True)


def _to_picture(out: str, act: Callable[[Path], None]) -> None:
    """Call a function with the picture's path, unless a file there is not a picture."""
    if not out:
        raise click.BadParameter("the file name is empty.", param_hint="'--svg'")
    path = Path(out)
    try:
        if path.exists() and path.suffix.lower() != ".svg":
            raise click.BadParameter(f"{visible(out)} exists, and its name does not end in .svg.", param_hint="'--svg'")
        act(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, out) from None  # name the picture, not the temporary file
