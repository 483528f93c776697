"""The pages about finished games: the review of one game and its mistakes, and statistics on all games."""

from dataclasses import replace
from datetime import date
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Static

from gridlock.core.game import SWAP, Game
from gridlock.drawing.text import printed_width
from gridlock.engine.review import Step
from gridlock.play.match_text import result
from gridlock.play.puzzle_sources import FromGame
from gridlock.play.results import Statistics, Tally, collect, other_lines, report, win_converted
from gridlock.play.review import Review, review_game
from gridlock.play.share import calendar, game_result
from gridlock.play.thinking.process import Failed
from gridlock.tui.bars import Words
from gridlock.tui.board import Board
from gridlock.tui.page import AppState, BoardPage, Page
from gridlock.tui.picture import Picture
from gridlock.tui.share import share
from gridlock.tui.training import PuzzlePage
from gridlock.userdata import diary
from gridlock.userdata.saves import entries

NAME = 12  # columns for a name beside the chart
BARS = {1: ("█", " "), 2: (" ", "█"), None: ("?", "?")}  # who was winning: above for player 1, below for player 2


class ReviewPage(BoardPage):
    """A page that shows a game's positions one after another, with comments."""

    DEFAULT_CSS = """
    ReviewPage {
        & #swing { height: 4; padding: 0 1; }
        &.-tiny #swing { display: none; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "go(-1)", "back", key_display="←"),
        Binding("right", "go(1)", "forward", key_display="→"),
        Binding("n,down", "mistake(1)", "next mistake"),
        Binding("z", "practise", "practise"),
        Binding("c", "share", "share"),
        Binding("b,up", "mistake(-1)", "previous mistake"),
        Binding("home", "go(-9999)", "start", show=False),
        Binding("end", "go(9999)", "end", show=False),
    ]
    NOTES = (
        'Bars show who was winning: player 1 (upper) or 2 (lower). "!" marks a mistake, and "^" marks this step.',
        'A mistake is shown in the position before it, with "-" on the move played and "+" on winning moves.',
        "z turns the mistakes into puzzles.",
    )

    def __init__(
        self,
        state: AppState,
        game: Game,
        seconds: float,
        kinds: tuple[str, str] = ("human", "human"),
        hints: int | None = None,
    ) -> None:
        """Set up the page; the shared result shows `kinds` (who played) and `hints` (how many were used)."""
        super().__init__(state, f"{game.variant.book.title}, {game.variant.grid}")
        self.game, self.seconds = game, seconds
        self.kinds, self.hints = kinds, hints
        self.review: Review | None = None
        self.at = 0  # the number of the current step

    def body(self) -> ComposeResult:
        with Vertical():
            yield Board(active=False)
            yield Static(id="swing", markup=False)
            yield Words()

    def on_mount(self) -> None:
        self.present("Reviewing every move ...", picture_at(self.game, None))
        self.run_worker(self._ask)

    async def _ask(self) -> None:
        try:
            self.review = await self.state.adviser.ask(review_game, self.game, self.seconds)
        except Failed as failure:
            self.present(f"The game could not be reviewed ({failure}).")
            return
        self.at = (self.review.mistakes or [len(self.review.steps)])[0]
        self.show(self.review)

    def on_resize(self, _event: events.Resize) -> None:
        if self.review:
            self.show(self.review)

    def check_action(self, action: str, _parameters: tuple[object, ...]) -> bool | None:
        return action not in ("share", "practise") or self.review is not None

    def action_practise(self) -> None:
        """Open the puzzles made from the mistakes in this game."""
        self.app.push_screen(PuzzlePage(self.state, FromGame(self.game, self.seconds)))

    def action_share(self) -> None:
        assert self.review is not None  # the key is disabled until the review is ready
        share(self, game_result(self.review, self.kinds, self.hints))

    def show(self, review: Review) -> None:
        """Show the current step."""
        step = review.steps[self.at - 1] if self.at else None
        words = [*review.step_words(self.at), f"{result(self.game)} {review.summary}"]
        self.set_text("swing", "\n".join(swing(review, self.at, self.size.width - 2)))
        self.present("\n".join(words), picture_at(self.game, step))

    def action_go(self, steps: int) -> None:
        if self.review:
            self.at = max(0, min(len(self.review.steps), self.at + steps))
            self.show(self.review)

    def action_mistake(self, way: int) -> None:
        if self.review:
            found = [number for number in self.review.mistakes if (number - self.at) * way > 0]
            if found:
                self.at = min(found) if way > 0 else max(found)
                self.show(self.review)


def picture_at(game: Game, step: Step | None) -> Picture:
    """Return a picture of the position after a step.

    If the step is a mistake, show the position before it, and mark the move played and the better moves.
    """
    if step is None:
        return Picture.of(game.at(0))
    if not step.mistake:
        return Picture.of(game.at(step.ply))
    before = game.at(step.ply - 1)
    before.resigned = None
    texts = {cell: ("+", "win") for cell in step.better if cell != SWAP}
    if step.move is not None and step.move != SWAP:
        texts[step.move] = ("-", "loss")
    return replace(Picture.of(before), texts=texts)


def swing(review: Review, at: int, columns: int) -> list[str]:
    """Return a chart of who was winning after each step, with mistakes marked above and the current step below."""
    winners = review.winners
    names = [_shortened(review.game.player_name(player)) for player in (1, 2)]
    wide = max(map(printed_width, names)) + 1
    room = max(8, columns - wide)
    begin = max(0, min(at - room // 2, len(winners) - room))
    shown = range(begin, min(len(winners), begin + room))
    mistakes = set(review.mistakes)
    rows = [
        "".join("!" if number in mistakes else " " for number in shown),
        "".join(BARS[winners[number]][0] for number in shown),
        "".join(BARS[winners[number]][1] for number in shown),
        "".join("^" if number == at else " " for number in shown),
    ]
    labels = [name + " " * (wide - printed_width(name)) for name in ["", *names, ""]]
    return [f"{label}{row}" for label, row in zip(labels, rows, strict=True)]


def _shortened(name: str) -> str:
    """Return as much of a name as the chart has room for."""
    while printed_width(name) > NAME:
        name = name[:-1]
    return name


SECONDS = 0.2  # time per move when games are reviewed


class StatisticsPage(Page):
    """The results of all finished games, and the calendar of daily puzzles."""

    DEFAULT_CSS = "StatisticsPage { & VerticalScroll { padding: 0; } & #tables { width: 1fr; height: auto; } }"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("k", "conversions", "count converted wins")]

    def __init__(self, state: AppState) -> None:
        super().__init__(state, "Your results")
        self.found: Statistics = collect(entries())
        self.conversions: Tally | None = None

    def body(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(self._text(), id="tables", markup=False)

    def _text(self, more: str = "") -> str:
        pages = diary.read()
        days = calendar(pages, date.today())
        tables = [*report(self.found, self.conversions), *other_lines(self.found, pages)]
        return "\n".join([*tables, *([""] if days else []), *days, more])

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
