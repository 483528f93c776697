"""The full-screen program: it opens with the menu, or with a match."""

import asyncio
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.dom import DOMNode
from textual.widget import Widget

from gridlock.core.match import Match
from gridlock.play.exits import Exit
from gridlock.play.match import LiveMatch
from gridlock.players import agents
from gridlock.tui.home import HomePage
from gridlock.tui.page import Page
from gridlock.tui.signals import orderly_exit
from gridlock.tui.state import AppState
from gridlock.tui.themes import themes
from gridlock.tui.watch import match_page
from gridlock.userdata import diary
from gridlock.userdata.saves import Slot
from gridlock.userdata.settings import load_and_warn


class FullScreen(App[int]):
    """The full-screen program."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen { background: $background; color: $foreground; }
    OptionList { background: $background; }
    OptionList, OptionList:focus { border: none; background-tint: transparent 0%; }
    OptionList > .option-list--option-disabled { color: $quiet; text-style: bold; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("T", "theme", "dark, light, contrast", show=False),
        Binding("ctrl+c", "interrupt", "stop; games are kept", show=False, priority=True, key_display="^c"),
        Binding("ctrl+q", "interrupt", "stop; games are kept", show=False, priority=True, key_display="^q"),
        Binding(
            "ctrl+z", "suspend_process", "to the shell, and back with fg", show=False, priority=True, key_display="^z"
        ),
    ]

    def __init__(self, state: AppState, match: Match | None = None, slot: Slot | None = None) -> None:
        """Show a match first if one is given, with its place on disk."""
        super().__init__()
        self.state = state
        for theme in themes():
            self.register_theme(theme)
        self.theme = state.theme
        self._first = None if match is None or slot is None else LiveMatch(match, slot)

    def on_mount(self) -> None:
        """Open the menu, and over it the match if there is one."""
        self.push_screen(HomePage(self.state))
        if self._first is not None:
            self.push_screen(match_page(self.state, self._first))

    async def on_unmount(self) -> None:
        """Stop the processes that think."""
        await self.state.stop()

    async def run_action(
        self, action: Any, default_namespace: DOMNode | None = None, namespaces: Mapping[str, DOMNode] | None = None
    ) -> bool:
        """Run a key's action, unless its page was left or covered before the key could be handled."""
        page = default_namespace.screen if isinstance(default_namespace, Widget) else None
        if isinstance(page, Page) and not page.accepts_keys:
            return True
        return await super().run_action(action, default_namespace, namespaces)

    def action_theme(self) -> None:
        """Switch to the next theme."""
        self.theme = self.state.next_theme()

    def action_interrupt(self) -> None:
        """Close the program; everything is on disk."""
        self.exit(Exit.INTERRUPTED)


def run(match: Match | None = None, slot: Slot | None = None) -> int:
    """Run the full screen and return the exit code; afterwards, print how to resume an unfinished match."""
    state = AppState(load_and_warn(agents))
    diary.read()  # warns of a damaged file before the screen covers the warning
    code = asyncio.run(_open(FullScreen(state, match, slot)))
    if state.farewell:
        with suppress(OSError):  # the terminal may be gone
            print(state.farewell, file=sys.stderr, flush=True)
    if state.unsaved:
        return Exit.FAILED
    return code or (Exit.AGENT if state.failed else Exit.DONE)


async def _open(app: FullScreen) -> int | None:
    with orderly_exit(app):
        return await app.run_async()
