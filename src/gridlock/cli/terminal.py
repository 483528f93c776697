"""Standard input and output, at a terminal or through a pipe, with progress lines and Ctrl-C handling."""

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Self

from gridlock.drawing.text import printed_width, visible, wrapped

LONGEST_LINE = 1000  # characters read per entry; the rest is dropped


class Terminal:
    """Standard input and output, with their capabilities, such as colour and width."""

    def __init__(self) -> None:
        for stream in (sys.stdin, sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")
        self.typed = sys.stdin.isatty()  # a person types, and the terminal shows what is typed
        self.window = sys.stdout.isatty()
        self.dumb = os.environ.get("TERM", "dumb") == "dumb"  # a dumb terminal understands no escape sequences
        self.interactive = self.typed and self.window
        self.colour = self.interactive and not os.environ.get("NO_COLOR") and not self.dumb
        self._held: list[str] | None = None  # lines held back for now; None if output is not held back

    def size(self) -> tuple[int, int]:
        """Return the number of columns and lines in the window."""
        import shutil

        return shutil.get_terminal_size()

    @property
    def columns(self) -> int | None:
        """The width of the window in columns, or None if there is no window."""
        return self.size()[0] if self.window else None

    def fits(self, board: Sequence[str]) -> bool:
        """Return whether a board fits the width of the window; if there is no window, every board fits."""
        columns = self.columns
        return columns is None or max(map(printed_width, board), default=0) <= columns

    def say(self, *lines: str) -> None:
        """Print lines, wrapped to the width of the window."""
        if self._held is not None:
            self._held += lines
        elif lines:
            tell(*lines)

    def hold(self) -> None:
        """Hold back all further lines until let_go() is called."""
        self._held = self._held or []

    def let_go(self) -> None:
        """Print the lines that were held back."""
        held, self._held = self._held, None
        self.say(*held or ())

    def warn(self, line: str) -> None:
        """Print a line that is not part of the game; the line goes to standard error."""
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
        """Read an entry from the user; Tab completes it to one of the given words.

        Input from a pipe is printed after the prompt, so that the output reads like a transcript.
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
                pass  # do not read the rest of an absurdly long line as another entry
        line = line.rstrip("\r\n")
        if not self.typed:
            with suppress(OSError):  # the entry takes effect even if nothing reads the output
                print(visible(line), flush=True)
        return line


@contextmanager
def _line_editor(prompt: str, words: Sequence[str]) -> Iterator[None]:
    """Let the user edit a line, with a history of earlier lines and Tab completion of the given words.

    After Ctrl-Z and fg, the prompt and the current line are shown again. SIGTERM and SIGHUP close the prompt before
    they end the program, because the line editor must restore the terminal.
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

        readline.set_completer_delims("\n")  # treat the whole line as one word
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
    """Return the lines, converted to ASCII if standard output cannot encode them."""
    try:
        "".join(lines).encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return in_ascii(lines)
    return lines


def tell(*lines: str, err: bool = False) -> None:
    """Print lines to standard output, or to standard error if `err` is true, wrapped to the width of the window."""
    import shutil

    stream = sys.stderr if err else sys.stdout
    shown = wrapped(lines, shutil.get_terminal_size().columns) if stream.isatty() else lines
    print("\n".join(shown), file=stream, flush=True)


def page(*lines: str) -> None:
    """Print a long answer; if it does not fit in the window, use the user's pager ($PAGER, or `less` by default).

    To turn the pager off, set ACCESSIBLE=1 (which is meant for screen readers) or PAGER=cat in the environment.
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
    """A progress line, shown only if standard error is a terminal that can clear a line."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.shown = sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"  # dumb ones cannot clear a line
        self._drawn = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.done()

    def __call__(self, nodes: int, seconds: float) -> None:
        """Show how many positions have been searched so far, and how long the search has taken."""
        if seconds > 0.5:
            self.tell(f"{nodes:,} positions, {seconds:.0f} s")

    def tell(self, words: str) -> None:
        """Replace the progress message."""
        if self.shown:
            self._drawn = True
            print(f"\r\x1b[K{self.what}: {words}", end="", file=sys.stderr, flush=True)

    def done(self) -> None:
        """Clear the progress line."""
        if self._drawn:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            self._drawn = False


@contextmanager
def ctrl_c_cancels() -> Iterator[None]:
    """On the first Ctrl-C, stop the calculation, so that partial results appear; on the second, end the command."""
    from gridlock.engine.clock import cancellation  # loaded only by commands that use the engine

    def cancel(*_signal: object) -> None:
        cancellation.cancel()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:  # a background process may ignore Ctrl-C
        yield
        return
    signal.signal(signal.SIGINT, cancel)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        cancellation.begin()  # allow new clocks to run again
