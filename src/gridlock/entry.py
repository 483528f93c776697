"""The entry point of the installed command."""

import signal
import sys

import gridlock

OVERWRITTEN = """\
gridlock: another project's package, also called gridlock, has overwritten some of GridLock's files.
To fix this, run these two commands:
  pip uninstall gridlock
  pip install --force-reinstall --no-deps gridlock-games"""


def main() -> None:
    """Load the command and run it; Ctrl-C during loading ends the program silently."""
    if "Game" not in getattr(gridlock, "__all__", ()):  # __init__.py is missing or is not ours
        sys.exit(OVERWRITTEN)
    handled = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # a background process may ignore Ctrl-C
    if handled:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from gridlock.command import main as run

    if handled:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    run()
