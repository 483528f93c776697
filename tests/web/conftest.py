"""Real servers and a real PostgreSQL for the tests of the web server."""

import asyncio
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from web_schema import Fits, validator
from web_server import Served


@pytest.fixture(autouse=True)
def own_event_loop() -> Iterator[None]:
    """Let a test run an event loop of its own, even where a browser test in the same process keeps one standing."""
    standing = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(standing)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server on SQLite that many tests share."""
    folder = tmp_path_factory.mktemp("server")
    limits = [f"--{what}-per-client=100000" for what in ("games", "connections", "thinking", "requests")]
    served = Served(str(folder / "games.sqlite3"), folder / "log", *limits).start()
    yield served
    served.close()


@pytest.fixture(scope="session")
def described(server: Served) -> dict:
    """The API as the server describes it."""
    status, description = server.get("/api/openapi.json")
    assert status == 200
    return description


@pytest.fixture(scope="session")
def fits(described: dict) -> Fits:
    """Whether a value is what the description says of a structure."""

    def check(value: object, name: str) -> bool:
        validator({"$ref": f"#/components/schemas/{name}"}, described["components"]["schemas"]).validate(value)
        return True

    return check


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """Start servers for one test alone."""
    started = []

    def start(*options: str, database: str | None = None, **settings: object) -> Served:
        log = tmp_path / f"log{len(started)}"
        fast = "--requests-per-client=100000"  # all clients of a test have one address
        served = Served(database or str(tmp_path / "games.sqlite3"), log, fast, *options, **settings)
        started.append(served)
        return served.start()

    yield start
    for served in started:
        served.close()


@pytest.fixture(scope="session")
def postgres_cluster() -> Iterator[str]:
    """A PostgreSQL of our own, thrown away afterwards: the address of its server."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin")) or [
        Path(path).parent for path in [shutil.which("initdb")] if path
    ]
    if not found:
        pytest.skip("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    programs = found[-1]
    folder = Path(tempfile.mkdtemp(prefix="gridlock-postgres-"))
    as_user: list[str] = []
    if os.geteuid() == 0:  # PostgreSQL refuses to run as root
        as_user = ["runuser", "-u", "postgres", "--"]
        os.chown(folder, pwd.getpwnam("postgres").pw_uid, -1)
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]

    def run(*command: str) -> None:
        done = subprocess.run([*as_user, *command], stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd="/")
        assert done.returncode == 0, done.stderr

    data = str(folder / "data")
    run(str(programs / "initdb"), "-D", data, "-A", "trust", "-U", "gridlock", "--no-sync")
    options = f"-k {folder} -c listen_addresses=127.0.0.1 -p {port} -c max_connections=60"
    start = [str(programs / "pg_ctl"), "-D", data, "-w", "-o", options, "-l", str(folder / "log"), "start"]
    # pg_ctl's child keeps the pipes open, so nothing is captured here.
    subprocess.run([*as_user, *start], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True, cwd="/")
    yield f"postgresql://gridlock@127.0.0.1:{port}"
    run(str(programs / "pg_ctl"), "-D", data, "-m", "immediate", "stop")
    shutil.rmtree(folder)


@pytest.fixture
def postgres(postgres_cluster: str) -> str:
    """A fresh database."""
    import psycopg

    with psycopg.connect(f"{postgres_cluster}/postgres", autocommit=True) as connection:
        name = f"games{os.urandom(8).hex()}"
        connection.execute(f"CREATE DATABASE {name}")
    return f"{postgres_cluster}/{name}"


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A fresh database of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "games.sqlite3")
    address: str = request.getfixturevalue("postgres")
    return address
