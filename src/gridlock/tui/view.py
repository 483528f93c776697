"""The display of a match: its board, players, moves and text, at the current position or an earlier one."""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Static

from gridlock.core.grid import Cell
from gridlock.play.match import LiveMatch
from gridlock.tui import match_text
from gridlock.tui.bars import Words
from gridlock.tui.board import Board
from gridlock.tui.layout import SMALLEST
from gridlock.tui.overview import Overview
from gridlock.tui.page import AppState, BoardPage, Question
from gridlock.tui.picture import Picture

NARROW, SIDE = 56, 30  # the fewest columns for which the side panel is shown, and its width
TALL = 30  # with this many lines or more, the text below the board has more room


class MatchView(BoardPage):
    """A page that can show any position of a match and, if the board does not fit, any part of the board."""

    DEFAULT_CSS = """
    MatchView {
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
        Binding("home", "look(-99999)", "start of the game", show=False),
        Binding("end", "latest", "back to the game", key_display="End"),
        Binding("l", "last", "last move"),
        Binding("m", "overview", "overview"),
    ]
    waiting = ""  # text for a program's turn that replaces the usual text
    failure = ""  # why the program to move has not moved

    def __init__(self, state: AppState, live: LiveMatch) -> None:
        super().__init__(state, f"{live.match.variant.book.title}, {live.match.variant.grid}")
        self.live = live
        self.live.start_round()
        self.coach = match_text.Coach()
        self.asking = False  # whether the engine is being asked for advice
        self.causes = 0
        self.typed: str | None = None  # the move typed so far; every letter belongs to it until Enter
        self.said = ""  # text about the last action
        self.look: int | None = None  # the number of moves before the position shown; None for the current position
        self._since = 0  # how many moves there were when the person began to look back

    def body(self) -> ComposeResult:
        with Horizontal():
            yield Board(letters=False)
            with Vertical(id="side"):
                yield Static(id="players", markup=False)
                with VerticalScroll(can_focus=False):
                    yield Static(id="moves", markup=False)
        yield Words()

    def on_resize(self, event: events.Resize) -> None:
        """Hide the side panel if the window is too narrow to show it beside the board."""
        grid = self.live.match.variant.grid
        needed = len(str(grid.rows)) + 1 + grid.cols * SMALLEST.wide
        self.set_class(event.size.width < NARROW or event.size.width - SIDE < needed, "-narrow")
        self.set_class(event.size.height >= TALL, "-tall")
        self.call_after_refresh(self.refresh_bindings)  # some keys work only if the board does not fit

    # -- display -------------------------------------------------------------------------------------------------

    def show(self) -> None:
        """Show the position being viewed, with the players, the moves and the text below the board."""
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
        """Show the players and their clocks.

        The title repeats the clocks, because a narrow screen hides the panel that shows the players and their clocks.
        """
        looking = "(looking back)" if self.look is not None else ""
        self.set_text("players", "\n".join([self.heading, looking, *match_text.players(self.live)]))
        clocks = f"{match_text.clocks(self.live)}  " if self.live.match.clock else ""
        self.set_text("title", f"{clocks}{self.heading} {looking}")

    @property
    def board_is_cut(self) -> bool:
        """Whether only part of the board is visible."""
        return any(board.partial for board in self.query(Board))  # the page has no board while it opens or closes

    @property
    def picture(self) -> Picture:
        """A picture of the position that the page shows."""
        game = self.live.game
        return self.coach.picture(game, self.causes) if self.look is None else Picture.of(game.at(self.look))

    def _words(self) -> list[str]:
        """Return the text below the board: what the user most needs to know now, and a warning if saving failed."""
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
        """Show an earlier or later position while the game continues."""
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
        self.reveal_last()

    def on_click(self, event: events.Click) -> None:
        """Show the position after the move that the user clicked in the list."""
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

    def reveal_last(self) -> None:
        """Scroll to the position's last move."""
        last = self.picture.last
        if last is not None:
            self.board.reveal(last)

    def action_overview(self) -> None:

        def chosen(cell: Cell | None) -> None:
            if cell is not None:
                self.board.point(cell)

        self.app.push_screen(Overview(self.picture, self.board.cursor), chosen)

    def action_back(self) -> None:
        """Go back to the latest position if an earlier one is shown; otherwise leave the page.

        If the last moves could not be saved, ask before leaving.
        """
        if self.look is not None:
            self.action_latest()
            return
        if not self.live.autosave.unsaved:
            super().action_back()
            return
        leave = super().action_back
        question = "The last moves could not be saved. Leave anyway?"
        self.app.push_screen(Question(question), lambda yes: leave() if yes else None)
