"""Statistics on the full screen: results by game, level and side, streaks, and how often a won game was kept."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Footer, Static

from gridlock.play.statistics import Statistics, Tally, collect, kept, other_lines, report
from gridlock.play.thinking.process import Failed
from gridlock.tui.page import Page
from gridlock.tui.state import AppState
from gridlock.userdata import diary
from gridlock.userdata.saves import entries

SECONDS = 0.2  # a move, when games are looked at again


class StatisticsPage(Page):
    """How the games went."""

    DEFAULT_CSS = """
    StatisticsPage { & VerticalScroll { padding: 1 2; } & Static { width: auto; } }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("k", "kept", "how often was a won game kept?")]

    def __init__(self, state: AppState) -> None:
        super().__init__(state)
        self.found: Statistics = collect(entries())
        self.keeping: Tally | None = None

    def compose(self) -> ComposeResult:
        """The tables."""
        with VerticalScroll():
            yield Static(self._text(), id="tables", markup=False)
        yield Footer(show_command_palette=False, compact=True)

    def _text(self, more: str = "") -> str:
        return "\n".join([*report(self.found, self.keeping), *other_lines(self.found, diary.read()), more])

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key works now."""
        if action == "kept":
            return bool(self.found.games) and self.keeping is None
        return super().check_action(action, parameters)

    def action_kept(self) -> None:
        """Ask the engine about every game."""
        self.run_worker(self._look, exclusive=True)

    async def _look(self) -> None:
        tally = Tally()
        words = self.query_one("#tables", Static)
        try:
            for number, one in enumerate(self.found.games, 1):
                words.update(self._text(f"\nLooking at game {number} of {len(self.found.games)} ..."))
                tally.add(await self.state.adviser.ask(kept, one, SECONDS))
        except Failed as failure:
            words.update(self._text(f"\nThe games could not be looked at ({failure})."))
            return
        self.keeping = tally
        words.update(self._text())
        self.refresh_bindings()
