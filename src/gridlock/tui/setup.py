"""The page for choosing a match's options: opponent, board, adjacency, side, rounds, swap rule and clock."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from gridlock.core import rules
from gridlock.core.errors import GridLockError
from gridlock.core.grid import Adjacency
from gridlock.core.match import Match, new_seed
from gridlock.core.names import clean_name
from gridlock.core.notation import read_board
from gridlock.core.rulebook import RuleBook
from gridlock.play.clocks import USUAL, read_clock
from gridlock.play.lessons import lessons
from gridlock.play.match import CHANCE, FRIEND, LiveMatch, seats, side_choices, with_name
from gridlock.players import agents
from gridlock.tui.page import AppState, Page, Prompt
from gridlock.tui.play import match_page
from gridlock.userdata import diary
from gridlock.userdata.saves import Slot, new_name
from gridlock.userdata.settings import remember

USUAL_BOARDS = ("3x3", "4x4", "5x5", "6x6", "7x7", "8x8", "9x9", "11x11", "15x15", "19x19")
ROUNDS = ("1", "2", "3", "5", "7", "9")
TOUCHING = {Adjacency.KING: "at sides and corners", Adjacency.ORTHOGONAL: "at sides only"}
NAMELESS = "not given"
LOW, NARROW = 16, 56  # with fewer lines or columns than these, there is no room for summaries
LABEL = 14  # columns for the name of a choice


@dataclass
class Choice:
    """A choice: its name, its possible values, and its current value."""

    name: str
    values: list[str]
    chosen: str

    def change(self, by: int) -> None:
        """Select the next or the previous value."""
        self.chosen = self.values[(self.values.index(self.chosen) + by) % len(self.values)]

    def line(self, narrow: bool) -> str:
        """Return the text that the form shows for this choice, with the chosen agent's summary if there is room."""
        if narrow:
            return f"{self.name}: {self.chosen}"
        about = agents.entry(self.chosen).summary if self.chosen in agents else ""
        return f"  {self.name:<{LABEL}} < {self.chosen} >  {about}".rstrip()


