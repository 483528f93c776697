"""Which game, for lessons or to watch."""

from collections.abc import Callable

from textual import events
from textual.app import ComposeResult
from textual.widgets import Footer, OptionList, Static

from gridlock.core.rulebook import RuleBook
from gridlock.play.lessons import lessons
from gridlock.tui.page import Page
from gridlock.tui.state import AppState
from gridlock.userdata import diary


class GamesPage(Page):
    """Which game?"""

    DEFAULT_CSS = """
    GamesPage {
        & #title { height: 2; padding: 0 1; text-style: bold; }
        & OptionList { border: none; text-wrap: nowrap; text-overflow: ellipsis; }
    }
    """

    def __init__(self, state: AppState, what: str, books: list[RuleBook], page: Callable[..., Page]) -> None:
        super().__init__(state)
        self.what, self.books, self.page = what, books, page

    def compose(self) -> ComposeResult:
        """One line a game."""
        yield Static(f"Which game ({self.what})?", id="title", markup=False)
        done = diary.read().lessons if self.what == "lessons" else {}
        wide, lines = max(len(book.name) for book in self.books), []
        for number, book in enumerate(self.books, 1):
            count = f" ({len(done.get(book.name, []))} of {len(lessons(book))} done)" if self.what == "lessons" else ""
            lines.append(f" {number}  {book.name:<{wide}}{count}  {book.summary}")
        yield OptionList(*lines, markup=False)
        yield Footer(show_command_palette=False, compact=True)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """That one."""
        self._open(event.option_index)

    def on_key(self, event: events.Key) -> None:
        """A number of the list."""
        if event.character and event.character.isdigit() and 1 <= int(event.character) <= len(self.books):
            event.stop()
            self._open(int(event.character) - 1)

    def _open(self, number: int) -> None:
        if self.heeds_keys:
            self.leave_for(self.page(self.state, self.books[number]))
