"""A game looked at again: the swing drawn, and from mistake to mistake with the better move on the board."""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Footer, Static

from gridlock.core.game import SWAP, Game
from gridlock.engine.review import Step
from gridlock.play.match_text import result
from gridlock.play.review import Review, look_again
from gridlock.play.thinking.process import Failed
from gridlock.tui.board import Board
from gridlock.tui.page import Page
from gridlock.tui.picture import Picture
from gridlock.tui.state import AppState

BARS = {1: ("█", " "), 2: (" ", "█"), None: ("?", "?")}  # who was winning: above for player 1, below for player 2


class ReviewPage(Page):
    """The positions of a game one after another, with what there is to say about each."""

    DEFAULT_CSS = """
    ReviewPage {
        & #title { height: 1; padding: 0 1; text-style: bold; }
        & #swing { height: auto; padding: 0 1; }
        & #words { height: auto; min-height: 3; max-height: 7; padding: 0 1; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "go(-1)", "before", key_display="←"),
        Binding("right", "go(1)", "after", key_display="→"),
        Binding("n,down", "mistake(1)", "next mistake"),
        Binding("b,up", "mistake(-1)", "mistake before"),
        Binding("home", "go(-9999)", "start", show=False),
        Binding("end", "go(9999)", "end", show=False),
    ]
    NOTES = (
        "In the swing a bar above means that player 1 was winning, below player 2; ! is a mistake, ^ where you are.",
        "At a mistake the board is as it stood: - is what was played, + what would have held.",
    )

    def __init__(self, state: AppState, game: Game, seconds: float) -> None:
        super().__init__(state)
        self.game, self.seconds = game, seconds
        self.review: Review | None = None
        self.at = 0  # how many steps have been made

    def compose(self) -> ComposeResult:
        """The board, the swing under it, and words."""
        yield Static(f"{self.game.variant.book.title}, {self.game.variant.grid}", id="title", markup=False)
        with Horizontal(), Vertical():
            yield Board(Picture.of(self.game.at(0)), active=False, id="board")
            yield Static(id="swing", markup=False)
            yield Static("Looking at every move ...", id="words", markup=False)
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        """Ask."""
        self.run_worker(self._look)

    async def _look(self) -> None:
        try:
            self.review = await self.state.adviser.ask(look_again, self.game, self.seconds)
        except Failed as failure:
            self.query_one("#words", Static).update(f"The game could not be reviewed ({failure}).")
            return
        self.at = (self.review.mistakes or [len(self.review.steps)])[0]
        self.show(self.review)

    def on_resize(self, _event: events.Resize) -> None:
        """The swing has another width."""
        if self.review:
            self.show(self.review)

    def show(self, review: Review) -> None:
        """The position after so many steps; at a mistake, the one before it."""
        step = review.steps[self.at - 1] if self.at else None
        words = [*review.step_words(self.at), f"{result(self.game)} {review.summary}"]
        self.query_one("#board", Board).show(picture_at(self.game, step))
        self.query_one("#swing", Static).update("\n".join(swing(review, self.at, self.size.width - 2)))
        self.query_one("#words", Static).update("\n".join(words))

    def action_go(self, steps: int) -> None:
        """Some steps on, or back."""
        if self.review:
            self.at = max(0, min(len(self.review.steps), self.at + steps))
            self.show(self.review)

    def action_mistake(self, way: int) -> None:
        """The next mistake, or the one before."""
        if self.review:
            found = [number for number in self.review.mistakes if (number - self.at) * way > 0]
            if found:
                self.at = min(found) if way > 0 else max(found)
                self.show(self.review)


def picture_at(game: Game, step: Step | None) -> Picture:
    """The position after a step; at a mistake the one before it, with what was played and what would have held."""
    if step is None:
        return Picture.of(game.at(0))
    if not step.mistake:
        return Picture.of(game.at(step.ply))
    before = game.at(step.ply - 1)
    before.resigned = None
    texts = {cell: ("+", "win") for cell in step.better if cell != SWAP}
    if step.move is not None and step.move != SWAP:
        texts[step.move] = ("-", "loss")
    shown = Picture.of(before)
    return Picture(shown.variant, shown.position, shown.legal, shown.last, texts=texts)


def swing(review: Review, at: int, columns: int) -> list[str]:
    """Who was winning after every step, in as many columns as there are: mistakes above, the place below."""
    winners = review.winners
    names = [review.game.player_name(player)[:12] for player in (1, 2)]
    wide = max(map(len, names)) + 1
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
    return [f"{name:<{wide}}{row}" for name, row in zip(["", *names, ""], rows, strict=True)]
