"""The lesson and puzzle pages, which show positions for the user to solve."""

from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.geometry import Size
from textual.widgets import Static

from gridlock.core.game import Game
from gridlock.core.grid import Cell
from gridlock.core.rulebook import RuleBook
from gridlock.engine.analysis import Analysis, partners, reason
from gridlock.play.advice import values_of
from gridlock.play.lessons import TASKS, Lesson, attempt, attempt_at_once, first_open, lessons, remember
from gridlock.play.puzzle_sources import Daily, Series, Source
from gridlock.play.puzzles import HARDEST, JUDGING, MISTAKES, Kind, Puzzle, Solving, Trial, explanation
from gridlock.play.region_puzzles import give_up, judge
from gridlock.play.thinking import questions
from gridlock.play.thinking.process import Failed
from gridlock.tui.bars import cut
from gridlock.tui.board import Board
from gridlock.tui.page import AppState, BoardPage
from gridlock.tui.picture import Picture
from gridlock.tui.share import share

SHARE = 0.4  # the largest share of the screen's lines for a lesson's task


class LessonPage(BoardPage):
    """The lessons of a game, starting with the first unfinished one."""

    DEFAULT_CSS = """
    LessonPage {
        & #text { height: auto; padding: 0 1; }
        & #words { color: $second; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "solution", "show me"),
        Binding("n", "go(1)", "next lesson"),
        Binding("b", "go(-1)", "previous lesson"),
        Binding("a", "again", "again"),
    ]
    NOTES = ("Choose a cell with the arrow keys or the mouse, and take it with Enter or a click.",)

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
        self._show_task(self.app.size)
        self._show(f"You are {self.game.mark_of(self.game.turn)}.")

    def on_resize(self, event: Resize) -> None:
        self._show_task(event.size)

    @property
    def whole_task(self) -> str:
        """What the lesson says and asks."""
        return f"{self.lesson.text}\n{TASKS[self.lesson.task]}"

    def _show_task(self, size: Size) -> None:
        """Show as much of the task as fits above the board; `d` shows all of it."""
        self.set_text("text", cut(self.whole_task, size.width - 2, int(size.height * SHARE)))

    @property
    def details(self) -> list[str]:
        return [self.whole_task, "", *super().details]

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
                words = f"The engine failed ({failure})."
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
        """Show the answer, without counting the lesson as done."""
        self.over = True
        texts = dict.fromkeys(self.lesson.cells, ("*", "hint"))
        self.present(self.lesson.solution, replace(Picture.of(self.lesson.game()), texts=texts))


class PuzzlePage(BoardPage):
    """A page of puzzles; after too many mistakes, a puzzle can still be finished, but does not count as solved."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "again", "try again"),
        Binding("s", "solution", "solution"),
        Binding("n", "next", "next"),
        Binding("x", "harder", "difficulty"),
        Binding("t", "kind", "kind"),
        Binding("c", "share", "share"),
    ]
    NOTES = (
        "Choose a cell with the arrow keys or the mouse, and play it with Enter or a click. Find a winning move at "
        "every step; the opponent holds out as long as possible.",
        f"After a wrong move, you see why it loses and can try again. After more than {MISTAKES} wrong moves, the "
        "puzzle does not count as solved.",
        "t changes the kind of puzzle: win, find the hottest region, or win although the hottest region is a trap. "
        "Regions do not affect each other. The hottest region is the one in which moving first gains the most.",
    )

    def __init__(self, state: AppState, source: Source) -> None:
        super().__init__(state, source.title)
        self.source = source
        self.solving: Solving | None = None
        self.score: str | None = None  # the result in words, once the puzzle is solved or missed
        self.refuted = False  # whether the board shows why a move was wrong
        self.thinking = False

    def on_mount(self) -> None:
        self.action_next()

    def check_action(self, action: str, _parameters: tuple[object, ...]) -> bool | None:
        over = self.solving is not None and self.solving.over
        works = {
            "again": self.refuted,
            "solution": self.solving is not None,
            "next": over and self.source.more,
            "harder": self.source.difficulty is not None,
            "kind": isinstance(self.source, Series) and len(self.source.kinds) > 1,
            "share": self.score is not None and isinstance(self.source, Daily) and self.source.counts,
        }
        return works.get(action, True)

    def action_next(self) -> None:
        self.solving, self.score, self.refuted, self.thinking = None, None, False, False
        self.present("Making a puzzle ...")
        self.run_worker(self._make, exclusive=True)

    def _update_title(self) -> None:
        """Show the source's title, which changes with the kind of puzzle, the difficulty and the results."""
        self.heading = self.source.title
        self.set_text("title", self.heading)

    def action_harder(self) -> None:
        assert isinstance(self.source, Series)  # otherwise the key does not work
        self.source.difficulty = (self.source.difficulty or 0) % HARDEST + 1
        self._update_title()
        self.action_next()

    def action_kind(self) -> None:
        """Continue with puzzles of the next kind."""
        assert isinstance(self.source, Series)  # otherwise the key does not work
        kinds = self.source.kinds
        self.source.choose(kinds[(kinds.index(self.source.kind) + 1) % len(kinds)])
        self._update_title()
        self.action_next()

    async def _make(self) -> None:
        try:
            puzzle = await self.source.make(self.state.adviser.ask)
        except Failed as failure:
            self.present(f"No puzzle could be made ({failure}).")
            return
        if puzzle is None:
            self.present(self.source.none)
            return
        self.solving = Solving(puzzle)
        title = puzzle.game.variant.book.title
        self.present(f"{title}: {puzzle.rule} {puzzle.grade}.\n{puzzle.question}", Picture.of(puzzle.game))

    def on_board_chosen(self, event: Board.Chosen) -> None:
        solving = self.solving
        if solving is None or solving.over or self.thinking:
            return
        if self.refuted:
            self.action_again()
        elif self.allows(solving.game, event.cell):
            self._judge(solving, event.cell)

    def action_again(self) -> None:
        """Go back from a refutation to the board before the wrong move."""
        assert self.solving is not None  # otherwise the key does not work
        self.refuted = False
        self.present(f"Try again. You are {self.solving.game.mark_of(self.solving.game.turn)}.", self._picture())

    def action_share(self) -> None:
        assert isinstance(self.source, Daily)  # otherwise the key does not work
        share(self, self.source.shared())

    def action_solution(self) -> None:
        """Give up and show the solution; if the puzzle is over, explain the first move instead."""
        if self.solving is None or self.thinking:
            return
        if self.solving.over:
            self.thinking = True
            self.run_worker(partial(self._explain, self.solving.puzzle), exclusive=True)
        else:
            self.refuted = False
            self._judge(self.solving, None)

    def _picture(self) -> Picture:
        assert self.solving is not None  # callers check this first
        return Picture.of(self.solving.game)

    def _judge(self, solving: Solving, cell: Cell | None) -> None:
        self.thinking = True
        self.run_worker(partial(self._try, solving, cell), exclusive=True)

    async def _try(self, solving: Solving, cell: Cell | None) -> None:
        """Judge a move or show the solution, on the board and in words."""
        game, ask, kind = solving.game.copy(), self.state.adviser.ask, solving.puzzle.kind
        try:
            judged: Trial | None = await (ask(give_up, game, kind) if cell is None else ask(judge, game, cell, kind))
        except Failed as failure:
            judged, words = None, f"The engine failed ({failure})."
        if solving is not self.solving:  # another puzzle has been opened meanwhile
            return
        self.thinking = False
        if judged is None:
            self.present(words)
            return
        solving.note(cell, judged)
        self.refuted = not judged.right and not judged.done
        shown = solving.game.copy()
        for move in judged._replace(reply=None).moves(cell if self.refuted else None):
            shown.push(move)
        line = judged.refutation or judged.line
        words = judged.words + (f" ({' '.join(map(shown.variant.name, line))})" if len(line) > 1 else "")
        if solving.solved is not None and self.score is None:
            self.score = self.source.finished(solving)
            words += "" if solving.over else f" That was mistake {MISTAKES + 1}, so the puzzle won't count as solved."
            self._update_title()
        regions = solving.over and kind is not Kind.WIN
        hint = "  (a: try again)" if self.refuted else "  (s: see the regions)" if regions else ""
        self.present(f"{words}{hint}\n{self.score or ''}".rstrip(), Picture.of(shown))

    async def _explain(self, puzzle: Puzzle) -> None:
        """Show the value of every first move, and why the best move wins.

        In a puzzle about regions, show the regions instead of the moves' values.
        """
        if puzzle.kind is not Kind.WIN:
            await self._show_regions(puzzle)
            return
        try:
            found: Analysis | None = await self.state.adviser.ask(explanation, puzzle.game)
        except Failed:
            found = None
        if self.solving is None or self.solving.puzzle is not puzzle:  # another puzzle is open by now
            return
        self.thinking = False
        if found is None:
            return
        pairs, mirror = partners(found), found.method.mirrors
        how = "  (= answers the cell under the cursor)" if mirror and pairs else ""
        picture = replace(Picture.of(puzzle.game), texts=values_of(found), pairs=pairs, drawn=not mirror)
        self.present(f"{reason(found)}{how}\n{self.score or ''}".rstrip(), picture)

    async def _show_regions(self, puzzle: Puzzle) -> None:
        try:
            found = await self.state.adviser.ask(questions.regions, puzzle.game, JUDGING, True)
        except Failed:
            found = None
        if self.solving is not None and self.solving.puzzle is puzzle:
            self.thinking = False
            if found:
                self.frame_regions(*found)
