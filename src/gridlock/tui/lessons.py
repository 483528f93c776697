"""The page of lessons: each one is a position to play."""

from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from gridlock.core.game import Game
from gridlock.core.grid import Cell
from gridlock.core.rulebook import RuleBook
from gridlock.play.lessons import TASKS, Lesson, attempt, attempt_at_once, first_open, lessons, remember
from gridlock.play.thinking.process import Failed
from gridlock.tui.board import Board
from gridlock.tui.page import BoardPage
from gridlock.tui.picture import Picture
from gridlock.tui.state import AppState


class LessonPage(BoardPage):
    """The lessons of a game, starting with the first unfinished one."""

    DEFAULT_CSS = """
    LessonPage {
        & #text { height: auto; max-height: 40%; padding: 0 1; }
        & #words { min-height: 2; max-height: 6; color: $second; }
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
        super().__init__(state, book.title)
        self.course = lessons(book)
        self.number = first_open(self.course).number
        self.game = self.lesson.game()
        self.over = False
        self.thinking = False

    @property
    def lesson(self) -> Lesson:
        """The current lesson."""
        return self.course[self.number - 1]

    def body(self) -> ComposeResult:
        """Yield the lesson's text, the board, and a line for what is said about moves."""
        with Vertical():
            yield Static(id="text", markup=False)
            yield Board()
            yield Static(id="words", markup=False)

    def on_mount(self) -> None:
        """Start the lesson."""
        self.action_again()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether a key works now."""
        if action == "go":
            return 1 <= self.number + int(str(parameters[0])) <= len(self.course)
        return action != "solution" or not self.over

    def action_go(self, change: int) -> None:
        """Go to the next lesson, or to the one before."""
        self.number = max(1, min(len(self.course), self.number + change))
        self.action_again()

    def action_again(self) -> None:
        """Start the lesson again."""
        lesson = self.lesson
        self.game = lesson.game()
        self.over = self.thinking = False
        self.set_text("title", f"Lesson {lesson.number} of {len(self.course)}: {lesson.title}")
        self.set_text("text", f"{lesson.text}\n{TASKS[lesson.task]}")
        self._show(f"You are {self.game.mark_of(self.game.turn)}.")

    def _show(self, words: str) -> None:
        self.present(words, Picture.of(self.game))

    def on_board_chosen(self, event: Board.Chosen) -> None:
        """Try the chosen cell."""
        if not self.over and not self.thinking and self.allows(self.game, event.cell):
            self.thinking = True
            self.run_worker(partial(self._try, self.game, event.cell), exclusive=True)

    async def _try(self, game: Game, cell: Cell) -> None:
        """Judge a move; if it is right, make it and show the opponent's reply."""
        judged, words = attempt_at_once(self.lesson, game, cell), ""
        if judged is None:
            self._show("Thinking ...")
            try:
                judged = await self.state.adviser.ask(attempt, self.lesson, game.copy(), cell)
            except Failed as failure:
                words = f"The computer failed ({failure})."
        if game is not self.game:  # another lesson has started meanwhile
            return
        self.thinking = False
        if judged is not None:
            words = judged.words
            for move in judged.moves:
                game.push(move)
            if judged.done:
                self.over = True
                remember(self.lesson)
                words += "  (n: the next lesson)" if self.number < len(self.course) else "  That was the last lesson."
        self._show(words)

    def action_solution(self) -> None:
        """Show the answer; the lesson then does not count as done."""
        self.over = True
        texts = dict.fromkeys(self.lesson.cells, ("*", "hint"))
        self.present(self.lesson.solution, replace(Picture.of(self.lesson.game()), texts=texts))
