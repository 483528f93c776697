"""Whether there can be a full screen here, and opening it."""

import os
from importlib import import_module
from importlib.util import find_spec

from gridlock.cli.preferences import Preferences
from gridlock.cli.store import Slot
from gridlock.cli.terminal import Terminal
from gridlock.play.match import Match

MISSING = "The full screen needs the package textual. To get it: pip install textual"


def wanted(terminal: Terminal) -> bool:
    """Whether `gridlock` alone opens the full screen: at a terminal that can show it, unless lines are preferred.

    Lines are what a screen reader reads, so ACCESSIBLE in the environment and `screen = "lines"` among the settings
    ask for them.
    """
    lines = os.environ.get("ACCESSIBLE") or Preferences.load().screen == "lines"
    return terminal.interactive and not terminal.dumb and not lines


def missing() -> str:
    """What is missing for it, in a sentence; nothing, if all is there."""
    return "" if find_spec("textual") else MISSING


def open_screen(match: Match | None = None, slot: Slot | None = None) -> int:
    """Open it, with a match first or with the list of what there is to do.

    It is found by its name, as commands are: it stands above the command line, whose saved games and settings it
    shares, and loads only now.
    """
    code: int = import_module("gridlock.tui.app").run(match, slot)
    return code
