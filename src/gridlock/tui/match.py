"""The match page: moves made with keys or the mouse, typed moves, the programs' moves, and advice."""

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import ClassVar, TypeVar, TypeVarTuple

from textual import events
from textual.worker import Worker

from gridlock.core.errors import UnreadableMove
from gridlock.core.game import Game
from gridlock.core.grid import Cell
from gridlock.core.notation import read_turn, takes_steps
from gridlock.play.match import LiveMatch, choose_move
from gridlock.play.match_text import no_advice, only_person
from gridlock.play.thinking import questions
from gridlock.play.thinking.process import Failed
from gridlock.tui.board import Board
from gridlock.tui.page import AppState
from gridlock.tui.view import MatchView

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
MOMENT = 0.7  # the least time in seconds before a program's move appears
BEGIN = set("0123456789(:")  # characters that begin a typed move; other keys have their own meanings
WORDS = ":"  # typed before a move that starts with a letter, such as a direction
LONGEST = 40  # characters in a typed move
BEAT = 0.1  # seconds between updates of the clock


def typed_on(text: str | None, key: str, character: str | None) -> str | None:
    """Return the partly typed move after a key press, or None if no move is being typed."""
    character = " " if key == "space" else character
    if text is None:
        return character.removeprefix(WORDS) if character is not None and character in BEGIN else None
    if key == "escape" or (key == "backspace" and not text):
        return None
    if key == "backspace":
        return text[:-1]
    return (text + character)[:LONGEST] if character is not None and character.isprintable() else text


class MatchPage(MatchView):
    """A page on which people and programs play a match."""

    NOTES: ClassVar[tuple[str, ...]] = (
        "Choose a cell with the arrow keys or the mouse, and take it with Enter or a click.",
        "You can also type a move, such as 2 3, and press Enter.",
        "To type a move in words, start with a colon, as in :row 2 column 3 or (for a pawn) :up.",
        'On the board, ">X<" is the last move, ":" a closed cell, "!X!" a marker that closes a cell, and "*" the hint.',
    )

    def __init__(self, state: AppState, live: LiveMatch) -> None:
        super().__init__(state, live)
        self._answered = False  # a program has chosen its move, so its clock is stopped
        self._turn: Worker[None] | None = None

    def on_mount(self) -> None:
        if self.live.match.kinds != ("human", "human"):
            self.run_worker(self._warm_up, group="warm")
        if self.live.match.clock:
            self.add_class("-timed")
            self.set_interval(BEAT, self._run_clock)
        self.proceed()

    async def _warm_up(self) -> None:
        """Start the engine's process while the person is thinking about the first move."""
        with suppress(Failed):  # the first real question to the engine will report the failure
            await self.state.opponent.ask(os.getpid)

    def proceed(self, said: str = "") -> None:
        """Show the position after a change, and let a program move if it is the program's turn."""
        self.coach.forget()
        self.causes, self.said, self.failure = 0, said, ""
        self.typed = None
        pawn = self.live.game.position.my_head
        stepping = pawn is not None and takes_steps(self.live.game.variant) and self.live.persons_turn
        if stepping and pawn is not None:
            self.board.place(pawn)  # so that an arrow key makes a step
        self.show()
        if not stepping or only_person(self.live.match):  # when two people play, each sees their own pawn
            self.reveal_last()
        if self._turn is not None:
            self._turn.cancel()
            self._turn = None
        if self.live.programs_turn:
            self._turn = self.run_worker(self._let_program_move, group="turn")
        if self.coach.values and self.live.persons_turn:
            self.ask_coach()

    # -- moves -----------------------------------------------------------------------------------------------------

    def on_board_chosen(self, event: Board.Chosen) -> None:
        if self.look is not None:
            self.action_latest()
        else:
            self.take(event.cell)

    def take(self, cell: Cell | None) -> None:
        """Take a cell for the person whose turn it is, or show why the cell cannot be taken."""
        if not self.live.persons_turn:
            return
        if self.live.run_clock():
            self.proceed()
            return
        refusal = self.live.refusal(cell)
        if refusal is None:
            self.live.push(cell)
            self.proceed()
            return
        self.causes = refusal.causes
        self.said = self.live.voice.refused(self.live.game, refusal.words, True)[0]
        if self.has_class("-tiny"):
            self.said = f"{refusal.words[0].upper()}{refusal.words[1:]}."
        self.show()

    def on_board_pointed(self, _event: Board.Pointed) -> None:
        """When the cursor moves, hide the reason why a move was rejected."""
        if self.causes or self.said:
            self.causes, self.said = 0, ""
            self.show()

    def on_key(self, event: events.Key) -> None:
        if not self.live.persons_turn or self.look is not None:
            return
        typed = typed_on(self.typed, event.key, event.character)
        if event.key == "enter" and self.typed:
            self._take_typed(self.typed)
        elif typed != self.typed or (typed is not None and event.is_printable):  # no letter has another use
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
            self.board.place(cell)  # without the message that would hide why a move was rejected
        self.take(cell)

    async def _let_program_move(self) -> None:
        """Ask a program for its move, and make the move after a short pause."""
        began = monotonic()
        try:
            move = await self.state.opponent.ask(choose_move, *self.live.turn_of_program)
        except Failed as failure:
            self.said, self.failure = "", str(failure)
            self.state.failed = True
            self.show()
            return
        if self.live.run_clock():
            self._turn = None
            self.proceed()
            return
        self._answered = True
        try:
            await self.until_shown(began)
        finally:
            self._answered = False
        self._turn = None
        event = self.live.push(move)
        self.proceed(" ".join(self.live.announcement(event)) if event.swap else "")

    def _run_clock(self) -> None:
        """Run the clock of the player to move, and end the game if their time has run out."""
        if self._answered:
            self.live.clocks.stop()
        elif self.live.run_clock():
            self.proceed()
        else:
            self.show_players()

    async def until_shown(self, began: float) -> None:
        """Wait until a program's move may be shown."""
        await asyncio.sleep(max(0.0, MOMENT - (monotonic() - began)))

    def ask_coach(self) -> None:
        """Show the requested advice, asking the engine first if necessary."""
        self.causes, self.said = 0, ""
        if self.coach.advice is None and self.coach.wanted and not self.asking:
            self.run_worker(self._advise, group="coach")
        self.show()

    async def _asked(self, question: Callable[[Game, float, *Ts], T], game: Game, *more: *Ts) -> T | None:
        """Ask the engine about a game; if the engine cannot answer, return None and show the reason on the screen."""
        self.asking = True
        self.show()
        try:
            return await self.state.adviser.ask(question, game, self.live.match.think, *more)
        except Failed as failure:
            self.said = no_advice(str(failure))
            return None
        finally:
            self.asking = False
            self.show()

    async def _advise(self) -> None:
        """Ask the engine for advice; if the position changes in the meantime, ask again."""
        game = self.live.game.copy()
        if (advice := await self._asked(questions.advise, game)) is None:
            return
        if self.live.game.moves == game.moves:
            self.coach.advice = advice
            self.live.count_hint()
            self.show()
        elif self.coach.wanted and self.live.persons_turn:
            self.ask_coach()

    async def show_regions(self) -> None:
        """Ask the engine for the regions, and show them in a pop-up unless the position changes in the meantime."""
        game = self.live.game.copy()
        found = await self._asked(questions.regions, game, not self.live.persons_turn)
        if found and self.live.game.moves == game.moves:
            self.live.count_hint()
            self.frame_regions(*found)
