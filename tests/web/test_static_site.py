"""Tests of the folder that `gridlock site` writes, and of its worker under Node."""

import gzip
import io
import json
import os
import re
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path
from posixpath import normpath
from random import Random
from urllib.parse import urlsplit

import pytest
from platformdirs import user_cache_path
from web_offline import Page, a_question, timeless

from gridlock.command import run
from gridlock.core.errors import GridLockError
from gridlock.web.offline.engine import Engine
from gridlock.web.offline.games import Games
from gridlock.web.static_site.downloads import MSGSPEC, PYODIDE, Download, DownloadFailed
from gridlock.web.static_site.engine import LOCK, PACKAGES, PYODIDE_FILES
from gridlock.web.static_site.folder import site, write_site
from tiers import mostly_deep

ROOT = Path(__file__).parents[2]
# The cache that `gridlock site` fills. The worker is tested only if Node is installed and Pyodide is in the cache.
DOWNLOADS = Path(os.environ.get("GRIDLOCK_DOWNLOADS") or user_cache_path("gridlock", appauthor=False))


LOCKED = b'{"info": {"arch": "wasm32"}, "packages": {"numpy": {}}}'


def a_wheel(content: str = "") -> bytes:
    """Return a wheel that contains a single module."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for name in ("msgspec/__init__.py", "msgspec/__init__.pyi", "msgspec-1.dist-info/RECORD"):
            file.writestr(name, content)
    return packed.getvalue()


@pytest.fixture(scope="module")
def made() -> dict[str, bytes]:
    """Write a site with a dummy copy of Pyodide, and return its files."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name in (*PYODIDE_FILES, LOCK):
            content = LOCKED if name == LOCK else name.encode()
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return site(packed.getvalue(), a_wheel())


# -- the files ---------------------------------------------------------------------------------------------------------


def test_every_link_of_a_page_is_relative_and_leads_to_a_file(made: dict[str, bytes]) -> None:
    pages = [name for name in made if name.endswith(".html")]
    assert {"index.html", "play.html", "404.html", "embed.html"} <= set(pages)
    for page in pages:
        text = made[page].decode()
        assert '<meta name="gridlock-engine" content="engine/">' in text
        links = re.findall(r'\b(?:href|src)="([^"]*)"', text)
        assert len(links) > 5
        for link in links:
            path = urlsplit(link).path
            assert not link.startswith(("/", "http")), (page, link)
            assert (path if path != "./" else "index.html") in made, (page, link)


def test_the_current_page_is_marked(made: dict[str, bytes]) -> None:
    assert b'<a href="puzzles.html" aria-current="page"' in made["puzzles.html"]
    assert b'<a href="./" aria-current="page"' in made["index.html"]


def test_the_manifests_addresses_lead_to_files(made: dict[str, bytes]) -> None:
    manifest = json.loads(made["static/app.webmanifest"])
    addresses = [icon["src"] for icon in manifest["icons"]] + [one["url"] for one in manifest["shortcuts"]]
    assert {normpath(f"static/{address}") for address in addresses} <= set(made)
    assert (manifest["start_url"], manifest["scope"], manifest.get("id")) == ("../", "../", None)


def test_the_service_worker_stores_everything_but_embedded_boards(made: dict[str, bytes]) -> None:
    text = made["service-worker.js"].decode()
    found = re.search(r"PARTS = (\[.*?\])", text)
    assert found
    parts = {"index.html" if part == "./" else part for part in json.loads(found[1])}
    assert set(made) - parts == {"site.json", "service-worker.js", "embed.html", "404.html"}
    assert "unknown" not in text


def test_the_version_changes_with_any_file(made: dict[str, bytes]) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name in (*PYODIDE_FILES, LOCK):
            content = LOCKED if name == LOCK else made[f"engine/{name}"]
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    assert site(packed.getvalue(), a_wheel()) == made
    other = site(packed.getvalue(), a_wheel("# another"))
    assert other["service-worker.js"] != made["service-worker.js"]
    assert json.loads(other["engine/engine.json"])["digest"] != json.loads(made["engine/engine.json"])["digest"]


