"""The screen as a person sees it, reconstructed from the output that a program has sent to its terminal."""

import re
import time

from window import Window

_PART = re.compile(
    r"\x1b\[([0-?]*)[ -/]*([@-~])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[^\[\]]|\r|\n|\x07|[^\x1b\r\n\x07]"
)


class Glass:
    """A window's screen, which interprets escape sequences that move the cursor or clear text, and ignores colours."""

    def __init__(self, window: Window) -> None:
        self.window = window
        self._cells = [[" "] * window.columns for _ in range(window.lines)]
        self._x = self._y = self._read = 0

    def lines(self) -> list[str]:
        """Return the lines currently on the screen."""
        while self.window._read(0.05):
            pass
        raw = self.window.raw
        for part in _PART.finditer(raw, self._read):
            self._read = part.end()
            self._take(part)
        return ["".join(line) for line in self._cells]

    def _take(self, part: re.Match[str]) -> None:
        text, (numbers, command) = part[0], part.groups()
        if command == "H":
            row, col = [int(number or 1) for number in (numbers or "1;1").split(";")]
            self._x, self._y = col - 1, row - 1
        elif command == "J":
            self._cells = [[" "] * self.window.columns for _ in range(self.window.lines)]
        elif text == "\r":
            self._x = 0
        elif text == "\n":
            self._x, self._y = 0, min(self._y + 1, self.window.lines - 1)
        elif len(text) == 1 and text.isprintable() and self._x < self.window.columns:
            self._cells[self._y][self._x] = text
            self._x += 1

    def wait_for(self, text: str, seconds: float = 60) -> None:
        """Wait until the given text appears on the screen."""
        end = time.monotonic() + seconds
        while not any(text in line for line in self.lines()):
            assert self.window.process.poll() is None, f"it ended without {text!r}"
            assert time.monotonic() < end, f"no {text!r} on the screen:\n" + "\n".join(self.lines())

    def find(self, text: str) -> tuple[int, int]:
        """Return the column and the line at which the given text begins."""
        lines = self.lines()
        for y, line in enumerate(lines):
            if text in line:
                return line.index(text), y
        raise AssertionError(f"no {text!r} on the screen:\n" + "\n".join(lines))

    def click(self, x: int, y: int) -> None:
        """Send the escape sequences that a terminal sends for a click of the left mouse button."""
        self.window.type(f"\x1b[<35;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m")

    def click_on(self, text: str) -> None:
        """Click on the first letter of the given text."""
        self.click(*self.find(text))

    # -- a board -------------------------------------------------------------------------------------------------

    def axes(self) -> tuple[dict[int, int], dict[int, int]]:
        """Return two mappings: from board columns to screen columns, and from board rows to screen lines."""
        lines = self.lines()
        rows: dict[int, int] = {}
        for y, line in enumerate(lines):
            found = re.match(r"\s*([0-9]+)[ <]+[^\s0-9<]", line)
            if found and (not rows or int(found[1]) == max(rows) + 1):
                rows[int(found[1])] = y
        top = min(rows.values())
        digits = [
            line.split("│")[0] for line in lines[:top] if re.fullmatch(r"[\^v ]*[0-9 ]+", line.split("│")[0].rstrip())
        ]
        columns: dict[int, int] = {}
        for x in range(self.window.columns):
            number = "".join(line[x] for line in digits if x < len(line)).strip()
            if number.isdigit():
                columns[int(number)] = x
        return columns, rows

    def cursor(self) -> tuple[int, int]:
        """Return the row and column of the cell under the cursor, or -1, -1 if the cursor is not visible."""
        columns, rows = self.axes()
        lines = self.lines()
        for y, line in enumerate(lines):
            for corner, down in (("┏", 1), ("[", 0)):
                if corner in line:
                    x = line.index(corner)
                    row = min((one for one in rows if rows[one] >= y + down), key=lambda one: rows[one])
                    col = min((one for one in columns if columns[one] > x), key=lambda one: columns[one])
                    return row, col
        return -1, -1
