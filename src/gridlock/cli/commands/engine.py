"""`gridlock engine`: let other programs use the engine through standard input and output, with the UGI protocol."""

import os
import select
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

import click

from gridlock.cli.engine_check import check_option, check_program, games_option
from gridlock.cli.options import given_options
from gridlock.play.exits import Exit

LONGEST_LINE = 1_000_000  # bytes; the longest game, on a 100x100 board, needs 80,000


@click.command(epilog="Examples: gridlock engine (then type: help), gridlock engine --check ./my-bot")
@check_option
@games_option
def engine(checked: str | None, games: tuple[str, ...]) -> int:
    """Let other programs use the engine through the UGI protocol (Universal Game Interface).

    The engine reads commands from standard input, one per line, and answers on standard output. The engine
    keeps reading commands while it thinks, so 'stop' and 'quit' work at any time. See docs/engines.md for every
    command.

    \b
    ugi                                    name the engine and its options
    setoption name board value 7x7
    position startpos moves 4,4 1,1
    go movetime 1000                       answers with: bestmove ROW,COLUMN
    query value                            who wins, and why
    quit
    """
    if checked is not None:
        return check_program(checked, games)
    if given_options():
        raise click.UsageError("--game needs --check, the program to test.")
    from gridlock.arena.ugi.session import Session

    if sys.stdin.isatty():
        print("This is GridLock's UGI engine. Type 'help' to list the commands, or 'quit' to leave.", file=sys.stderr)
    session = Session(_say_with(Lock()))
    with _ctrl_c_kills():
        for line in _lines():
            if line is None:
                session.complain(f"A line of more than {LONGEST_LINE:,} bytes was ignored.")
            elif not session.receive(line):
                session.quit()
                return Exit.DONE
        session.finish(_is_unread)
    return Exit.DONE


@contextmanager
def _ctrl_c_kills() -> Iterator[None]:
    """Make Ctrl-C end the program at once, even during a search or just before Python waits for a line."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:  # a background process may ignore Ctrl-C
        yield
        return
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _lines() -> Iterator[str | None]:
    """Yield the lines of standard input, with None in place of any line that is too long."""
    read = sys.stdin.buffer.readline
    while line := read(LONGEST_LINE):
        if line.endswith(b"\n") or len(line) < LONGEST_LINE:
            yield line.decode("utf-8", "replace")
            continue
        while (rest := read(LONGEST_LINE)) and not rest.endswith(b"\n"):
            pass
        yield None


def _say_with(lock: Lock) -> Callable[[str], None]:
    """Return a function that prints a line immediately, from any thread, and exits the program if printing fails."""

    def say(line: str) -> None:
        with lock:
            try:
                print(line, flush=True)
            except OSError as error:
                os._exit(Exit.DONE if isinstance(error, BrokenPipeError) else Exit.FAILED)

    return say


def _is_unread() -> bool:
    """Return whether the program that was reading the answers has ended, as far as the system can tell."""
    if not hasattr(select, "poll"):  # Windows
        return False
    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)  # poll for errors only, which are always reported
    return bool(poll.poll(0))
