"""Boards as text: drawn as in each game's original document, or compactly for small windows."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple
from unicodedata import category, east_asian_width

from gridlock.core.grid import Bitboard, Cell
from gridlock.core.position import Position
from gridlock.core.rulebook import BLOCKED, Variant


class Marks(NamedTuple):
    """Highlights on a board, shown as colours or, if colours are off, as symbols."""

    last: Cell | None
    legal: Bitboard
    causes: Bitboard = 0  # the markers that make the move just rejected illegal
    colour: bool = True


class Drawn(NamedTuple):
    """A cell's text and colour, and the symbols to the left and right of the text."""

    text: str
    signs: str = "  "
    colour: str = ""


Rows = list[list[Drawn]]
LAST_SIGNS, CAUSE_SIGNS = "><", "!!"  # around the last marker, and around a marker that closes a cell
CLOSED = ":"  # an empty cell that is not legal; a legal cell looks as in the document
_PAINT = re.compile(r"\x1b\[[0-9;]*m")
_SECOND = "\N{ZERO WIDTH SPACE}"  # the second column of a wide character, while lines are wrapped
_ENTRY = re.compile(r" +\S.*?  +")  # the word of a list entry, which the rest of the line explains


@dataclass(frozen=True)
class Look:
    """The style in which a game draws its board."""

    frame: Callable[[Variant, Rows, bool], list[str]]  # with rows and columns numbered, if the flag says so
    empty: str  # an empty cell
    blocked: str = "X"
    named: bool = False  # empty cells show their coordinates
    opened: str = "1;32"  # the colour of a cell that may be taken


def paint(text: str, colour: str) -> str:
    """Return text in a terminal colour."""
    return f"\x1b[{colour}m{text}\x1b[0m" if colour else text


def printed_width(line: str) -> int:
    """Return a line's width in columns: 0 for colours and accents, 2 for wide characters such as Japanese, else 1."""
    text = _PAINT.sub("", line)
    if text.isascii():
        return len(text)
    return sum(category(char) not in ("Mn", "Me") for char in _spread(text))


def _spread(text: str) -> str:
    """Add a placeholder after every character that takes two columns."""
    return "".join(f"{char}{_SECOND}" if east_asian_width(char) in "WF" else char for char in text)


