"""Talking to whoever is at the other end: a person at a terminal, or a pipe."""

import os
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from gridlock.drawing import wrapped

LONGEST_LINE = 1000  # characters of an entry that are looked at


class Terminal:
    """Standard input and output, with what they are able to do."""

    def __init__(self) -> None:
        for stream in (sys.stdin, sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")
        self.typed = sys.stdin.isatty()  # somebody types, and the terminal echoes
        self.window = sys.stdout.isatty()
        self._held: list[str] | None = None  # what may not be seen yet
        self.colour = (
            self.typed and self.window and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"
        )
        if self.typed and self.window:
            with suppress(ImportError):
                import readline  # noqa: F401  (gives the prompt line editing and a history)

    def size(self) -> tuple[int, int]:
        """Columns and lines of the window."""
        import shutil

        columns, lines = shutil.get_terminal_size()
        return columns, lines

    @property
    def columns(self) -> int | None:
        """How wide the window is, if there is one."""
        return self.size()[0] if self.window else None

    def say(self, *lines: str) -> None:
        """Print lines, in a window broken between words."""
        if self._held is not None:
            self._held += lines
        elif lines:
            columns = self.columns
            print("\n".join(lines if columns is None else wrapped(lines, columns)), flush=True)

    def hold(self, held: bool) -> None:
        """From now on, keep back what is said until it may be seen; or no longer."""
        self._held = (self._held or []) if held else None

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
        note = "" if columns is None else f"{words} ..."[: columns - 1]
        print(note, end="", flush=True)
        try:
            yield
        finally:
            print("\r" + " " * len(note) + "\r" if note else "", end="", flush=True)

    def ask(self, prompt: str) -> str:
        """Read an entry; from a pipe it is shown after the prompt, so that the output reads like a transcript."""
        if self.typed and self.window:
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


def visible(text: str, longest: int = 200) -> str:
    """Text with everything that could steer a terminal replaced."""
    shown = "".join(
        char if unicodedata.category(char)[0] != "C" else "\N{REPLACEMENT CHARACTER}" for char in text[:longest]
    )
    return shown + ("..." if len(text) > longest else "")
