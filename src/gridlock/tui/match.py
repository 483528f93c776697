"""A match on the full screen: its board, its words, and moves by keys, mouse and typing."""

import asyncio
import os
from contextlib import suppress
from time import monotonic
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Footer, Static
from textual.worker import Worker

from gridlock.core.errors import UnreadableMove
from gridlock.core.grid import Cell
from gridlock.core.notation import read_turn, takes_steps
from gridlock.play.match import LiveMatch, choose_move
from gridlock.play.match_text import no_advice
from gridlock.play.thinking import questions
from gridlock.play.thinking.process import Failed
from gridlock.tui import match_text
from gridlock.tui.board import Board
from gridlock.tui.coach import Coach
from gridlock.tui.move_entry import Typed
from gridlock.tui.page import Page
from gridlock.tui.state import AppState

MOMENT = 0.7  # seconds after which the computer's move appears at the earliest
NARROW, LOW, TINY = 56, 17, 11  # columns and lines below which something has to go


class MatchPage(Page):
    """A match: the board, the players, the moves, and what can be done."""

    DEFAULT_CSS = """
    MatchPage {
        & #side { width: 30; padding: 0 1; border-left: solid $quiet; }
        & #players { height: auto; }
        & #moves { height: auto; color: $quiet; }
        & #words { height: auto; min-height: 2; max-height: 6; padding: 0 1; }
        & #title { height: 1; padding: 0 1; text-style: bold; }
        &.-narrow #side { display: none; }
        &.-low #title { display: none; }
        &.-low #words { max-height: 3; min-height: 1; }
        &.-tiny #words { max-height: 1; }
    }
    """
    waiting = ""  # what is said while a program waits for somebody
    NOTES: ClassVar[tuple[str, ...]] = (
        "Arrows or the mouse choose a cell, Enter or a click takes it; or type a move such as 2 3 and Enter.",
        "A move in words begins with a colon, such as :row 2 column 3 or, where pawns step, :up.",
        "On the board >X< is the last move, : a cell you may not take, !X! a marker that forbids a cell, * the hint.",
    )

    def __init__(self, state: AppState, live: LiveMatch) -> None:
        super().__init__(state)
        self.live = live
        self.live.start_round()
        self.coach = Coach()
        self.causes = 0
        self.typed = Typed()
        self.said = ""  # about the last thing done
        self.asking = False
        self._turn: Worker[None] | None = None

    def compose(self) -> ComposeResult:
        """Board and words on the left, players and moves on the right."""
        match = self.live.match
        yield Static(f"{match.variant.book.title}, {match.variant.grid}", id="title", markup=False)
        with Horizontal():
            yield Board(self.coach.picture(self.live.game, 0), id="board")
            with Vertical(id="side"):
                yield Static(id="players", markup=False)
                with VerticalScroll(id="scroll", can_focus=False):
                    yield Static(id="moves", markup=False)
        yield Static(id="words", markup=False)
        yield Footer(show_command_palette=False, compact=True)

    @property
    def board(self) -> Board:
        """The board."""
        return self.query_one("#board", Board)

    def on_mount(self) -> None:
        """Begin."""
        self.board.focus()
        if self.live.match.kinds != ("human", "human"):
            self.run_worker(self._warm_up, group="warm")
        self.go_on()

    async def _warm_up(self) -> None:
        """Let the process begin while somebody thinks about the first move."""
        with suppress(Failed):  # whoever asks in earnest will be told
            await self.state.opponent.ask(os.getpid)

    def on_resize(self, event: events.Resize) -> None:
        """Leave out what has no room."""
        self.set_class(event.size.width < NARROW, "-narrow")
        self.set_class(event.size.height < LOW, "-low")
        self.set_class(event.size.height < TINY, "-tiny")

    # -- what is shown -------------------------------------------------------------------------------------------

    def go_on(self, said: str = "") -> None:
        """Something happened: show it, and let a program move if it is its turn."""
        self.coach.forget()
        self.causes, self.said = 0, said
        self.typed.take()
        pawn = self.live.game.position.my_head
        if pawn is not None and takes_steps(self.live.game.variant) and self.live.persons_turn:
            self.board.cursor = pawn  # from where an arrow is a step
        self.show()
        if self._turn is not None:
            self._turn.cancel()
            self._turn = None
        if self.live.programs_turn:
            self._turn = self.run_worker(self._let_program, group="turn")
        if self.coach.values and self.live.persons_turn:
            self.ask_coach()

    def show(self) -> None:
        """Everything as it stands."""
        game = self.live.game
        self.board.show(self.coach.picture(game, self.causes))
        self.query_one("#players", Static).update("\n".join(match_text.players(self.live)))
        self.query_one("#moves", Static).update("\n".join(match_text.moves(game, self.live.voice)))
        self.query_one("#scroll", VerticalScroll).scroll_end(animate=False)
        self.query_one("#words", Static).update("\n".join(self._words()))
        self.refresh_bindings()

    def _words(self) -> list[str]:
        """What is said under the board, in a few lines."""
        game, lines = self.live.game, [self.said] if self.said else []
        if self.live.autosave.warning:
            lines.append(self.live.autosave.warning)
        if game.outcome is not None:
            return [*lines, *match_text.ending(self.live)]
        if self.typed.text is not None:
            return [*lines, f"Your move: {self.typed.text}_"]
        if self.asking:
            return [*lines, "Thinking ..."]
        if advice := self.coach.words():
            return [*lines, advice]
        return [*lines, *match_text.turn(self.live, self.waiting)]

    # -- moves -----------------------------------------------------------------------------------------------------

    def on_board_chosen(self, event: Board.Chosen) -> None:
        """A cell was chosen."""
        self.take(event.cell)

    def take(self, cell: Cell | None) -> None:
        """Take a cell for the person to move, or show why not."""
        if not self.live.persons_turn:
            return
        refusal = self.live.refusal(cell)
        if refusal is None:
            self.live.push(cell)
            self.go_on()
            return
        self.causes = refusal.causes
        self.said = self.live.voice.refused(self.live.game, refusal.words, True)[0]
        self.show()

    def on_board_pointed(self, _event: Board.Pointed) -> None:
        """Another cell: what forbade the last one is no longer of interest."""
        if self.causes or self.said:
            self.causes, self.said = 0, ""
            self.show()

    def on_key(self, event: events.Key) -> None:
        """A key of a typed move."""
        if not self.live.persons_turn:
            return
        if event.key == "enter" and self.typed.text:
            self._take_typed()
        elif self.typed.press(event.key, event.character):
            self.show()
        else:
            return
        event.stop()

    def _take_typed(self) -> None:
        """Take the move that was typed."""
        game = self.live.game
        try:
            cell = read_turn(self.typed.take() or "", game.variant, game.position)
        except UnreadableMove as error:
            self.said = f"{error}."
            self.show()
            return
        if cell is not None:
            self.board.cursor = cell  # in silence: whoever moves the cursor no longer asks about a refusal
        self.take(cell)

    async def _let_program(self) -> None:
        """Let a program move, after a moment."""
        began = monotonic()
        try:
            move = await self.state.opponent.ask(choose_move, *self.live.turn_of_program)
        except Failed as failure:
            self.said = str(failure)
            self.state.failed = True
            self.show()
            return
        await self.until_shown(began)
        self._turn = None
        event = self.live.push(move)
        self.go_on(" ".join(self.live.announcement(event)) if event.swap else "")

    async def until_shown(self, began: float) -> None:
        """Wait until a program's move may be seen."""
        await asyncio.sleep(max(0.0, MOMENT - (monotonic() - began)))

    def ask_coach(self) -> None:
        """Ask for what is wanted of the coach, and is not known yet."""
        self.causes, self.said = 0, ""
        if self.coach.advice is None and self.coach.wanted and not self.asking:
            self.run_worker(self._advise, group="coach")
        self.show()

    async def _advise(self) -> None:
        """Ask what there is to say about the position; by then it may be another."""
        game = self.live.game.copy()
        self.asking = True
        self.show()
        try:
            advice = await self.state.adviser.ask(questions.advise, game, self.live.match.think)
        except Failed as failure:
            self.said = no_advice(str(failure))
            return
        finally:
            self.asking = False
            self.show()
        if self.live.game.moves == game.moves:
            self.coach.advice = advice
            self.show()
        elif self.coach.wanted and self.live.persons_turn:
            self.ask_coach()
