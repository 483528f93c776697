"""Standard input and output: a person at a terminal, or a pipe; progress lines, and Ctrl-C in long calculations."""

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Self

from gridlock.drawing.text import printed_width, visible, wrapped

LONGEST_LINE = 1000  # characters of an entry that are read


class Terminal:
    """Standard input and output, and what they can do."""

    def __init__(self) -> None:
        for stream in (sys.stdin, sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")
        self.typed = sys.stdin.isatty()  # a person types, and the terminal echoes
        self.window = sys.stdout.isatty()
        self.dumb = os.environ.get("TERM", "dumb") == "dumb"  # understands no escape sequence
        self.interactive = self.typed and self.window
        self.colour = self.interactive and not os.environ.get("NO_COLOR") and not self.dumb
        self._held: list[str] | None = None  # lines that may not be seen yet

    def size(self) -> tuple[int, int]:
        """Columns and lines of the window."""
        import shutil

        return shutil.get_terminal_size()

    @property
    def columns(self) -> int | None:
        """The width of the window, if there is one."""
        return self.size()[0] if self.window else None

    def fits(self, board: Sequence[str]) -> bool:
        """Return whether a board is no wider than the window; without a window, every board fits."""
        columns = self.columns
        return columns is None or max(map(printed_width, board), default=0) <= columns

    def say(self, *lines: str) -> None:
        """Print lines, wrapped to the window."""
        if self._held is not None:
            self._held += lines
        elif lines:
            tell(*lines)

    def hold(self) -> None:
        """Hold back all lines from now on, until they may be seen."""
        self._held = self._held or []

    def let_go(self) -> None:
        """Print the lines that were held back."""
        held, self._held = self._held, None
        self.say(*held or ())

    def warn(self, line: str) -> None:
        """Print a line to standard error: it is not part of the game."""
        tell(line, err=True)

    @contextmanager
    def busy(self, words: str) -> Iterator[None]:
        """Show a note in the window while a program is thinking."""
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

        An entry from a pipe is printed after the prompt, so that the output reads like a transcript.
        """
        if self.interactive:
            with _line_editor(prompt, words):
                return input(prompt)[:LONGEST_LINE]
        print(prompt, end="", flush=True)
        line = sys.stdin.readline(LONGEST_LINE)
        if not line:
            raise EOFError
        if not line.endswith("\n") and len(line) >= LONGEST_LINE:
            while (rest := sys.stdin.readline(LONGEST_LINE)) and not rest.endswith("\n"):
                pass  # the rest of an absurdly long line is not another entry
        line = line.rstrip("\r\n")
        if not self.typed:
            with suppress(OSError):  # the entry takes effect even if no reader is left
                print(visible(line), flush=True)
        return line


@contextmanager
def _line_editor(prompt: str, words: Sequence[str]) -> Iterator[None]:
    """Edit a line, with a history and Tab for these words.

    After Ctrl-Z and fg, the prompt and the line so far are shown again. SIGTERM and SIGHUP leave the prompt before they
    end the program, because the line editor must restore the terminal.
    """

    def leave(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

    handlers: dict[str, Callable[[int, object], None]] = {"SIGTERM": leave, "SIGHUP": leave}
    with suppress(ImportError):  # Windows has no readline
        import readline

        def complete(text: str, state: int) -> str | None:
            fitting = [word for word in words if word.startswith(text.lstrip().lower())]
            return fitting[state] if state < len(fitting) else None

        def redraw(_number: int, _frame: object) -> None:
            print(f"{prompt}{readline.get_line_buffer()}", end="", flush=True)

        readline.set_completer_delims("\n")  # the whole line is one word
        readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")
        readline.set_completer(complete)
        handlers["SIGCONT"] = redraw
    numbers = {getattr(signal, name): handler for name, handler in handlers.items() if hasattr(signal, name)}
    replaced = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    for number in replaced:
        signal.signal(number, numbers[number])
    try:
        yield
    finally:
        for number in replaced:
            signal.signal(number, signal.SIG_DFL)


def printable(lines: list[str], in_ascii: Callable[[list[str]], list[str]]) -> list[str]:
    """Return lines in characters that standard output has."""
    try:
        "".join(lines).encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return in_ascii(lines)
    return lines


def tell(*lines: str, err: bool = False) -> None:
    """Print a command's answer, or a remark about it to standard error; in a window, wrap the lines."""
    import shutil

    stream = sys.stderr if err else sys.stdout
    shown = wrapped(lines, shutil.get_terminal_size().columns) if stream.isatty() else lines
    print("\n".join(shown), file=stream, flush=True)


def page(*lines: str) -> None:
    """Print a long answer: if the window is too low for it, through the user's pager (PAGER, or less).

    ACCESSIBLE in the environment, for screen readers, and `PAGER=cat` turn the pager off.
    """
    terminal = Terminal()
    columns, height = terminal.size()
    unwanted = os.environ.get("ACCESSIBLE") or os.environ.get("PAGER", "less").strip() in ("", "cat")
    shown = wrapped(lines, columns)
    if not terminal.interactive or terminal.dumb or unwanted or len(shown) < height:
        tell(*lines)
        return
    import click

    os.environ.setdefault("LESS", "FRX")  # colours, no alternate screen, and no paging if the text fits
    click.echo_via_pager("\n".join(shown) + "\n")


class Progress:
    """Progress line on standard error, shown only on a terminal."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.shown = sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"  # a dumb one cannot clear a line
        self._drawn = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.done()

    def __call__(self, nodes: int, seconds: float) -> None:
        """Show the number of positions and the time so far."""
        if seconds > 0.5:
            self.tell(f"{nodes:,} positions, {seconds:.0f} s")

    def tell(self, words: str) -> None:
        """Show other words about the progress."""
        if self.shown:
            self._drawn = True
            print(f"\r\x1b[K{self.what}: {words}", end="", file=sys.stderr, flush=True)

    def done(self) -> None:
        """Clear the line."""
        if self._drawn:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            self._drawn = False


@contextmanager
def ctrl_c_cancels() -> Iterator[None]:
    """Let the first Ctrl-C stop the clocks, so that partial results can be shown, and the next one end the command."""
    from gridlock.engine.clock import cancellation  # loaded only by commands that use the engine

    def cancel(*_signal: object) -> None:
        cancellation.cancel()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:  # in the background it may be ignored
        yield
        return
    signal.signal(signal.SIGINT, cancel)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        cancellation.begin()  # new clocks run again
