"""The board widget: it draws a picture, with a cursor for keys and mouse."""

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from gridlock.core.grid import Cell, first_of
from gridlock.tui.layout import Layout
from gridlock.tui.picture import STYLES, Picture, Sign, draw, runs


class Board(Widget, can_focus=True):
    """A picture of a position: arrows and the mouse move the cursor; Enter, space and a click choose its cell."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"board--{style}" for style in STYLES}
    DEFAULT_CSS = """
    Board {
        width: 1fr; height: 1fr; min-height: 3;
        & .board--ground { color: $foreground; }
        & .board--line { color: $quiet; }
        & .board--label { color: $quiet; }
        & .board--first { color: $first; text-style: bold; }
        & .board--second { color: $second; text-style: bold; }
        & .board--blocked { color: $quiet; }
        & .board--open { color: $good; text-style: bold; }
        & .board--closed { color: $quiet; }
        & .board--last { text-style: reverse; }
        & .board--cause { color: $bad; text-style: bold underline; }
        & .board--cursor { color: $pointer; text-style: bold; }
        & .board--win { color: $good; text-style: bold; }
        & .board--loss { color: $bad; }
        & .board--unknown { color: $unknown; }
        & .board--hint { color: $unknown; text-style: bold reverse; }
        & .board--pair { color: $pairs; text-style: bold; }
        & .board--image { color: $pairs; text-style: bold reverse; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1,0)", "up", show=False),
        Binding("down", "move(1,0)", "down", show=False),
        Binding("left", "move(0,-1)", "left", show=False),
        Binding("right", "move(0,1)", "right", show=False),
        Binding("enter", "choose", "place", show=False),
        Binding("space", "choose", "place", show=False),
    ]

    class Chosen(Message):
        """The user has chosen a cell."""

        def __init__(self, cell: Cell) -> None:
            super().__init__()
            self.cell = cell

    class Pointed(Message):
        """The cursor has moved to another cell."""

    def __init__(self, *, active: bool = True) -> None:
        """Create an empty board; only an `active` one has a cursor."""
        super().__init__()
        self.picture: Picture | None = None
        self.active = self.can_focus = active
        self.cursor: Cell = 0
        self._drawn: tuple[Layout, list[list[Sign]]] | None = None
        self._styles: dict[str, Style] = {}  # a cache until the theme changes: computing one is slow

    def show(self, picture: Picture) -> None:
        """Show another picture; the cursor stays, unless the game or the board's size changes."""
        if self.picture is None or self.picture.variant != picture.variant:
            self.cursor = start_of(picture)
        self.picture = picture
        self._redraw()

    def point(self, cell: Cell) -> None:
        """Put the cursor on a cell."""
        if cell != self.cursor:
            self.cursor = cell
            self._redraw()
            self.post_message(self.Pointed())

    def _redraw(self) -> None:
        self._drawn = None
        self.refresh()

    # -- keys and mouse ------------------------------------------------------------------------------------------

    def action_move(self, down: int, right: int) -> None:
        """Move the cursor by one cell; at an edge it stays."""
        if self.picture is None:
            return
        grid = self.picture.variant.grid
        row, col = divmod(self.cursor, grid.cols)
        row, col = row + down, col + right
        if 0 <= row < grid.rows and 0 <= col < grid.cols:
            self.point(row * grid.cols + col)

    def action_choose(self) -> None:
        if self.picture is not None:
            self.post_message(self.Chosen(self.cursor))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        cell = self._cell_at(event)
        if self.active and cell is not None:
            self.point(cell)

    def on_click(self, event: events.Click) -> None:
        cell = self._cell_at(event)
        if self.active and cell is not None:
            self.point(cell)
            self.post_message(self.Chosen(cell))

    def _cell_at(self, event: events.MouseEvent) -> Cell | None:
        offset = event.get_content_offset(self)
        layout = self._layout()
        return None if offset is None or layout is None else layout.cell_at(offset.x, offset.y)

    # -- drawing -------------------------------------------------------------------------------------------------

    def _layout(self) -> Layout | None:
        if self.picture is None:
            return None
        if self._drawn is None:
            room = (max(4, self.size.width), max(2, self.size.height))
            layout = Layout(self.picture.variant.grid, self.picture.variant.book.origin, room, self.cursor)
            self._drawn = layout, draw(self.picture, layout, self.cursor if self.active else None)
        return self._drawn[0]

    def on_resize(self, _event: events.Resize) -> None:
        self._redraw()

    def notify_style_update(self) -> None:
        """Draw the board in the new theme."""
        super().notify_style_update()
        self._styles.clear()
        self._redraw()

    def render_line(self, y: int) -> Strip:
        layout = self._layout()
        width = self.size.width
        ground = self._style("")
        if layout is None or self._drawn is None or not layout.top <= y < layout.top + layout.height:
            return Strip.blank(width, ground)
        line = self._drawn[1][y - layout.top]
        segments = [Segment(text, self._style(style)) for text, style in runs(line)]
        strip = Strip([Segment(" " * layout.left, ground), *segments])
        return strip.adjust_cell_length(width, ground)

    def _style(self, names: str) -> Style:
        """Return a style, or several combined."""
        if names not in self._styles:
            found = self.rich_style
            for name in reversed(names.split()):
                found += self.get_component_rich_style(f"board--{name}", partial=True)
            self._styles[names] = found
        return self._styles[names]


def start_of(picture: Picture) -> Cell:
    """Return the cursor's first cell: the pawn of the player to move, the middle, or the first legal cell."""
    variant = picture.variant
    if variant.book.pawns and picture.position.my_head is not None:
        return picture.position.my_head
    middle = variant.grid.rows // 2 * variant.grid.cols + variant.grid.cols // 2
    if picture.legal >> middle & 1:
        return middle
    first = first_of(picture.legal)
    return middle if first is None else first
