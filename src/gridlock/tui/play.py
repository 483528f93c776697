"""Playing on the full screen, against the computer, a friend, or watching two programs."""

import asyncio
import os
from contextlib import suppress
from time import monotonic
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Footer, Static
from textual.worker import Worker

from gridlock.cli.afterwards import another
from gridlock.cli.recorded import write_record
from gridlock.cli.store import Slot, new_name
from gridlock.cli.voice import voice
from gridlock.errors import IllegalMove, UnreadableMove
from gridlock.game import SWAP
from gridlock.grid import Cell, first_of
from gridlock.notation import read_move, read_step
from gridlock.tui import questions, told
from gridlock.tui.board import Board
from gridlock.tui.coach import Coach
from gridlock.tui.desk import Desk
from gridlock.tui.page import Entry, Note, Page, Question
from gridlock.tui.puzzles import PuzzlePage
from gridlock.tui.review import ReviewPage
from gridlock.tui.sources import Own
from gridlock.tui.table import Table
from gridlock.tui.thinking import Failed

MOMENT = 0.7  # seconds after which the computer's move appears at the earliest
TYPED = set("0123456789,() ")
NARROW, LOW = 56, 17  # columns and lines below which something has to go


class PlayPage(Page):
    """A match: the board, the players, the moves, and what can be done."""

    DEFAULT_CSS = """
    PlayPage {
        & #side { width: 30; padding: 0 1; border-left: solid $quiet; }
        & #players { height: auto; }
        & #moves { height: auto; color: $quiet; }
        & #words { height: auto; min-height: 2; max-height: 6; padding: 0 1; }
        & #title { height: 1; padding: 0 1; text-style: bold; }
        &.-narrow #side { display: none; }
        &.-low #title { display: none; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h", "hint", "hint"),
        Binding("v", "values", "values"),
        Binding("w", "why", "why"),
        Binding("u", "undo", "undo"),
        Binding("r", "redo", "redo"),
        Binding("s", "swap", "swap"),
        Binding("g", "resign", "give up"),
        Binding("n", "again", "again"),
        Binding("o", "other", "other side"),
        Binding("e", "review", "review"),
        Binding("z", "puzzles", "puzzles"),
        Binding("f", "file", "save"),
        Binding("i", "rules", "rules", show=False),
        Binding("backspace", "rub_out", "rub out", show=False),
    ]
    waiting = ""  # what is said while a program waits for somebody
    NOTES: ClassVar[tuple[str, ...]] = (
        "Arrows or the mouse choose a cell, Enter or a click takes it; or type a move such as 2 3 and Enter.",
        "On the board >X< is the last move, : a cell you may not take, !X! a marker that forbids a cell, * the hint.",
    )

    def __init__(self, desk: Desk, table: Table) -> None:
        super().__init__(desk)
        self.table = table
        self.voice = voice(table.match.variant)
        self.coach = Coach()
        self.causes = 0
        self.typed = ""
        self.said = ""  # about the last thing done
        self.asking = False
        self._turn: Worker[None] | None = None

    def compose(self) -> ComposeResult:
        """Board and words on the left, players and moves on the right."""
        match = self.table.match
        yield Static(f"{match.variant.book.title}, {match.variant.grid}", id="title", markup=False)
        with Horizontal():
            with Vertical():
                yield Board(self.coach.picture(self.table.game, 0), id="board")
                yield Static(id="words", markup=False)
            with Vertical(id="side"):
                yield Static(id="players", markup=False)
                with VerticalScroll(id="scroll", can_focus=False):
                    yield Static(id="moves", markup=False)
        yield Footer(show_command_palette=False, compact=True)

    @property
    def board(self) -> Board:
        """The board."""
        return self.query_one("#board", Board)

    def on_mount(self) -> None:
        """Begin."""
        self.board.focus()
        if self.table.match.kinds != ("human", "human"):
            self.run_worker(self._warm_up(), group="warm")
        self.go_on()

    async def _warm_up(self) -> None:
        """Let the process begin while somebody thinks about the first move."""
        with suppress(Failed):  # whoever asks in earnest will be told
            await self.desk.opponent.ask(os.getpid)

    def on_resize(self, event: events.Resize) -> None:
        """Leave out what has no room."""
        self.set_class(event.size.width < NARROW, "-narrow")
        self.set_class(event.size.height < LOW, "-low")

    # -- what is shown -------------------------------------------------------------------------------------------

    def go_on(self, said: str = "") -> None:
        """Something happened: show it, and let a program move if it is its turn."""
        self.coach.forget()
        self.causes, self.typed, self.said = 0, "", said
        self.show()
        if self._turn is not None:
            self._turn.cancel()
            self._turn = None
        if self.table.programs_turn:
            self._turn = self.run_worker(self._let_program(), group="turn")
        if self.coach.values and self.table.persons_turn:
            self._ask_coach()

    def show(self) -> None:
        """Everything as it stands."""
        game = self.table.game
        self.board.show(self.coach.picture(game, self.causes))
        self.query_one("#players", Static).update("\n".join(told.players(self.table, self.voice)))
        self.query_one("#moves", Static).update("\n".join(told.moves(game, self.voice)))
        self.query_one("#scroll", VerticalScroll).scroll_end(animate=False)
        self.query_one("#words", Static).update("\n".join(self._words()))
        self.refresh_bindings()

    def _words(self) -> list[str]:
        """What is said under the board, in a few lines."""
        game, lines = self.table.game, [self.said] if self.said else []
        if self.table.listener.warnings:
            lines.append(self.table.listener.warnings[-1])
        if game.outcome is not None:
            return [*lines, *told.ending(self.table)]
        if self.typed:
            return [*lines, f"Your move: {self.typed}_"]
        if self.asking:
            return [*lines, "Thinking ..."]
        if advice := self.coach.words():
            return [*lines, advice]
        return [*lines, *told.turn(self.table, self.voice, self.waiting)]

    # -- moves -----------------------------------------------------------------------------------------------------

    def on_board_chosen(self, event: Board.Chosen) -> None:
        """A cell was chosen, or a typed move ended."""
        if self.typed:
            self._type_enter()
        else:
            self.take(event.cell)

    def take(self, cell: Cell | None) -> None:
        """Take a cell for the person to move, or show why not."""
        if not self.table.persons_turn:
            return
        game = self.table.game
        refusal = self.table.play(cell)
        if refusal is None:
            self.go_on()
            return
        self.causes = refusal.causes
        self.said = self.voice.refused(game, refusal.words, True)[0]
        self.show()

    def on_board_pointed(self, _event: Board.Pointed) -> None:
        """Another cell: what forbade the last one is no longer of interest."""
        if self.causes or self.said:
            self.causes, self.said = 0, ""
            self.show()

    def on_key(self, event: events.Key) -> None:
        """Digits and signs of a typed move."""
        begins = event.character is not None and event.character in TYPED and event.character != " "
        if self.table.persons_turn and (begins or (self.typed and event.key == "space")):
            self.typed = (self.typed + (event.character or " "))[:20]
            event.prevent_default().stop()
            self.show()
        elif self.typed and event.key == "enter":
            event.prevent_default().stop()
            self._type_enter()

    def _type_enter(self) -> None:
        """Take the move that was typed."""
        game, text, self.typed = self.table.game, self.typed.strip(), ""
        variant, position = game.variant, game.position
        place = read_step(text, variant, position)
        try:
            mark = variant.book.marks[position.turn - 1]
            cell = variant.cell(*place) if place else read_move(text, variant, mark, first_of(game.legal) or 0)
        except UnreadableMove as error:
            self.said = f"{error}."
            self.show()
            return
        if cell is not None:
            self.board.point(cell)
        self.take(cell)

    def action_rub_out(self) -> None:
        """Take back what was typed last."""
        self.typed = self.typed[:-1]
        self.show()

    async def _let_program(self) -> None:
        """Let a program move, after a moment."""
        game, began = self.table.game, monotonic()
        kind = self.table.match.kinds[game.turn - 1]
        try:
            move = await self.desk.opponent.ask(
                questions.choose, game.copy(), kind, self.table.seed, self.table.match.think
            )
        except Failed as failure:
            self.said = f"The computer ({kind}) failed ({failure})."
            self.show()
            return
        await self.until_shown(began)
        self._turn = None
        said = "" if move != SWAP else f"{game.player_name(game.turn)} takes over the other side."
        self.table.push(move)
        self.go_on(said)

    async def until_shown(self, began: float) -> None:
        """Wait until a program's move may be seen."""
        await asyncio.sleep(max(0.0, MOMENT - (monotonic() - began)))

    # -- what else can be done -------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key works now."""
        game, table = self.table.game, self.table
        works = {
            "hint": table.persons_turn,
            "values": game.outcome is None,
            "why": game.outcome is None,
            "undo": not table.watched and bool(game.moves or game.resigned),
            "redo": table.takeback.possible and game.outcome is None,
            "swap": table.persons_turn and game.can_swap,
            "resign": game.outcome is None and not table.watched,
            "again": game.outcome is not None,
            "other": game.outcome is not None and table.match.finished,
            "review": game.outcome is not None,
            "puzzles": game.outcome is not None,
            "rub_out": bool(self.typed),
        }
        return works.get(action, super().check_action(action, parameters))

    def _do(self, act: str) -> None:
        """Undo, redo or swap, or say why not."""
        try:
            count = getattr(self.table, act)()
        except IllegalMove as error:
            self.said = f"Not possible: {error}."
            self.show()
            return
        words = {"undo": "Took back {}.", "redo": "Made {} again.", "swap": "You took over the other side."}[act]
        self.go_on(words.format(f"{count} move{'s' * (count != 1)}"))

    def action_undo(self) -> None:
        """Take back the last move, and the computer's answer."""
        self._do("undo")

    def action_redo(self) -> None:
        """Make it again."""
        self._do("redo")

    def action_swap(self) -> None:
        """Take over the other side."""
        self._do("swap")

    def action_resign(self) -> None:
        """Give up, after a question."""

        def answered(yes: bool | None) -> None:
            if yes and self.table.game.outcome is None:
                self.table.resign()
                self.go_on()

        self.app.push_screen(Question("Give this game up?"), answered)

    def action_hint(self) -> None:
        """One step more of a hint."""
        self.coach.next_step()
        self._ask_coach()

    def action_values(self) -> None:
        """What every move is worth, or no longer."""
        self.coach.values = not self.coach.values
        self._ask_coach()

    def action_why(self) -> None:
        """The reason, with the pairs or the mirror it rests on, or no longer."""
        self.coach.pairs = not self.coach.pairs
        self._ask_coach()

    def _ask_coach(self) -> None:
        """Show what is known, and ask for what is not."""
        self.causes, self.said = 0, ""
        wanted = self.coach.step or self.coach.values or self.coach.pairs
        if self.coach.advice is None and wanted and not self.asking:
            self.run_worker(self._advise(), group="coach")
        self.show()

    async def _advise(self) -> None:
        """Ask what there is to say about the position; by then it may be another."""
        game = self.table.game.copy()
        self.asking = True
        self.show()
        try:
            advice = await self.desk.adviser.ask(questions.advise, game, self.table.match.think)
        except Failed as failure:
            self.said = f"No advice could be found ({failure})."
            return
        finally:
            self.asking = False
            self.show()
        if self.table.game.moves == game.moves:
            self.coach.advice = advice
            self.show()
        elif self.coach.values:
            self._ask_coach()

    def action_rules(self) -> None:
        """How the game is played."""
        variant = self.table.match.variant
        self.app.push_screen(Note(variant.book.title, [variant.book.rules]))

    # -- afterwards ------------------------------------------------------------------------------------------------

    def action_again(self) -> None:
        """The next round, or the same match once more."""
        if self.table.match.finished:
            self._another(exchanged=False)
        else:
            self.table.next_round()
            self.go_on()

    def action_other(self) -> None:
        """The same match with sides changed."""
        self._another(exchanged=True)

    def _another(self, exchanged: bool) -> None:
        self.table.leave()
        self.table = Table(another(self.table.match, exchanged), Slot(new_name()))
        self.go_on()

    def action_review(self) -> None:
        """Go through the game."""
        self.app.push_screen(ReviewPage(self.desk, self.table.game.copy(), self.table.match.think))

    def action_puzzles(self) -> None:
        """Positions of this game in which exactly one move won."""
        game, think = self.table.game.copy(), self.table.match.think
        self.app.push_screen(PuzzlePage(self.desk, Own(game, think)))

    def action_file(self) -> None:
        """Write the game to a file."""

        def named(file: str | None) -> None:
            if file:
                self.said = write_record(file, self.table.match.games)
                self.show()

        self.app.push_screen(Entry("Save to which file?", "game.txt"), named)

    def action_back(self) -> None:
        """Rub out what is typed; otherwise leave, with everything kept."""
        if self.typed:
            self.typed = ""
            self.show()
        else:
            super().action_back()

    def on_unmount(self) -> None:
        """Let others have the match."""
        self.desk.farewell = self.table.leave()
        self.desk.unsaved = self.desk.unsaved or bool(self.table.keeper.unsaved)
