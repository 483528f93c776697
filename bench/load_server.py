"""One `gridlock serve` on the loopback address, watched from outside: its requests, processor time and memory."""

import json
import os
import re
import signal
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

HOST = "127.0.0.1"
PATIENCE = 60  # seconds for any request
_TICK = os.sysconf("SC_CLK_TCK")


class Failure(Exception):
    """The server did not do what was asked of it."""


class Server:
    """A server process on one database; it can be stopped and started again."""

    def __init__(self, home: Path, database: str | None) -> None:
        self.home = home
        self.database = database or str(home / "load.sqlite3")
        self.port = 0
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it, on the port it had before, and wait until it listens."""
        command = [sys.executable, "-m", "gridlock", "serve", "--host", HOST, "--port", str(self.port)]
        environment = {**os.environ, "GRIDLOCK_HOME": str(self.home), "GRIDLOCK_DATABASE": self.database}
        with (self.home / "log").open("a") as log:
            self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment)
        assert self._process.stdout is not None
        match = re.search(r"http://127\.0\.0\.1:([0-9]+)/", self._process.stdout.readline())
        if not match:
            raise Failure(f"the server did not start:\n{self.complaints()}")
        self.port = int(match[1])

    def stop(self) -> int:
        """Ask it to stop, and wait; its exit code."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(PATIENCE)

    def close(self) -> None:
        """End it, however it is."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait(PATIENCE)

    @property
    def origin(self) -> str:
        """How a page of this server is called."""
        return f"http://{HOST}:{self.port}"

    def complaints(self) -> list[str]:
        """What it has logged as going wrong."""
        lines = (self.home / "log").read_text().splitlines()
        return [line for line in lines if '"level": "info"' not in line]

    # -- from outside -----------------------------------------------------------------------------------------

    def cpu(self) -> float:
        """Seconds of processor time that it has used, all threads together."""
        assert self._process is not None
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICK

    def kept_waiting(self) -> float:
        """Seconds that its threads have been ready to run and got no core."""
        assert self._process is not None
        threads = Path(f"/proc/{self._process.pid}/task").glob("*/schedstat")
        return sum(int(thread.read_text().split()[1]) for thread in threads) / 1e9

    def memory(self) -> float:
        """The most megabytes that it has had in memory so far."""
        assert self._process is not None
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        match = re.search(r"VmHWM:\s+([0-9]+) kB", status)
        assert match is not None
        return int(match[1]) / 1024

    def request(self, method: str, path: str, data: object = None, token: str = "", address: str = HOST) -> Any:
        """The JSON that a request is answered with, sent from an address of the loopback network."""
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

    def new_game(self, setup: dict[str, Any], address: str) -> tuple[str, tuple[str, str]]:
        """A game by link that both players have entered: its id and the tokens of the two seats."""
        made = self.request("POST", "/api/games", {"setup": setup, "opponent": "link"}, address=address)
        joining = {"name": "Grace", "nonce": "n" * 22}
        joined = self.request("POST", f"/api/games/{made['id']}/join", joining, made["invitation"], address)
        return made["id"], (made["token"], joined["token"])
