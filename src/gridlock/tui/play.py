"""Playing on the full screen: everything that can be done besides moving, and after the end."""

from collections.abc import Callable
from typing import ClassVar

from textual.binding import Binding, BindingType

from gridlock.core.errors import IllegalMove
from gridlock.play.puzzle_sources import FromGame
from gridlock.tui.match import MatchPage
from gridlock.tui.page import Entry, Note, Question
from gridlock.tui.puzzles import PuzzlePage
from gridlock.tui.review import ReviewPage
from gridlock.userdata.export import write_record


class PlayPage(MatchPage):
    """A match with advice, taking back, giving up, and another one afterwards."""

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
    ]

    # -- what else can be done -------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key works now."""
        game, live = self.live.game, self.live
        works = {
            "hint": live.persons_turn,
            "values": game.outcome is None,
            "why": game.outcome is None,
            "undo": live.can_undo,
            "redo": live.can_redo,
            "swap": live.persons_turn and game.can_swap,
            "resign": game.outcome is None and not live.watched,
            "again": game.outcome is not None,
            "other": live.match.finished or live.match.can_exchange,
            "review": game.outcome is not None,
            "puzzles": game.outcome is not None,
        }
        return works.get(action, super().check_action(action, parameters))

    def _change(self, act: Callable[[], str]) -> None:
        """Undo, redo or swap, or say why not."""
        try:
            words = act()
        except IllegalMove as error:
            self.said = str(error)
            self.show()
            return
        self.go_on(words)

    def action_undo(self) -> None:
        """Take back the last move, and the computer's answer."""
        self._change(self.live.undo)

    def action_redo(self) -> None:
        """Make it again."""
        self._change(self.live.redo)

    def action_swap(self) -> None:
        """Take over the other side."""
        self._change(self.live.swap)

    def action_resign(self) -> None:
        """Give up, after a question."""

        def answered(yes: bool | None) -> None:
            if yes and self.live.game.outcome is None:
                self.live.resign()
                self.go_on()

        self.app.push_screen(Question("Give this game up?"), answered)

    def action_hint(self) -> None:
        """One step more of a hint."""
        self.coach.next_step()
        self.ask_coach()

    def action_values(self) -> None:
        """What every move is worth, or no longer."""
        self.coach.values = not self.coach.values
        self.ask_coach()

    def action_why(self) -> None:
        """The reason, with the pairs or the mirror it rests on, or no longer."""
        self.coach.pairs = not self.coach.pairs
        self.ask_coach()

    def action_rules(self) -> None:
        """How the game is played."""
        variant = self.live.match.variant
        self.app.push_screen(Note(variant.book.title, [variant.book.rules]))

    # -- afterwards ------------------------------------------------------------------------------------------------

    def action_again(self) -> None:
        """The next round, or the same match once more."""
        if self.live.match.finished:
            self._another(exchanged=False)
        else:
            self.live.start_round()
            self.go_on()

    def action_other(self) -> None:
        """The same match with sides changed; in the middle of a game, the computer goes on with this side."""
        if self.live.match.finished:
            self._another(exchanged=True)
        else:
            self.go_on(self.live.exchange())

    def _another(self, exchanged: bool) -> None:
        self.live = self.live.again(exchanged)
        self.live.start_round()
        self.go_on()

    def action_review(self) -> None:
        """Go through the game."""
        self.app.push_screen(ReviewPage(self.state, self.live.game.copy(), self.live.match.think))

    def action_puzzles(self) -> None:
        """Positions of this game in which exactly one move won."""
        game, think = self.live.game.copy(), self.live.match.think
        self.app.push_screen(PuzzlePage(self.state, FromGame(game, think)))

    def action_file(self) -> None:
        """Write the game to a file."""

        def named(file: str | None) -> None:
            if file:
                self.said = write_record(file, self.live.match.games)
                self.show()

        self.app.push_screen(Entry("Save to which file?", "game.txt"), named)

    def on_unmount(self) -> None:
        """Let others have the match; who closes the program with it on the screen is told how to go on."""
        words = self.live.leave()
        self.state.farewell = "" if self.left else words
        self.state.unsaved = self.state.unsaved or bool(self.live.autosave.unsaved)
