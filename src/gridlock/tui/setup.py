"""A few choices before a game: against whom, on which board, which side, how many rounds."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from gridlock.core import rules
from gridlock.core.errors import GridLockError
from gridlock.core.match import Match, new_seed
from gridlock.core.notation import read_board
from gridlock.core.rulebook import RuleBook
from gridlock.play.match import LiveMatch
from gridlock.play.setup import CHANCE, FRIEND, seats, side_choices, with_name
from gridlock.players import agents
from gridlock.tui.page import Entry, Page
from gridlock.tui.play import PlayPage
from gridlock.tui.state import AppState
from gridlock.tui.watch import WatchPage
from gridlock.userdata.saves import Slot, new_name
from gridlock.userdata.settings import remember

USUAL_BOARDS = ("3x3", "4x4", "5x5", "6x6", "7x7", "8x8", "9x9", "11x11", "15x15", "19x19")
ROUNDS = ("1", "2", "3", "5", "7", "9")
LABEL = 14  # columns for the name of a choice


@dataclass
class Choice:
    """One thing to choose, and what is chosen now."""

    name: str
    values: list[str]
    chosen: str

    def change(self, by: int) -> None:
        """The next value, or the one before."""
        self.chosen = self.values[(self.values.index(self.chosen) + by) % len(self.values)]

    @property
    def text(self) -> str:
        """As it stands in the list, with a sentence about an agent."""
        about = agents.entry(self.chosen).summary if self.chosen in agents else ""
        return f"  {self.name:<{LABEL}} < {self.chosen} >  {about}".rstrip()


class Form(OptionList):
    """A list whose lines can be changed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "screen.change(-1)", "change", key_display="← →"),
        Binding("right", "screen.change(1)", "change", show=False),
    ]


class SetupPage(Page):
    """A form: up and down to a choice, left and right to change it, Enter on the first line to begin."""

    DEFAULT_CSS = """
    SetupPage {
        & #title { padding: 1 2 0 2; text-style: bold; height: auto; }
        & #summary { padding: 0 2 1 2; height: auto; }
        & OptionList { height: 1fr; border: none; padding: 0 1; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "board", "type a board"),
    ]
    NOTES = ("Up and down go to a choice, left and right change it; Enter on the first line begins.",)

    def __init__(self, state: AppState, book: RuleBook, watching: bool = False) -> None:
        super().__init__(state)
        self.book, self.watching = book, watching
        levels = list(agents)
        level = state.preferences.level_among([*levels, "human"])
        level = FRIEND if level == "human" else level
        board = state.preferences.board_of(book)
        boards = list(dict.fromkeys([board, "{}x{}".format(*book.board), *USUAL_BOARDS]))
        if watching:
            self.players = [
                Choice(f"player {mark}", levels, chosen)
                for mark, chosen in zip(book.marks, ("perfect", "hard"), strict=True)
            ]
        else:
            self.players = [Choice("against", [*levels, FRIEND], level)]
        self.board = Choice("board", boards, board)
        self.side = Choice("sides", [], "")
        self.rounds = Choice("rounds", list(ROUNDS), "1")
        self.swap = Choice("swap rule", ["no", "yes"], "no")
        self._offer_sides()

    @property
    def choices(self) -> list[Choice]:
        """All of them, in order."""
        sides: list[Choice] = [] if self.watching else [self.side]
        return [*self.players, self.board, *sides, self.rounds, self.swap]

    def _offer_sides(self) -> None:
        kind = "human" if self.players[0].chosen == FRIEND else self.players[0].chosen
        self.side.values = [*side_choices(self.book, kind), CHANCE]
        if self.side.chosen not in self.side.values:
            self.side.chosen = self.side.values[0]

    def compose(self) -> ComposeResult:
        """The game, and the form."""
        yield Static(self.book.title, id="title", markup=False)
        with Vertical():
            yield Static(self.book.summary, id="summary", markup=False)
            yield Form(*self._options(), markup=False)
        yield Footer(show_command_palette=False, compact=True)

    def _options(self) -> list[Option]:
        begin = "  Watch" if self.watching else "  Begin"
        return [Option(begin, id="begin"), *(Option(choice.text, id=choice.name) for choice in self.choices)]

    def on_mount(self) -> None:
        """Enter begins at once."""
        form = self.query_one(Form)
        form.highlighted = 0
        form.focus()

    def _again(self) -> None:
        form = self.query_one(Form)
        for choice in self.choices:
            form.replace_option_prompt(choice.name, choice.text)

    def action_change(self, by: int) -> None:
        """Change the choice that is highlighted."""
        at = self.query_one(Form).highlighted
        if at:
            self.choices[at - 1].change(by)
            self._offer_sides()
            self._again()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Begin, or change what was clicked."""
        if event.option_id == "begin":
            self.begin()
        else:
            self.action_change(1)

    def action_board(self) -> None:
        """Type the size of a board."""

        def named(text: str | None) -> None:
            if not text:
                return
            try:
                size = "{}x{}".format(*read_board(text))
                rules.variant(self.book, size)
            except GridLockError as error:
                self.notify(str(error), severity="error")
                return
            self.board.values = list(dict.fromkeys([size, *self.board.values]))
            self.board.chosen = size
            self._again()

        self.app.push_screen(Entry("Which board, such as 5x6?", self.board.chosen), named)

    def begin(self) -> None:
        """Play, or watch."""
        if not self.heeds_keys:
            return
        variant = rules.variant(self.book, self.board.chosen)
        kinds, starts = self._kinds()
        match = Match(
            variant,
            rounds=int(self.rounds.chosen),
            starts=starts,
            swap=self.swap.chosen == "yes",
            names=with_name(("", ""), kinds, self.state.preferences.name),
            kinds=kinds,
            seed=new_seed(),
        )
        against = next((kind for kind in kinds if kind != "human"), "human")
        if not self.watching:
            remember(against, self.book, self.board.chosen)
        make: Callable[[AppState, LiveMatch], Screen[None]] = WatchPage if self.watching else PlayPage
        self.leave_for(make(self.state, LiveMatch(match, Slot(new_name()))))

    def _kinds(self) -> tuple[tuple[str, str], int]:
        """Who decides for each player, and who starts."""
        if self.watching:
            return (self.players[0].chosen, self.players[1].chosen), 1
        kind = "human" if self.players[0].chosen == FRIEND else self.players[0].chosen
        return seats(self.book, kind, self.side.chosen)
