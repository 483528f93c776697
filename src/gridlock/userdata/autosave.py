"""Save a match during play, so that every move is on disk before it is shown."""

import json
from pathlib import Path
from time import monotonic
from typing import Protocol

from gridlock.core import records
from gridlock.core.files import write_safely
from gridlock.core.game import Game
from gridlock.core.match import Match
from gridlock.drawing.text import visible
from gridlock.userdata.saves import Slot

SOON = 0.2  # seconds between saves, and between announcements, in a long match between programs


class Listener(Protocol):
    """A terminal that shows warnings, and can hold back its output."""

    def warn(self, line: str) -> None:
        """Show a warning, which is not part of the game's own output."""

    def hold(self) -> None:
        """Hold back output from now on."""

    def let_go(self) -> None:
        """Show the output that was held back, and let further output through."""


class Autosave:
    """An object that saves a match and its record automatically, and remembers what could not be saved."""

    def __init__(self, match: Match, slot: Slot, listener: Listener | None = None, batched: bool = False) -> None:
        """Set up saving.

        If `batched` is true, the moves of a long match between programs are saved and announced in batches.
        """
        self.match = match
        self.slot = slot
        self.listener = listener
        self.unsaved: set[str] = set()  # what the last save failed to write: "game", "record" or both
        self.warning = ""  # a sentence about the failed save
        self._saved = 0.0  # the time of the last save
        # Each save writes the whole match. In a long match between programs, one save therefore covers several moves.
        self._batch = listener if batched and "human" not in match.kinds and match.rounds > 1 else None

    def save(self) -> None:
        """Save the match and its record; report a failure only once, and try again after the next move."""
        for what, write in (("game", self.slot.save), ("record", self.slot.save_record)):
            try:
                write(self.match)
                self.unsaved.discard(what)
            except OSError as error:
                if what not in self.unsaved:
                    self.warning = f"The {what} cannot be saved ({error.strerror or error}). You can keep playing."
                    if self.listener:
                        self.listener.warn(self.warning)
                self.unsaved.add(what)
        self.warning = self.warning if self.unsaved else ""
        self._saved = monotonic()

    def changed(self) -> None:
        """Save a change before it is shown.

        If saves are batched, output is held back until the next save, so that one save can cover several changes.
        """
        if self._batch is None:
            self.save()
            return
        if monotonic() - self._saved > SOON:
            self.save()
            self._batch.let_go()
        self._batch.hold()

    def finish(self) -> None:
        """Save the match and its record, and show the output that was held back."""
        self.save()
        if self._batch:
            self._batch.let_go()

    def how_to_resume(self) -> str:
        """Return a message that says whether the match is saved, and how to resume it."""
        if "game" in self.unsaved:
            return "The last moves could not be saved."
        if not self.match.begun:
            return "No moves were made, so the game isn't saved."
        saved = "Your game is finished and saved." if self.match.finished else "Your game is saved."
        if "record" in self.unsaved:
            saved += " The game's record could not be saved."
        return saved if self.match.finished else f"{saved} Resume it with: gridlock resume"


def record_text(file: str, games: list[Game]) -> str:
    """Return games as a record: JSON if the file's name ends in `.json`, otherwise text."""
    if not file.lower().endswith(".json"):
        return "\n".join(map(records.dump_text, games))
    data = [records.dump_json(game) for game in games]
    return json.dumps(data if len(data) > 1 else data[0], indent=2) + "\n"


def write_record(file: str, games: list[Game]) -> str:
    """Write games to a new file, and return a sentence that reports success or failure."""
    try:
        path = Path(file).expanduser()
        if path.exists():
            return f"{visible(file)} already exists. Choose another name."
        write_safely(path, record_text(file, games))
    except (OSError, ValueError, RuntimeError) as error:  # a file name can be invalid in many ways
        return f"Not saved: {getattr(error, 'strerror', None) or error}."
    return f"Saved to {visible(file)}."
