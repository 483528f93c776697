"""A PostgreSQL server that tests can stop, kill and freeze."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path


def programs() -> Path | None:
    """Return the folder that contains PostgreSQL's programs, or None if PostgreSQL is not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin")) or [
        Path(path).parent for path in [shutil.which("initdb")] if path
    ]
    return found[-1] if found else None


class Cluster:
    """A PostgreSQL server with its data in a temporary folder."""

    def __init__(self, programs: Path) -> None:
        self.programs = programs
        self.folder = Path(tempfile.mkdtemp(prefix="gridlock-postgres-"))
        self._as_user: list[str] = []
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            self._as_user = ["runuser", "-u", "postgres", "--"]
            os.chown(self.folder, pwd.getpwnam("postgres").pw_uid, -1)
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port = probe.getsockname()[1]
        self._run("initdb", "-D", self._data, "-A", "trust", "-U", "gridlock", "--no-sync")

    @property
    def address(self) -> str:
        """Return the server's address."""
        return f"postgresql://gridlock@127.0.0.1:{self.port}"

    @property
    def _data(self) -> str:
        return str(self.folder / "data")

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._as_user, str(self.programs / program), *arguments]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd="/")
        assert done.returncode == 0, done.stderr

    def start(self) -> None:
        """Start the server and wait until it answers."""
        options = f"-k {self.folder} -c listen_addresses=127.0.0.1 -p {self.port} -c max_connections=60"
        command = [str(self.programs / "pg_ctl"), "-D", self._data, "-w", "-o", options]
        # pg_ctl's child keeps the pipes open, so nothing is captured here.
        subprocess.run(
            [*self._as_user, *command, "-l", str(self.folder / "log"), "start"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            check=True,
            cwd="/",
        )

    def stop(self, mode: str = "immediate") -> None:
        """Stop the server; the default mode, `immediate`, simulates a crash."""
        self._run("pg_ctl", "-D", self._data, "-m", mode, "-w", "stop")

    def remove(self) -> None:
        """Stop the server, and delete its data."""
        self.stop()
        shutil.rmtree(self.folder)

    def _signal(self, number: int) -> None:
        """Send a signal first to the main process, which starts all the others, and then to its child processes."""
        first = int((Path(self._data) / "postmaster.pid").read_text().split()[0])
        os.kill(first, number)
        others = subprocess.run(["ps", "-o", "pid=", "--ppid", str(first)], capture_output=True, text=True, check=False)
        for other in map(int, others.stdout.split()):
            with suppress(ProcessLookupError):  # a child process may have ended in the meantime
                os.kill(other, number)

    def freeze(self) -> None:
        """Freeze the server, so that its connections stay open but receive no answers."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Resume the frozen server."""
        self._signal(signal.SIGCONT)
