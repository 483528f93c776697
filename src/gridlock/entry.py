"""The entry point of the installed command."""

import signal
import sys

import gridlock

OVERWRITTEN = """\
gridlock: another project's package, also called gridlock, has overwritten files of this one. To repair it, run:
  pip uninstall gridlock
  pip install --force-reinstall --no-deps gridlock-games"""


def main() -> None:
    """Load the command and run it; Ctrl-C during loading ends it silently."""
    if "Game" not in getattr(gridlock, "__all__", ()):  # not our __init__.py, or none at all
        sys.exit(OVERWRITTEN)
    handled = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # in the background it may be ignored
    if handled:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from gridlock.command import main as run

    if handled:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    run()
