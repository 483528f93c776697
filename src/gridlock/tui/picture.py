"""Draw a position with styled characters that differ in shape as well as in colour."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby, product
from operator import attrgetter
from typing import NamedTuple

from gridlock.core.game import Game
from gridlock.core.grid import Bitboard, Cell
from gridlock.core.position import Position
from gridlock.core.rulebook import BLOCKED, Variant
from gridlock.drawing.text import CAUSE_SIGNS, CLOSED, LAST_SIGNS
from gridlock.play.advice import letters_of
from gridlock.tui.layout import Layout

OPEN = "·"
IMAGE_SIGNS = "=="  # drawn around the cell that answers the cell under the cursor
STYLES = (
    *("ground", "line", "label", "first", "second", "blocked", "open", "closed", "last", "cause", "cursor"),
    *("win", "loss", "unknown", "hint", "pair", "image", "edge"),
)
LARGE = 7  # in cells with this many lines or more, a marker leaves a margin


def glyph(mark: str, high: int) -> list[str]:
    """Return the lines of a large X or O; return no lines for other markers, or if the cell is only one line high."""
    if mark not in ("X", "O") or high < 2:
        return []
    if high == 2:
        return ["╲╱", "╱╲"] if mark == "X" else ["╭──╮", "╰──╯"]
    size = high if high < LARGE else high - 2
    if mark == "O":
        inside = 2 * size - 3  # characters are about twice as high as they are wide
        return [f"╭{'─' * inside}╮", *[f"│{' ' * inside}│"] * (size - 2), f"╰{'─' * inside}╯"]
    rows = []
    for row in range(size):
        line = [" "] * size
        line[row], line[size - 1 - row] = "╲", "╱"
        if row == size - 1 - row:
            line[row] = "╳"
        rows.append("".join(line))
    return rows


class Sign(NamedTuple):
    """One character on the screen and the name of its style."""

    char: str
    style: str


@dataclass(frozen=True)
class Picture:
    """A position, and everything to be shown in its cells."""

    variant: Variant
    position: Position
    legal: Bitboard = 0
    last: Cell | None = None
    causes: Bitboard = 0  # markers that made a chosen cell illegal
    texts: Mapping[Cell, tuple[str, str]] = field(default_factory=dict)  # text and style that replace a sign
    pairs: Mapping[Cell, Cell] = field(default_factory=dict)  # cells that answer each other
    drawn: bool = True  # whether to draw all pairs, or only the pair under the cursor

    @classmethod
    def of(cls, game: Game, causes: Bitboard = 0) -> "Picture":
        """Return a picture of a game's current position."""
        return cls(game.variant, game.position, game.legal, game.last_cell, causes)

    @property
    def joined(self) -> bool:
        """Whether the two cells of every pair are neighbours; only then can the pairs be drawn as lines."""
        near = self.variant.grid.near
        return all(near[one] >> other & 1 for one, other in self.pairs.items())


def draw(picture: Picture, layout: Layout, cursor: Cell | None = None) -> list[list[Sign]]:
    """Return the picture line by line; the cursor is a heavy frame, or brackets if there are no grid lines."""
    canvas = _Canvas(layout)
    canvas.frame()
    joined = picture.drawn and layout.size.ruled and picture.joined
    letters = letters_of(picture.pairs) if picture.drawn and not joined else {}
    image = None if cursor is None or joined else picture.pairs.get(cursor)
    for row in layout.down:
        for col in layout.across:
            cell = row * layout.grid.cols + col
            canvas.cell(picture, cell, cell == image, letters.get(cell))
    if joined:
        for one, other in picture.pairs.items():
            if one < other:
                canvas.join(one, other)
    if cursor is not None:
        canvas.point(cursor)
    return canvas.lines


