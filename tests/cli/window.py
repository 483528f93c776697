"""A terminal window for tests, which runs a command, sends it input, and knows which text is visible."""

import contextlib
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import gridlock

_CONTROL = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\r|\x07")


INTERRUPT, STOP = "\x03", "\x1a"  # Ctrl-C and Ctrl-Z
GRIDLOCK = [sys.executable, "-m", "gridlock"]
READY = "ready for a command> "  # the shell's prompt


class Window:
    """A command in its own terminal window; `raw` is the command's output."""

    def __init__(self, command: list[str], home: Path, columns: int, lines: int, **settings: str) -> None:
        self.columns, self.lines = columns, lines
        self.raw = ""
        self._typed = ""
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        inherited = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        environment = inherited | {
            "TERM": "xterm-256color",
            "PYTHONUTF8": "1",
            "PYTHONPATH": str(Path(gridlock.__file__).parents[1]),
            "GRIDLOCK_HOME": str(home),
            "WINDOW": os.ttyname(slave),
        }
        # A process that opens a terminal device in a new session is controlled by that terminal, so Ctrl-C works.
        self.process = subprocess.Popen(
            ["sh", "-c", 'exec "$@" <"$WINDOW" >"$WINDOW" 2>&1', "sh", *command],
            env=environment | settings,
            start_new_session=True,
            cwd=home,
        )
        self._slave = slave

    def type(self, keys: str) -> None:
        """Press keys."""
        self._typed = keys
        os.write(self._master, keys.encode("utf-8", "surrogateescape"))

    def wait_for(self, text: str | tuple[str, ...], seconds: float = 30) -> None:
        """Read until the output ends with the given string, or with one of the given strings."""
        ends = (text,) if isinstance(text, str) else text
        until = time.monotonic() + seconds
        while not self.plain.rstrip(" ").endswith(tuple(end.rstrip(" ") for end in ends)):
            ended = self.process.poll() is not None
            if not self._read(0.1):
                assert not ended, f"it ended without {text!r}:\n{self.plain}"
                assert time.monotonic() < until, f"no {text!r} in:\n{self.plain}"

    def wait_until(self, pattern: str, seconds: float = 60) -> None:
        """Read until the output matches a pattern."""
        until = time.monotonic() + seconds
        while not re.search(pattern, self.raw):
            assert self._read(0.1) or self.process.poll() is None, f"it ended without {pattern!r}:\n{self.plain}"
            assert time.monotonic() < until, f"no {pattern!r} in:\n{self.plain}"

    def enter(self, keys: str, prompt: str | tuple[str, ...]) -> None:
        """Type a line, and wait for the next prompt."""
        self.raw = ""
        self.type(keys + "\r")
        self.wait_for(prompt)

    def exit_code(self) -> int:
        """Wait for the command to end, and return its exit code.

        If the last key typed was Ctrl-C, type Ctrl-C again every half second, because the key may have no effect at the
        moment when a prompt appears.
        """
        os.close(self._slave)
        self._slave = -1
        end = time.monotonic() + 30
        repeat = time.monotonic() + 0.5
        while self.process.poll() is None and time.monotonic() < end:
            with contextlib.suppress(OSError):  # keep reading, because a program that cannot write cannot end
                self._read(0.05)
            if self._typed == INTERRUPT and time.monotonic() > repeat:
                self.type(INTERRUPT)
                repeat = time.monotonic() + 0.5
        code = self.process.wait(1)
        with contextlib.suppress(OSError):
            while self._read(0.2):
                pass
        return code

    def _read(self, seconds: float) -> bool:
        if not select.select([self._master], [], [], seconds)[0]:
            return False
        self.raw += os.read(self._master, 65536).decode("utf-8", "replace")
        return True

    @property
    def plain(self) -> str:
        """Return the output, without colours."""
        return _CONTROL.sub("", self.raw)

    @property
    def visible(self) -> list[str]:
        """Return the lines on the screen, with long lines wrapped as a terminal would wrap them."""
        rows: list[str] = []
        for line in self.plain.split("\n"):
            rows += [line[at : at + self.columns] for at in range(0, max(1, len(line)), self.columns)]
        return rows[-self.lines :]

    def close(self) -> None:
        """End all processes that are still running."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._master)
        if self._slave >= 0:
            os.close(self._slave)


@contextlib.contextmanager
def window(command: str, home: Path, columns: int = 80, lines: int = 24, **settings: str) -> Iterator[Window]:
    """Open a window that runs the command, and close it at the end."""
    opened = Window([*GRIDLOCK, *command.split()], home, columns, lines, **settings)
    try:
        yield opened
    finally:
        opened.close()


@contextlib.contextmanager
def shell(command: str, home: Path) -> Iterator[Window]:
    """Open a window with a shell that starts the command, so that the command can be suspended and resumed."""
    opened = Window(["sh", "-i"], home, 80, 24, PS1=READY, ENV="")
    try:
        opened.wait_for(READY)
        opened.type(f"{' '.join(GRIDLOCK)} {command}\r")
        yield opened
    finally:
        opened.close()
