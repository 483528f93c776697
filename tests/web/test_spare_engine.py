"""`gridlock serve --offline` also sends browsers the engine and changes nothing else."""

import io
import os
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from platformdirs import user_cache_path
from web_server import Served

from gridlock.command import run
from gridlock.play.exits import Exit
from gridlock.web.app import HEADERS
from gridlock.web.pages import files
from gridlock.web.static_site import downloads
from gridlock.web.static_site.engine import LOCK, PYODIDE_FILES, engine_files

DOWNLOADS = Path(os.environ.get("GRIDLOCK_DOWNLOADS") or user_cache_path("gridlock", appauthor=False))
MARK = b'<meta name="gridlock-spare-engine" content="engine/">'


def small_pyodide() -> bytes:
    """Return a small archive with the same structure as Pyodide's archive."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name in (*PYODIDE_FILES, LOCK):
            content = b'{"packages": {}}' if name == LOCK else name.encode() * 200
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


@pytest.fixture(scope="module")
def engine() -> dict[str, bytes]:
    """Tests of the engine's files, which browsers download."""
    wheel = io.BytesIO()
    zipfile.ZipFile(wheel, "w").close()
    return engine_files(small_pyodide(), wheel.getvalue())


def test_every_file_of_the_engine_has_a_type(engine: dict[str, bytes]) -> None:
    made = {name: files.engine_file(name, body) for name, body in engine.items()}
    assert made["pyodide.asm.wasm"].kind == "application/wasm"
    assert made["pyodide.mjs"].kind.startswith("text/javascript")
    assert made["pyodide.asm.wasm"].gzipped
    worker = files.service_worker(["/"], made).body
    assert all(f'"engine/{name}"'.encode() in worker for name in engine)
    assert b'"pictures/' in worker
    assert b'"engine/' not in files.service_worker(["/"]).body


def test_downloads_without_offline_are_a_mistake(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["serve", "--downloads", str(tmp_path)]) == 2
    assert "--downloads is where --offline finds the engine: give both" in capsys.readouterr().err


def test_a_wrong_archive_is_rejected_before_the_server_starts(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / downloads.PYODIDE.name).write_bytes(b"not Pyodide")
    database = str(tmp_path / "games.sqlite3")
    assert run(["serve", "--offline", "--downloads", str(tmp_path), "--database", database]) == Exit.BAD_INPUT
    assert "isn't the file that this version of GridLock was tested with" in capsys.readouterr().err


@pytest.mark.slow
def test_the_worker_alone_may_compile_and_pages_keep_their_policy(serve: Callable[..., Served]) -> None:
    if not (DOWNLOADS / downloads.PYODIDE.name).is_file():
        pytest.skip(f"Pyodide is not in {DOWNLOADS} ('gridlock site' downloads it)")
    server = serve("--offline", "--downloads", str(DOWNLOADS))
    for path in ("/", "/play", "/engine/engine.json", "/service-worker.js"):
        status, headers, body = server.raw("GET", path)
        assert (status, headers["content-security-policy"]) == (200, HEADERS["Content-Security-Policy"]), path
        assert (MARK in body) == (path in ("/", "/play"))
    policy = server.raw("GET", "/static/engine-worker.js")[1]["content-security-policy"]
    assert policy == "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
    status, headers, body = server.raw("GET", "/engine/pyodide.asm.wasm", **{"Accept-Encoding": "gzip"})
    assert (status, headers["content-type"], headers["content-encoding"]) == (200, "application/wasm", "gzip")
    assert len(body) < 4_000_000
    assert server.raw("GET", "/engine/../app.py")[0] == server.raw("GET", "/engine/nothing")[0] == 404


@pytest.mark.slow
def test_without_the_option_there_is_no_engine(server: Served) -> None:
    assert MARK not in server.raw("GET", "/")[2]
    assert server.raw("GET", "/engine/engine.json")[0] == 404
    assert b'"engine/' not in server.raw("GET", "/service-worker.js")[2]
