"""Boards as text: each document's own drawing, and a compact one for windows it does not fit."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple
from unicodedata import category, east_asian_width

from gridlock.core.grid import Bitboard, Cell
from gridlock.core.position import Position
from gridlock.core.rulebook import BLOCKED, Variant


class Marks(NamedTuple):
    """What a terminal shows besides the markers: by colours, or by signs where there are none."""

    last: Cell | None
    legal: Bitboard
    causes: Bitboard = 0  # the markers that forbid the move just refused
    colour: bool = True


class Drawn(NamedTuple):
    """One cell: its text, the signs left and right of it, and its colour."""

    text: str
    signs: str = "  "
    colour: str = ""


Rows = list[list[Drawn]]
LAST_SIGNS, CAUSE_SIGNS = "><", "!!"  # around the last marker, and around one that forbids a cell
CLOSED = ":"  # an empty cell that may not be taken; one that may looks as the document draws an empty one
_PAINT = re.compile(r"\x1b\[[0-9;]*m")
_SECOND = "\N{ZERO WIDTH SPACE}"  # stands for the second column of a character, while lines are broken
_ENTRY = re.compile(r" +\S.*?  +")  # a word that the rest of the line explains


@dataclass(frozen=True)
class Look:
    """How one game draws its board."""

    frame: Callable[[Variant, Rows, bool], list[str]]  # with rows and columns numbered, if the flag says so
    empty: str  # an empty cell
    blocked: str = "X"
    named: bool = False  # empty cells show their coordinates
    opened: str = "1;32"  # the colour of a cell that may be taken


def paint(text: str, colour: str) -> str:
    """Text in a colour of the terminal's."""
    return f"\x1b[{colour}m{text}\x1b[0m" if colour else text


def printed_width(line: str) -> int:
    """How many columns a line takes: colours and accents none, and a character such as those of Japanese two."""
    text = _PAINT.sub("", line)
    if text.isascii():
        return len(text)
    return sum(category(char) not in ("Mn", "Me") for char in _spread(text))


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


def visible(text: str, longest: int = 200) -> str:
    """Text with everything that could steer a terminal replaced."""
    shown = "".join(char if category(char)[0] != "C" else "\N{REPLACEMENT CHARACTER}" for char in text[:longest])
    return shown + ("..." if len(text) > longest else "")


def _boxes(variant: Variant, rows: Rows, numbers: bool) -> list[str]:
    return _numbered(variant, rows, numbers) if numbers else _lined(rows, 3)


def _named_boxes(variant: Variant, rows: Rows, _numbers: bool) -> list[str]:
    return _lined(rows, max(7, len(variant.name(variant.grid.size - 1)) + 4))


def _lined(rows: Rows, width: int) -> list[str]:
    """Draw boxes of a given width, with a rule between two rows of them."""
    lines, rule = [], "+".join(["-" * width] * len(rows[0]))
    for row in rows:
        cells = [paint(f"{cell.signs[0]}{cell.text}{cell.signs[1]}".center(width), cell.colour) for cell in row]
        lines += ["|".join(cells), rule]
    return lines[:-1]


def _brackets(variant: Variant, rows: Rows, numbers: bool) -> list[str]:
    lines = []
    for row in rows:
        signs = ["[]" if cell.signs == "  " else cell.signs for cell in row]
        cells = [
            paint(f"{left}{cell.text}{right}", cell.colour) for cell, (left, right) in zip(row, signs, strict=True)
        ]
        lines.append("".join(cells))
    return _with_labels(variant, lines, 3) if numbers else lines


def _spaced(variant: Variant, rows: Rows, numbers: bool) -> list[str]:
    if not numbers:
        return [" ".join(cell.text for cell in row) for row in rows]
    first, width = variant.book.origin, _label_width(variant)
    lines = _digits(variant, range(variant.grid.cols), width + 1)
    for number, row in enumerate(rows, first):
        line = f"{number:>{width}} "
        before = " "
        for cell in row:  # signs stand in the blanks between the cells
            line += (cell.signs[0] if before == " " else before) + paint(cell.text, cell.colour)
            before = cell.signs[1]
        lines.append(f"{line}{before}".rstrip())
    return lines


