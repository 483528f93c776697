"""A cross-table as text for the terminal, in plain ASCII except for the players' names."""

from collections.abc import Iterable, Sequence

from gridlock.arena.crosstable import Crosstable, Line, details, legend
from gridlock.drawing.text import printed_width, wrapped

COLUMNS = 80  # the narrowest window
_GAP = "  "
_NARROW = 10  # terminal columns for the names, if there is no room for the longest name
_CUT = ".."  # at the end of a name that is too long
Column = list[str]  # a heading, and a cell for every line


def as_text(table: Crosstable, columns: int = COLUMNS, most: int = 40) -> list[str]:
    """Return a table that fits the given width, with up to `most` players and a note on anything that is left out."""
    shown = table.lines[:most]
    lines = [*wrapped([table.title], columns), ""]
    if shown:
        gaps = {at for at, line in enumerate(shown) if line.begins_group}
        numbers, names = _numbered(shown)
        facts = [numbers, names, *_facts(shown)]
        records = [_records(shown, at) for at in range(len(shown))]
        while records and _narrowest([*facts, *records]) > columns:
            records.pop()
        lines += _laid_out([*facts, *records], columns, gaps)
        if missing := _left_out(len(records), len(shown), len(table.lines)):
            lines += wrapped([missing], columns)
        rest = [[name, *cells[: len(shown)]] for name, cells in details(table).items()]
        lines += ["", *_laid_out([numbers, names, *rest], columns, gaps), ""]
    return [*lines, *wrapped([*table.notes, *legend(table)], columns)]


def _numbered(lines: Sequence[Line]) -> tuple[Column, Column]:
    """Return the two columns with the players' numbers and names."""
    return ["#", *(str(at) for at in range(1, len(lines) + 1))], ["Player", *(line.name for line in lines)]


def _facts(lines: Sequence[Line]) -> list[Column]:
    """Return the columns with the players' ratings, games and scores."""
    return [
        ["Elo", *(f"{line.rating.elo:+z.0f}" for line in lines)],
        ["+/-", *(f"{line.rating.margin:.0f}" for line in lines)],
        ["Games", *(str(line.total.games) for line in lines)],
        ["Score", *(f"{line.total.share:.1%}" for line in lines)],
    ]


def _records(lines: Sequence[Line], at: int) -> Column:
    """Return the column with the results against one opponent."""
    cells = (str(line.against[at] or ("." if number == at else "")) for number, line in enumerate(lines))
    return [str(at + 1), *cells]


def _left_out(columns: int, rows: int, players: int) -> str:
    """Return a note on the columns and rows that are missing, or an empty string if the table is complete."""
    words = [f"the columns against {_range(columns, rows)}"] if columns < rows else []
    words += [_range(rows, players)] if rows < players else []
    return f"Left out to fit the window: {' and '.join(words)}." if words else ""


def _range(shown: int, all_of_them: int) -> str:
    """Return the numbers of the players who are left out, for example "players 5 to 8"."""
    return f"players {shown + 1} to {all_of_them}" if shown + 1 < all_of_them else f"player {all_of_them}"


def _wide(column: Iterable[str]) -> int:
    return max(map(printed_width, column))


def _narrowest(columns: Sequence[Column]) -> int:
    """Return the width of a table whose names are shortened as much as possible."""
    widths = [_wide(column) for column in columns]
    return sum(widths) - widths[1] + min(widths[1], _NARROW) + len(_GAP) * (len(widths) - 1)


def _laid_out(columns: Sequence[Column], room: int, gaps: set[int]) -> list[str]:
    """Return a table's lines, with long names (column 2) cut short and a blank line before each row in `gaps`."""
    widths = [_wide(column) for column in columns]
    widths[1] = max(
        min(widths[1], _NARROW), min(widths[1], room - sum(widths) + widths[1] - len(_GAP) * (len(widths) - 1))
    )
    lines = []
    for number, row in enumerate(zip(*columns, strict=True)):
        cells = [" " * (width - printed_width(cell)) + cell for cell, width in zip(row, widths, strict=True)]
        name = _cut(row[1], widths[1])
        cells[1] = name + " " * (widths[1] - printed_width(name))
        lines += [""] * (number - 1 in gaps) + [_GAP.join(cells).rstrip()]
    return lines


def _cut(name: str, room: int) -> str:
    """Return a name, shortened to fit into `room` terminal columns."""
    if printed_width(name) <= room:
        return name
    while printed_width(name) > room - len(_CUT):
        name = name[:-1]
    return name.rstrip() + _CUT