def test_answers_that_never_change_are_files(made: dict[str, bytes]) -> None:
    engine = Engine(Games(Page()))
    names = [name for name in made if name.startswith("api/") and name != "api/boards.json"]
    assert len(names) >= 8
    for name in names:
        assert made[name] == engine.ask("GET", f"/{name.removesuffix('.json')}").body


def test_empty_boards_are_files_with_the_usual_rules_first(made: dict[str, bytes]) -> None:
    engine = Engine(Games(Page()))
    boards = json.loads(made["api/boards.json"])
    for game in json.loads(made["api/games.json"])["games"]:
        own = [board for board in boards if board["setup"]["game"] == game["name"]]
        assert len(own) == 4
        usual = {"board": game["board"], "adjacency": game["adjacency"], "starts": 1, "swap": False}
        assert own[0]["setup"] == {"game": game["name"], **usual, "moves": []}
        for board in own:
            told = engine.ask("POST", "/api/position", json.dumps({"setup": board["setup"]}))
            assert json.loads(told.body) == board


def test_the_engine_lists_its_files_with_their_sizes(made: dict[str, bytes]) -> None:
    told = json.loads(made["engine/engine.json"])
    listed = told["files"]
    assert listed == {name: len(made[f"engine/{name}"]) for name in listed}
    assert {*PYODIDE_FILES, PACKAGES} == set(listed)
    assert told["lock"] == {"info": {"arch": "wasm32"}, "packages": {}}


def test_a_site_is_replaced_and_nothing_else_is(made: dict[str, bytes], tmp_path: Path) -> None:
    folder = tmp_path / "public"
    outside = tmp_path / "outside.txt"
    outside.write_text("x")
    old = [*made, "old.txt", "../outside.txt"]
    write_site(folder, {**made, "old.txt": b"old", "site.json": json.dumps(old).encode()})
    (folder / "CNAME").write_text("games.example.org")
    write_site(folder, made)
    assert outside.exists()
    assert (folder / "CNAME").read_text() == "games.example.org"
    (folder / "CNAME").unlink()
    written = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert written == made
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.txt").write_text("x")
    with pytest.raises(GridLockError, match=r"mine isn't empty, and it isn't a GridLock site"):
        write_site(mine, made)
    assert [path.name for path in mine.iterdir()] == ["thesis.txt"]


def test_a_folder_with_other_files_is_rejected_before_anything_is_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    (tmp_path / "thesis.txt").write_text("x")
    assert run(["site", str(tmp_path), "--downloads", str(tmp_path / "none")]) == 3
    assert "isn't empty" in capsys.readouterr().err


# -- downloads ---------------------------------------------------------------------------------------------------------


def test_a_file_with_another_hash_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / PYODIDE.name).write_bytes(b"something else")
    assert run(["site", str(tmp_path / "public"), "--downloads", str(tmp_path)]) == 3
    told = capsys.readouterr().err
    assert told.count("\n") <= 2
    assert "isn't the file that this version of GridLock was tested with" in told
    assert not (tmp_path / "public").exists()


def test_without_npm_a_sentence_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run(["site", str(tmp_path / "public"), "--downloads", str(tmp_path)]) == 3
    assert "npm isn't installed" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("echo too bad >&2; exit 1", "could not fetch a.tgz (too bad)"),
        ("exit 0", "could not fetch a.tgz (it said nothing)"),
        ("printf x > a.tgz", "What npm has fetched as a.tgz isn't the file"),
    ],
)
def test_a_download_that_fails_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, words: str
) -> None:
    (tmp_path / "npm").write_text(f"#!/bin/sh\n{script}\n")
    (tmp_path / "npm").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(DownloadFailed, match=re.escape(words)):
        Download("a.tgz", "0" * 64, "npm", ("pack", "a")).fetch(tmp_path / "cache")
    assert not list((tmp_path / "cache").iterdir())


