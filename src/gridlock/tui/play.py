"""The match pages: one for playing, with advice, undo and a menu after the game, and one for watching two programs."""

import asyncio
from time import monotonic
from typing import ClassVar

from textual.binding import Binding, BindingType

from gridlock.core.errors import IllegalMove
from gridlock.play.match import LiveMatch
from gridlock.play.puzzle_sources import FromGame
from gridlock.tui.match import MatchPage
from gridlock.tui.page import AppState, Note, Prompt, Question
from gridlock.tui.review import ReviewPage
from gridlock.tui.training import PuzzlePage
from gridlock.userdata.autosave import write_record

SPEEDS = (4.0, 2.0, 1.0, 0.5, 0.2)  # seconds per move
BEAT = 0.05  # seconds between checks for a key


class PlayPage(MatchPage):
    """A match page on which you can get advice, undo moves, resign, and start another match at the end."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h", "hint", "hint"),
        Binding("v", "values", "values"),
        Binding("w", "why", "why"),
        Binding("a", "regions", "regions", show=False),
        Binding("u", "change('undo')", "undo"),
        Binding("r", "change('redo')", "redo"),
        Binding("s", "change('swap')", "swap"),
        Binding("g", "resign", "resign"),
        Binding("n", "next_round", "next round"),
        Binding("n", "again", "again"),
        Binding("o", "other", "change sides"),
        Binding("e", "review", "review"),
        Binding("z", "puzzles", "puzzles"),
        Binding("f", "file", "save"),
        Binding("i", "rules", "rules", show=False),
    ]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        live, over, now = self.live, self.live.game.outcome is not None, self.look is None
        works = {
            "hint": now and live.persons_turn,
            "values": now and not over,
            "why": now and not over,
            "regions": now and not over,
            "undo": now and live.can_undo,
            "redo": now and live.can_redo,
            "swap": now and live.persons_turn and live.game.can_swap,
            "resign": not over and not live.watched,
            "next_round": over and not live.match.finished,
            "again": live.match.finished,
            "other": now and (live.match.finished or live.match.can_exchange),
            "review": over,
            "puzzles": over,
            "look": bool(live.game.moves),
            "latest": not now,
            "last": bool(live.game.moves) and self.board_is_cut,
            "overview": self.board_is_cut,
        }
        return works.get(str(parameters[0]) if action == "change" else action, True)

    def action_change(self, what: str) -> None:
        """Undo, redo or swap, or show why that is not possible."""
        try:
            self.proceed({"undo": self.live.undo, "redo": self.live.redo, "swap": self.live.swap}[what]())
        except IllegalMove as error:
            self.said = str(error)
            self.show()

    def action_resign(self) -> None:
        """Resign, after asking for confirmation."""

        def answered(yes: bool | None) -> None:
            if yes and self.live.game.outcome is None:
                self.live.resign()
                self.proceed()

        self.app.push_screen(Question("Resign this game?"), answered)

    def action_hint(self) -> None:
        self.coach.next_step()
        self.ask_coach()

    def action_values(self) -> None:
        self.coach.values = not self.coach.values
        self.ask_coach()

    def action_why(self) -> None:
        """Show or hide the reason for the verdict, with the pairs or the mirror strategy behind it."""
        self.coach.pairs = not self.coach.pairs
        self.ask_coach()

    def action_regions(self) -> None:
        """Show the board's regions and their values in a frame over the page."""
        if not self.asking:
            self.run_worker(self.show_regions, group="coach")

    def action_rules(self) -> None:
        variant = self.live.match.variant
        self.app.push_screen(Note(variant.book.title, [variant.book.rules]))

    # -- after a game ----------------------------------------------------------------------------------------------

    def action_again(self) -> None:
        self._start(exchanged=False)

    action_next_round = action_again

    def action_other(self) -> None:
        """Start the same match with the sides exchanged or, during a game, exchange sides with the computer."""
        if self.live.match.finished:
            self._start(exchanged=True)
        elif not self.live.game.moves:
            self.proceed(self.live.exchange())
        else:

            def answered(yes: bool | None) -> None:
                if yes and self.live.match.can_exchange:
                    self.proceed(self.live.exchange())

            question = "Change sides? The game won't count towards your results."
            self.app.push_screen(Question(question), answered)

    def _start(self, exchanged: bool) -> None:
        if self.live.match.finished:
            self.live = self.live.again(exchanged)
        self.live.start_round()
        self.look = None
        self.proceed()

    def action_review(self) -> None:
        match = self.live.match
        self.app.push_screen(ReviewPage(self.state, self.live.game.copy(), match.think, match.kinds, match.hints[-1]))

    def action_puzzles(self) -> None:
        """Show puzzles that are made from positions in this game."""
        game, think = self.live.game.copy(), self.live.match.think
        self.app.push_screen(PuzzlePage(self.state, FromGame(game, think)))

    def action_file(self) -> None:

        def named(file: str | None) -> None:
            if file:
                self.said = write_record(file, self.live.match.games)
                self.show()

        self.app.push_screen(Prompt("Save to which file?", "game.txt"), named)

    def on_unmount(self) -> None:
        """Close the match; if the program is also closing, store a message that says how to resume the match."""
        words = self.live.leave()
        self.state.farewell = "" if self.left else words
        self.state.unsaved = self.state.unsaved or bool(self.live.autosave.unsaved)


class WatchPage(PlayPage):
    """A page for watching a match between two programs."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p", "pause", "pause"),
        Binding(".", "step", "one move", key_display="."),
        Binding("+,=", "speed(1)", "faster", key_display="+"),
        Binding("-", "speed(-1)", "slower", key_display="-"),
    ]
    NOTES: ClassVar[tuple[str, ...]] = ("Press . to pause the match, and again to play one move at a time.",)

    def __init__(self, state: AppState, live: LiveMatch) -> None:
        super().__init__(state, live)
        self.speed = 2
        self.paused = False
        self.steps = 0

    async def until_shown(self, began: float) -> None:
        """Wait for the set time per move; if the match is paused, wait until the user resumes it or asks for a move."""
        while monotonic() - began < SPEEDS[self.speed] and not self.steps:
            await asyncio.sleep(BEAT)
        while self.paused and not self.steps:
            await asyncio.sleep(BEAT)
        self.steps = max(0, self.steps - 1)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("pause", "step", "speed"):
            return self.live.game.outcome is None
        return super().check_action(action, parameters)

    def action_pause(self) -> None:
        self.paused, self.steps = not self.paused, 0
        self._show_pace()

    def action_step(self) -> None:
        """Pause the match; if it is already paused, make one move."""
        self.steps = self.steps + 1 if self.paused else 0
        self.paused = True
        self._show_pace()

    def action_speed(self, change: int) -> None:
        self.speed = max(0, min(len(SPEEDS) - 1, self.speed + change))
        self._show_pace()

    def _show_pace(self) -> None:
        pace = f"{SPEEDS[self.speed]:g} s per move"
        self.waiting = f"Paused ({pace}). Press p to resume, or . for one move." if self.paused else f"{pace}."
        self.show()


def match_page(state: AppState, live: LiveMatch) -> PlayPage:
    """Return the page for a match: the watching page if only programs play, otherwise the playing page."""
    return (WatchPage if live.watched else PlayPage)(state, live)
