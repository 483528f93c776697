"""The page of a match: its board, its words, and moves by keys, mouse and typing."""

import asyncio
import os
from contextlib import suppress
from time import monotonic
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Static
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
from gridlock.tui.page import AppState, BoardPage

MOMENT = 0.7  # seconds before a program's move appears, at least
BEGIN = set("0123456789(:")  # characters that begin a typed move; other keys have their own meanings
WORDS = ":"  # comes before a move that starts with a letter, such as a direction
LONGEST = 40  # characters of a typed move
NARROW, LOW, TINY = 56, 17, 11  # columns and lines below which parts are hidden


def typed_on(text: str | None, key: str, character: str | None) -> str | None:
    """Return the typed move after another key; None if nothing is being typed, before the first key or after Esc."""
    character = " " if key == "space" else character
    if text is None:
        return character.removeprefix(WORDS) if character is not None and character in BEGIN else None
    if key == "escape" or (key == "backspace" and not text):
        return None
    if key == "backspace":
        return text[:-1]
    return (text + character)[:LONGEST] if character is not None and character.isprintable() else text


class MatchPage(BoardPage):
    """A match: the board, the players and the moves."""

    DEFAULT_CSS = """
    MatchPage {
        & #side { width: 30; padding: 0 1; border-left: solid $quiet; }
        & #players { height: auto; }
        & #moves { height: auto; color: $quiet; }
        & #words { min-height: 2; max-height: 6; }
        &.-narrow #side { display: none; }
        &.-low #title { display: none; }
        &.-low #words { max-height: 3; min-height: 1; }
        &.-tiny #words { max-height: 1; }
    }
    """
    waiting = ""  # the words for a program's turn, if they are not the usual ones
    failure = ""  # why the program to move has not moved
    NOTES: ClassVar[tuple[str, ...]] = (
        "Choose a cell with the arrows or the mouse, and take it with Enter or a click.",
        "You can also type a move, such as 2 3, and press Enter.",
        "To type a move in words, begin with a colon: :row 2 column 3 or, if pawns step, :up.",
        "On the board, >X< is the last move, : a closed cell, !X! a marker that closes a cell, and * the hint.",
    )

    def __init__(self, state: AppState, live: LiveMatch) -> None:
        super().__init__(state, f"{live.match.variant.book.title}, {live.match.variant.grid}")
        self.live = live
        self.live.start_round()
        self.coach = match_text.Coach()
        self.causes = 0
        self.typed: str | None = None  # the move typed so far; every letter belongs to it until Enter
        self.said = ""  # words about the last action
        self.asking = False
        self._turn: Worker[None] | None = None

    def body(self) -> ComposeResult:
        with Horizontal():
            yield Board()
            with Vertical(id="side"):
                yield Static(id="players", markup=False)
                with VerticalScroll(can_focus=False):
                    yield Static(id="moves", markup=False)
        yield Static(id="words", markup=False)

    def on_mount(self) -> None:
        if self.live.match.kinds != ("human", "human"):
            self.run_worker(self._warm_up, group="warm")
        self.proceed()

    async def _warm_up(self) -> None:
        """Start the process while a person thinks about the first move."""
        with suppress(Failed):  # the first real question reports it
            await self.state.opponent.ask(os.getpid)

    def on_resize(self, event: events.Resize) -> None:
        """Hide the parts for which the screen is too small."""
        self.set_class(event.size.width < NARROW, "-narrow")
        self.set_class(event.size.height < LOW, "-low")
        self.set_class(event.size.height < TINY, "-tiny")

    # -- display -------------------------------------------------------------------------------------------------

    def proceed(self, said: str = "") -> None:
        """Show the position after a change, and let a program move if it is its turn."""
        self.coach.forget()
        self.causes, self.said, self.failure = 0, said, ""
        self.typed = None
        pawn = self.live.game.position.my_head
        if pawn is not None and takes_steps(self.live.game.variant) and self.live.persons_turn:
            self.board.cursor = pawn  # so that an arrow key is a step
        self.show()
        if self._turn is not None:
            self._turn.cancel()
            self._turn = None
        if self.live.programs_turn:
            self._turn = self.run_worker(self._let_program_move, group="turn")
        if self.coach.values and self.live.persons_turn:
            self.ask_coach()

    def show(self) -> None:
        """Show the current position, players, moves and words."""
        game = self.live.game
        self.set_text("players", "\n".join(match_text.players(self.live)))
        moves = [self.live.voice.history_entry(event) for event in game.history()]
        self.set_text("moves", "\n".join(f"{number:>3}. {move}" for number, move in enumerate(moves, 1)))
        self.query_one(VerticalScroll).scroll_end(animate=False)
        self.present("\n".join(self._words()), self.coach.picture(game, self.causes))

    def _words(self) -> list[str]:
        """Return what to show below the board: the most important sentence, and a warning if saving failed."""
        lines = [self.live.autosave.warning] if self.live.autosave.warning else []
        if self.live.game.outcome is not None:
            return [*lines, *([self.said] if self.said else []), match_text.ending(self.live)]
        if self.typed is not None:
            return [*lines, f"Your move: {self.typed}_"]
        thinking = "Thinking ..." if self.asking else ""
        status = self.said or thinking or self.coach.words()
        return [*lines, status or match_text.turn(self.live, self.failure or self.waiting)]

    # -- moves -----------------------------------------------------------------------------------------------------

    def on_board_chosen(self, event: Board.Chosen) -> None:
        self.take(event.cell)

    def take(self, cell: Cell | None) -> None:
        """Take a cell for the person to move, or show why not."""
        if not self.live.persons_turn:
            return
        refusal = self.live.refusal(cell)
        if refusal is None:
            self.live.push(cell)
            self.proceed()
            return
        self.causes = refusal.causes
        self.said = self.live.voice.refused(self.live.game, refusal.words, True)[0]
        self.show()

    def on_board_pointed(self, _event: Board.Pointed) -> None:
        """Hide the reason for a rejection once the cursor moves."""
        if self.causes or self.said:
            self.causes, self.said = 0, ""
            self.show()

    def on_key(self, event: events.Key) -> None:
        if not self.live.persons_turn:
            return
        typed = typed_on(self.typed, event.key, event.character)
        if event.key == "enter" and self.typed:
            self._take_typed(self.typed)
        elif typed != self.typed or (typed is not None and event.is_printable):  # no letter means anything else now
            self.typed = typed
            self.show()
        else:
            return
        event.stop()

    def _take_typed(self, text: str) -> None:
        """Make the typed move."""
        game, self.typed = self.live.game, None
        try:
            cell = read_turn(text, game.variant, game.position)
        except UnreadableMove as error:
            self.said = f"{error}."
            self.show()
            return
        if cell is not None:
            self.board.cursor = cell  # without the message that hides a rejection's reason
        self.take(cell)

    async def _let_program_move(self) -> None:
        """Ask a program for its move, and make it after a moment."""
        began = monotonic()
        try:
            move = await self.state.opponent.ask(choose_move, *self.live.turn_of_program)
        except Failed as failure:
            self.said, self.failure = "", str(failure)
            self.state.failed = True
            self.show()
            return
        await self.until_shown(began)
        self._turn = None
        event = self.live.push(move)
        self.proceed(" ".join(self.live.announcement(event)) if event.swap else "")

    async def until_shown(self, began: float) -> None:
        """Wait until a program's move may be shown."""
        await asyncio.sleep(max(0.0, MOMENT - (monotonic() - began)))

    def ask_coach(self) -> None:
        """Show the advice that is wanted; ask the engine for it first if need be."""
        self.causes, self.said = 0, ""
        if self.coach.advice is None and self.coach.wanted and not self.asking:
            self.run_worker(self._advise, group="coach")
        self.show()

    async def _advise(self) -> None:
        """Ask the engine for advice; if the position changes meanwhile, ask again."""
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
            self.live.count_hint()
            self.show()
        elif self.coach.wanted and self.live.persons_turn:
            self.ask_coach()
