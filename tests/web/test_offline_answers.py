"""Tests that the browser engine gives the same answers as the server, and needs no modules that browsers lack."""

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from io import BytesIO
from pathlib import Path
from random import Random

import pytest
from web_offline import Page, a_question, both, timeless

from gridlock.web.offline.engine import Engine
from gridlock.web.offline.games import Games
from gridlock.web.pages.endpoints import ENDPOINTS
from gridlock.web.static_site.archive import archive, package

BLOCKED = (
    *("starlette", "uvicorn", "sqlalchemy", "prometheus_client", "click", "platformdirs", "numpy", "resvg_py"),
    *("multiprocessing", "resource", "fcntl", "termios", "sqlite3"),
)


def check_answers(rng: Random, questions: int) -> None:
    server, offline = both()
    for _ in range(questions):
        asked, seed = a_question(rng), rng.random()
        with timeless(seed):
            given = server(*asked)
        with timeless(seed):
            assert offline(*asked) == given, asked


def test_answers_are_the_servers_byte_for_byte(rng: Random) -> None:
    check_answers(rng, 60)


@pytest.mark.slow
def test_500_answers_are_the_servers_byte_for_byte(rng: Random) -> None:
    check_answers(rng, 500)


def test_every_endpoint_is_answered_or_says_that_it_needs_a_server() -> None:
    engine = Engine(Games(Page()))
    for one in ENDPOINTS:
        if one.path in ("/health", "/ready"):
            continue
        path = one.path.replace("{id}", "x" * 22).replace("{game}", "chain")
        status, _, body = engine.ask(one.method, path, "{}", "t" * 32)
        assert json.loads(body).get("words") != "There is nothing here.", one.path
        assert status != 405, one.path


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/api/lobby", None),
        ("POST", "/api/games", {"setup": {"game": "chain"}, "opponent": "link"}),
        ("POST", f"/api/games/{'x' * 22}/join", {"nonce": "n" * 22}),
        ("GET", "/picture.png?day=2026-01-01", None),
    ],
)
def test_what_needs_a_server_says_so(method: str, path: str, body: object) -> None:
    given = Engine(Games(Page())).ask(method, path, json.dumps(body) if body else "", "t" * 32)
    error = json.loads(given.body)
    assert (given.status, error["error"]) == (501, "no-server")
    assert "without a server" in error["words"]


def test_a_failure_in_the_engine_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("gridlock.web.operations.positions.why", fail)
    given = Engine(Games(Page())).ask("POST", "/api/why", '{"setup": {"game": "chain"}}')
    assert (given.status, json.loads(given.body)["error"]) == (500, "broken")


def test_the_archive_runs_without_what_a_browser_lacks(tmp_path: Path) -> None:
    for name, content in package().items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    program = f"""
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {BLOCKED!r}:
            raise ImportError(f"{{name}} is blocked")
sys.meta_path.insert(0, Blocked())
import gridlock
assert gridlock.__file__.startswith({str(tmp_path)!r}), gridlock.__file__
from gridlock.web.offline.engine import Engine, Games, warm_up
warm_up()
known = set(sys.modules)
engine = Engine(Games(None))
asked = [("GET", "/api/games", ""), ("GET", "/api/atlas", ""), ("GET", "/api/lessons/chain", "")]
asked += [("GET", "/api/puzzle?day=2026-11-15", ""), ("GET", "/picture.gif?day=2026-11-15", "")]
asked += [("POST", path, '{{"setup": {{"game": "trails"}}}}') for path in ("/api/analyse", "/api/hint", "/api/review")]
asked += [("POST", "/api/regions", '{{"setup": {{"game": "showdown"}}}}')]
print([engine.ask(*one).status for one in asked])
print([name for name in sys.modules if name.startswith("gridlock.engine") and name not in known])
"""
    clean = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", program], env=clean, cwd=tmp_path, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == (f"{[200] * 9}\n[]\n", "")  # no answer's time goes into importing modules


def test_the_archive_is_the_same_each_time_and_has_no_compiled_kernels() -> None:
    wheel = BytesIO()
    with zipfile.ZipFile(wheel, "w") as file:
        for name in ("msgspec/a.py", "msgspec/a.pyi", "msgspec/b.so", "msgspec-1.dist-info/RECORD"):
            file.writestr(name, name)
    assert archive(wheel.getvalue()) == archive(wheel.getvalue())
    with tarfile.open(fileobj=BytesIO(archive(wheel.getvalue()))) as packed:
        names = packed.getnames()
        assert max(map(len, names)) < 100  # the page can read only names of this length
    assert {name for name in names if name.startswith("msgspec")} == {"msgspec/a.py", "msgspec/b.so"}
    assert {Path(name).suffix for name in package()} == {".py", ".pyi", ".toml", ".txt", ".json"}
    assert set(names) == {*package(), "msgspec/a.py", "msgspec/b.so"}
    assert not [name for name in names if "__pycache__" in name or "/pages/" in name]
