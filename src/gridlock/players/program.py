"""An untrusted program in its own process, which reads and writes lines and leaves nothing behind.

There are limits on the length of each line and on how long to wait for it. The program's standard error is read
continuously, and writing to its standard input never blocks. A guard (`guard.py`) ends the program and everything it
has started.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from gridlock.core.names import clean_name
from gridlock.engine.clock import cancellation
from gridlock.players import guard
from gridlock.players.guard_process import Limits, fork_guard, start_guard

LONGEST_LINE = 1 << 16  # bytes
MOST_UNREAD = 1 << 20  # bytes that a program may write while nobody waits for it
LONGEST_QUOTE = 80  # characters of its output in a message
LAST_WORDS = 4096  # bytes of its standard error that are remembered
GOING = 0.4  # seconds for the program to end by itself, and then for its guard to end it
LOOK = 0.1  # seconds between two checks whether the question was cancelled


class Misbehaviour(Exception):
    """An error that says what a program did wrong; its message completes a sentence that begins "it …"."""


class Late(Misbehaviour):
    """An error raised if a program does not answer in time."""


class Program:
    """A running program; call `close` or `kill` at the end, so that no processes are left behind."""

    def __init__(self, command: Sequence[str] | Callable[[], object], limits: Limits | None = None) -> None:
        """Start a command, or run a function in a fork of this process."""
        if os.name != "posix":
            raise Misbehaviour("cannot run here: programs as players need Linux or macOS")
        limits = limits or Limits()
        theirs, ours = [], []  # the ends of the pipes: standard input, output and error, and the guard's control
        try:
            for way in (0, 1, 1, 0):
                pipe = os.pipe()
                theirs.append(pipe[way])
                ours.append(pipe[1 - way])
            if callable(command):
                self._guard = fork_guard(theirs, command, limits)
            else:
                self._guard = start_guard(theirs, command, limits)
        except BaseException as error:
            for end in ours:
                os.close(end)
            if isinstance(error, OSError):
                raise Misbehaviour(f"could not be started: {error.strerror}") from error
            raise
        finally:
            for end in theirs:
                os.close(end)
        self._input, self._output, self._errors, self._control = ours
        for end in ours[:3]:
            os.set_blocking(end, False)
        self._open = {self._output, self._errors}
        self._closed = False
        self._unsent = bytearray()
        self._received = bytearray()
        self._last_words = b""

    @property
    def pid(self) -> int:
        """The process id of the guard, which is the program's parent."""
        return self._guard.pid

    def send(self, line: str) -> None:
        """Queue a line to be sent as soon as the program can read it."""
        self._unsent += f"{line}\n".encode()
        self._exchange(0)

    def read(self, deadline: float) -> str:
        """Return the next line; raise Misbehaviour if it does not come before the deadline, or if it is not text."""
        while (line := self._line()) is None:
            if self._output not in self._open:
                raise Misbehaviour(self._ending())
            if (left := deadline - time.monotonic()) <= 0:
                raise Late
            cancellation.check()
            self._exchange(min(left, LOOK))
        return line

    def unread(self) -> list[str]:
        """Return the lines that have already arrived, including any unfinished line."""
        lines, seen = [], -1
        while self._output in self._open and seen != (seen := len(self._received)):
            if seen > MOST_UNREAD:
                raise Misbehaviour("wrote without end while it was not its turn")
            self._exchange(0)
        while self._received:
            if (line := self._line()) is None:
                line = _text(bytes(self._received))
                self._received.clear()
            lines.append(line)
        return lines

    @property
    def last_words(self) -> str:
        """The last line that the program has written to standard error."""
        lines = self._last_words.decode(errors="replace").strip().splitlines()
        return clean_name(lines[-1], 300).rstrip(".") if lines else ""

    def close(self, farewell: str = "", patience: float = GOING) -> bool:
        """Let the program end by itself, and kill it if it does not; return whether it ended by itself."""
        if self._closed:
            return True
        if farewell:
            self.send(farewell)
        end = time.monotonic() + patience
        while self._unsent and self._output in self._open and time.monotonic() < end:
            self._exchange(LOOK)
        self._close(self._input)
        while self._output in self._open and time.monotonic() < end:
            self._exchange(max(0.0, end - time.monotonic()))
            self._received.clear()
        ended = self._has_ended(max(0.0, end - time.monotonic()))
        self.kill()
        return ended

    def kill(self) -> None:
        """Kill the program and everything it has started."""
        if self._closed:
            return
        self._closed = True
        self._close(self._control)
        if not self._has_ended(GOING):  # the program has stopped its guard
            guard.kill_descendants(self.pid)
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            self._guard.wait()
        for end in (self._input, self._output, self._errors):
            self._close(end)

    # -- the pipes ------------------------------------------------------------------------------------------------

    def _exchange(self, seconds: float) -> None:
        """Read and write as much as possible, waiting for at most `seconds`."""
        poll = select.poll()
        for end in self._open:
            poll.register(end, select.POLLIN)
        if self._unsent and self._input >= 0:
            poll.register(self._input, select.POLLOUT)
        for end, _ in poll.poll(seconds * 1000):
            if end == self._input:
                self._write()
            elif not (data := os.read(end, 1 << 16)):
                self._open.discard(end)
            elif end == self._output:
                self._received += data
            else:
                self._last_words = (self._last_words + data)[-LAST_WORDS:]

    def _write(self) -> None:
        try:
            del self._unsent[: os.write(self._input, self._unsent)]
        except BlockingIOError:
            pass
        except OSError:  # the program has closed its input
            self._unsent.clear()
            self._close(self._input)

    def _close(self, end: int) -> None:
        """Close our end of a pipe, if it is open."""
        self._open.discard(end)
        for name in ("_input", "_output", "_errors", "_control"):
            if end >= 0 and getattr(self, name) == end:
                os.close(end)
                setattr(self, name, -1)

    def _line(self) -> str | None:
        """Remove the first line from the data received and return it, or return None if no line is complete."""
        end = self._received.find(b"\n", 0, LONGEST_LINE + 1)
        if end < 0:
            if len(self._received) > LONGEST_LINE:
                raise Misbehaviour(f"sent more than {LONGEST_LINE:,} bytes without an end of line")
            return None
        line = bytes(self._received[:end])
        del self._received[: end + 1]
        return _text(line)

    # -- its end --------------------------------------------------------------------------------------------------

    def exit_code(self, seconds: float = GOING) -> int | None:
        """Return the program's exit code, or None if the program does not end within `seconds`."""
        return self._guard.wait() if self._has_ended(seconds) else None

    def _has_ended(self, seconds: float) -> bool:
        try:
            self._guard.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _ending(self) -> str:
        """Say how the program ended."""
        words = f": {self.last_words}" if self._drained() else ""
        if (code := self.exit_code()) is None:
            return f"closed its output{words}"
        if code == guard.NOT_STARTED:
            return f"could not be started{words}"
        if code <= 128:
            return f"ended with exit code {code}{words}"
        if code - 128 == signal.SIGXCPU:
            return "used up its processor time"
        return f"ended by signal {code - 128} ({signal.strsignal(code - 128)}){words}"

    def _drained(self) -> bool:
        """Read the rest of the program's standard error, and return whether the program has written anything to it."""
        end = time.monotonic() + GOING
        while self._errors in self._open and time.monotonic() < end:
            self._exchange(LOOK)
        return bool(self.last_words)


def quoted(text: str) -> str:
    """Return text from a program as a short quotation."""
    return f"'{clean_name(text, LONGEST_QUOTE)}'"


def _text(line: bytes) -> str:
    """Return a line as text."""
    try:
        text = line.decode().removesuffix("\r")
    except UnicodeDecodeError:
        raise Misbehaviour("sent bytes that are not UTF-8 text") from None
    if not text.isprintable() and not text.replace("\t", " ").isprintable():
        raise Misbehaviour(f"sent control characters: {quoted(repr(text)[1:-1])}")
    return text
