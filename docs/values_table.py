"""Write the tables of docs/values-tables.md: python docs/values_table.py

The script writes each row as soon as it is known. Rows made by this version of GridLock are kept, so you can continue
an interrupted run. Boards whose value is not found within a minute are left out; --seconds gives each board more time.
With --again, the script recomputes all rows.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from gridlock import __version__
from gridlock.core import rules
from gridlock.core.rulebook import Variant
from gridlock.engine.clock import MEBIBYTE, Clock
from gridlock.engine.kernels import interface
from gridlock.engine.regions import Regions, open_cells, regions
from gridlock.values import Value

PAGE = Path(__file__).parent / "values-tables.md"
SECONDS = 60.0  # time to find the exact value of a board
SHARE = 2.5  # regions() spends two fifths of its time on exact values, so it gets 2.5 times SECONDS
LONGEST = 60  # maximum number of characters in a name
ENTITIES = {ord(sign): f"&#{ord(sign)};" for sign in "|*_"}
HOT = "| board | value | temperature | left stop | forms | known | command |\n|---|---|---|---|---|---|---|"
COLD = "| board | empty | after X at 1,1 | command |\n|---|---|---|---|"


class Table(NamedTuple):
    """The description of a table: its game, its adjacency and its boards."""

    game: str
    adjacency: str
    boards: tuple[str, ...]


def _rectangles(*widths: tuple[int, int]) -> tuple[str, ...]:
    """Return the names of boards: for example, 3x3 to 3x8 for the pair (3, 8)."""
    return tuple(f"{rows}x{cols}" for rows, most in widths for cols in range(rows, most + 1))


TABLES = {
    "paths": Table("showdown", "king", _rectangles((1, 24))),
    "showdown king": Table("showdown", "king", _rectangles((2, 8), (3, 8), (4, 8), (5, 8), (6, 7), (7, 7))),
    "showdown orthogonal": Table("showdown", "orthogonal", _rectangles((2, 9), (3, 7), (4, 6), (5, 5))),
    "scatter king": Table("scatter", "king", _rectangles((1, 8), (2, 8), (3, 8), (4, 8), (5, 7), (6, 6))),
    "scatter orthogonal": Table("scatter", "orthogonal", _rectangles((2, 8), (3, 7), (4, 6), (5, 5))),
}


def row(name: str, board: str, seconds: float = SECONDS) -> str | None:
    """Check a board's value and return its table row, or None if finding the value takes too long."""
    table = TABLES[name]
    variant = rules.variant(rules.named(table.game), board, table.adjacency)
    usual = str(variant.book.adjacency) == table.adjacency
    command = f"`gridlock value {table.game} --board {board}{'' if usual else f' --adjacency {table.adjacency}'}`"
    found = regions(variant, variant.start(), Clock(SHARE * seconds), whole=True)
    if found.value is None:
        return None
    cells = _cold_cells(variant, found.value, seconds) if name.startswith("scatter") else _hot_cells(name, found)
    return f"| {' | '.join([board, *cells, f'{command}, {__version__}'])} |"


def _hot_cells(name: str, found: Regions) -> list[str]:
    value, temperature = found.value, found.regions[0].temperature
    assert value is not None
    check(found)
    return [_name(value), str(temperature), str(value.stops[0]), str(value.subpositions), _known(name, found)]


def _cold_cells(variant: Variant, empty: Value, seconds: float) -> list[str]:
    after = regions(variant, variant.start().after(0), Clock(SHARE * seconds), whole=True).value
    return [_name(empty), "?" if after is None else _name(after)]


def _name(value: Value) -> str:
    """Return a value's name, formatted as code, for use in a Markdown table.

    A vertical bar would end the table cell, so a name that contains one is written as an HTML element, with special
    characters escaped.
    """
    name = value.name(LONGEST)
    if name is None:
        return "long"
    return f"<code>{name.translate(ENTITIES)}</code>" if "|" in name else f"`{name}`"


def _known(name: str, found: Regions) -> str:
    """Return a note on what was known about a board's value before it was computed."""
    grid = found.variant.grid
    if name == "paths":
        return "not compared"
    if name.endswith("orthogonal"):
        return "half-turn" if grid.rows % 2 == grid.cols % 2 == 0 else "not found published"
    return "from the path" if grid.rows <= 3 else "not found published"


def check(found: Regions) -> None:
    """Check that the value and the search agree on who wins if player 1 starts and one side has extra free moves."""
    value, grid = found.value, found.variant.grid
    assert value is not None
    search = interface.snort_search(grid, 64 * MEBIBYTE)
    ones, twos = open_cells(found.variant, found.position)
    most = int(value.stops[0]) + 2
    for more in range(-most, most + 1):
        wins = search.solve(ones, twos, Clock(), more)
        if wins != int(not value <= -more):
            raise AssertionError(f"{grid}: the search and the value disagree with {more} more free moves.")


def rows_on(page: str, name: str) -> dict[str, str]:
    """Return the rows of one of the page's tables, keyed by board."""
    found = re.search(rf"<!-- {name} -->\n(.*?)<!-- end -->", page, re.S)
    assert found, f"the page has no table {name}"
    return {row[1]: row[0] for row in re.finditer(r"^\| (\d+x\d+) .*", found[1], re.M)}


def with_rows(page: str, name: str, rows: dict[str, str]) -> str:
    """Return the page with the rows of one table replaced by the given ones, sorted by board."""
    lines = [COLD if name.startswith("scatter") else HOT]
    lines += [rows[board] for board in TABLES[name].boards if board in rows]
    table = "\n".join([f"<!-- {name} -->", "", *lines, "", "<!-- end -->"])
    return re.sub(rf"<!-- {name} -->\n.*?<!-- end -->", lambda _: table, page, flags=re.S)


def missing(page: str, again: bool) -> Iterator[tuple[str, str]]:
    """Yield the table and board of every row that still has to be computed."""
    for name, table in TABLES.items():
        rows = rows_on(page, name)
        for board in table.boards:
            if again or not rows.get(board, "").endswith(f", {__version__} |"):
                yield name, board


def main() -> None:
    """Compute the missing rows."""
    parser = argparse.ArgumentParser(description="Write the tables of docs/values-tables.md.")
    parser.add_argument("--again", action="store_true", help="make all rows again")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="time for each board (default: %(default)g)")
    options = parser.parse_args()
    for name, board in missing(PAGE.read_text(encoding="utf-8"), options.again):
        made = row(name, board, options.seconds)
        print(made or f"{name} {board}: not found in {options.seconds:g} s", file=sys.stderr, flush=True)
        if made is not None:
            page = PAGE.read_text(encoding="utf-8")
            PAGE.write_text(with_rows(page, name, rows_on(page, name) | {board: made}), encoding="utf-8")


if __name__ == "__main__":
    main()