def test_a_download_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "npm").write_text("#!/bin/sh\nprintf x > a.tgz\n")
    (tmp_path / "npm").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    one = Download("a.tgz", "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881", "npm", ("pack", "a"))
    assert one.fetch(tmp_path / "cache") == b"x"
    (tmp_path / "npm").unlink()
    assert one.fetch(tmp_path / "cache") == b"x"


# -- the worker under Node ---------------------------------------------------------------------------------------------

STORED: dict = {"until": {"since": 0, "is": {"type": "stored"}}}
RESTORED: list[dict] = [STORED, {"restart": True}]  # another worker, which starts from the first one's snapshot


@pytest.fixture(scope="module")
def engine_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a complete site, with the downloaded Pyodide and msgspec."""
    if not shutil.which("node"):
        pytest.skip("Node isn't installed")
    if not all((DOWNLOADS / one.name).is_file() for one in (PYODIDE, MSGSPEC)):
        pytest.skip("Pyodide hasn't been downloaded: run gridlock site once")
    folder = tmp_path_factory.mktemp("site") / "public"
    write_site(folder, site(PYODIDE.fetch(DOWNLOADS), MSGSPEC.fetch(DOWNLOADS)))
    return folder


def test_the_worker_answers_as_python_does_and_games_go_on_in_another_worker(
    engine_folder: Path, tmp_path: Path
) -> None:
    def ask(id: int, path: str, body: object = None) -> dict:
        return {"type": "ask", "id": id, "method": "POST" if body else "GET", "path": path, "body": body}

    setup = {"game": "showdown", "board": "3x3", "moves": ["2,2"]}
    questions = [
        ask(1, "/api/games"),
        ask(2, "/api/position", {"setup": setup}),
        ask(3, "/api/why", {"setup": setup, "cell": 0}),
        ask(4, "/api/hint", {"setup": {"game": "chess"}}),
        ask(5, "/api/lessons/trails"),
        ask(6, "/picture.gif?at=trails/3x3/king/1/0/"),
        ask(7, "/api/puzzle?day=2026-11-15"),
    ]
    page = Page()
    engine = Engine(Games(page))
    made = json.loads(engine.ask("POST", "/api/games", '{"setup": {"game": "chain"}, "opponent": "easy"}').body)
    hello = {"type": "hello", "game": made["id"], "token": made["token"]}
    move = {"type": "move", "id": 5, "ply": 0, "line": 0, "cell": 0}
    messages = node(
        engine_folder,
        [
            {"post": {"type": "kept", "entries": page.kept}},
            *({"post": one} for one in questions),
            *({"post": one} for one in (ask(8, "/api/atlas"), {"type": "cancel", "id": 8})),
            {"post": {"type": "open", "id": 1, "hello": {**hello, "token": "t" * 32}}},
            {"post": {"type": "open", "id": 2, "hello": hello}},
            {"post": {"type": "send", "id": 2, "message": move}},
            {"until": {"since": 0, "count": 2, "is": {"type": "keep"}}},
            *RESTORED,
            {"post": {"type": "open", "id": 3, "hello": hello}},
            {"until": {"count": 2, "is": {"type": "message", "id": 3}}},
        ],
        snapshot=tmp_path / "snapshot",
    )
    assert [one["isRestored"] for one in messages if one["type"] == "ready"] == [False, True]
    assert [one["id"] for one in messages if one["type"] == "begun"] == [1, 2, 3, 4, 5, 6, 7], "8 was cancelled"
    given = {one["id"]: one for one in messages if one["type"] == "answer"}
    for asked in questions:
        answer, body = given[asked["id"]], json.dumps(asked["body"]) if asked["body"] else ""
        expected = engine.ask(asked["method"], asked["path"], body)
        assert (answer["status"], answer["kind"]) == (expected.status, expected.kind)
        binary = isinstance(answer["body"], list)
        assert (bytes(answer["body"]) if binary else answer["body"].encode()) == expected.body
    assert {"type": "closed", "id": 1, "code": 4401, "reason": "this link does not open a game"} in messages
    assert messages[-1]["message"]["ply"] == 2, "the move, and the computer's"


@pytest.mark.slow
@pytest.mark.parametrize("count", mostly_deep([100, 500], 100))
def test_the_worker_answers_random_questions_byte_for_byte_as_python_does(
    engine_folder: Path, rng: Random, tmp_path: Path, count: int
) -> None:
    asked = []
    while len(asked) < count:
        method, path, body = a_question(rng)
        # Puzzle requests without a date are skipped, because they are answered with a random puzzle.
        drawn = path.startswith("/api/puzzle") and method == "GET" and "day=" not in path
        if not drawn and (not body or body.startswith('{"')):
            asked.append((method, path, body))
    steps: list[dict] = []
    for id, (method, path, body) in enumerate(asked, 1):
        wish = json.loads(body) if body else None
        steps.append({"post": {"type": "ask", "id": id, "method": method, "path": path, "body": wish}})
    steps = [*RESTORED, *steps, {"until": {"since": 0, "is": {"type": "answer", "id": count}}}]
    messages = node(engine_folder, steps, frozen=True, snapshot=tmp_path / "snapshot")
    given = [one for one in messages if one["type"] == "answer"]
    engine = Engine(Games(Page()))
    with timeless(0):
        for one, answer in zip(asked, given, strict=True):
            expected = engine.ask(*one)
            assert (answer["status"], answer["kind"]) == (expected.status, expected.kind), one
            told = bytes(answer["body"]) if isinstance(answer["body"], list) else answer["body"].encode()
            assert told == expected.body, one


@pytest.mark.slow
@pytest.mark.parametrize("damage", mostly_deep(["shortened", "another file"], "shortened"))
def test_a_damaged_snapshot_is_replaced(engine_folder: Path, tmp_path: Path, damage: str) -> None:
    snapshot = tmp_path / "snapshot"
    packed = gzip.compress(bytes(1_000_000))
    snapshot.write_bytes(packed[:-1] if damage == "shortened" else packed)
    ready = {"until": {"is": {"type": "ready"}}}
    messages = node(engine_folder, [*RESTORED, ready], snapshot=snapshot)
    assert [one["isRestored"] for one in messages if one["type"] == "ready"] == [False, True]


@pytest.mark.slow
@pytest.mark.parametrize("name", [*PYODIDE_FILES, PACKAGES, "engine.json"])
def test_a_damaged_file_of_the_engine_is_reported(engine_folder: Path, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "public"
    shutil.copytree(engine_folder, folder)
    damaged = folder / "engine" / name
    damaged.write_bytes(damaged.read_bytes()[: damaged.stat().st_size // 2])
    messages = node(folder, [{"until": {"since": 0, "is": {"type": "failed"}}}])
    assert [one["type"] for one in messages if one["type"] != "progress"] == ["failed"]


def node(folder: Path, steps: list[dict], frozen: bool = False, snapshot: Path | None = None) -> list[dict]:
    """Run the worker under Node, and return its messages; if `frozen`, time stands still for the worker.

    If a snapshot file is given, the worker saves its snapshot there.
    """
    script = ROOT / "tests" / "js" / "run-engine.js"
    worker, base = (folder / "static" / "engine-worker.js").as_uri(), f"{(folder / 'engine').as_uri()}/"
    done = subprocess.run(
        ["node", str(script), worker, base],
        input=json.dumps(steps),
        env={**os.environ, "FROZEN": "1" if frozen else "", "SNAPSHOT": str(snapshot or "")},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    messages: list[dict] = json.loads(done.stdout)
    return messages
