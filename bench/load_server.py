"""A `gridlock serve` process on the loopback address, observed from outside: requests, processor time and memory."""

import json
import os
import re
import select
import signal
import subprocess
import sys
import threading
from http.client import HTTPConnection
from pathlib import Path
from typing import IO, Any, NamedTuple

HOST = "127.0.0.1"
CLOCK = {"seconds": 3600, "increment": 1}  # every two-player game has a clock, whose time is stored with each move
PATIENCE = 60  # seconds for any request
_KEPT = 200  # how many error lines of the log are kept
_TICK = os.sysconf("SC_CLK_TCK")


# A program that runs a GridLock command, and writes the number of asyncio tasks whenever it receives a signal.
_WATCHED = """
import asyncio, os, signal, sys

def tell(*_):
    try:
        count = len(asyncio.all_tasks())
    except RuntimeError:  # before it runs, and after
        count = 0
    os.write(int(sys.argv[1]), b"%d\\n" % count)

signal.signal(signal.SIGUSR1, tell)
from gridlock.command import run
sys.exit(run(sys.argv[2:]))
"""


class Vital(NamedTuple):
    """A server's resources: current and peak memory (MB), open files, threads, tasks, and the database's size (MB)."""

    memory: float
    peak: float
    files: int
    threads: int
    tasks: int
    database: float


class Failure(Exception):
    """The error raised when the server does not do what was requested."""


class Log:
    """A server's log, read as it is written; routine lines are only counted."""

    def __init__(self) -> None:
        self.lines = 0
        self.errors = 0  # lines at level error, and output that is not a log line at all
        self.tracebacks = 0
        self.complaints: list[str] = []  # the first error lines

    def follow(self, stream: IO[str]) -> None:
        """Read the log to its end."""
        for line in stream:
            self.lines += 1
            if '"level": "info"' in line:
                continue
            self.errors += '"level": "warning"' not in line
            self.tracebacks += "traceback" in line.lower()
            if len(self.complaints) < _KEPT:
                self.complaints.append(line.rstrip())


class Server:
    """A server process that uses one database, and can be stopped and restarted."""

    def __init__(self, home: Path, database: str | None = None, files: int | None = None, unread: bool = False) -> None:
        self.home = home
        self.database = database or str(home / "load.sqlite3")
        self.port = 0
        self.log = Log()
        self._files = files  # files that the server may have open, if fewer than this process may
        self._unread = unread  # whether the server's log stays unread
        self._process: subprocess.Popen[str] | None = None
        self._reader: threading.Thread | None = None
        self._tasks: IO[bytes] | None = None

    def start(self) -> None:
        """Start the server on its previous port, and wait until it is listening."""
        asking, answering = os.pipe()
        self._tasks = os.fdopen(asking, "rb", 0)
        command = [sys.executable, "-c", _WATCHED, str(answering), "serve", "--host", HOST, "--port", str(self.port)]
        environment = {**os.environ, "GRIDLOCK_HOME": str(self.home), "GRIDLOCK_DATABASE": self.database}
        self._process = subprocess.Popen(
            [*self._limited(), *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            env=environment,
            start_new_session=True,  # so that Ctrl-C reaches only this process, which stops the server when it is done
            pass_fds=[answering],
        )
        os.close(answering)
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        if not self._unread:
            self._reader = threading.Thread(target=self.log.follow, args=[self._process.stderr], daemon=True)
            self._reader.start()
        match = re.search(r"http://127\.0\.0\.1:([0-9]+)/", self._process.stdout.readline())
        if not match:
            self.close()
            raise Failure("\n".join(["the server did not start:", *self.log.complaints]))
        self.port = int(match[1])

    def _limited(self) -> list[str]:
        return ["prlimit", f"--nofile={self._files}:{self._files}"] if self._files else []

    def stop(self) -> int:
        """Tell the server to stop, and return its exit code once it has ended."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        return self._ended()

    def close(self) -> None:
        """End the server's process, whatever its state."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._ended()

    def _ended(self) -> int:
        assert self._process is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        assert self._tasks is not None
        code = self._process.wait(PATIENCE)
        if self._reader:
            self._reader.join(PATIENCE)
        for stream in (self._process.stdout, self._process.stderr, self._tasks):
            stream.close()
        return code

    @property
    def origin(self) -> str:
        """Return the server's origin, as browsers send it."""
        return f"http://{HOST}:{self.port}"

    # -- from outside -----------------------------------------------------------------------------------------

    def cpu(self) -> float:
        """Return the processor time used by all of the server's threads, in seconds."""
        assert self._process is not None
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICK

    def kept_waiting(self) -> float:
        """Return how many seconds the server's threads have spent waiting for a core."""
        assert self._process is not None
        threads = Path(f"/proc/{self._process.pid}/task").glob("*/schedstat")
        return sum(int(thread.read_text().split()[1]) for thread in threads) / 1e9

    def vital(self) -> Vital:
        """Return the server's current resource usage."""
        assert self._process is not None
        place = Path(f"/proc/{self._process.pid}")
        facts = dict(line.split(":", 1) for line in (place / "status").read_text().splitlines())
        memory, peak = (int(facts[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM"))
        files = len(list((place / "fd").iterdir()))
        return Vital(memory, peak, files, int(facts["Threads"]), self._count_tasks(), self._stored())

    def _count_tasks(self) -> int:
        assert self._process is not None
        assert self._tasks is not None
        self._process.send_signal(signal.SIGUSR1)
        ready, _, _ = select.select([self._tasks], [], [], PATIENCE)
        if not ready:
            raise Failure("the server does not even handle signals")
        return int(self._tasks.readline())

    def _stored(self) -> float:
        if "://" not in self.database:
            return sum(file.stat().st_size for file in Path(self.database).parent.glob("load.sqlite3*")) / 1e6
        import psycopg

        with psycopg.connect(self.database) as connection:
            row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
        assert row is not None
        return float(row[0]) / 1e6

    def request(self, method: str, path: str, data: object = None, token: str = "", address: str = HOST) -> Any:
        """Send a request from a loopback address, and return the JSON response."""
        connection = HTTPConnection(HOST, self.port, timeout=PATIENCE, source_address=(address, 0))
        try:
            body = None if data is None else json.dumps(data).encode()
            connection.request(method, path, body, {"Authorization": f"Bearer {token}"} if token else {})
            answer = connection.getresponse()
            text = answer.read()
        finally:
            connection.close()
        if answer.status >= 400:
            raise Failure(f"{method} was answered with {answer.status}: {text[:200]!r}")
        return json.loads(text)

    def new_game(
        self, setup: dict[str, Any], address: str, clock: dict[str, int] | None = CLOCK
    ) -> tuple[str, tuple[str, str]]:
        """Create a game that both players have joined by link; return its id and the tokens of both seats."""
        wish = {"setup": setup, "opponent": "link"} | ({"clock": clock} if clock else {})
        made = self.request("POST", "/api/games", wish, address=address)
        joining = {"name": "Grace", "nonce": "n" * 22}
        joined = self.request("POST", f"/api/games/{made['id']}/join", joining, made["invitation"], address)
        return made["id"], (made["token"], joined["token"])
