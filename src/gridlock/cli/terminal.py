"""Talking to whoever is at the other end: a person at a terminal, or a pipe."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from gridlock.drawing.text import printed_width, visible, wrapped

LONGEST_LINE = 1000  # characters of an entry that are looked at


class Terminal:
    """Standard input and output, with what they are able to do."""

    def __init__(self) -> None:
        for stream in (sys.stdin, sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")
        self.typed = sys.stdin.isatty()  # somebody types, and the terminal echoes
        self.window = sys.stdout.isatty()
        self.dumb = os.environ.get("TERM", "dumb") == "dumb"  # understands no escape sequence
        self.interactive = self.typed and self.window
        self.colour = self.interactive and not os.environ.get("NO_COLOR") and not self.dumb
        self._held: list[str] | None = None  # what may not be seen yet

    def size(self) -> tuple[int, int]:
        """Columns and lines of the window."""
        import shutil

        columns, lines = shutil.get_terminal_size()
        return columns, lines

    @property
    def columns(self) -> int | None:
        """How wide the window is, if there is one."""
        return self.size()[0] if self.window else None

    def fits(self, board: Sequence[str]) -> bool:
        """Whether a board is no wider than the window, if there is one."""
        columns = self.columns
        return columns is None or max(map(printed_width, board), default=0) <= columns

    def say(self, *lines: str) -> None:
        """Print lines, in a window broken between words."""
        if self._held is not None:
            self._held += lines
        elif lines:
            columns = self.columns
            print("\n".join(lines if columns is None else wrapped(lines, columns)), flush=True)

    def hold(self) -> None:
        """From now on, keep back what is said until it may be seen."""
        self._held = self._held or []

    def let_go(self) -> None:
        """Say what was kept back."""
        held, self._held = self._held, None
        self.say(*held or ())

    def warn(self, line: str) -> None:
        """Say something that is not part of the game."""
        with suppress(OSError):  # nobody may be listening any more
            sys.stdout.flush()
        print(line, file=sys.stderr)

    @contextmanager
    def busy(self, words: str) -> Iterator[None]:
        """Show in a window that somebody is thinking."""
        columns = None if self._held is not None else self.columns
        note = "" if columns is None or self.dumb else f"{words} ..."
        while columns is not None and printed_width(note) >= columns:
            note = note[:-1]
        print(note, end="", flush=True)
        try:
            yield
        finally:
            print("\r" + " " * printed_width(note) + "\r" if note else "", end="", flush=True)

    def ask(self, prompt: str, words: Sequence[str] = ()) -> str:
        """Read an entry; Tab completes it to one of these words.

        From a pipe it is shown after the prompt, so that the output reads like a transcript.
        """
        if self.interactive:
            with _completing(words), _redrawn(prompt), _restored():
                return input(prompt)[:LONGEST_LINE]
        print(prompt, end="", flush=True)
        line = sys.stdin.readline(LONGEST_LINE)
        if not line:
            raise EOFError
        if not line.endswith("\n") and len(line) >= LONGEST_LINE:
            while (rest := sys.stdin.readline(LONGEST_LINE)) and not rest.endswith("\n"):
                pass  # the rest of an absurdly long line is not an entry of its own
        line = line.rstrip("\r\n")
        if not self.typed:
            with suppress(OSError):  # if nobody listens any more, the entry still has its effect first
                print(visible(line), flush=True)
        return line


@contextmanager
def _completing(words: Sequence[str]) -> Iterator[None]:
    """Give the prompt line editing, a history, and Tab for these words."""
    try:
        import readline
    except ImportError:
        yield
        return

    def complete(text: str, state: int) -> str | None:
        fitting = [word for word in words if word.startswith(text.lstrip().lower())]
        return fitting[state] if state < len(fitting) else None

    readline.set_completer_delims("\n")  # the whole line is one word
    readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")
    readline.set_completer(complete)
    try:
        yield
    finally:
        readline.set_completer(None)


@contextmanager
def _redrawn(prompt: str) -> Iterator[None]:
    """After Ctrl-Z and fg, show the prompt again and what was typed so far."""
    try:
        import readline
        import signal

        def show(_number: int, _frame: object) -> None:
            print(f"{prompt}{readline.get_line_buffer()}", end="", flush=True)

        before = signal.signal(signal.SIGCONT, show)
    except (ImportError, AttributeError, ValueError):  # not everywhere can a program be stopped like this
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGCONT, before)


@contextmanager
def _restored() -> Iterator[None]:
    """Let SIGTERM and SIGHUP leave the prompt first: the line editor has to restore the terminal."""
    import signal

    def leave(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

    ending = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    heeded = [number for number in ending if signal.getsignal(number) is signal.SIG_DFL]
    for number in heeded:
        signal.signal(number, leave)
    try:
        yield
    finally:
        for number in heeded:
            signal.signal(number, signal.SIG_DFL)


def tell(*lines: str, err: bool = False) -> None:
    """Print the answer of a command, or a remark about it; in a window, broken between words."""
    import shutil

    stream = sys.stderr if err else sys.stdout
    broken = wrapped(lines, shutil.get_terminal_size().columns) if stream.isatty() else lines
    print("\n".join(broken), file=stream, flush=True)


def page(*lines: str) -> None:
    """Print a long answer: in a window too low for it, through the reader's own pager (PAGER, or less).

    Not where a screen reader listens, nor for whoever has said that there be no pager (`PAGER=cat`).
    """
    import shutil

    columns, height = shutil.get_terminal_size()
    asked = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    unwanted = os.environ.get("ACCESSIBLE") or os.environ.get("PAGER", "less").strip() in ("", "cat")
    broken = wrapped(lines, columns)
    if not asked or unwanted or len(broken) < height:
        tell(*lines)
        return
    import click

    os.environ.setdefault("LESS", "FRX")  # colours, no screen of its own, and none of it where the text fits
    click.echo_via_pager("\n".join(broken) + "\n")
