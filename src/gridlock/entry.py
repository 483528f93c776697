"""Where the installed command begins."""

import signal


def main() -> None:
    """Load the command and run it; Ctrl-C while it is still loading ends it without a word."""
    watched = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # in the background it may be ignored
    if watched:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from gridlock.command import main as run

    if watched:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    run()
