"""The start page: a menu that lists unfinished games, games to start, and the other pages."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from gridlock.core import rules
from gridlock.core.errors import GridLockError
from gridlock.core.game import Game
from gridlock.core.rulebook import RuleBook
from gridlock.play.lessons import lessons
from gridlock.play.match import LiveMatch, ago, resume, unfinished
from gridlock.play.puzzle_sources import Daily, Series
from gridlock.play.saved_games import is_watched, moves_made, opponents
from gridlock.play.share import calendar
from gridlock.tui.board import Board
from gridlock.tui.page import AppState, Note, Page, Prompt
from gridlock.tui.picture import Picture
from gridlock.tui.play import match_page
from gridlock.tui.review import StatisticsPage
from gridlock.tui.saved_games import SavedGamesPage
from gridlock.tui.setup import GamesPage, SetupPage
from gridlock.tui.training import LessonPage, PuzzlePage
from gridlock.userdata import diary
from gridlock.userdata.library import OwnGame, own_books, own_games
from gridlock.userdata.saves import Entry

MOST_WAITING = 5  # unfinished games in the menu
RESERVED = "dplwrgq"  # keys of the other menu items and of the quit action


@dataclass
class Item:
    """A line of the menu: its key, its action, and the details shown beside it."""

    key: str
    line: str
    words: str
    act: Callable[[], None]
    picture: Picture | None = None


class HomePage(Page):
    """The start page with its menu."""

    DEFAULT_CSS = """
    HomePage {
        & OptionList {
            width: 1fr; height: 1fr; border: none; padding: 0; text-wrap: nowrap; text-overflow: ellipsis;
        }
        & #aside { width: 45%; max-width: 60; padding: 0 1; border-left: solid $quiet; }
        & #about { height: auto; }
        &.-narrow #aside { display: none; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "leave", "quit"),
        Binding("escape", "back", show=False),
        Binding("N", "name", "your name"),
    ]
    NOTES = ("Use the arrow keys and Enter, the mouse, or a letter or number from the list.",)

    def __init__(self, state: AppState) -> None:
        super().__init__(state, "GridLock: lock your opponent out")
        rules.load_packages()
        self.items: list[Item | str] = []  # a string is a group's heading

    def body(self) -> ComposeResult:
        with Horizontal():
            yield OptionList(markup=False)
            with Vertical(id="aside"):
                yield Board(active=False)
                yield Static(id="about", markup=False)

    def on_resize(self, event: events.Resize) -> None:
        """Hide the details if the screen is too narrow."""
        self.set_class(event.size.width < 50, "-narrow")

    def on_screen_resume(self) -> None:
        """Rebuild the menu, because the unfinished games may have changed."""
        self.items = self._items()
        menu = self.query_one(OptionList)
        at = menu.highlighted or 1  # the first line is a heading
        menu.clear_options()
        for item in self.items:
            if isinstance(item, str):
                menu.add_option(Option(item, disabled=True))
            else:
                menu.add_option(Option(f"  {item.key or '-'}  {item.line}"))
        menu.highlighted = min(at, menu.option_count - 1)
        menu.focus()

    def action_back(self) -> None:
        """Do nothing, because pressing Esc once too often must not close the program."""

    # -- the items -------------------------------------------------------------------------------------------------

    def _items(self) -> list[Item | str]:
        waiting = [self._unfinished(number, entry) for number, entry in enumerate(unfinished(MOST_WAITING), 1)]
        taken = set(RESERVED)
        games = [self._game(_key(book, taken), book) for book in rules.RULE_BOOKS.values()]
        own = [
            self._game(_key(game.book, taken), game.book) if game.book else self._unusable(game) for game in own_games()
        ]
        items: list[Item | str] = [*(["Continue"] if waiting else []), *waiting, "Play", *games]
        return [*items, *(["Your own games"] if own else []), *own, "Practise and explore", *self._others()]

    def _unfinished(self, number: int, entry: Entry) -> Item:
        assert entry.saved is not None  # only readable games are listed as unfinished
        match = entry.saved.match
        game = match.games[-1] if match.games else Game(match.variant, names=match.names, starts=match.starts)
        mark = game.mark_of(game.turn)
        watched = ", watched" if is_watched(match) else ""
        return Item(
            str(number),
            f"{match.variant.book.name} {match.variant.grid}{watched}, {ago(entry.changed)}",
            f"{match.variant.book.title}, {opponents(match)}. {moves_made(match).capitalize()}; "
            f"{game.player_name(game.turn)} ({mark}) is to move. Last played {ago(entry.changed)}.",
            partial(self._resume, entry),
            Picture.of(game),
        )

    def _game(self, key: str, book: RuleBook) -> Item:
        game = Game(rules.variant(book))
        for move in book.example:
            game.push(move)
        return Item(
            key,
            f"{book.name:<9} {book.title}",
            f"{book.title}. {book.summary}",
            partial(self._open, SetupPage, book),
            Picture.of(game),
        )

    def _unusable(self, game: OwnGame) -> Item:
        """Return the menu item for a file that cannot be used as a game."""
        show = partial(self._explain, f"{game.file} cannot be used", game.problem)
        return Item("", f"{game.file} (cannot be used)", game.problem, show)

    def _others(self) -> list[Item]:
        today, pages = date.today(), diary.read()
        done = pages.days.get(today.isoformat())
        solved = "" if done is None else " (solved)" if done else " (missed)"
        books = [*rules.RULE_BOOKS.values(), *own_books()]
        days = "\n".join(["", *calendar(pages, today)])
        taught = [book for book in books if lessons(book)]
        finished = sum(map(len, pages.lessons.values()))
        return [
            Item(
                "d",
                f"daily puzzle{solved}",
                f"The same for everyone on {today.isoformat()}. Daily streak: {pages.days_in_a_row(today)}.\n{days}",
                lambda: self._open(PuzzlePage, Daily(date.today())),
            ),
            Item(
                "p",
                "puzzles",
                f"Find a winning move at every step. {pages.streak_words}",
                lambda: self._open(PuzzlePage, Series()),
            ),
            Item(
                "l",
                "lessons",
                f"From the rules to the winning strategy, game by game. Lessons done: {finished}.",
                partial(self._open, GamesPage, "lessons", taught, LessonPage),
            ),
            Item(
                "w",
                "watch",
                "Watch two programs play, at any speed or one move at a time.",
                partial(self._open, GamesPage, "watch", books, partial(SetupPage, watching=True)),
            ),
            Item(
                "g",
                "your games",
                "Continue, review, save, delete or search your finished and unfinished games.",
                partial(self._open, SavedGamesPage),
            ),
            Item(
                "r",
                "results",
                "Your streaks, and your results by game, level and side.",
                partial(self._open, StatisticsPage),
            ),
        ]

    # -- their actions ---------------------------------------------------------------------------------------------

    def _open(self, page: Callable[..., Page], *args: object) -> None:
        try:
            self.app.push_screen(page(self.state, *args))
        except GridLockError as error:
            self._explain("Not possible", str(error))

    def _explain(self, title: str, words: str) -> None:
        """Show why an action is not possible."""
        self.app.push_screen(Note(title, [words]))

    def _resume(self, entry: Entry) -> None:
        try:
            live = LiveMatch(*resume(entry))
        except GridLockError as error:
            self._explain("This game cannot be opened now", str(error))
            return
        self.app.push_screen(match_page(self.state, live))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        item = self.items[event.option_index]
        if isinstance(item, str):
            return
        board = self.query_one(Board)
        board.display = item.picture is not None
        if item.picture is not None:
            board.show(item.picture)
        self.set_text("about", item.words)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        item = self.items[event.option_index]
        if not isinstance(item, str) and self.accepts_keys:
            item.act()

    def on_key(self, event: events.Key) -> None:
        for item in self.items:
            if not isinstance(item, str) and event.character == item.key:
                event.stop()
                item.act()
                return

    def action_name(self) -> None:

        def named(name: str | None) -> None:
            if name:
                self.state.remember("name", name)

        self.app.push_screen(Prompt("Your name?", self.state.preferences.name), named)

    def action_leave(self) -> None:
        self.app.exit(0)


def _key(book: RuleBook, taken: set[str]) -> str:
    """Return an unused letter from a game's name, and mark it as used; return "" if every letter is taken."""
    key = next((letter for letter in book.name if letter.isalpha() and letter not in taken), "")
    taken.add(key)
    return key
