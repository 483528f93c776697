"""The page that asks for a game, for lessons or to watch."""

from collections.abc import Callable

from textual import events
from textual.app import ComposeResult
from textual.widgets import OptionList

from gridlock.core.rulebook import RuleBook
from gridlock.play.lessons import lessons
from gridlock.tui.page import Page
from gridlock.tui.state import AppState
from gridlock.userdata import diary


class GamesPage(Page):
    """A list of games to choose from."""

    DEFAULT_CSS = """
    GamesPage {
        & #title { height: 2; }
        & OptionList { border: none; text-wrap: nowrap; text-overflow: ellipsis; }
    }
    """

    def __init__(self, state: AppState, what: str, books: list[RuleBook], page: Callable[..., Page]) -> None:
        super().__init__(state, f"Which game ({what})?")
        self.what, self.books, self.page = what, books, page

    def body(self) -> ComposeResult:
        """Yield a list with one line per game."""
        done = diary.read().lessons if self.what == "lessons" else {}
        wide, lines = max(len(book.name) for book in self.books), []
        for number, book in enumerate(self.books, 1):
            count = f" ({len(done.get(book.name, []))} of {len(lessons(book))} done)" if self.what == "lessons" else ""
            lines.append(f" {number}  {book.name:<{wide}}{count}  {book.summary}")
        yield OptionList(*lines, markup=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open the selected game."""
        self._open(event.option_index)

    def on_key(self, event: events.Key) -> None:
        """Open the game with the number that is pressed."""
        if event.character and event.character.isdigit() and 1 <= int(event.character) <= len(self.books):
            event.stop()
            self._open(int(event.character) - 1)

    def _open(self, number: int) -> None:
        if self.accepts_keys:
            self.leave_for(self.page(self.state, self.books[number]))
