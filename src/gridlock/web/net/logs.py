"""Logging to standard error, with one JSON object per line.

Logs never contain tokens, because clients send tokens only in headers and WebSocket messages, which are not logged.
"""

import atexit
import ipaddress
import json
import logging
import os
import queue
import sys
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime
from typing import Literal

_KNOWN = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "color_message"}

Addresses = Literal["off", "truncated", "full"]
GATHERING = 0.02  # seconds that a line waits for more lines, since writing each one separately would be slow


def address(address: str, how: Addresses) -> dict[str, str]:
    """Return a client's address as a field of a log line; a truncated address shows only its /24 or /48 network."""
    if how == "off":
        return {}
    if how == "truncated":
        try:
            parsed = ipaddress.ip_address(address)
        except ValueError:
            return {}
        parsed = getattr(parsed, "ipv4_mapped", None) or parsed
        address = str(ipaddress.ip_network((parsed.packed, 24 if parsed.version == 4 else 48), strict=False))
    return {"address": address}


class JsonLines(logging.Formatter):
    """Formats each log record as a JSON object on one line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record, including its extra fields, as JSON."""
        entry: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        entry |= {name: value for name, value in record.__dict__.items() if name not in _KNOWN}
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        return json.dumps(entry, default=str)


class BackgroundHandler(logging.Handler):
    """A handler that writes log lines in a separate thread.

    If the reader is too slow, lines are lost, but the server keeps working.
    """

    MOST = 10_000  # lines waiting to be written
    TOGETHER = 100  # lines written at once
    LAST_SECONDS = 1.0  # for the remaining lines at exit

    def __init__(self, file: int) -> None:
        super().__init__()
        self._file = file
        self._lines: queue.Queue[str] = queue.Queue(self.MOST)
        self._lost = 0
        threading.Thread(target=self._write_all, name="log", daemon=True).start()
        atexit.register(self._finish)

    def emit(self, record: logging.LogRecord) -> None:
        """Queue a line."""
        try:
            self._lines.put_nowait(self.format(record))
        except queue.Full:
            self._lost += 1

    def _write_all(self) -> None:
        while True:
            lines = [self._lines.get()]
            time.sleep(GATHERING)
            with suppress(queue.Empty):
                while len(lines) < self.TOGETHER:
                    lines.append(self._lines.get_nowait())
            try:
                if self._lost:
                    lost, self._lost = self._lost, 0
                    self._write([self.format(logging.makeLogRecord({"msg": "lines were lost", "lost": lost}))])
                self._write(lines)
            except (OSError, MemoryError):
                self._lost += len(lines)  # nothing reads the log any more
            for _ in lines:
                self._lines.task_done()

    def _write(self, lines: list[str]) -> None:
        data = "".join(f"{line}\n" for line in lines).encode()
        while data:
            data = data[os.write(self._file, data) :]

    def _finish(self) -> None:
        """Wait for the remaining lines to be written, but only briefly, in case nothing is reading the log."""
        done = threading.Thread(target=self._lines.join, daemon=True)
        done.start()
        done.join(self.LAST_SECONDS)


def to_stderr() -> None:
    """Send all logs to standard error: our own from level INFO up, and libraries' logs from WARNING up."""
    handler = BackgroundHandler(sys.stderr.fileno())
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("gridlock.web").setLevel(logging.INFO)
    for noisy in ("uvicorn.error", "asyncio"):  # these warn about every malformed request and every disconnection
        logging.getLogger(noisy).setLevel(logging.ERROR)
