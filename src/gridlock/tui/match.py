"""The page of a match: its board, its words, and moves by keys, mouse and typing."""

import asyncio
import os
from contextlib import suppress
from time import monotonic
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Static
from textual.worker import Worker

from gridlock.core.errors import UnreadableMove
from gridlock.core.grid import Cell
from gridlock.core.notation import read_turn, takes_steps
from gridlock.play.match import LiveMatch, choose_move
from gridlock.play.match_text import no_advice, only_person
from gridlock.play.thinking import questions
from gridlock.play.thinking.process import Failed
from gridlock.tui import match_text
from gridlock.tui.bars import Words
from gridlock.tui.board import Board
from gridlock.tui.layout import SMALLEST
from gridlock.tui.overview import Overview
from gridlock.tui.page import AppState, BoardPage, Question
from gridlock.tui.picture import Picture

MOMENT = 0.7  # seconds before a program's move appears, at least
BEGIN = set("0123456789(:")  # characters that begin a typed move; other keys have their own meanings
WORDS = ":"  # comes before a move that starts with a letter, such as a direction
LONGEST = 40  # characters of a typed move
NARROW, SIDE = 56, 30  # columns below which the side panel is hidden, and columns that it takes
TALL = 30  # lines from which the words below the board have more room
BEAT = 0.1  # seconds between two looks at the clock


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
        & #title { display: none; }
        & #words { height: 3; }
        &.-tall #words { height: 4; }
        &.-tiny #words { height: 2; }
        &.-narrow #side { display: none; }
        &.-narrow #title { display: block; }
        &.-narrow.-low #title { display: none; }
        &.-narrow.-timed #title { display: block; }
        &.-looking Board { background: $panel; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("[,pageup", "look(-1)", "previous position", show=False, key_display="[ PgUp"),
        Binding("],pagedown", "look(1)", "next position", show=False, key_display="] PgDn"),
        Binding("home", "look(-9999)", "start of the game", show=False),
        Binding("end", "latest", "back to the game", key_display="End"),
        Binding("l", "last", "last move"),
        Binding("m", "overview", "overview"),
    ]
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
        self.look: int | None = None  # how many moves led to the earlier position that is shown, if one is
        self._since = 0  # how many moves there were when the person began to look back
        self._answered = False  # a program has chosen its move, so its clock stands
        self._turn: Worker[None] | None = None

    def body(self) -> ComposeResult:
        with Horizontal():
            yield Board(letters=False)
            with Vertical(id="side"):
                yield Static(id="players", markup=False)
                with VerticalScroll(can_focus=False):
                    yield Static(id="moves", markup=False)
        yield Words()

    def on_mount(self) -> None:
        if self.live.match.kinds != ("human", "human"):
            self.run_worker(self._warm_up, group="warm")
        if self.live.match.clock:
            self.add_class("-timed")
            self.set_interval(BEAT, self._run_clock)
        self.proceed()

    async def _warm_up(self) -> None:
        """Start the process while a person thinks about the first move."""
        with suppress(Failed):  # the first real question reports it
            await self.state.opponent.ask(os.getpid)

    def on_resize(self, event: events.Resize) -> None:
        """Hide the side panel if the window is too narrow, or too narrow for the board beside it."""
        grid = self.live.match.variant.grid
        needed = len(str(grid.rows)) + 1 + grid.cols * SMALLEST.wide
        self.set_class(event.size.width < NARROW or event.size.width - SIDE < needed, "-narrow")
        self.set_class(event.size.height >= TALL, "-tall")
        self.call_after_refresh(self.refresh_bindings)  # some keys are for boards that do not fit

    # -- display -------------------------------------------------------------------------------------------------

    def proceed(self, said: str = "") -> None:
        """Show the position after a change, and let a program move if it is its turn."""
        self.coach.forget()
        self.causes, self.said, self.failure = 0, said, ""
        self.typed = None
        pawn = self.live.game.position.my_head
        stepping = pawn is not None and takes_steps(self.live.game.variant) and self.live.persons_turn
        if stepping and pawn is not None:
            self.board.place(pawn)  # so that an arrow key is a step
        self.show()
        if not stepping or only_person(self.live.match):  # of two people, each sees their own pawn
            self._reveal_last()
        if self._turn is not None:
            self._turn.cancel()
            self._turn = None
        if self.live.programs_turn:
            self._turn = self.run_worker(self._let_program_move, group="turn")
        if self.coach.values and self.live.persons_turn:
            self.ask_coach()

    def show(self) -> None:
        """Show the current position, or the earlier one that the person looks at, with players, moves and words."""
        self.show_players()
        moves = match_text.moves(self.live, self.look)
        self.set_text("moves", "\n".join(moves))
        panel = self.query_one(VerticalScroll)
        if self.look is None:
            panel.scroll_end(animate=False)
        else:
            marked = next((number for number, line in enumerate(moves) if line[0] == ">"), 0)
            panel.scroll_to(y=max(0, marked - panel.size.height // 2), animate=False)
        self.set_class(self.look is not None, "-looking")
        self.present("\n".join(self._words()), self.picture)

    def show_players(self) -> None:
        """Show the players, and the clocks even if there is no room for the players."""
        looking = "(looking back)" if self.look is not None else ""
        self.set_text("players", "\n".join([self.heading, looking, *match_text.players(self.live)]))
        clocks = f"{match_text.clocks(self.live)}  " if self.live.match.clock else ""
        self.set_text("title", f"{clocks}{self.heading} {looking}")

    @property
    def board_is_cut(self) -> bool:
        """Whether only a part of the board is in sight."""
        return any(board.partial for board in self.query(Board))  # there is none while the page opens or closes

    @property
    def picture(self) -> Picture:
        """The position to show."""
        game = self.live.game
        return self.coach.picture(game, self.causes) if self.look is None else Picture.of(game.at(self.look))

    def _words(self) -> list[str]:
        """Return what to show below the board: the most important sentence, and a warning if saving failed."""
        lines = [self.live.autosave.warning] if self.live.autosave.warning else []
        if self.look is not None:
            return [match_text.looking_back(self.live, self.look, self._since), *lines]
        if self.live.game.outcome is not None:
            return [*lines, *([self.said] if self.said else []), match_text.ending(self.live)]
        if self.typed is not None:
            return [*lines, f"Your move: {self.typed}_"]
        thinking = "Thinking ..." if self.asking else ""
        onlooker = match_text.label(self.live, self.live.game.turn) if self.live.watched else ""
        status = self.said or thinking or self.coach.words(onlooker)
        waiting = self.failure or self.waiting
        return [*lines, status or match_text.turn(self.live, waiting, self.has_class("-narrow"))]

    # -- other positions and parts of the board --------------------------------------------------------------------

    def action_look(self, by: int) -> None:
        """Show an earlier or a later position; the game goes on meanwhile."""
        latest = len(self.live.game.moves)
        self._look_at((latest if self.look is None else self.look) + by)

    def action_latest(self) -> None:
        self._look_at(len(self.live.game.moves))

    def _look_at(self, ply: int) -> None:
        latest = len(self.live.game.moves)
        if self.look is None:
            self._since = latest
        self.look = max(0, ply) if ply < latest else None
        self.typed, self.causes, self.said = None, 0, ""
        self.show()
        self._reveal_last()

    def on_click(self, event: events.Click) -> None:
        """Show the position after a move that is clicked in the list."""
        if event.widget is not None and event.widget.id == "moves":
            offset = event.get_content_offset(event.widget)
            played = list(self.live.game.history())
            if offset is not None and offset.y < len(played):
                self._look_at(played[offset.y].ply)

    def action_last(self) -> None:
        """Put the cursor on the last move."""
        last = self.picture.last
        if last is not None:
            self.board.point(last)

    def _reveal_last(self) -> None:
        """Bring the last move of the position into sight."""
        last = self.picture.last
        if last is not None:
            self.board.reveal(last)

    def action_overview(self) -> None:

        def chosen(cell: Cell | None) -> None:
            if cell is not None:
                self.board.point(cell)

        self.app.push_screen(Overview(self.picture, self.board.cursor), chosen)

    def action_back(self) -> None:
        """Return from an earlier position; otherwise leave, after a question if the game is not on disk."""
        if self.look is not None:
            self.action_latest()
            return
        if not self.live.autosave.unsaved:
            super().action_back()
            return
        leave = super().action_back
        question = "The last moves could not be saved. Leave anyway?"
        self.app.push_screen(Question(question), lambda yes: leave() if yes else None)

    # -- moves -----------------------------------------------------------------------------------------------------

    def on_board_chosen(self, event: Board.Chosen) -> None:
        if self.look is not None:
            self.action_latest()
        else:
            self.take(event.cell)

    def take(self, cell: Cell | None) -> None:
        """Take a cell for the person to move, or show why not."""
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
        """Hide the reason for a rejection once the cursor moves."""
        if self.causes or self.said:
            self.causes, self.said = 0, ""
            self.show()

    def on_key(self, event: events.Key) -> None:
        if not self.live.persons_turn or self.look is not None:
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
            self.board.place(cell)  # without the message that hides a rejection's reason
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
        if self.live.run_clock():
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
        """Let the clock of the player to move run, and end the game if their time has run out."""
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
