"""Puzzles on the full screen: find the only winning move."""

from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Footer, Static

from gridlock.core.game import Game
from gridlock.core.grid import Cell
from gridlock.play.puzzle_sources import Source
from gridlock.play.thinking import questions
from gridlock.play.thinking.process import Failed
from gridlock.tui.board import Board
from gridlock.tui.page import Page
from gridlock.tui.picture import Picture
from gridlock.tui.state import Desk

LOOK = 2.0  # seconds to find the answer to a wrong move


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

    def __init__(self, desk: Desk, source: Source) -> None:
        super().__init__(desk)
        self.source = source
        self.puzzle: questions.Puzzle | None = None
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
            self.puzzle = await self.source.make(self.desk.adviser)
        except Failed as failure:
            self._show([f"No puzzle could be made ({failure})."])
            return
        if self.puzzle is None:
            self._show([self.source.none])
            return
        game = self.puzzle.game
        book, turn = game.variant.book, game.position.turn
        mark, other = book.marks[turn - 1], book.marks[2 - turn]
        last = f" {other}'s last move: {game.variant.name(game.moves[-1])}." if game.moves else ""
        self._show(
            [
                f"{book.title}: {book.summary}",
                f"{mark} is to move.{last} Only one of {len(self.puzzle.advice.values)} moves wins. Which?",
            ]
        )

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
            self._show([refused[0]], replace(Picture.of(self.puzzle.game), causes=refused[1]))
            return
        self._answer(event.cell)

    def action_solution(self) -> None:
        """Give up."""
        self._answer(None)

    def _answer(self, cell: Cell | None) -> None:
        assert self.puzzle is not None  # there is nothing to answer before
        game, advice = self.puzzle.game, self.puzzle.advice
        self.answered = True
        right = cell is not None and (cell,) == advice.winning
        self.said = [self.source.answered(right)]
        name = game.variant.name
        if right:
            self._explain(f"Right! {advice.reason}")
        elif cell is None:
            self._explain(f"The answer is {name(advice.winning[0])}. {advice.reason}")
        else:
            self._explain(f"No, not {name(cell)}. {advice.reason}")
            self.run_worker(partial(self._refute, cell), exclusive=True)

    def _explain(self, words: str) -> None:
        assert self.puzzle is not None
        advice = self.puzzle.advice
        how = "  (= answers the cell under the cursor)" if advice.mirror and advice.pairs else ""
        shown = replace(Picture.of(self.puzzle.game), texts=advice.values, pairs=advice.pairs, drawn=not advice.mirror)
        self._show([words + how], shown)

    async def _refute(self, cell: Cell) -> None:
        """Say which move answers a wrong one."""
        assert self.puzzle is not None
        puzzle = self.puzzle
        try:
            answer = await self.desk.adviser.ask(questions.refutation, puzzle.game, cell, LOOK)
        except Failed:
            return  # it is wrong all the same
        if answer is not None and self.puzzle is puzzle:
            name = puzzle.game.variant.name
            self._explain(f"No: after {name(cell)}, {name(answer)} refutes it. {puzzle.advice.reason}")


def refusal(game: Game, cell: Cell) -> tuple[str, int] | None:
    """Why a cell cannot be taken, and the markers that forbid it."""
    refused = game.variant.refusal(game.position, cell)
    return None if refused is None else (f"The cell is {refused.words}. Try another.", refused.causes)
