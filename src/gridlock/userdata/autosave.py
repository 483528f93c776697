"""Saving a match while it is played: every move before anybody sees it."""

from time import monotonic
from typing import Protocol

from gridlock.core.match import Match
from gridlock.userdata.saves import Slot

SOON = 0.2  # seconds of a long match between programs that are saved, and shown, together


class Listener(Protocol):
    """A terminal that shows warnings, and holds back what may not be seen yet."""

    def warn(self, line: str) -> None:
        """Say something that is not part of the game."""

    def hold(self) -> None:
        """From now on, hold back what is said."""

    def let_go(self) -> None:
        """Say what was held back, and hold nothing back any more."""


class Autosave:
    """Saves a match and its record, and knows what could not be saved."""

    def __init__(self, match: Match, slot: Slot, listener: Listener | None = None, batched: bool = False) -> None:
        """Moves of a long match between programs may be `batched`: the listener holds back their announcements."""
        self.match = match
        self.slot = slot
        self.listener = listener
        self.unsaved: set[str] = set()  # what could not be saved the last time
        self.warning = ""  # about that
        self._saved = 0.0  # when everything was saved
        # A save holds the whole match, so in a long one between programs several moves wait for one save together.
        self._batch = listener if batched and "human" not in match.kinds and match.rounds > 1 else None

    def save(self) -> None:
        """Save everything; what is not possible now is reported once and tried again after the next move."""
        for what, write in (("game", self.slot.save), ("record", self.slot.save_record)):
            try:
                write(self.match)
                self.unsaved.discard(what)
            except OSError as error:
                if what not in self.unsaved:
                    self.warning = f"The {what} cannot be saved ({error.strerror or error}). Play goes on."
                    if self.listener:
                        self.listener.warn(self.warning)
                self.unsaved.add(what)
        self.warning = self.warning if self.unsaved else ""
        self._saved = monotonic()

    def changed(self) -> None:
        """Save a change before it is shown: at once, or together with those that follow in a moment."""
        if self._batch is None:
            self.save()
            return
        if monotonic() - self._saved > SOON:
            self.save()
            self._batch.let_go()
        self._batch.hold()

    def finish(self) -> None:
        """Save everything, and show what was held back until then."""
        self.save()
        if self._batch:
            self._batch.let_go()

    def how_to_resume(self) -> str:
        """Return what becomes of the match when the player leaves it now."""
        if "game" in self.unsaved:
            return "The last moves could not be saved."
        saved = "Your game is finished and saved." if self.match.finished else "Your game is saved."
        if "record" in self.unsaved:
            saved += " Its record could not be saved."
        return saved if self.match.finished else f"{saved} To go on: gridlock resume"
