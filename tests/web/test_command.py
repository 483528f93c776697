"""Tests of the `gridlock serve` command: what it prints, which options it rejects, and how it exits."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from web_server import Served

from gridlock.command import run
from gridlock.web.command import _warnings
from gridlock.web.command import serve as serve_command


def gridlock(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gridlock", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, **env},
    )


def test_the_other_commands_do_not_load_the_server() -> None:
    code = (
        "import sys; from gridlock.command import run; run(['rules', 'chain']);"
        "print([name for name in ('starlette', 'uvicorn', 'sqlalchemy', 'msgspec') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("command", [["serve"], ["admin", "block", "192.0.2.1"], ["admin", "games"]])
def test_without_the_web_extra_a_command_says_how_to_install_it(command: list[str]) -> None:
    code = (
        "import sys; from gridlock.command import run;"
        "sys.modules.update(dict.fromkeys(('starlette', 'uvicorn', 'sqlalchemy', 'msgspec')));"
        f"sys.exit(run({command}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1
    assert "is missing. Install the web extra: pip install 'gridlock-games[web]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_help_names_every_option() -> None:
    text = gridlock("serve", "--help").stdout
    for option in ("--host", "--port", "--database", "--games", "--open", "--origin"):
        assert option in text


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_cleanly_and_logs_json_lines(serve: Callable[..., Served], number: int) -> None:
    server = serve()
    assert server.get("/health")[0] == 200
    assert server.end(number) == 0
    lines = server.lines()
    assert [line["event"] for line in lines] == ["started", "request", "stopping", "stopped"]
    assert {"at", "level", "event"} <= set(lines[0])


@pytest.mark.slow
def test_unservable_options_get_a_clear_error(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = gridlock("serve", "--port", port, "--database", str(tmp_path / "a"))
        assert (done.returncode, len(done.stderr.splitlines())) == (1, 1), done.stderr
        assert "in use" in done.stderr
    (tmp_path / "text").write_text("this is not a database, " * 100)
    for database in (
        str(tmp_path / "text"),
        "postgresql://nobody:secret@127.0.0.1:1/none",
        "mysql://localhost/x",
        "a://b",
    ):
        done = gridlock("serve", "--port", "0", "--database", database)
        assert done.returncode == 1, done.stderr
        assert done.stderr.startswith("gridlock: the database cannot be used")
        assert ("NEW_FILE" in done.stderr) != done.stderr.endswith(".\n")
        assert "secret" not in done.stderr
        assert "Traceback" not in done.stderr
    for arguments in (["--host", "0.0.0.0"], ["--origin", "example.org"], ["--origin", "https://example.org/"]):
        done = gridlock("serve", "--port", "0", *arguments)
        assert done.returncode == 2, done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--agent", "line:./my-bot"],
        ["--downloads", "folder"],
        ["--engine", "sharp"],
        ["--games", "{empty}"],
        ["--host", "0.0.0.0", "--check"],
        ["--lan", "--origin", "http://192.168.1.5:8000"],
        ["--metrics", "9100"],
        ["--origin", "example.org"],
        ["--trusted-proxy", "proxy"],
    ],
)
def test_wrong_usage_gets_a_full_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    database = str(tmp_path / "x")
    assert run(["serve", "--database", database, *(one.format(empty=tmp_path) for one in arguments)]) == 2
    assert capsys.readouterr().err.splitlines()[0].endswith(".")


def test_windows_users_see_what_the_server_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate Windows, where fcntl does not exist, before any module that needs fcntl is loaded."""
    monkeypatch.setattr(sys, "platform", "win32")
    for name in [one for one in sys.modules if one.startswith("gridlock.web.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "fcntl", None)
    told = CliRunner().invoke(serve_command, ["--port=0"])
    assert told.exit_code == 1
    assert told.output == (
        "Error: the server needs Linux or macOS. "
        "On Windows, run the server in WSL or Docker; everything else runs natively.\n"
    )


def test_games_are_saved_in_the_data_folder_by_default(tmp_path: Path) -> None:
    server = subprocess.Popen(
        [sys.executable, "-m", "gridlock", "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "GRIDLOCK_HOME": str(tmp_path)},
    )
    assert server.stdout is not None
    assert server.stdout.readline().startswith("GridLock is running at http://127.0.0.1:")
    server.terminate()
    _, errors = server.communicate(timeout=30)
    assert server.returncode == 0
    assert (tmp_path / "server.sqlite3").exists()
    assert all(json.loads(line) for line in errors.splitlines())


@pytest.mark.parametrize(
    ("host", "origins", "proxies", "told"),
    [
        ("127.0.0.1", (), (), []),
        ("localhost", (), (), []),
        ("::1", (), (), []),
        ("0.0.0.0", ("http://192.168.1.5:8000",), (), ["TLS", "--trusted-proxy"]),
        ("10.0.0.5", (), (), ["TLS"]),
        ("games.example.org", (), (), ["TLS"]),
        ("0.0.0.0", ("https://games.example.org",), ("10.0.0.0/8",), []),
        ("127.0.0.1", ("https://games.example.org",), (), ["--trusted-proxy"]),
    ],
)
def test_a_publicly_reachable_server_warns_its_operator(
    host: str, origins: tuple[str, ...], proxies: tuple[str, ...], told: list[str]
) -> None:
    warnings = _warnings(host, origins, proxies)
    assert len(warnings) == len(told)
    assert all(word in warning for word, warning in zip(told, warnings, strict=True))
