"""Boards as text: each document's own drawing, and a compact one for windows it does not fit."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple
from unicodedata import category, east_asian_width

from gridlock.grid import Bitboard, Cell
from gridlock.position import Position
from gridlock.rulebook import BLOCKED, Variant


class Marks(NamedTuple):
    """What a colour terminal shows besides the markers; every colour has a sign of its own."""

    last: Cell | None
    legal: Bitboard
    causes: Bitboard = 0  # the markers that forbid the move just refused


class Drawn(NamedTuple):
    """One cell: its text, the signs left and right of it, and its colour."""

    text: str
    signs: str = "  "
    colour: str = ""


Rows = list[list[Drawn]]
_PAINT = re.compile(r"\x1b\[[0-9;]*m")
_SECOND = "\N{ZERO WIDTH SPACE}"  # stands for the second column of a character, while lines are broken
_ENTRY = re.compile(r" +\S.*?  +")  # a word that the rest of the line explains


@dataclass(frozen=True)
class Look:
    """How one game draws its board."""

    frame: Callable[[Variant, Rows], list[str]]
    empty: str  # an empty cell
    open: str  # a cell the player may take, where these are marked
    shut: str  # an empty cell the player may not take, where these are marked
    blocked: str = "X"
    named: bool = False  # empty cells show their coordinates


def paint(text: str, colour: str) -> str:
    """Text in a colour of the terminal's."""
    return f"\x1b[{colour}m{text}\x1b[0m" if colour and text.strip() else text


def printed_width(line: str) -> int:
    """How many columns a line takes: colours and accents none, and a character such as those of Japanese two."""
    text = _PAINT.sub("", line)
    if text.isascii():
        return len(text)
    return sum(category(char) != "Mn" for char in _spread(text))


def _spread(text: str) -> str:
    """Text in which every character that takes two columns has a second one behind it."""
    return "".join(f"{char}{_SECOND}" if east_asian_width(char) in "WF" else char for char in text)