def wrapped(texts: Iterable[str], columns: int) -> list[str]:
    """Wrap text to a window's width.

    A list entry consists of a word and its explanation. If the explanation needs several lines, they are aligned.
    """
    from textwrap import wrap

    lines = []
    for line in "\n".join(texts).split("\n"):
        if printed_width(line) <= columns:
            lines.append(line)
            continue
        entry = _ENTRY.match(line)
        indent = min(entry.end(), columns // 2) if entry else 0
        spread = line if line.isascii() else _spread(line)
        room = columns - (len(spread) > len(line))  # a line may end between a character and its placeholder
        broken = wrap(spread, room, subsequent_indent=" " * indent, break_on_hyphens=False)
        lines += [piece.replace(_SECOND, "") for piece in broken]
    return lines


def printed_height(lines: list[str], columns: int) -> int:
    """Return how many rows of a window the given lines take up after wrapping."""
    return len(wrapped(lines, columns))


def visible(text: str, longest: int = 200) -> str:
    """Replace characters that could control a terminal."""
    shown = "".join(char if category(char)[0] != "C" else "\N{REPLACEMENT CHARACTER}" for char in text[:longest])
    return shown + ("..." if len(text) > longest else "")


def _boxes(variant: Variant, rows: Rows, numbers: bool) -> list[str]:
    return _numbered(variant, rows, numbers) if numbers else _lined(rows, 3)


def _named_boxes(variant: Variant, rows: Rows, _numbers: bool) -> list[str]:
    return _lined(rows, max(7, len(variant.name(variant.grid.size - 1)) + 4))


def _lined(rows: Rows, width: int) -> list[str]:
    """Draw boxes of a given width, with a line between rows."""
    lines, rule = [], "+".join(["-" * width] * len(rows[0]))
    for row in rows:
        cells = [paint(f"{cell.signs[0]}{cell.text}{cell.signs[1]}".center(width), cell.colour) for cell in row]
        lines += ["|".join(cells), rule]
    return lines[:-1]


def _brackets(variant: Variant, rows: Rows, numbers: bool) -> list[str]:
    lines = []
    for row in rows:
        signs = ["[]" if cell.signs == "  " else cell.signs for cell in row]
        texts = [f"{sign[0]}{cell.text}{sign[1]}" for cell, sign in zip(row, signs, strict=True)]
        lines.append("".join(paint(text, cell.colour) for cell, text in zip(row, texts, strict=True)))
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
    """Add row numbers to the lines, and a header with a column number every `step` characters."""
    first, width = variant.book.origin, _label_width(variant)
    header = " " * (width + 2) + "".join(f"{first + col:<{step}}" for col in range(variant.grid.cols))
    return [header.rstrip(), *(f"{number:>{width}} {line}" for number, line in enumerate(lines, first))]


def _digits(variant: Variant, across: range, indent: int) -> list[str]:
    """Return the header for narrow columns, with the column numbers written vertically."""
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
    """Draw one cell."""
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
    """Draw the board in the style of the document that introduced the game.

    If `marks` is given, the drawing also shows highlights and, unless the cells are named, row and column numbers.
    """
    look = LOOKS.get(variant.book.name, _OTHER)
    rows = [
        [_draw(variant, position, row * variant.grid.cols + col, look, marks) for col in range(variant.grid.cols)]
        for row in range(variant.grid.rows)
    ]
    return look.frame(variant, rows, marks is not None)


def open_style(variant: Variant) -> str:
    """Return how legal cells look when colours are on: "underlined" or "green"."""
    return "underlined" if LOOKS.get(variant.book.name, _OTHER).opened.startswith("4") else "green"


def plain_board(variant: Variant, position: Position) -> str:
    """Draw the board exactly as it appears in the game's original rules."""
    return "\n".join(full_board(variant, position))


def compact_board(
    variant: Variant, position: Position, marks: Marks | None, room: tuple[int, int], focus: Cell | None
) -> list[str]:
    """Draw the board with two columns per cell; if it does not fit in `room`, draw only the part around the focus."""
    grid, first, width = variant.grid, variant.book.origin, _label_width(variant)
    columns, lines = room
    header_lines = len(str(grid.cols - 1 + first))
    row, col = (grid.rows // 2, grid.cols // 2) if focus is None else divmod(focus, grid.cols)
    across = window(col, grid.cols, (columns - width) // 2)
    down = window(row, grid.rows, lines - header_lines)
    note = []
    if len(across) < grid.cols or len(down) < grid.rows:
        note = _excerpt(variant, down, across)
        down = window(row, grid.rows, lines - header_lines - printed_height(note, columns))
        note = _excerpt(variant, down, across)
    drawn = _digits(variant, across, width)
    for number in down:
        cells = [_compact_cell(variant, position, number * grid.cols + at, marks) for at in across]
        drawn.append(f"{first + number:>{width}}{''.join(cells)}")
    return drawn + note


def numbered_board(
    variant: Variant,
    position: Position,
    texts: Mapping[Cell, str],
    empty: str,
    colours: Mapping[Cell, str] | None = None,
    part: tuple[range, range] | None = None,
) -> list[str]:
    """Draw the board, or part of it, with numbered rows and columns; `texts` replaces the contents of cells."""
    grid, first, label = variant.grid, variant.book.origin, _label_width(variant)
    down, across = part or (range(grid.rows), range(grid.cols))
    shown = [texts.get(cell) or variant.content(position, cell) or empty for cell in range(grid.size)]
    width = max(map(len, [*shown, str(grid.cols - 1 + first)])) + 1
    lines = [" " * label + "".join(f"{first + col:>{width}}" for col in across)]
    for row in down:
        cells = (row * grid.cols + col for col in across)
        drawn = (paint(f"{shown[cell]:>{width}}", (colours or {}).get(cell, "")) for cell in cells)
        lines.append(f"{first + row:>{label}}{''.join(drawn)}")
    return lines


def _compact_cell(variant: Variant, position: Position, cell: Cell, marks: Marks | None) -> str:
    """Draw a cell of a compact board, with a highlight symbol or a blank to its left.

    A compact board shows highlight symbols even if it is printed in colour.
    """
    sign = _draw(variant, position, cell, _OTHER, marks and marks._replace(colour=False))
    colour = _draw(variant, position, cell, _OTHER, marks).colour
    return paint(f"{sign.signs[0]}{sign.text}", colour)


def _excerpt(variant: Variant, down: range, across: range) -> list[str]:
    """Describe which part of the board is drawn, and how to see another part."""
    first = variant.book.origin
    return [
        f"Rows {first + down[0]}-{first + down[-1]}, columns {first + across[0]}-{first + across[-1]} "
        f"of {variant.grid}. To see another part: board ROW COLUMN"
    ]


def window(centre: int, size: int, room: int) -> range:
    """Return the range of rows or columns to show, centred on `centre` as far as possible."""
    length = max(1, min(size, room))
    begin = max(0, min(centre - length // 2, size - length))
    return range(begin, begin + length)
