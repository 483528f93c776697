"""The page of puzzles: find the only winning move."""

from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from gridlock.core.grid import Cell
from gridlock.engine.evidence import Method
from gridlock.engine.reasons import partners
from gridlock.play.advice import value_text
from gridlock.play.puzzle_sources import Source
from gridlock.play.puzzles import Puzzle, refutation
from gridlock.play.thinking.process import Failed
from gridlock.tui.board import Board
from gridlock.tui.page import BoardPage
from gridlock.tui.picture import Picture
from gridlock.tui.state import AppState


class PuzzlePage(BoardPage):
    """One puzzle after another; the first answer to each counts."""

    DEFAULT_CSS = "PuzzlePage { & #words { min-height: 3; max-height: 8; } }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "solution", "solution"),
        Binding("n", "next", "next"),
        Binding("x", "harder", "harder or easier"),
    ]
    NOTES = ("Arrows or the mouse choose a cell, Enter or a click answers. Only one move wins.",)

    def __init__(self, state: AppState, source: Source) -> None:
        super().__init__(state, source.title)
        self.source = source
        self.puzzle: Puzzle | None = None
        self.answered = False

    def body(self) -> ComposeResult:
        """Yield the board and the words under it."""
        with Vertical():
            yield Board()
            yield Static(id="words", markup=False)

    def on_mount(self) -> None:
        """Ask for the first puzzle."""
        self.action_next()

    def check_action(self, action: str, _parameters: tuple[object, ...]) -> bool | None:
        """Return whether a key works now."""
        works = {
            "solution": self.puzzle is not None and not self.answered,
            "next": self.answered and self.source.more,
            "harder": self.source.harder is not None,
        }
        return works.get(action, True)

    def action_next(self) -> None:
        """Ask for another puzzle."""
        self.puzzle, self.answered = None, False
        self.present("Making a puzzle ...")
        self.run_worker(self._make, exclusive=True)

    def action_harder(self) -> None:
        """Switch between easy and hard puzzles."""
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
        """Answer with the chosen cell."""
        if self.puzzle is not None and not self.answered and self.allows(self.puzzle.game, event.cell):
            self._answer(self.puzzle, event.cell)

    def action_solution(self) -> None:
        """Give up and show the solution."""
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
        texts = {move.cell: (value_text(move), str(move.verdict)) for move in analysis.values}
        picture = replace(Picture.of(puzzle.game), texts=texts, pairs=pairs, drawn=not mirror)
        self.present(f"{words}{how}\n{score}", picture)

    async def _refute(self, puzzle: Puzzle, cell: Cell, score: str) -> None:
        """Add the move that refutes a wrong answer."""
        try:
            refuting = await self.state.adviser.ask(refutation, puzzle.game, cell)
        except Failed:
            return  # the answer is still wrong
        if refuting is not None and self.puzzle is puzzle:
            self._explain(puzzle, puzzle.verdict(cell, refuting), score)
