"""The full-screen program, which opens with the menu or with a match."""

import asyncio
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Timer
from types import FrameType
from typing import Any, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.dom import DOMNode, NoScreen
from textual.theme import Theme
from textual.widget import Widget

from gridlock.core.match import Match
from gridlock.play.exits import Exit
from gridlock.play.match import LiveMatch
from gridlock.players import agents
from gridlock.tui.home import HomePage
from gridlock.tui.page import AppState, Page, shown_keys
from gridlock.tui.palette import Action, Palette
from gridlock.tui.play import match_page
from gridlock.userdata import diary
from gridlock.userdata.saves import Slot
from gridlock.userdata.settings import THEMES, load_and_warn


class FullScreen(App[int]):
    """The full-screen program."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen { background: $background; color: $foreground; }
    OptionList { background: $background; text-wrap: nowrap; text-overflow: ellipsis; }
    OptionList, OptionList:focus { border: none; background-tint: transparent 0%; }
    OptionList > .option-list--option-disabled { color: $quiet; text-style: bold; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+p", "palette", "search for an action", show=False, key_display="^p"),
        Binding("T", "theme", "change the theme", show=False),
        Binding("ctrl+c", "interrupt", "quit (your games are saved)", show=False, priority=True, key_display="^c"),
        Binding("ctrl+q", "interrupt", "quit (your games are saved)", show=False, priority=True, key_display="^q"),
        Binding("ctrl+z", "suspend_process", "suspend (fg to return)", show=False, priority=True, key_display="^z"),
    ]

    def __init__(self, state: AppState, match: Match | None = None, slot: Slot | None = None) -> None:
        """Create the program; if a match and its file (`slot`) are given, the program opens with that match."""
        # If colours are off, Textual uses its own greys unless we ask for the terminal's colours.
        super().__init__(ansi_color=True if os.environ.get("NO_COLOR") else None)
        self.state = state
        for name in THEMES:
            self.register_theme(make_theme(name))
        self.theme = state.preferences.theme or THEMES[0]
        self._first = None if match is None or slot is None else LiveMatch(match, slot)

    def on_mount(self) -> None:
        self.app_resume_signal.subscribe(self, self._draw_again)
        self.push_screen(HomePage(self.state))
        if self._first is not None:
            self.push_screen(match_page(self.state, self._first))

    def _draw_again(self, _app: App[int]) -> None:
        """Redraw the whole screen after `fg`, because the terminal is then empty and Textual draws only changes."""
        self.refresh(layout=True)

    async def on_unmount(self) -> None:
        await self.state.stop()

    async def run_action(
        self, action: Any, default_namespace: DOMNode | None = None, namespaces: Mapping[str, DOMNode] | None = None
    ) -> bool:
        """Run a key's action, unless the user has already left the page or opened another page on top of it."""
        if isinstance(default_namespace, Widget):
            try:
                page = default_namespace.screen
            except NoScreen:  # the widget has been removed with its page
                return True
            if isinstance(page, Page) and not page.accepts_keys:
                return True
        return await super().run_action(action, default_namespace, namespaces)

    def action_theme(self) -> None:
        self.theme = THEMES[(THEMES.index(self.theme) + 1) % len(THEMES)]
        self.state.remember("theme", self.theme)

    def action_palette(self) -> None:
        """List every action that is available now, and run the one that the user chooses."""
        page = self.screen
        if not isinstance(page, Page):  # the user must first answer a question
            return
        actions = [
            Action(shown_keys(active), words, active[0].binding.action, active[0].node)
            for words, active in page.key_list().items()
            if active[0].node in (page, self) and active[0].binding.action != "palette"  # leave out cursor keys
        ]
        actions.sort(key=lambda action: action.node is self)

        def chosen(action: Action | None) -> None:
            if action is not None:
                self.call_later(self.run_action, action.name, action.node)

        self.push_screen(Palette(actions), chosen)

    def action_interrupt(self) -> None:
        """Close the program; all games are already saved."""
        self.exit(Exit.INTERRUPTED)


def run(match: Match | None = None, slot: Slot | None = None) -> int:
    """Run the full-screen program, then print instructions for resuming an unfinished match; return the exit code."""
    state = AppState(load_and_warn(agents))
    diary.read()  # warns about a damaged file before the full screen hides the warning
    code = asyncio.run(_open(FullScreen(state, match, slot)))
    if state.farewell:
        with suppress(OSError):  # the terminal may be closed
            print(state.farewell, file=sys.stderr, flush=True)
    if state.unsaved:
        return Exit.FAILED
    return code or (Exit.AGENT if state.failed else Exit.DONE)


async def _open(app: FullScreen) -> int | None:
    with orderly_exit(app):
        return await app.run_async()


ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGINT") if hasattr(signal, name)]
PATIENCE = 10.0  # seconds allowed for closing, which can hang if the terminal is closed


@contextmanager
def orderly_exit(app: App[int]) -> Iterator[None]:
    """Close the application cleanly when a signal arrives; signals that are already ignored (by nohup) stay ignored.

    Before full-screen mode starts and after it ends, the terminal is in its normal state, so a signal ends the program
    at once. However, Ctrl-C is ignored after full-screen mode ends, because people often press it twice.
    """
    loop = asyncio.get_running_loop()

    def close(number: int, _frame: FrameType | None) -> None:
        code = 128 + number
        loop.call_soon_threadsafe(app.exit, code)
        deadline = Timer(PATIENCE, os._exit, [code])
        deadline.daemon = True
        deadline.start()

    handled = [number for number in ENDING if signal.getsignal(number) is not signal.SIG_IGN]
    for number in handled:
        signal.signal(number, close)
    try:
        yield
    finally:
        for number in handled:
            signal.signal(number, signal.SIG_IGN if number == signal.SIGINT else signal.SIG_DFL)


_COLOURS = {
    # each theme's background, panel and foreground, and the variables named below
    "dark": "#14181f #1d232d #e6e9ef #8b95a5 #56c8e8 #f2b14c #7ddc7a #ff7b72 #e3c454 #ffffff #c792ea",
    "light": "#fbfaf7 #eeece6 #20242b #666b75 #0b6a8c #a45200 #1c7023 #b3261e #7a5b00 #000000 #7b3fa0",
    "contrast": "#000000 #000000 #ffffff #d0d0d0 #00ffff #ffff00 #00ff00 #ff6060 #ffff00 #ffffff #ff80ff",
}
_VARIABLES = ("quiet", "first", "second", "good", "bad", "unknown", "pointer", "pairs")


def make_theme(name: str) -> Theme:
    """Return the Textual theme with this name."""
    background, panel, foreground, *others = _COLOURS[name].split()
    colours = dict(zip(_VARIABLES, others, strict=True))
    return Theme(
        name=name,
        primary=colours["first"],
        secondary=colours["second"],
        accent=colours["second"],
        warning=colours["unknown"],
        error=colours["bad"],
        success=colours["good"],
        foreground=foreground,
        background=background,
        surface=panel,
        panel=panel,
        dark=name != "light",
        variables=colours
        | {
            "footer-key-foreground": colours["second"],
            "footer-background": panel,
            "footer-description-foreground": foreground,
            "block-cursor-background": colours["first"],
            "block-cursor-foreground": background,
            "block-cursor-text-style": "bold",
            "border": colours["quiet"],
        },
    )