def _numbered(variant: Variant, rows: Rows, _numbers: bool) -> list[str]:
    lines = _lined(rows, 3)
    header, *labelled = _with_labels(variant, [line.rstrip() for line in lines[::2]], 4)
    lines[::2] = labelled
    lines[1::2] = [" " * (_label_width(variant) + 1) + rule for rule in lines[1::2]]
    return [header, *lines]


def _with_labels(variant: Variant, lines: list[str], step: int) -> list[str]:
    """Add the row numbers to lines, and a header with a column number every `step` characters."""
    first, width = variant.book.origin, _label_width(variant)
    header = " " * (width + 2) + "".join(f"{first + col:<{step}}" for col in range(variant.grid.cols))
    return [header.rstrip(), *(f"{number:>{width}} {line}" for number, line in enumerate(lines, first))]


def _digits(variant: Variant, across: range, indent: int) -> list[str]:
    """The numbers of columns that stand close together, digit under digit."""
    first = variant.book.origin
    height = len(str(variant.grid.cols - 1 + first))
    numbers = [f"{first + col:>{height}}" for col in across]
    return [" " * indent + "".join(f" {number[digit]}" for number in numbers) for digit in range(height)]


def _label_width(variant: Variant) -> int:
    return len(str(variant.grid.rows - 1 + variant.book.origin))


_OTHER = Look(_numbered, ".", blocked=BLOCKED)  # showdown, and any game without a document
LOOKS = {
    "keepaway": Look(_named_boxes, "", named=True),
    "chain": Look(_brackets, " "),
    "scatter": Look(_spaced, "_"),
    "trails": Look(_boxes, " ", opened="4;32"),  # a blank can only be marked by a line under it
}
_COLOURS = ("1;36", "1;33")  # of the two sides
_LAST, _CAUSE, _DIM = ";7", "1;4;31", "2"


def _draw(variant: Variant, position: Position, cell: Cell, look: Look, marks: Marks | None) -> Drawn:
    """What one cell looks like."""
    content = variant.content(position, cell)
    if content:
        text = look.blocked if content == BLOCKED else content
        if not marks:
            return Drawn(text)
        cause, last = marks.causes >> cell & 1, cell == marks.last
        if not marks.colour:
            return Drawn(text, CAUSE_SIGNS if cause else LAST_SIGNS if last else "  ")
        colour = _DIM if content == BLOCKED else _COLOURS[variant.book.marks.index(content)]
        return Drawn(text, "  ", _CAUSE if cause else colour + _LAST if last else colour)
    name = variant.name(cell)
    text = f"({name})" if look.named else look.empty
    if not marks:
        return Drawn(text)
    legal = marks.legal >> cell & 1
    if not marks.colour:
        return Drawn(text if legal else f"{CLOSED}{name}{CLOSED}" if look.named else CLOSED)
    return Drawn(text, "  ", look.opened if legal else _DIM)


def full_board(variant: Variant, position: Position, marks: Marks | None = None) -> list[str]:
    """The board as the game's document draws it, line by line; with marks, these added and the rows numbered."""
    look = LOOKS.get(variant.book.name, _OTHER)
    rows = [
        [_draw(variant, position, row * variant.grid.cols + col, look, marks) for col in range(variant.grid.cols)]
        for row in range(variant.grid.rows)
    ]
    return look.frame(variant, rows, marks is not None)


def open_style(variant: Variant) -> str:
    """How colours mark a cell that may be taken, in a word."""
    return "underlined" if LOOKS.get(variant.book.name, _OTHER).opened.startswith("4") else "green"


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
    drawn = _digits(variant, across, width)
    for number in down:
        cells = [_compact_cell(variant, position, number * grid.cols + at, marks) for at in across]
        drawn.append(f"{first + number:>{width}}{''.join(cells)}")
    return drawn + note


def _compact_cell(variant: Variant, position: Position, cell: Cell, marks: Marks | None) -> str:
    """A cell and the blank before it, where its sign stands; this is no document's drawing, so it always has signs."""
    sign = _draw(variant, position, cell, _OTHER, marks and marks._replace(colour=False))
    colour = _draw(variant, position, cell, _OTHER, marks).colour
    return paint(f"{sign.signs[0]}{sign.text}", colour)


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
