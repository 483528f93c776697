"""Lessons on the full screen: each a position to play, at one's own pace."""

from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Footer, Static

from gridlock.core.game import Game
from gridlock.core.grid import Cell
from gridlock.core.rulebook import RuleBook
from gridlock.play.lessons import TASKS, Lesson, attempt, attempt_at_once, first_open, lessons, remember
from gridlock.play.refusal import refusal
from gridlock.play.thinking.process import Failed
from gridlock.tui.board import Board
from gridlock.tui.page import Page
from gridlock.tui.picture import Picture
from gridlock.tui.state import AppState


class LessonPage(Page):
    """The lessons of a game, beginning with the first that is not done."""

    DEFAULT_CSS = """
    LessonPage {
        & #title { height: 1; padding: 0 1; text-style: bold; }
        & #text { height: auto; max-height: 40%; padding: 0 1; }
        & #words { height: auto; min-height: 2; max-height: 6; padding: 0 1; color: $second; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "solution", "show me"),
        Binding("n", "go(1)", "next lesson"),
        Binding("b", "go(-1)", "lesson before"),
        Binding("a", "again", "again"),
    ]
    NOTES = ("Arrows or the mouse choose a cell, Enter or a click takes it.",)

    def __init__(self, state: AppState, book: RuleBook) -> None:
        super().__init__(state)
        self.course = lessons(book)
        self.number = first_open(self.course).number
        self.game = self.lesson.game()
        self.over = False
        self.thinking = False

    @property
    def lesson(self) -> Lesson:
        """The one that is taught now."""
        return self.course[self.number - 1]

    def compose(self) -> ComposeResult:
        """The text, the board, and what is said about moves."""
        yield Static(id="title", markup=False)
        with Vertical():
            yield Static(id="text", markup=False)
            yield Board(Picture.of(self.game), id="board")
            yield Static(id="words", markup=False)
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        """Begin."""
        self.query_one("#board", Board).focus()
        self.action_again()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key works now."""
        if action == "go":
            return 1 <= self.number + int(str(parameters[0])) <= len(self.course)
        return not self.over if action == "solution" else super().check_action(action, parameters)

    def action_go(self, lessons_on: int) -> None:
        """Another lesson."""
        self.number = max(1, min(len(self.course), self.number + lessons_on))
        self.action_again()

    def action_again(self) -> None:
        """The lesson from its beginning."""
        self.game = self.lesson.game()
        self.over = self.thinking = False
        lesson = self.lesson
        self.query_one("#title", Static).update(f"Lesson {lesson.number} of {len(self.course)}: {lesson.title}")
        self.query_one("#text", Static).update(f"{lesson.text}\n{TASKS[lesson.task]}")
        mark = self.game.mark_of(self.game.turn)
        self._show(f"You are {mark}.")

    def _show(self, words: str, picture: Picture | None = None) -> None:
        self.query_one("#board", Board).show(picture or Picture.of(self.game))
        self.query_one("#words", Static).update(words)
        self.refresh_bindings()

    def on_board_chosen(self, event: Board.Chosen) -> None:
        """A move of the pupil's."""
        if self.over or self.thinking:
            return
        refused = refusal(self.game, event.cell)
        if refused is not None:
            self._show(refused.words, replace(Picture.of(self.game), causes=refused.causes))
            return
        self.thinking = True
        self.run_worker(partial(self._try, self.game, event.cell), exclusive=True)

    async def _try(self, game: Game, cell: Cell) -> None:
        """Judge a move; if it is right, make it and show the opponent's reply."""
        judged, failed = attempt_at_once(self.lesson, game, cell), ""
        if judged is None:
            self._show("Thinking ...")
            try:
                judged = await self.state.adviser.ask(attempt, self.lesson, game.copy(), cell)
            except Failed as failure:
                failed = f"The computer failed ({failure})."
        if game is not self.game:  # another lesson has begun meanwhile
            return
        self.thinking = False
        if judged is None:
            self._show(failed)
            return
        for move in judged.moves:
            game.push(move)
        words = judged.words
        if judged.done:
            self.over = True
            remember(self.lesson)
            words += "  (n: the next lesson)" if self.number < len(self.course) else "  That was the last lesson."
        self._show(words)

    def action_solution(self) -> None:
        """Show the answer; the lesson is then not done."""
        self.over = True
        texts = dict.fromkeys(self.lesson.cells, ("*", "hint"))
        self._show(self.lesson.solution, replace(Picture.of(self.lesson.game()), texts=texts))
