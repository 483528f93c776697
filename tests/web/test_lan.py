"""`gridlock serve --lan`: the address on the local network, its QR code, and which hosts may use the server."""

import socket
import sys
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner
from web_server import Served

from gridlock.web import command, server


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Collect the options with which the command would start a server, without starting one."""
    seen: dict[str, Any] = {}

    def run(listener: socket.socket, serving: Any, ready: Callable[[], None]) -> None:
        with listener:
            seen.update(host=listener.getsockname()[0], port=listener.getsockname()[1], serving=serving)
            ready()

    monkeypatch.setattr(server, "run", run)
    monkeypatch.setattr(command, "_lan_address", lambda: "192.168.7.5")
    return seen


def test_it_listens_in_the_network_and_says_its_address(started: dict[str, Any]) -> None:
    done = CliRunner().invoke(command.serve, ["--lan", "--port", "0", "--database", "games.sqlite3"])
    assert done.exit_code == 0, done.output
    port = started["port"]
    lines = done.output.splitlines()
    assert lines[0] == f"GridLock is running at http://192.168.7.5:{port}/ (press Ctrl-C to stop)"
    assert "Without TLS, anyone" in lines[1]
    assert "Anyone on your network" in lines[2]
    assert len(lines) == 3  # a QR code is printed only on a terminal
    assert started["host"] == "0.0.0.0"
    assert started["serving"].address == f"http://192.168.7.5:{port}"
    names = ("192.168.7.5", "127.0.0.1", "localhost", "[::1]")
    assert started["serving"].origins == {f"http://{name}:{port}" for name in names}


def test_a_code_for_a_phone_that_looks_at_the_terminal(
    started: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    runner = CliRunner()
    with runner.isolation() as (out, _, _):
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
        command.serve.main(["--lan", "--port", "0", "--database", "games.sqlite3"], standalone_mode=False)
        shown = out.getvalue().decode()
    code = shown.split("they need its link.\n")[1].rstrip("\n").splitlines()
    assert shown.startswith(f"GridLock is running at http://192.168.7.5:{started['port']}/")
    assert len(code) >= 14
    assert {len(line) for line in code} == {len(code[0])}
    assert set("".join(code)) <= set(" ▀▄█")


@pytest.mark.parametrize("more", [["--host", "127.0.0.1"], ["--origin", "http://a.example"]])
def test_it_finds_the_address_by_itself(more: list[str]) -> None:
    done = CliRunner().invoke(command.serve, ["--lan", *more])
    assert done.exit_code == 2
    assert "--lan finds the address itself: leave out --host and --origin" in done.output


def test_without_a_network_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(_self: socket.socket, _address: object) -> None:
        raise OSError(101, "Network is unreachable")

    monkeypatch.setattr(command.socket.socket, "connect", unreachable)
    done = CliRunner().invoke(command.serve, ["--lan", "--port", "0"])
    assert done.exit_code == 1
    assert "--lan found no network" in done.output


@pytest.mark.slow
def test_the_page_uses_its_own_address_without_lan(serve: Callable[..., Served]) -> None:
    plain = serve()
    assert plain.get("/api/games")[1]["address"] == ""