class Form(OptionList):
    """A list in which the left and right keys change the value on the highlighted line."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "screen.change(-1)", "change", key_display="← →"),
        Binding("right", "screen.change(1)", "change", show=False),
    ]


class SetupPage(Page):
    """A form for a match's options; pressing Enter on the first line begins the match."""

    DEFAULT_CSS = """
    SetupPage {
        & #title { padding: 1 2 0 2; height: auto; }
        & #summary { padding: 0 2 1 2; height: auto; }
        &.-low #title { padding: 0 1; }
        &.-low #summary { display: none; }
        & OptionList { height: 1fr; border: none; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }
        & #words { height: auto; max-height: 3; padding: 0 2; color: $bad; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("b", "board", "type a board")]
    NOTES = (
        "Up and down select a setting; left and right change it. To start, select the first line and press Enter.",
    )

    def __init__(self, state: AppState, book: RuleBook, watching: bool = False) -> None:
        super().__init__(state, book.title)
        self.book, self.watching = book, watching
        levels = list(agents)
        board = state.preferences.board_of(book)
        boards = list(dict.fromkeys([board, "{}x{}".format(*book.board), *USUAL_BOARDS]))
        if watching:
            self.players = [
                Choice(f"player {mark}", levels, chosen)
                for mark, chosen in zip(book.marks, ("perfect", "hard"), strict=True)
            ]
        else:
            level = state.preferences.level_among([*levels, "human"])
            self.players = [Choice("against", [*levels, FRIEND], FRIEND if level == "human" else level)]
        self.friend = Choice("friend's name", [NAMELESS], NAMELESS)
        self.board = Choice("board", boards, board)
        self.touching = Choice("cells touch", list(TOUCHING.values()), TOUCHING[Adjacency(book.adjacency)])
        self.side = Choice("sides", [], "")
        self.rounds = Choice("rounds", list(ROUNDS), "1")
        self.swap = Choice("swap rule", ["no", "yes"], "no")
        self.clock = Choice("clock", ["no", *USUAL], "no")
        self._update_sides()

    @property
    def choices(self) -> list[Choice]:
        """All choices, in the order in which the form shows them."""
        friend = [self.friend] if "human" in self.kinds else []
        sides, clock = ([], []) if self.watching else ([self.side], [self.clock])
        return [*self.players, *friend, self.board, self.touching, *sides, self.rounds, self.swap, *clock]

    @property
    def kinds(self) -> list[str]:
        """The chosen opponent or, in a match between programs, both players; "human" means a friend."""
        return ["human" if choice.chosen == FRIEND else choice.chosen for choice in self.players]

    def _update_sides(self) -> None:
        """Offer the sides that make sense against the chosen opponent."""
        self.side.values = [*side_choices(self.book, self.kinds[0]), CHANCE]
        if self.side.chosen not in self.side.values:
            self.side.chosen = self.side.values[0]

    def body(self) -> ComposeResult:
        with Vertical():
            yield Static(self.book.summary, id="summary", markup=False)
            yield Form(*self._lines(), markup=False)
            yield Static(id="words", markup=False)

    def _lines(self) -> list[Option]:
        begin = Option("  Watch" if self.watching else "  Start", id="begin")
        narrow = self.app.size.width < NARROW
        return [begin, *(Option(choice.line(narrow), id=choice.name) for choice in self.choices)]

    def on_resize(self, event: events.Resize) -> None:
        """If the screen has few lines, show only the choices; if it is narrow, shorten the choices."""
        self.set_class(event.size.height < LOW, "-low")
        self._show_choices()

    def on_mount(self) -> None:
        """Highlight the first line, so that Enter begins the match at once."""
        form = self.query_one(Form)
        form.highlighted = 0
        form.focus()

    def _show_choices(self) -> None:
        """Show the choices, and clear the message about a rejected value."""
        form = self.query_one(Form)
        at = form.highlighted
        form.clear_options()
        form.add_options(self._lines())
        form.highlighted = at
        self.set_text("words", "")

    def action_change(self, by: int) -> None:
        at = self.query_one(Form).highlighted
        if at and self.choices[at - 1] is self.friend:
            self.action_name()
        elif at:
            self.choices[at - 1].change(by)
            self._update_sides()
            self._show_choices()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id == "begin":
            self.begin()
        else:
            self.action_change(1)

    def action_board(self) -> None:

        def named(text: str | None) -> None:
            if not text:
                return
            try:
                size = "{}x{}".format(*read_board(text))
                rules.variant(self.book, size)
            except GridLockError as error:
                self.set_text("words", str(error))
                return
            self.board.values = list(dict.fromkeys([size, *self.board.values]))
            self.board.chosen = size
            self._show_choices()

        self.app.push_screen(Prompt("Board size, such as 5x6?", self.board.chosen), named)

    def action_name(self) -> None:
        """Ask for the friend's name."""

        def named(text: str | None) -> None:
            if text:
                name = clean_name(text) or NAMELESS
                self.friend.values, self.friend.chosen = [name], name
                self._show_choices()

        known = "" if self.friend.chosen == NAMELESS else self.friend.chosen
        self.app.push_screen(Prompt("Your friend's name?", known), named)

    @property
    def _names(self) -> tuple[str, str]:
        """The players' names; on this page, the user can name only a friend, who is player 2."""
        given = "human" in self.kinds and self.friend.chosen != NAMELESS
        return ("", self.friend.chosen if given else "")

    def begin(self) -> None:
        """Begin the match."""
        if not self.accepts_keys:
            return
        touching = next(kind for kind, words in TOUCHING.items() if words == self.touching.chosen)
        try:
            variant = rules.variant(self.book, self.board.chosen, touching)
        except GridLockError as error:
            self.set_text("words", str(error))
            return
        if self.watching:
            kinds, starts = (self.kinds[0], self.kinds[1]), 1
        else:
            kinds, starts = seats(self.book, self.kinds[0], self.side.chosen)
            remember(self.kinds[0], self.book, self.board.chosen)
        match = Match(
            variant,
            rounds=int(self.rounds.chosen),
            starts=starts,
            swap=self.swap.chosen == "yes",
            names=with_name(self._names, kinds, self.state.preferences.name),
            kinds=kinds,
            seed=new_seed(),
            clock=None if self.clock.chosen == "no" else read_clock(self.clock.chosen),
        )
        self.leave_for(match_page(self.state, LiveMatch(match, Slot(new_name()))))


class GamesPage(Page):
    """A list of games to choose from."""

    DEFAULT_CSS = """
    GamesPage {
        & #title { height: 2; }
        & OptionList { border: none; text-wrap: nowrap; text-overflow: ellipsis; }
    }
    """

    NOTES = ("Use the arrow keys and Enter, the mouse, or a number from the list.",)

    def __init__(self, state: AppState, what: str, books: list[RuleBook], page: Callable[..., Page]) -> None:
        super().__init__(state, f"{what.capitalize()}: which game?")
        self.what, self.books, self.page = what, books, page

    def body(self) -> ComposeResult:
        done = diary.read().lessons if self.what == "lessons" else {}
        wide, lines = max(len(book.name) for book in self.books), []
        for number, book in enumerate(self.books, 1):
            count = f" ({len(done.get(book.name, []))} of {len(lessons(book))} done)" if self.what == "lessons" else ""
            lines.append(f" {number}  {book.name:<{wide}}{count}  {book.summary}")
        yield OptionList(*lines, markup=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self._open(event.option_index)

    def on_key(self, event: events.Key) -> None:
        if event.character and event.character.isdigit() and 1 <= int(event.character) <= len(self.books):
            event.stop()
            self._open(int(event.character) - 1)

    def _open(self, number: int) -> None:
        if self.accepts_keys:
            self.leave_for(self.page(self.state, self.books[number]))
