"""The first screen: what is unfinished, the games, and everything else there is to do."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from gridlock.core import rules
from gridlock.core.errors import GridLockError
from gridlock.core.game import Game
from gridlock.core.rulebook import RuleBook
from gridlock.play.lessons import lessons
from gridlock.play.match import LiveMatch
from gridlock.play.puzzle_sources import Daily, Series
from gridlock.play.setup import ago, unfinished
from gridlock.players import agents
from gridlock.tui.board import Board
from gridlock.tui.games import GamesPage
from gridlock.tui.lessons import LessonPage
from gridlock.tui.page import Entry as NameEntry
from gridlock.tui.page import Page
from gridlock.tui.picture import Picture
from gridlock.tui.play import PlayPage
from gridlock.tui.puzzles import PuzzlePage
from gridlock.tui.setup import SetupPage
from gridlock.tui.state import AppState
from gridlock.tui.statistics import StatisticsPage
from gridlock.tui.watch import WatchPage
from gridlock.userdata import diary
from gridlock.userdata.lock import GameIsOpen
from gridlock.userdata.saves import Entry, Slot

MOST_WAITING = 5  # unfinished games in the list
RESERVED = "dplwrq"  # letters of what is not a game


@dataclass
class Item:
    """A line of the list: its key, what it is, and what stands beside it."""

    key: str
    line: str
    words: str
    act: Callable[[], None]
    picture: Picture | None = None


class HomePage(Page):
    """Where everything begins."""

    DEFAULT_CSS = """
    HomePage {
        & #title { height: 1; padding: 0 1; text-style: bold; }
        & OptionList { width: 1fr; height: 1fr; border: none; padding: 0; }
        & #aside { width: 45%; max-width: 60; padding: 0 1; border-left: solid $quiet; }
        & #about { height: auto; }
        &.-narrow #aside { display: none; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "leave", "leave"),
        Binding("escape", "back", show=False),
        Binding("N", "name", "your name"),
    ]
    NOTES = ("Up and down, a letter or number of the list, or the mouse choose what to do.",)

    def __init__(self, state: AppState) -> None:
        super().__init__(state)
        rules.load_packages()
        self.items: list[Item | str] = []  # a text is the heading of a group

    def compose(self) -> ComposeResult:
        """The list, and beside it what is highlighted."""
        yield Static("GridLock: lock your opponent out", id="title")
        with Horizontal():
            yield OptionList(markup=False)
            with Vertical(id="aside"):
                yield Board(active=False, id="picture")
                yield Static(id="about", markup=False)
        yield Footer(show_command_palette=False, compact=True)

    def on_resize(self, event: events.Resize) -> None:
        """Leave out what has no room."""
        self.set_class(event.size.width < 50, "-narrow")

    def on_screen_resume(self) -> None:
        """Back from elsewhere: what is unfinished may be something else now."""
        self.items = self._items()
        menu = self.query_one(OptionList)
        at = menu.highlighted or 1  # the first line is a heading
        menu.clear_options()
        for item in self.items:
            if isinstance(item, str):
                menu.add_option(Option(item, disabled=True))
            else:
                menu.add_option(Option(f"  {item.key}  {item.line}"))
        menu.highlighted = min(at, menu.option_count - 1)
        menu.focus()

    def action_back(self) -> None:
        """Stay: who goes back once too often has not asked to leave."""

    # -- what there is ---------------------------------------------------------------------------------------------

    def _items(self) -> list[Item | str]:
        waiting = [self._unfinished(number, entry) for number, entry in enumerate(unfinished(MOST_WAITING), 1)]
        taken, games = set(RESERVED), []
        for book in rules.RULE_BOOKS.values():
            key = next((letter for letter in book.name if letter.isalpha() and letter not in taken), " ")
            taken.add(key)
            games.append(self._game(key, book))
        return [*(["Go on with"] if waiting else []), *waiting, "Play", *games, "Train and look", *self._others()]

    def _unfinished(self, number: int, entry: Entry) -> Item:
        assert entry.saved is not None  # only such are offered
        match = entry.saved.match
        game = match.games[-1] if match.games else Game(match.variant, names=match.names, starts=match.starts)
        mark = game.mark_of(game.turn)
        against = [kind for kind in match.kinds if kind != "human"]
        opponent = f"against {against[0]}" if len(against) == 1 else "for two" if not against else "to watch"
        moves = len(game.moves)
        return Item(
            str(number),
            f"{match.variant.book.name} {match.variant.grid}, {ago(entry.changed)}",
            f"{match.variant.book.title}, {opponent}. {moves} move{'s' * (moves != 1)}; "
            f"{game.player_name(game.turn)} ({mark}) is to move. Last played {ago(entry.changed)}.",
            lambda: self._go_on(entry),
            Picture.of(game),
        )

    def _game(self, key: str, book: RuleBook) -> Item:
        game = Game(rules.variant(book))
        for row, col in book.example:
            game.push(game.variant.cell(row, col))
        return Item(
            key,
            f"{book.name:<9} {book.title}",
            f"{book.title}. {book.summary}",
            lambda: self._open(SetupPage, book),
            Picture.of(game),
        )

    def _others(self) -> list[Item]:
        today, pages = date.today(), diary.read()
        done = pages.days.get(today.isoformat())
        solved = "" if done is None else " (solved)" if done else " (tried)"
        taught = [book for book in rules.RULE_BOOKS.values() if lessons(book)]
        finished = sum(map(len, pages.lessons.values()))
        return [
            Item(
                "d",
                f"puzzle of the day{solved}",
                f"The same for everybody on {today.isoformat()}. Days in a row: {pages.days_in_a_row(today)}.",
                lambda: self._open(PuzzlePage, Daily(date.today())),
            ),
            Item(
                "p",
                "puzzles",
                f"Find the only winning move. {pages.streak_words}",
                lambda: self._open(PuzzlePage, Series()),
            ),
            Item(
                "l",
                "lessons",
                f"From the rule to the strategy that wins, game by game. Done so far: {finished}.",
                lambda: self._choose("lessons", taught, LessonPage),
            ),
            Item(
                "w",
                "watch",
                "Two programs play; you set the speed, or make one move at a time.",
                lambda: self._choose("watch", list(rules.RULE_BOOKS.values()), _watching),
            ),
            Item("r", "results", "Your results by game, level and side, and your streaks.", self._statistics),
        ]

    # -- doing it --------------------------------------------------------------------------------------------------

    def _open(self, page: Callable[..., Page], *what: object) -> None:
        try:
            self.app.push_screen(page(self.state, *what))
        except GridLockError as error:
            self.notify(str(error), severity="error")

    def _choose(self, what: str, books: list[RuleBook], page: Callable[..., Page]) -> None:
        self.app.push_screen(GamesPage(self.state, what, books, page))

    def _statistics(self) -> None:
        self._open(StatisticsPage)

    def _go_on(self, entry: Entry) -> None:
        try:
            agents.require(entry.saved.match.kinds if entry.saved else ())
            slot = Slot(entry.name)
            match = slot.load()  # read again, now that no other window can change it
        except (GameIsOpen, GridLockError) as error:
            self.notify(str(error), severity="warning")
            return
        page = PlayPage if "human" in match.kinds else WatchPage
        self.app.push_screen(page(self.state, LiveMatch(match, slot)))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show what it is about."""
        item = self.items[event.option_index]
        if isinstance(item, str):
            return
        board = self.query_one("#picture", Board)
        board.display = item.picture is not None
        if item.picture is not None:
            board.show(item.picture)
        self.query_one("#about", Static).update(item.words)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Do it."""
        item = self.items[event.option_index]
        if not isinstance(item, str) and self.heeds_keys:
            item.act()

    def on_key(self, event: events.Key) -> None:
        """A letter or number of the list."""
        for item in self.items:
            if not isinstance(item, str) and event.character == item.key:
                event.stop()
                item.act()
                return

    def action_name(self) -> None:
        """Say what you are called."""

        def named(name: str | None) -> None:
            if name:
                self.state.remember("name", name)

        self.app.push_screen(NameEntry("What are you called?", self.state.preferences.name), named)

    def action_leave(self) -> None:
        """Close the program."""
        self.app.exit(0)


def _watching(state: AppState, book: RuleBook) -> Page:
    return SetupPage(state, book, watching=True)
