"""The pages of lessons and puzzles: positions to play."""

from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from gridlock.core.game import Game
from gridlock.core.grid import Cell
from gridlock.core.rulebook import RuleBook
from gridlock.engine.analysis import partners
from gridlock.engine.evidence import Method
from gridlock.play.advice import values_of
from gridlock.play.lessons import TASKS, Lesson, attempt, attempt_at_once, first_open, lessons, remember
from gridlock.play.puzzle_sources import Daily, Source
from gridlock.play.puzzles import Puzzle, refutation
from gridlock.play.thinking.process import Failed
from gridlock.tui.board import Board
from gridlock.tui.page import AppState, BoardPage
from gridlock.tui.picture import Picture
from gridlock.tui.share import share


class LessonPage(BoardPage):
    """The lessons of a game, starting with the first unfinished one."""

    DEFAULT_CSS = """
    LessonPage {
        & #text { height: auto; max-height: 40%; padding: 0 1; }
        & #words { color: $second; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "solution", "show me"),
        Binding("n", "go(1)", "next lesson"),
        Binding("b", "go(-1)", "previous lesson"),
        Binding("a", "again", "again"),
    ]
    NOTES = ("Choose a cell with the arrows or the mouse, and take it with Enter or a click.",)

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
        yield Static(id="text", markup=False)
        yield from super().body()

    def on_mount(self) -> None:
        self.action_again()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "go":
            return 1 <= self.number + int(str(parameters[0])) <= len(self.course)
        return action != "solution" or not self.over

    def action_go(self, change: int) -> None:
        self.number = max(1, min(len(self.course), self.number + change))
        self.action_again()

    def action_again(self) -> None:
        lesson = self.lesson
        self.game = lesson.game()
        self.over = self.thinking = False
        self.set_text("title", f"Lesson {lesson.number} of {len(self.course)}: {lesson.title}")
        self.set_text("text", f"{lesson.text}\n{TASKS[lesson.task]}")
        self._show(f"You are {self.game.mark_of(self.game.turn)}.")

    def _show(self, words: str) -> None:
        self.present(words, Picture.of(self.game))

    def on_board_chosen(self, event: Board.Chosen) -> None:
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
                words += "  (n: next lesson)" if self.number < len(self.course) else "  That was the last lesson."
        self._show(words)

    def action_solution(self) -> None:
        """Show the answer; the lesson then does not count as done."""
        self.over = True
        texts = dict.fromkeys(self.lesson.cells, ("*", "hint"))
        self.present(self.lesson.solution, replace(Picture.of(self.lesson.game()), texts=texts))


class PuzzlePage(BoardPage):
    """One puzzle after another; the first answer to each counts."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "solution", "solution"),
        Binding("n", "next", "next"),
        Binding("x", "harder", "harder or easier"),
        Binding("c", "share", "share"),
    ]
    NOTES = ("Choose a cell with the arrows or the mouse, and answer with Enter or a click. Only one move wins.",)

    def __init__(self, state: AppState, source: Source) -> None:
        super().__init__(state, source.title)
        self.source = source
        self.puzzle: Puzzle | None = None
        self.answered = False

    def on_mount(self) -> None:
        self.action_next()

    def check_action(self, action: str, _parameters: tuple[object, ...]) -> bool | None:
        works = {
            "solution": self.puzzle is not None and not self.answered,
            "next": self.answered and self.source.more,
            "harder": self.source.harder is not None,
            "share": self.answered and isinstance(self.source, Daily) and self.source.counts,
        }
        return works.get(action, True)

    def action_next(self) -> None:
        self.puzzle, self.answered = None, False
        self.present("Making a puzzle ...")
        self.run_worker(self._make, exclusive=True)

    def action_harder(self) -> None:
        self.source.harder = not self.source.harder
        self.set_text("title", self.source.title)
        self.action_next()

    async def _make(self) -> None:
        try:
            self.puzzle = await self.source.make(self.state.adviser.ask)
        except Failed as failure:
            self.present(f"No puzzle could be made ({failure}).")
            return
        if self.puzzle is None:
            self.present(self.source.none)
            return
        game = self.puzzle.game
        book = game.variant.book
        self.present(f"{book.title}: {book.summary}\n{self.puzzle.question}", Picture.of(game))

    def on_board_chosen(self, event: Board.Chosen) -> None:
        if self.puzzle is not None and not self.answered and self.allows(self.puzzle.game, event.cell):
            self._answer(self.puzzle, event.cell)

    def action_share(self) -> None:
        assert isinstance(self.source, Daily)  # otherwise the key does not work
        share(self, self.source.shared())

    def action_solution(self) -> None:
        assert self.puzzle is not None  # the key does not work before
        self._answer(self.puzzle, None)

    def _answer(self, puzzle: Puzzle, cell: Cell | None) -> None:
        """Show whether an answer is right, and all moves' values; look up the refutation of a wrong answer."""
        self.answered = True
        score = self.source.answered(cell == puzzle.answer)
        self._explain(puzzle, puzzle.verdict(cell), score)
        if cell is not None and cell != puzzle.answer:
            self.run_worker(partial(self._refute, puzzle, cell, score), exclusive=True)

    def _explain(self, puzzle: Puzzle, words: str, score: str) -> None:
        analysis = puzzle.analysis
        pairs, mirror = partners(analysis), analysis.method is Method.MIRROR
        how = "  (= answers the cell under the cursor)" if mirror and pairs else ""
        picture = replace(Picture.of(puzzle.game), texts=values_of(analysis), pairs=pairs, drawn=not mirror)
        self.present(f"{words}{how}\n{score}", picture)

    async def _refute(self, puzzle: Puzzle, cell: Cell, score: str) -> None:
        """Add the move that refutes a wrong answer."""
        try:
            refuting = await self.state.adviser.ask(refutation, puzzle.game, cell)
        except Failed:
            return  # the answer is still wrong
        if refuting is not None and self.puzzle is puzzle:
            self._explain(puzzle, puzzle.verdict(cell, refuting), score)