def wrapped(texts: Iterable[str], columns: int) -> list[str]:
    """Texts as lines that fit a window, the long ones broken between words; of a list, under where its words begin."""
    from textwrap import wrap

    lines = []
    for line in "\n".join(texts).split("\n"):
        if printed_width(line) <= columns:
            lines.append(line)
            continue
        entry = _ENTRY.match(line)
        indent = min(entry.end(), columns // 2) if entry else 0
        spread = line if line.isascii() else _spread(line)
        room = columns - (len(spread) > len(line))  # a line may end between the two columns of a character
        broken = wrap(spread, room, subsequent_indent=" " * indent, break_on_hyphens=False)
        lines += [piece.replace(_SECOND, "") for piece in broken]
    return lines


def printed_height(lines: list[str], columns: int) -> int:
    """How many lines of a window these lines take, the long ones broken."""
    return len(wrapped(lines, columns))


def _boxes(variant: Variant, rows: Rows) -> list[str]:
    named = variant.book.name == "keepaway"
    width = max(7, len(variant.name(variant.grid.size - 1)) + 4) if named else 3
    rule = "+".join(["-" * width] * variant.grid.cols)
    lines = []
    for row in rows:
        cells = [paint(f"{cell.signs[0]}{cell.text}{cell.signs[1]}".center(width), cell.colour) for cell in row]
        lines += ["|".join(cells), rule]
    return lines[:-1]


def _brackets(_variant: Variant, rows: Rows) -> list[str]:
    signs = {"  ": "[]"}
    return [
        "".join(
            paint("{1[0]}{0.text}{1[1]}".format(cell, signs.get(cell.signs, cell.signs)), cell.colour) for cell in row
        )
        for row in rows
    ]


def _spaced(_variant: Variant, rows: Rows) -> list[str]:
    return [" ".join(cell.text for cell in row) for row in rows]


def _numbered(variant: Variant, rows: Rows) -> list[str]:
    first, width = variant.book.origin, _label_width(variant)
    header = " " * (width + 2) + "".join(f"{first + col:<4}" for col in range(variant.grid.cols))
    rule = " " * (width + 1) + "+".join(["---"] * variant.grid.cols)
    lines = [header.rstrip()]
    for number, row in enumerate(rows, first):
        cells = [paint(f"{cell.signs[0]}{cell.text}{cell.signs[1]}", cell.colour) for cell in row]
        lines += [f"{number:>{width}} {'|'.join(cells).rstrip()}", rule]
    return lines[:-1]


def _label_width(variant: Variant) -> int:
    return len(str(variant.grid.rows - 1 + variant.book.origin))


_OTHER = Look(_numbered, ".", ".", " ", blocked=BLOCKED)  # showdown, and any game without a document
LOOKS = {
    "keepaway": Look(_boxes, "", "", "·", named=True),
    "chain": Look(_brackets, " ", "+", " "),
    "scatter": Look(_spaced, "_", "_", "·"),
    "trails": Look(_boxes, " ", "+", " "),
}
_COMPACT = Look(_numbered, ".", "+", "·", blocked=BLOCKED)
_COLOURS = ("1;36", "1;33")  # of the two sides
_LAST, _CAUSE, _OPEN, _DIM = ";7", "1;31", "32", "2"


def _draw(variant: Variant, position: Position, cell: Cell, look: Look, marks: Marks | None) -> Drawn:
    """What one cell looks like."""
    content = variant.content(position, cell)
    if content:
        text = look.blocked if content == BLOCKED else content
        if not marks:
            return Drawn(text)
        colour = _DIM if content == BLOCKED else _COLOURS[variant.book.marks.index(content)]
        if marks.causes >> cell & 1:
            return Drawn(text, "!!", _CAUSE)
        return Drawn(text, "><", colour + _LAST) if cell == marks.last else Drawn(text, "  ", colour)
    name = f"({variant.name(cell)})"
    if not marks:
        return Drawn(name if look.named else look.empty)
    if marks.legal >> cell & 1:
        return Drawn(name if look.named else look.open, "  ", _OPEN)
    return Drawn(look.shut, "  ", _DIM)


def full_board(variant: Variant, position: Position, marks: Marks | None = None) -> list[str]:
    """The board as the game's document draws it, line by line; with marks, as a colour terminal shows it."""
    look = LOOKS.get(variant.book.name, _OTHER)
    rows = [
        [_draw(variant, position, row * variant.grid.cols + col, look, marks) for col in range(variant.grid.cols)]
        for row in range(variant.grid.rows)
    ]
    frame = _numbered if marks and look.frame is _spaced else look.frame  # the signs need room
    return frame(variant, rows)


def plain_board(variant: Variant, position: Position) -> str:
    """The board exactly as the game's document draws it."""
    return "\n".join(full_board(variant, position))


def compact_board(
    variant: Variant, position: Position, marks: Marks | None, room: tuple[int, int], focus: Cell | None
) -> list[str]:
    """The board with two columns a cell; if even that has no room (columns, lines), the part around the focus."""
    grid, first, width = variant.grid, variant.book.origin, _label_width(variant)
    columns, lines = room
    header_lines = len(str(grid.cols - 1 + first))
    row, col = (grid.rows // 2, grid.cols // 2) if focus is None else divmod(focus, grid.cols)
    across = _window(col, grid.cols, (columns - width) // 2)
    down = _window(row, grid.rows, lines - header_lines)
    note = []
    if len(across) < grid.cols or len(down) < grid.rows:
        note = _excerpt(variant, down, across)
        down = _window(row, grid.rows, lines - header_lines - printed_height(note, columns))
        note = _excerpt(variant, down, across)
    drawn = []
    for digit in range(header_lines):
        labels = [f"{first + number:>{header_lines}}"[digit] for number in across]
        drawn.append(" " * width + "".join(f" {label}" for label in labels))
    for number in down:
        cells = [_draw(variant, position, number * grid.cols + at, _COMPACT, marks) for at in across]
        text = "".join(paint(f"{cell.signs[0]}{cell.text}", cell.colour) for cell in cells)
        drawn.append(f"{first + number:>{width}}{text}")
    return drawn + note


def _excerpt(variant: Variant, down: range, across: range) -> list[str]:
    """Which part of the board is drawn, and how to see another."""
    first = variant.book.origin
    return [
        f"Rows {first + down[0]}-{first + down[-1]}, columns {first + across[0]}-{first + across[-1]} "
        f"of {variant.grid}. To look elsewhere: board ROW COLUMN"
    ]


def _window(centre: int, size: int, room: int) -> range:
    """As much of a side as there is room for, around a centre."""
    length = max(1, min(size, room))
    begin = max(0, min(centre - length // 2, size - length))
    return range(begin, begin + length)
