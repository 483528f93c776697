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
from gridlock.core.movetext import read_stored
from gridlock.core.rulebook import RuleBook
from gridlock.play.lessons import TASKS, Lesson, lessons
from gridlock.play.thinking import questions
from gridlock.play.thinking.process import Failed
from gridlock.tui.board import Board
from gridlock.tui.page import Page
from gridlock.tui.picture import Picture
from gridlock.tui.puzzles import refusal
from gridlock.tui.state import Desk
from gridlock.userdata import diary

THINKING = 1.0  # seconds for the opponent, and for saying whether a move keeps the win


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

    def __init__(self, desk: Desk, book: RuleBook) -> None:
        super().__init__(desk)
        self.course = lessons(book)
        done = diary.read().lessons.get(book.name, [])
        left = [lesson.number for lesson in self.course if lesson.number not in done]
        self.number = (left or [1])[0]
        self.game = self.lesson.game()
        self.pupil = self.game.turn
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
        self.pupil, self.over, self.thinking = self.game.turn, False, False
        lesson = self.lesson
        self.query_one("#title", Static).update(f"Lesson {lesson.number} of {len(self.course)}: {lesson.title}")
        self.query_one("#text", Static).update(f"{lesson.text}\n{TASKS[lesson.task]}")
        mark = self.game.variant.book.marks[self.game.position.turn - 1]
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
            self._show(refused[0], replace(Picture.of(self.game), causes=refused[1]))
            return
        self.thinking = True
        self.run_worker(partial(self._try, self.game, event.cell), exclusive=True)

    async def _try(self, game: Game, cell: Cell) -> None:
        """Take a move if it is right, and let the opponent answer where the lesson goes on."""
        try:
            if len(game.moves) == len(self.lesson.game().moves):
                right = self.lesson.solves(cell)
            else:
                right = await self.desk.adviser.ask(questions.keeps_winning, game.copy(), cell, THINKING)
            if game is not self.game:  # another lesson has begun meanwhile
                return
            if not right:
                self._show(f"{game.variant.name(cell)} does not win. Try another cell, or s to be shown.")
                return
            game.push(cell)
            if self.lesson.task != "finish" or game.outcome:
                self._finish()
                return
            self._show("Right. The opponent answers ...")
            while not game.outcome and game.turn != self.pupil:
                move = await self.desk.adviser.ask(
                    questions.choose, game.copy(), "perfect", str(len(game.moves)), THINKING
                )
                if game is not self.game:
                    return
                game.push(move)
                self._show(f"The opponent plays {game.variant.name(move)}. Go on.")
            if game.outcome:
                self._finish()
        except Failed as failure:
            self._show(f"The computer failed ({failure}).")
        finally:
            self.thinking = False

    def _finish(self) -> None:
        """The lesson is done."""
        self.over = True
        book, number = self.lesson.book.name, self.number
        diary.write(lambda pages: pages.learned(book, number))
        following = "  (n: the next lesson)" if number < len(self.course) else "  That was the last lesson."
        self._show(f"Right! {self.lesson.after}{following}")

    def action_solution(self) -> None:
        """Show the answer; the lesson is then not done."""
        self.over = True
        variant = self.game.variant
        answers = [read_stored(variant, answer) for answer in self.lesson.answers]
        texts = {cell: ("*", "hint") for cell in answers if cell is not None}
        start = replace(Picture.of(self.lesson.game()), texts=texts)
        self._show(f"The answer: {' or '.join(self.lesson.answers)}. {self.lesson.after}", start)
