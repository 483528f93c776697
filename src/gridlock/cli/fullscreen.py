"""Whether there can be a full screen here, and opening it."""

import os
from collections.abc import Callable
from importlib.util import find_spec

import click

from gridlock.cli.terminal import Terminal, tell
from gridlock.core.match import Match
from gridlock.userdata.saves import Slot
from gridlock.userdata.settings import Preferences

screen_option = click.option(
    "--screen/--plain", "full", default=False, help="On the full screen, or line by line (as it is)."
)
MISSING = "The full screen needs the package textual. To get it: pip install textual"


def wanted() -> bool:
    """Whether `gridlock` alone is to open the full screen.

    Lines are what a screen reader reads, so ACCESSIBLE in the environment and `screen = "lines"` among the settings
    ask for them.
    """
    return not os.environ.get("ACCESSIBLE") and Preferences.load().screen != "lines"


def missing() -> str:
    """What is missing for it, in a sentence; nothing, if all is there."""
    return "" if find_spec("textual") else MISSING


def possible(terminal: Terminal) -> bool:
    """Whether it can be opened where somebody asks for it; at a terminal that lacks only the package, that is said."""
    if not terminal.interactive or terminal.dumb:
        return False
    if lacking := missing():
        tell(lacking, err=True)
    return not lacking


def open_screen(match: Match | None = None, slot: Slot | None = None) -> int:
    """Open it with a match, or with its start page, by the function that the `gridlock` command provides."""
    opener: Callable[[Match | None, Slot | None], int] = click.get_current_context().obj
    return opener(match, slot)
