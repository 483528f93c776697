"""Fixtures that start real game servers and a real PostgreSQL server for the web tests."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from web_hermit import HERMIT
from web_postgres import Cluster, programs
from web_schema import Fits, validator
from web_server import Served


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A SQLite server that many tests share."""
    folder = tmp_path_factory.mktemp("server")
    limits = [f"--{what}-per-client=100000" for what in ("games", "connections", "thinking", "requests")]
    served = Served(str(folder / "games.sqlite3"), folder / "log", "--share-per-client=100", *limits).start()
    yield served
    served.close()


@pytest.fixture(scope="session")
def described(server: Served) -> dict:
    """The server's own OpenAPI description."""
    status, description = server.get("/api/openapi.json")
    assert status == 200
    return description


@pytest.fixture(scope="session")
def fits(described: dict) -> Fits:
    """Return a function that checks a value against a named schema of the API."""

    def check(value: object, name: str) -> bool:
        validator({"$ref": f"#/components/schemas/{name}"}, described["components"]["schemas"]).validate(value)
        return True

    return check


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """Start servers for a single test."""
    started = []

    def start(*options: str, database: str | None = None, **settings: object) -> Served:
        log = tmp_path / f"log{len(started)}"
        # The limits per client are high because all tests share one address.
        fast = [f"--{what}-per-client=100000" for what in ("requests", "connections")]
        served = Served(
            database or str(tmp_path / "games.sqlite3"), log, "--share-per-client=100", *fast, *options, **settings
        )
        started.append(served)
        return served.start()

    yield start
    for served in started:
        served.close()


@pytest.fixture(scope="session")
def postgres_cluster() -> Iterator[str]:
    """Start a temporary PostgreSQL server and return its address."""
    cluster = _cluster()
    yield cluster.address
    cluster.remove()


@pytest.fixture
def own_postgres() -> Iterator[Cluster]:
    """A PostgreSQL server for a single test; the test may stop or freeze the server."""
    cluster = _cluster()
    yield cluster
    cluster.remove()


def _cluster() -> Cluster:
    found = programs()
    if found is None:
        pytest.skip("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    cluster = Cluster(found)
    cluster.start()
    return cluster


@pytest.fixture
def postgres(postgres_cluster: str) -> str:
    """An empty PostgreSQL database."""
    import psycopg

    with psycopg.connect(f"{postgres_cluster}/postgres", autocommit=True) as connection:
        name = f"games{os.urandom(8).hex()}"
        connection.execute(f"CREATE DATABASE {name}")
    return f"{postgres_cluster}/{name}"


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database, once on SQLite and once on PostgreSQL."""
    if request.param == "sqlite":
        return str(tmp_path / "games.sqlite3")
    address: str = request.getfixturevalue("postgres")
    return address


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that contains a game's TOML file and an unrelated file."""
    games = tmp_path / "games"
    games.mkdir()
    (games / "hermit.toml").write_text(HERMIT)
    (games / "notes.txt").write_text("no game")
    return games


@pytest.fixture
def knowing(serve: Callable[..., Served], folder: Path) -> Served:
    """A server that offers a custom game, loaded from a folder."""
    return serve("--games", str(folder))
