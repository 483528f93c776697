"""The entry point of the installed command."""

import signal


def main() -> None:
    """Load the command and run it; Ctrl-C during loading ends it silently."""
    handled = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # in the background it may be ignored
    if handled:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from gridlock.command import main as run

    if handled:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    run()
