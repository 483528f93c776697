"""`gridlock verify`: check a certificate using only the rules."""

import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from typing import IO

import click

from gridlock.certificates.checker import LONGEST_LINE, BadCertificate, Proved, check, shape_words
from gridlock.cli.files import print_json, spot
from gridlock.cli.options import json_option
from gridlock.cli.terminal import Progress, tell
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.core.rules import BUILT_IN, rule_book

MAGIC = b"\x1f\x8b"  # the first bytes of a gzip file


@click.command(epilog="Examples: gridlock verify proof.txt, gridlock verify proof.txt.gz")
@click.argument("file", type=click.Path(dir_okay=False, exists=True, allow_dash=True))
@json_option
def verify(file: str, as_json: bool) -> None:
    """Check every step of a certificate written by 'gridlock solve --certificate'.

    FILE may be compressed (gzip); - is standard input. The exit code is 0 if every step follows from the rules.
    If a step is invalid, the exit code is 3, and the message gives the step's line number. docs/certificates.md
    describes the format.
    """
    with ExitStack() as stack, Progress("Checking") as progress:
        source = sys.stdin.buffer if file == "-" else stack.enter_context(open(file, "rb"))
        proved = check(_lines(_unpacked(source, file)), lambda records: progress.tell(f"{records:,} records"))
    if as_json:
        print_json(_facts(proved))
    else:
        tell(_words(proved))


def _unpacked(source: IO[bytes], name: str) -> IO[bytes] | gzip.GzipFile:
    """Return a file, decompressed if its first bytes or its name show that it is a gzip file."""
    packed = name.endswith(".gz") or (isinstance(source, io.BufferedReader) and source.peek(2)[:2] == MAGIC)
    return gzip.GzipFile(fileobj=source) if packed else source


def _lines(source: IO[bytes] | gzip.GzipFile) -> Iterator[str]:
    """Yield the lines of a file, reading no more of each line than the format allows."""
    try:
        while line := source.readline(LONGEST_LINE + 1):
            yield line.decode("latin-1")
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise BadCertificate("The file is damaged: it is not a complete gzip file.") from None


def _variants(proved: Proved) -> list[Variant]:
    """Return the games to which the certificate applies."""
    books = [rule_book(name) for name in sorted(BUILT_IN)]
    return [
        Variant(book, proved.grid) for book in books if book.shape == proved.shape and proved.grid.size >= book.smallest
    ]


def _words(proved: Proved) -> str:
    games = _variants(proved)
    name = " or ".join(game.book.name for game in games) or f"the game with the marker '{shape_words(proved.shape)}'"
    where = f"{name} on {proved.grid} ({proved.grid.adjacency})"
    win = proved.wins is not None
    if games and games[0].start()[:4] == Position(*proved.position, 1)[:4]:
        result = f"the {'first' if win else 'second'} player wins {where}"
    else:
        result = f"the player to move {'wins' if win else 'loses'} this position of {where}"
    by = f", beginning with {games[0].name(proved.wins)}" if games and proved.wins is not None else ""
    return f"Every step is valid: {result}{by}. {proved.records:,} record{'s' * (proved.records != 1)}."


def _facts(proved: Proved) -> dict[str, object]:
    games = _variants(proved)
    return {
        "games": [game.book.name for game in games],
        "board": str(proved.grid),
        "adjacency": str(proved.grid.adjacency),
        "marker": shape_words(proved.shape),
        "outcome": "loss" if proved.wins is None else "win",
        "winning": [spot(games[0], proved.wins)] if games and proved.wins is not None else None,
        "records": proved.records,
        "slots": proved.slots,
    }
