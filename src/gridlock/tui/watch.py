"""The page on which two programs play: with a speed, a pause, and single steps."""

import asyncio
from time import monotonic
from typing import ClassVar

from textual.binding import Binding, BindingType

from gridlock.play.match import LiveMatch
from gridlock.tui.play import PlayPage
from gridlock.tui.state import AppState

SPEEDS = (4.0, 2.0, 1.0, 0.5, 0.2)  # seconds per move
BEAT = 0.05  # seconds between two checks for a key


class WatchPage(PlayPage):
    """A match between two programs."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p", "pause", "pause"),
        Binding(".", "step", "one move", key_display="."),
        Binding("+,=", "speed(1)", "faster", key_display="+"),
        Binding("-", "speed(-1)", "slower", key_display="-"),
    ]
    NOTES: ClassVar[tuple[str, ...]] = ("One move at a time: . pauses, and each further . makes one move.",)

    def __init__(self, state: AppState, live: LiveMatch) -> None:
        super().__init__(state, live)
        self.speed = 2
        self.paused = False
        self.steps = 0

    async def until_shown(self, began: float) -> None:
        """Wait as long as the speed says; while paused, wait for a step."""
        while monotonic() - began < SPEEDS[self.speed] and not self.steps:
            await asyncio.sleep(BEAT)
        while self.paused and not self.steps:
            await asyncio.sleep(BEAT)
        self.steps = max(0, self.steps - 1)

    def action_pause(self) -> None:
        """Pause or resume."""
        self.paused, self.steps = not self.paused, 0
        self._show_pace()

    def action_step(self) -> None:
        """Pause; if paused already, make one move."""
        self.steps = self.steps + 1 if self.paused else 0
        self.paused = True
        self._show_pace()

    def action_speed(self, change: int) -> None:
        """Play faster or slower."""
        self.speed = max(0, min(len(SPEEDS) - 1, self.speed + change))
        self._show_pace()

    def _show_pace(self) -> None:
        self.waiting = "Paused: p goes on, . makes one move." if self.paused else f"{SPEEDS[self.speed]:g} s a move."
        self.show()


def match_page(state: AppState, live: LiveMatch) -> PlayPage:
    """Return the page for a match: to watch if only programs play, otherwise to play."""
    return (WatchPage if live.watched else PlayPage)(state, live)
