"""The board widget, which draws a picture and a cursor; keys and the mouse move the cursor."""

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
    """A picture of a position, on which the player chooses a cell.

    The arrow keys or the mouse move the cursor, and Enter, space or a click chooses the cell.
    """

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
        & .board--edge { color: $pointer; text-style: bold; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1,0)", "move the cursor", show=False),
        Binding("k", "letter(-1,0)", "move the cursor", show=False),
        Binding("down", "move(1,0)", "move the cursor", show=False),
        Binding("j", "letter(1,0)", "move the cursor", show=False),
        Binding("left", "move(0,-1)", "move the cursor", show=False),
        Binding("h", "letter(0,-1)", "move the cursor", show=False),
        Binding("right", "move(0,1)", "move the cursor", show=False),
        Binding("l", "letter(0,1)", "move the cursor", show=False),
        Binding("enter", "choose", "take the cell", show=False),
        Binding("space", "choose", "take the cell", show=False),
    ]

    class Chosen(Message):
        """The user has chosen a cell."""

        def __init__(self, cell: Cell) -> None:
            super().__init__()
            self.cell = cell

    class Pointed(Message):
        """The cursor has moved to another cell."""

    def __init__(self, *, active: bool = True, letters: bool = True) -> None:
        """Create an empty board; only an `active` board has a cursor.

        If `letters` is true, the keys h, j, k and l also move the cursor.
        """
        super().__init__()
        self.picture: Picture | None = None
        self.active = self.can_focus = active
        self.letters = letters
        self.cursor: Cell = 0
        self._begin: tuple[int, int] | None = None  # the first visible row and column; None until there is a picture
        self._sought: list[Cell] = []  # cells to scroll to, the most important last
        self._drawn: tuple[Layout, list[list[Sign]]] | None = None
        self._styles: dict[str, Style] = {}  # cached until the theme changes, because computing a style is slow

    def show(self, picture: Picture) -> None:
        """Show another picture; the cursor stays in place unless the game or the board's size changes."""
        if self.picture is None or self.picture.variant != picture.variant:
            self.cursor, self._begin = start_of(picture), None
        self.picture = picture
        if not self.active and picture.last is not None:
            self._sought = [picture.last]
        self._redraw()

    def point(self, cell: Cell) -> None:
        """Put the cursor on a cell."""
        if cell != self.cursor:
            self.place(cell)
            self.post_message(self.Pointed())

    def place(self, cell: Cell) -> None:
        """Put the cursor on a cell without sending a Pointed message."""
        self.cursor, self._sought = cell, [cell]
        self._redraw()

    def reveal(self, cell: Cell) -> None:
        """Scroll to a cell; in a game without pawns, move the cursor there if scrolling has hidden the cursor."""
        layout = self._layout()
        if layout is None or not self.size or layout.corner(cell):
            return
        self._sought = [self.cursor, cell]
        self._redraw()
        layout = self._layout()
        if layout and self.picture and not self.picture.variant.book.pawns and not layout.corner(self.cursor):
            self.place(cell)

    @property
    def partial(self) -> bool:
        """Whether only part of the board is visible."""
        layout = self._layout()
        return layout is not None and layout.partial

    def scroll_by(self, down: int, right: int) -> None:
        """Scroll by half a window if the board does not fit; the cursor stays on its cell."""
        layout = self._layout()
        if layout is None or not layout.partial:
            return
        rows, cols = len(layout.down), len(layout.across)
        top = layout.down.start + down * max(1, rows // 2)
        left = layout.across.start + right * max(1, cols // 2)
        top = max(0, min(top, layout.grid.rows - rows))
        left = max(0, min(left, layout.grid.cols - cols))
        self._begin, self._sought = (top, left), []
        self._redraw()

    def _redraw(self) -> None:
        self._drawn = None
        self.refresh()

    # -- keys and mouse ------------------------------------------------------------------------------------------

    def action_move(self, down: int, right: int) -> None:
        """Move the cursor by one cell; at the edge of the board, the cursor stays in place."""
        if self.picture is None:
            return
        grid = self.picture.variant.grid
        row, col = divmod(self.cursor, grid.cols)
        row, col = row + down, col + right
        if 0 <= row < grid.rows and 0 <= col < grid.cols:
            self.point(row * grid.cols + col)

    action_letter = action_move

    def check_action(self, action: str, _parameters: tuple[object, ...]) -> bool | None:
        return self.letters or action != "letter"

    def action_choose(self) -> None:
        """Choose the cell under the cursor; if that cell is not visible, only scroll to it."""
        layout = self._layout()
        if layout is None:
            return
        if layout.corner(self.cursor):
            self.post_message(self.Chosen(self.cursor))
        else:
            self.place(self.cursor)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        cell, _ = self._at(event)
        if self.active and cell is not None:
            self._touch(cell)

    def on_click(self, event: events.Click) -> None:
        cell, way = self._at(event)
        if way is not None:
            self.scroll_by(*way)
        elif self.active and cell is not None:
            self._touch(cell)
            self.post_message(self.Chosen(cell))

    def _touch(self, cell: Cell) -> None:
        """Put the cursor on the cell under the mouse, without scrolling the board."""
        if cell != self.cursor:
            self.cursor = cell
            self._redraw()
            self.post_message(self.Pointed())

    def _at(self, event: events.MouseEvent) -> tuple[Cell | None, tuple[int, int] | None]:
        """Return the cell under the mouse and, at an edge, the direction in which to scroll."""
        offset = event.get_content_offset(self)
        layout = self._layout()
        if offset is None or layout is None:
            return None, None
        return layout.cell_at(offset.x, offset.y), layout.way_at(offset.x, offset.y)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._wheel(event, *((0, -1) if event.shift else (-1, 0)))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._wheel(event, *((0, 1) if event.shift else (1, 0)))

    def on_mouse_scroll_left(self, event: events.MouseScrollLeft) -> None:
        self._wheel(event, 0, -1)

    def on_mouse_scroll_right(self, event: events.MouseScrollRight) -> None:
        self._wheel(event, 0, 1)

    def _wheel(self, event: events.MouseEvent, down: int, right: int) -> None:
        event.stop()  # otherwise the screen would send the event here again
        self.scroll_by(down, right)

    # -- drawing -------------------------------------------------------------------------------------------------

    def _layout(self) -> Layout | None:
        if self.picture is None:
            return None
        if self._drawn is None:
            layout = self._laid_out(self.picture)
            self._drawn = layout, draw(self.picture, layout, self.cursor if self.active else None)
        return self._drawn[0]

    def _laid_out(self, picture: Picture) -> Layout:
        """Return a layout in which the requested cells are visible."""
        room = (max(4, self.size.width), max(2, self.size.height))
        grid, origin = picture.variant.grid, picture.variant.book.origin
        begin = self._begin
        sought: list[Cell | None] = [*self._sought] or [self.cursor if begin is None else None]
        for cell in sought:
            layout = Layout(grid, origin, room, cell, begin)
            begin = layout.down.start, layout.across.start
        if self.size:  # otherwise the board has no space on the screen yet
            self._begin, self._sought = begin, []
        return layout

    def on_resize(self, _event: events.Resize) -> None:
        last = None if self.picture is None else self.picture.last
        self._sought = [*([] if last is None else [last]), *([self.cursor] if self.active or last is None else [])]
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
        """Return the style with this name, or a combination of several named styles."""
        if names not in self._styles:
            found = self.rich_style
            for name in reversed(names.split()):
                found += self.get_component_rich_style(f"board--{name}", partial=True)
            self._styles[names] = found
        return self._styles[names]


def start_of(picture: Picture) -> Cell:
    """Return the cell where the cursor starts: the mover's pawn, the middle, or the first legal cell."""
    variant = picture.variant
    if variant.book.pawns and picture.position.my_head is not None:
        return picture.position.my_head
    middle = variant.grid.rows // 2 * variant.grid.cols + variant.grid.cols // 2
    if picture.legal >> middle & 1:
        return middle
    first = first_of(picture.legal)
    return middle if first is None else first
