"""Putting a match on disk while it is played: every move before anybody sees it."""

from time import monotonic
from typing import Protocol

from gridlock.core.match import Match
from gridlock.userdata.saves import Slot

SOON = 0.2  # seconds of a long match between programs that are put on disk, and shown, together


class Listener(Protocol):
    """Who is told what could not be saved, and holds back what may not be seen yet: a terminal, or the full screen."""

    def warn(self, line: str) -> None:
        """Say something that is not part of the game."""

    def hold(self, held: bool) -> None:
        """From now on, keep back what is said until it may be seen; or no longer."""

    def let_go(self) -> None:
        """Say what was kept back."""


class Keeper:
    """Saves a match and its record, and knows what could not be saved."""

    def __init__(self, match: Match, slot: Slot, terminal: Listener, together: bool = True) -> None:
        """Several moves may be saved `together` where nobody waits for them."""
        self.match = match
        self.slot = slot
        self.terminal = terminal
        self.unsaved: set[str] = set()  # what could not be put on disk the last time
        self._kept = 0.0  # when everything was put on disk
        # A save holds the whole match, so in a long one between programs several moves wait for one save together.
        self.together = together and "human" not in match.kinds and match.rounds > 1

    def keep(self) -> None:
        """Put everything on disk; what is not possible now is said once and tried again after the next move."""
        for what, write in (("game", self.slot.save), ("record", self.slot.save_record)):
            try:
                write(self.match)
                self.unsaved.discard(what)
            except OSError as error:
                if what not in self.unsaved:
                    self.terminal.warn(f"The {what} cannot be saved ({error.strerror or error}). Play goes on.")
                self.unsaved.add(what)
        self._kept = monotonic()

    def moved(self) -> None:
        """Put a move on disk before it is shown: at once, or together with those that follow in a moment."""
        if not self.together:
            self.keep()
        elif monotonic() - self._kept > SOON:
            self.keep()
            self.terminal.let_go()
        self.terminal.hold(self.together)

    def finish(self) -> None:
        """Put everything on disk, and show what has waited for that."""
        self.keep()
        self.terminal.let_go()

    def how_to_go_on(self) -> str:
        """What becomes of the match when somebody leaves it now."""
        if "game" in self.unsaved:
            return "The last moves could not be saved."
        saved = "Your game is finished and saved." if self.match.finished else "Your game is saved."
        if "record" in self.unsaved:
            saved += " Its record could not be saved."
        return saved if self.match.finished else f"{saved} To go on: gridlock resume"
