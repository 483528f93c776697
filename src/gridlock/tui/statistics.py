"""The page of statistics: results by game, level and side, streaks, and how many winning positions were won."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from gridlock.play.statistics import Statistics, Tally, collect, other_lines, report, win_converted
from gridlock.play.thinking.process import Failed
from gridlock.tui.page import Page
from gridlock.tui.state import AppState
from gridlock.userdata import diary
from gridlock.userdata.saves import entries

SECONDS = 0.2  # per move, when games are reviewed


class StatisticsPage(Page):
    """The results of all finished games."""

    DEFAULT_CSS = "StatisticsPage { & VerticalScroll { padding: 1 2; } & Static { width: auto; } }"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("k", "conversions", "count converted wins")]

    def __init__(self, state: AppState) -> None:
        super().__init__(state)
        self.found: Statistics = collect(entries())
        self.conversions: Tally | None = None

    def body(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(self._text(), id="tables", markup=False)

    def _text(self, more: str = "") -> str:
        return "\n".join([*report(self.found, self.conversions), *other_lines(self.found, diary.read()), more])

    def check_action(self, action: str, _parameters: tuple[object, ...]) -> bool | None:
        return action != "conversions" or (bool(self.found.games) and self.conversions is None)

    def action_conversions(self) -> None:
        self.run_worker(self._count, exclusive=True)

    async def _count(self) -> None:
        tally = Tally()
        try:
            for number, one in enumerate(self.found.games, 1):
                self.set_text("tables", self._text(f"\nReviewing game {number} of {len(self.found.games)} ..."))
                tally.add(await self.state.adviser.ask(win_converted, one, SECONDS))
        except Failed as failure:
            self.set_text("tables", self._text(f"\nThe games could not be reviewed ({failure})."))
            return
        self.conversions = tally
        self.set_text("tables", self._text())
        self.refresh_bindings()
