"""A real server in a separate process, which tests can start, stop and kill."""

import contextlib
import json
import os
import re
import resource
import signal
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path

# This script sets the server's constants before running the command, so that tests need not wait for long timeouts.
_PATCHED = """
import json, sys, time
from importlib import import_module
for place, value in json.loads(sys.argv[1]).items():
    module, _, name = place.rpartition(".")
    setattr(import_module(module), name, value)
from gridlock.command import run
import gridlock.web.server  # everything that takes long to load
with open(sys.argv[2], "w") as file:
    file.write(str(time.monotonic()))
sys.exit(run(sys.argv[3:]))
"""


class Served:
    """A server that uses one database and one port, and runs in at most one process at a time."""

    def __init__(
        self,
        database: str,
        log: Path,
        *options: str,
        patches: dict[str, object] | None = None,
        env: dict[str, str] | None = None,
        limits: dict[str, int] | None = None,
        stderr: int | None = None,
    ) -> None:
        self.database = database
        self.log = log
        self.options = options
        # By default, log lines are written immediately.
        self.patches = {"gridlock.web.net.logs.GATHERING": 0, **(patches or {})}
        self.env = env or {}
        self.limits = limits or {}  # process limits, keyed by their names in the resource module
        self.stderr = stderr  # where standard error goes instead of the log
        self._began = f"{log}.began"
        self.port = 0
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> "Served":
        """Start the server on its previous port, and wait until it is listening."""
        self.launch()
        assert self.process is not None
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        match = re.search(r"http://127\.0\.0\.1:([0-9]+)/", line)
        assert match, (line, self.log.read_text())
        self.port = int(match[1])
        return self

    def launch(self) -> None:
        """Start the server on its previous port, without waiting."""
        arguments = ["serve", "--port", str(self.port), "--database", self.database, *self.options]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", _PATCHED, json.dumps(self.patches), self._began, *arguments],
                stdout=subprocess.PIPE,
                stderr=self.stderr or log,
                text=True,
                env={**os.environ, **self.env},
                preexec_fn=self._limit if self.limits else None,
            )

    def _limit(self) -> None:
        for name, most in self.limits.items():
            resource.setrlimit(getattr(resource, name), (most, most))

    def end(self, number: int = signal.SIGTERM) -> int:
        """Send a signal, wait for the server to exit, and kill its remaining workers; return the exit code."""
        assert self.process is not None
        workers: list[str] = []
        with contextlib.suppress(OSError):  # the process has already ended
            workers = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        self.process.send_signal(number)
        code = self.process.wait(30)
        for worker in workers:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(worker), signal.SIGKILL)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.process = None
        return code

    def close(self) -> None:
        """Kill the process if it is running."""
        if self.process:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.end(signal.SIGKILL)

    @property
    def began(self) -> float:
        """Return the monotonic time at which the newest process became ready to serve."""
        try:
            return float(Path(self._began).read_text() or 0)
        except FileNotFoundError:
            return 0.0

    @property
    def origin(self) -> str:
        """Return the server's base URL."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """The process id of the server."""
        assert self.process is not None
        return self.process.pid

    def lines(self) -> list[dict[str, object]]:
        """Return every complete line that the server has logged."""
        return [json.loads(line) for line in self.log.read_text().rpartition("\n")[0].splitlines()]

    def complaints(self) -> list[dict[str, object]]:
        """Return the errors that the server has logged."""
        return [line for line in self.lines() if line["level"] in ("error", "critical") or "traceback" in line]

    # -- requests ---------------------------------------------------------------------------------------------

    def raw(
        self, method: str, path: str, body: bytes | None = None, token: str = "", **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Send any request; return the response's status, headers and body."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            given = {name.replace("_", "-"): value for name, value in headers.items()}
            if token:
                given["Authorization"] = f"Bearer {token}"
            connection.request(method, path, body, given)
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def get(self, path: str, token: str = "") -> tuple[int, dict]:
        """Send a GET request; return the response's status and JSON body."""
        status, _, body = self.raw("GET", path, token=token)
        return status, json.loads(body)

    def post(self, path: str, data: object, token: str = "") -> tuple[int, dict]:
        """Post a JSON body; return the response's status and JSON body."""
        status, _, body = self.raw("POST", path, json.dumps(data).encode(), token)
        return status, json.loads(body)

    def create(self, game: str, opponent: str = "link", **wish: object) -> dict:
        """Create a game, and return the server's response."""
        setup = {"game": game, **wish.pop("setup", {})}
        status, made = self.post("/api/games", {"setup": setup, "opponent": opponent, **wish})
        assert status == 201, made
        return made

    def join(self, made: dict, name: str = "Grace", nonce: str = "n" * 22) -> str:
        """Exchange an invitation for a seat token."""
        status, seat = self.post(f"/api/games/{made['id']}/join", {"name": name, "nonce": nonce}, made["invitation"])
        assert status == 200, seat
        return seat["token"]
