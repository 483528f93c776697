"""A miniature of the whole board, which shows where the markers are and lets the user choose where to scroll."""

from math import ceil
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from gridlock.core.grid import Cell
from gridlock.drawing.text import CLOSED
from gridlock.tui.page import Dialogue
from gridlock.tui.picture import OPEN, Picture

BOTH = "%"  # shown for a group of cells that contains both sides' markers
FRAME = 6, 6  # columns and lines that the frame and its text need


class Overview(Dialogue[Cell]):
    """An overview of a board, with one text character per cell or, if the board is too large, per block of cells.

    When the user chooses a character in the overview, the board scrolls to the cells that the character represents.
    """

    DEFAULT_CSS = """
    Overview {
        & > Vertical { width: auto; height: auto; max-width: 100%; border: round $quiet; background: $panel;
            padding: 0 1; }
        & #where { width: 100%; min-width: 16; height: 2; color: $quiet; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,m", "close", "back"),
        Binding("up,k", "move(-1,0)", "up", show=False),
        Binding("down,j", "move(1,0)", "down", show=False),
        Binding("left,h", "move(0,-1)", "left", show=False),
        Binding("right,l", "move(0,1)", "right", show=False),
        Binding("enter,space", "choose", "go there", show=False),
    ]

    def __init__(self, picture: Picture, cursor: Cell) -> None:
        super().__init__()
        self.picture, self.cursor = picture, cursor

    def compose(self) -> ComposeResult:
        with Vertical() as frame:
            frame.border_title = "Overview"
            frame.border_subtitle = "Enter  Esc"
            yield Miniature(self.picture, self.cursor)
            yield Static(id="where", markup=False)

    def on_mount(self) -> None:
        self._show()

    def on_resize(self) -> None:
        """Fit the miniature to the window."""
        self.query_one(Miniature).fit(self.app.size.width - FRAME[0], self.app.size.height - FRAME[1])

    def _show(self) -> None:
        variant, last = self.picture.variant, self.picture.last
        words = [variant.name(self.query_one(Miniature).cell)]
        words += [] if last is None else [f"last move: {variant.name(last)}"]
        self.query_one("#where", Static).update("\n".join(words))

    def action_move(self, down: int, right: int) -> None:
        self.query_one(Miniature).move(down, right)
        self._show()

    def action_choose(self) -> None:
        self.action_close(self.query_one(Miniature).cell)

    def on_click(self, event: events.Click) -> None:
        """Close the miniature and, if the user clicked inside it, scroll the board to the clicked cells."""
        miniature = self.query_one(Miniature)
        offset = event.get_content_offset(miniature)
        self.action_close(None if offset is None else miniature.cell_at(offset.y, offset.x))


class Miniature(Widget):
    """The board drawn in miniature, with one character marked."""

    def __init__(self, picture: Picture, cursor: Cell) -> None:
        super().__init__()
        self.picture, self.cursor = picture, cursor
        self.block = 1, 1  # the rows and columns that one character represents
        self.moved = False

    def fit(self, columns: int, lines: int) -> None:
        """Choose how many cells each character represents, so that the whole board fits."""
        grid = self.picture.variant.grid
        self.block = ceil(grid.rows / max(1, lines)), ceil(grid.cols / max(1, columns))
        self.styles.width, self.styles.height = ceil(grid.cols / self.block[1]), ceil(grid.rows / self.block[0])
        self.refresh(layout=True)

    def cells(self, line: int, column: int) -> list[Cell]:
        """Return the cells that a character represents."""
        grid, (down, across) = self.picture.variant.grid, self.block
        rows = range(line * down, min((line + 1) * down, grid.rows))
        cols = range(column * across, min((column + 1) * across, grid.cols))
        return [row * grid.cols + col for row in rows for col in cols]

    def cell_at(self, line: int, column: int) -> Cell | None:
        """Return the cell to scroll to when a point in the miniature is selected, or None if no cell is at that point.

        If one character represents several cells, prefer the last move, then an open cell, then the first cell.
        """
        cells = self.cells(line, column)
        best = [cell for cell in cells if cell == self.picture.last]
        best += [cell for cell in cells if self.picture.legal >> cell & 1]
        return next(iter(best + cells), None)

    @property
    def at(self) -> tuple[int, int]:
        """The marked character's line and column."""
        row, col = divmod(self.cursor, self.picture.variant.grid.cols)
        return row // self.block[0], col // self.block[1]

    @property
    def cell(self) -> Cell:
        """The cell to scroll to: the cursor's cell, or a cell in the block that the user has marked."""
        found = self.cell_at(*self.at) if self.moved else None
        return self.cursor if found is None else found

    def move(self, down: int, right: int) -> None:
        """Mark another character."""
        line, column = self.at
        cells = self.cells(line + down, column + right) if line + down >= 0 and column + right >= 0 else []
        if cells:
            self.cursor, self.moved = cells[0], True
            self.refresh()

    def sign(self, line: int, column: int) -> str:
        """Return the character for a block of cells.

        The character shows the block's markers or, if there are none, whether the block has an open cell.
        """
        cells, picture = self.cells(line, column), self.picture
        contents = {picture.variant.content(picture.position, cell) for cell in cells} - {""}
        markers = contents & set(picture.variant.book.marks) or contents
        if markers:
            return BOTH if len(markers) > 1 else markers.pop()
        return OPEN if any(picture.legal >> cell & 1 for cell in cells) else CLOSED

    def render_line(self, y: int) -> Strip:
        last = self.picture.last
        segments = []
        for column in range(self.size.width):
            style = self.rich_style
            if (y, column) == self.at:
                style += Style(reverse=True, bold=True)
            elif last is not None and last in self.cells(y, column):
                style += Style(underline=True, bold=True)
            segments.append(Segment(self.sign(y, column) if self.cells(y, column) else " ", style))
        return Strip(segments)
