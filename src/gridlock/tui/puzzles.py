"""Puzzles on the full screen: find the only winning move."""

from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Footer, Static

from gridlock.core.grid import Cell
from gridlock.engine.evidence import Method
from gridlock.engine.reasons import partners
from gridlock.play.advice import value_text
from gridlock.play.puzzle_sources import Source
from gridlock.play.puzzles import Puzzle, refutation
from gridlock.play.refusal import refusal
from gridlock.play.thinking.process import Failed
from gridlock.tui.board import Board
from gridlock.tui.page import Page
from gridlock.tui.picture import Picture
from gridlock.tui.state import AppState


class PuzzlePage(Page):
    """One puzzle after another; the first answer to each counts."""

    DEFAULT_CSS = """
    PuzzlePage {
        & #title { height: 1; padding: 0 1; text-style: bold; }
        & #words { height: auto; min-height: 3; max-height: 8; padding: 0 1; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "solution", "solution"),
        Binding("n", "next", "next"),
        Binding("x", "harder", "harder or easier"),
    ]
    NOTES = ("Arrows or the mouse choose a cell, Enter or a click answers. Only one move wins.",)

    def __init__(self, state: AppState, source: Source) -> None:
        super().__init__(state)
        self.source = source
        self.puzzle: Puzzle | None = None
        self.answered = False
        self.said: list[str] = []

    def compose(self) -> ComposeResult:
        """A board and words under it."""
        yield Static(self.source.title, id="title", markup=False)
        with Vertical():
            yield Board(id="board")
            yield Static("Making a puzzle ...", id="words", markup=False)
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        """The first one."""
        self.query_one("#board", Board).focus()
        self.action_next()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key works now."""
        works = {
            "solution": self.puzzle is not None and not self.answered,
            "next": self.answered and self.source.more,
            "harder": self.source.harder is not None,
        }
        return works.get(action, super().check_action(action, parameters))

    def action_next(self) -> None:
        """Another puzzle."""
        self.puzzle, self.answered, self.said = None, False, []
        self.run_worker(self._make, exclusive=True)

    def action_harder(self) -> None:
        """Puzzles of the other difficulty."""
        if self.source.harder is not None:
            self.source.harder = not self.source.harder
            self.query_one("#title", Static).update(self.source.title)
            self.action_next()

    async def _make(self) -> None:
        self._show(["Making a puzzle ..."])
        try:
            self.puzzle = await self.source.make(self.state.adviser.ask)
        except Failed as failure:
            self._show([f"No puzzle could be made ({failure})."])
            return
        if self.puzzle is None:
            self._show([self.source.none])
            return
        book = self.puzzle.game.variant.book
        self._show([f"{book.title}: {book.summary}", self.puzzle.question])

    def _show(self, words: list[str], picture: Picture | None = None) -> None:
        board = self.query_one("#board", Board)
        if picture is not None:
            board.show(picture)
        elif self.puzzle is not None:
            board.show(Picture.of(self.puzzle.game))
        self.query_one("#words", Static).update("\n".join([*words, *self.said]))
        self.refresh_bindings()

    def on_board_chosen(self, event: Board.Chosen) -> None:
        """An answer."""
        if self.puzzle is None or self.answered:
            return
        refused = refusal(self.puzzle.game, event.cell)
        if refused is not None:
            self._show([refused.words], replace(Picture.of(self.puzzle.game), causes=refused.causes))
            return
        self._answer(self.puzzle, event.cell)

    def action_solution(self) -> None:
        """Give up."""
        assert self.puzzle is not None  # there is nothing to show before
        self._answer(self.puzzle, None)

    def _answer(self, puzzle: Puzzle, cell: Cell | None) -> None:
        right = cell == puzzle.answer
        self.answered = True
        self.said = [self.source.answered(right)]
        self._explain(puzzle, puzzle.verdict(cell))
        if cell is not None and not right:
            self.run_worker(partial(self._refute, puzzle, cell), exclusive=True)

    def _explain(self, puzzle: Puzzle, words: str) -> None:
        analysis = puzzle.analysis
        pairs, mirror = partners(analysis), analysis.method is Method.MIRROR
        how = "  (= answers the cell under the cursor)" if mirror and pairs else ""
        texts = {move.cell: (value_text(move), str(move.verdict)) for move in analysis.values}
        self._show([words + how], replace(Picture.of(puzzle.game), texts=texts, pairs=pairs, drawn=not mirror))

    async def _refute(self, puzzle: Puzzle, cell: Cell) -> None:
        """Say which move answers a wrong one."""
        try:
            refuting = await self.state.adviser.ask(refutation, puzzle.game, cell)
        except Failed:
            return  # it is wrong all the same
        if refuting is not None and self.puzzle is puzzle:
            self._explain(puzzle, puzzle.verdict(cell, refuting))