class _Canvas:
    """A grid of characters to draw on."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.lines = [[Sign(" ", "ground")] * layout.width for _ in range(layout.height)]

    def put(self, x: int, y: int, text: str, style: str) -> None:
        """Write text, leaving out any part that is not visible."""
        for at, char in enumerate(text, x):
            if 0 <= y < len(self.lines) and 0 <= at < len(self.lines[y]):
                self.lines[y][at] = Sign(char, style)

    def frame(self) -> None:
        """Draw the row and column numbers, and the lines between cells."""
        layout, (wide, high) = self.layout, self.layout.pitch
        for col in layout.across:
            x, number = layout.x(col), str(col + layout.origin)
            if layout.header == 1:
                self.put(x, 0, f"{number:>2}" if layout.size.wide == 2 else f"{number:^{layout.size.wide}}", "label")
            else:
                for line, digit in enumerate(f"{number:>{layout.header}}"):
                    self.put(x + 1, line, digit, "label")
        for row in layout.down:
            y = layout.y(row) + (layout.size.high - 1) // 2
            self.put(0, y, f"{row + layout.origin:>{layout.label - 1}}", "label")
        if layout.partial:
            self._edges()
        if not layout.size.ruled:
            return
        cells = len(layout.across)
        for index in range(len(layout.down) + 1):
            y = layout.header + index * high
            left, mid, right = "┌┬┐" if index == 0 else "└┴┘" if index == len(layout.down) else "├┼┤"
            self.put(layout.label, y, left + mid.join(["─" * (wide - 1)] * cells) + right, "line")
            for line in range(1, high if index < len(layout.down) else 1):
                for at in range(cells + 1):
                    self.put(layout.label + at * wide, y + line, "│", "line")

    def _edges(self) -> None:
        """Show in which directions the board continues, and how far."""
        layout, hidden = self.layout, self.layout.hidden
        for row in layout.down:
            self.put(layout.label - 1, layout.y(row), "<" if "<" in hidden else " ", "edge")
            self.put(layout.width - 1, layout.y(row), ">" if ">" in hidden else " ", "edge")
        self.put(0, 0, "".join(way for way in "^v" if way in hidden), "edge")
        if not layout.footed:
            return
        words = {"^": "above", "v": "below", "<": "left", ">": "right"}
        line = "  ".join(f"{way} {count} {words[way]}" for way, count in hidden.items())
        self.put(0, layout.height - 1, line, "edge")

    def cell(self, picture: Picture, cell: Cell, answers: bool, letter: str | None) -> None:
        """Draw a cell's content, with a symbol on each side of it if the cell is highlighted."""
        corner = self.layout.corner(cell)
        assert corner is not None  # only visible cells are drawn
        content = picture.variant.content(picture.position, cell)
        if content:
            self._marker(picture, cell, content, *corner)
            return
        legal = picture.legal >> cell & 1
        text, style = picture.texts.get(cell) or ((OPEN, "open") if legal else (CLOSED, "closed"))
        if letter and cell in picture.texts:
            text = text + letter if len(text) < self.layout.size.wide else text
        elif letter:
            text, style = letter, "pair"
        signs = IMAGE_SIGNS if answers else "  "
        self._text(*corner, text, "image" if answers else style, signs)

    def _text(self, x: int, y: int, text: str, style: str, signs: str) -> None:
        wide, high, _ = self.layout.size
        line = y + (high - 1) // 2
        if wide == 2:  # room for only one sign, before one character
            self.put(x, line, f"{signs[0]}{text[:1]}", style)
            return
        shown = f"{signs[0]}{text}{signs[1]}" if len(text) < wide - 1 else text
        self.put(x, line, shown.center(wide)[:wide], style)

    def _marker(self, picture: Picture, cell: Cell, content: str, x: int, y: int) -> None:
        wide, high, _ = self.layout.size
        cause, last = picture.causes >> cell & 1, cell == picture.last
        signs = CAUSE_SIGNS if cause else LAST_SIGNS if last else "  "
        side = "blocked" if content == BLOCKED else ("first", "second")[picture.variant.book.marks.index(content)]
        style = "cause" if cause else f"last {side}" if last else side
        shape = glyph(content, high)
        if content == BLOCKED:
            self._fill(x, y, "▒" * wide if high > 1 else f" {content} "[:wide], style)
        elif not shape:
            if high > 1:
                style = f"last {side}"
                self._fill(x, y, " " * wide, style)
            self._text(x, y, content, style, signs)
        else:
            self._fill(x, y, " " * wide, style)
            start, top = (wide - len(shape[0])) // 2, (high - len(shape)) // 2
            for line, part in enumerate(shape):
                self.put(x + start, y + top + line, part, style)
            middle = y + (high - 1) // 2
            self.put(x, middle, signs[0], style)
            self.put(x + wide - 1, middle, signs[1], style)

    def _fill(self, x: int, y: int, text: str, style: str) -> None:
        """Write the same text on every line of a cell."""
        for line in range(self.layout.size.high):
            self.put(x, y + line, text, style)

    def _middle(self, cell: Cell) -> tuple[int, int] | None:
        corner, (wide, high, _) = self.layout.corner(cell), self.layout.size
        return None if corner is None else (corner[0] + wide // 2, corner[1] + (high - 1) // 2)

    def join(self, one: Cell, other: Cell) -> None:
        """Draw a line from a cell to its partner, which is a neighbour that comes later in row order."""
        begin, end = self._middle(one), self._middle(other)
        if begin is None or end is None:
            return
        (x, y), (to_x, to_y), (wide, high, _) = begin, end, self.layout.size
        if x != to_x and y != to_y:
            corner = max(x, to_x) - wide // 2 - 1, to_y - (high - 1) // 2 - 1
            self.put(*corner, "╲" if to_x > x else "╱", "pair")
        elif y == to_y:
            self._line(range(x + 1, to_x), [y], "━")
        else:
            self._line([x], range(y + 1, to_y), "┃")

    def _line(self, columns: Iterable[int], lines: Iterable[int], sign: str) -> None:
        """Draw a line without overwriting the contents of cells."""
        for x, y in product(columns, lines):
            if self.lines[y][x].char in " │─┼┬┴├┤":
                self.put(x, y, sign, "pair")

    def point(self, cell: Cell) -> None:
        """Draw the cursor."""
        corner = self.layout.corner(cell)
        if corner is None:
            return
        (x, y), (wide, high, ruled) = corner, self.layout.size
        if not ruled:
            # If cells are two columns wide, the cursor's closing bracket covers the first character of the next cell.
            self.put(x, y, f"[{self.lines[y][x + 1].char}]", "cursor")
            return
        self.put(x - 1, y - 1, f"┏{'━' * wide}┓", "cursor")
        self.put(x - 1, y + high, f"┗{'━' * wide}┛", "cursor")
        for line in range(high):
            self.put(x - 1, y + line, "┃", "cursor")
            self.put(x + wide, y + line, "┃", "cursor")


def runs(line: list[Sign]) -> list[tuple[str, str]]:
    """Split a line into runs of characters with the same style, and return each run with its style."""
    return [("".join(sign.char for sign in run), style) for style, run in groupby(line, attrgetter("style"))]
