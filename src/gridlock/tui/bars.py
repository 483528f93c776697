"""The parts of a page that stay in place: the text below a board, and the footer that lists keys."""

from textual.app import ComposeResult
from textual.widgets import Footer, Static
from textual.widgets._footer import FooterKey

from gridlock.drawing.text import printed_width, wrapped

MORE = "... (d)"  # ends text that was cut off; the key d shows the whole text
ALWAYS = ("keys", "back")  # actions that the footer never leaves out


class Words(Static):
    """Text in a fixed number of lines, so that the board above never moves; longer text is cut off."""

    def __init__(self) -> None:
        super().__init__(id="words", markup=False)

    def render(self) -> str:
        """Return as much of the text as there is room for."""
        return cut(str(self.content), *self.size)

    def on_resize(self) -> None:
        self.refresh(layout=True)

    async def on_click(self) -> None:
        await self.run_action("screen.details")


def cut(text: str, columns: int, room: int) -> str:
    """Return as many lines of a text as there is room for; if they are not all of it, end them in `(d)`."""
    lines = wrapped([text], max(1, columns))
    if len(lines) <= room:
        return "\n".join(lines)
    *above, last = lines[: max(1, room)]
    more = MORE if columns > 3 * len(MORE) else MORE[-3:]
    while last and printed_width(f"{last} {more}") > columns:
        last = last[:-1]
    return "\n".join([*above, f"{last} {more}"])


class Keys(Footer):
    """A footer that leaves out keys that do not fit, instead of cutting them off; `?` lists all keys."""

    def __init__(self) -> None:
        super().__init__(show_command_palette=False, compact=True)

    def compose(self) -> ComposeResult:
        keys = [key for key in super().compose() if isinstance(key, FooterKey)]
        last = [key for key in keys if key.action in ALWAYS]
        room = self.app.size.width - sum(map(_width, last))
        for key in keys:
            if key not in last and _width(key) <= room:
                room -= _width(key)
                yield key
        yield from last

    async def on_resize(self) -> None:
        await self.recompose()


def _width(key: FooterKey) -> int:
    """Return the number of columns that a key, its description and the spaces after them take up."""
    return printed_width(f"{key.key_display} {key.description} ")
