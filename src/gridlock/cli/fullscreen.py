"""Opening the full screen, if the terminal and the settings allow it."""

import os
from collections.abc import Callable
from importlib.util import find_spec

import click

from gridlock.cli.terminal import Terminal, tell
from gridlock.core.match import Match
from gridlock.userdata.saves import Slot
from gridlock.userdata.settings import Preferences

screen_option = click.option(
    "--screen/--plain", "full", default=False, help="Play full-screen, or line by line (default)."
)
MISSING = "The full screen needs the textual package. Install it with: pip install textual"


def wanted() -> bool:
    """Return whether `gridlock` alone opens the full screen.

    Screen readers need lines, so ACCESSIBLE in the environment and `screen = "lines"` in the settings turn it off.
    """
    return not os.environ.get("ACCESSIBLE") and Preferences.load().screen != "lines"


def installed() -> bool:
    """Return whether the package for the full screen is installed."""
    return find_spec("textual") is not None


def possible(terminal: Terminal) -> bool:
    """Return whether the full screen can be opened; print a note if only the package is missing."""
    if not terminal.interactive or terminal.dumb:
        return False
    if not installed():
        tell(MISSING, err=True)
    return installed()


def open_screen(match: Match | None = None, slot: Slot | None = None) -> int:
    """Open the full screen with a match or its start page, using the function that the `gridlock` command provides."""
    opener: Callable[[Match | None, Slot | None], int] = click.get_current_context().obj
    return opener(match, slot)
