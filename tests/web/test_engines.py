"""Tests of external programs that the operator offers as opponents.

The tests check that people can play against the programs in a browser, that a failing program affects nothing else, and
that clients cannot run any other programs.
"""

import asyncio
import json
import os
import re
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner
from web_client import client
from web_server import Served

from bot_checks import BOTS, FAULTS, PATIENCE, spec
from gridlock.command import run
from gridlock.players import agents
from gridlock.web.command import serve as serve_command

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")
FEW = ["dies_mid_game", "ignores_everything", "forks_and_dies", "sends_a_gigabyte", "stops_its_guard"]
Serve = Callable[..., Served]


@pytest.fixture(autouse=True)
def own_agents(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test an empty list of programs on offer, and restore the original list afterwards."""
    monkeypatch.setattr(agents, "allowed", {})


def programs() -> list[str]:
    """Return the command line of every program from tests/bots that a test in this pytest process has started.

    The list contains neither the server itself nor the programs that tests in other pytest processes have started.
    """
    found = []
    process = f"PYTEST_XDIST_WORKER={os.environ.get('PYTEST_XDIST_WORKER', '')}"
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = place.read_bytes().decode(errors="replace").replace("\0", " ")
            settings = place.with_name("environ").read_text(errors="replace").split("\0")
        except OSError:
            continue
        ours = process in settings or "PYTEST_XDIST_WORKER" not in os.environ
        if ours and str(BOTS) in words and " serve " not in words:
            found.append(words)
    return found


def wait_until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not done():  # asked only once per round: the server may start the next program right after this
        assert time.monotonic() < end, programs()
        time.sleep(0.05)


def offered(serve: Serve, bots: Iterable[str], behave: Path, think: float) -> Served:
    """Start a server whose programs behave until the server has started, and then misbehave."""
    behave.touch()
    options = [f"--engine={bot}={spec(bot)}" for bot in bots]
    server = serve(*options, patches={"gridlock.web.games.hub.THINK": think}, env={"GRIDLOCK_BEHAVE": str(behave)})
    behave.unlink()
    return server


async def lost(server: Served, bot: str) -> str:
    """Play against a program until it fails, and return the notice that the page receives."""
    made = server.create("showdown", bot)
    async with client(server, made["id"], made["token"]) as page:
        await page.send("move", cell=24, ply=0, line=page.state["line"])
        while (message := await page.receive())["type"] != "notice":
            if message["type"] == "state" and message["ply"] == 2:
                await page.send("move", cell=23, ply=2, line=page.state["line"])
        return message["words"]


@pytest.mark.parametrize(
    "bots", [pytest.param(FEW, marks=pytest.mark.slow), pytest.param(list(FAULTS), marks=pytest.mark.deep)]
)
def test_a_program_that_fails_harms_nothing_else(serve: Serve, tmp_path: Path, bots: list[str]) -> None:
    server = offered(serve, bots, tmp_path / "behave", 2.0)
    levels = {level["name"]: level["summary"] for level in server.get("/api/games")[1]["levels"]}
    assert {levels[bot] for bot in bots} == {"A program that this server offers as an opponent."}
    for bot in bots:
        assert asyncio.run(lost(server, bot)) == f"The computer ({bot}) failed, so it moved at random."
    reasons = [str(line["error"]) for line in server.lines() if line["event"] == "a worker failed"]
    for bot in bots:
        found = [re.search(rf"The computer \({bot}\) failed: it .*({FAULTS[bot]})", reason) for reason in reasons]
        assert any(found), reasons
    wait_until(lambda: not programs())
    assert server.end() == 0


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_server_that_ends_leaves_no_program_behind(serve: Serve, tmp_path: Path, number: int) -> None:
    server = offered(serve, ["hangs"], tmp_path / "behave", 3600.0)
    made = server.create("showdown", "hangs")

    async def begin() -> None:
        async with client(server, made["id"], made["token"]) as page:
            await page.act("move", cell=24)

    asyncio.run(begin())
    wait_until(lambda: len(programs()) >= 2)  # the guard and the program
    server.end(number)
    wait_until(lambda: not programs())


@pytest.mark.slow
def test_a_program_plays_on_the_server(serve: Serve) -> None:
    server = serve(f"--engine=first={BOTS / 'functions.py'}:first")
    made = server.create("showdown", "first")

    async def scene() -> dict:
        async with client(server, made["id"], made["token"]) as page:
            await page.play(24)
            return await page.until(ply=2)

    assert asyncio.run(scene())["ply"] == 2
    assert not [line for line in server.lines() if line["event"] == "a worker failed"]


# -- what a client can name -------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_no_client_can_name_a_command(serve: Serve, tmp_path: Path) -> None:
    trap, file = tmp_path / "trap", tmp_path / "t.py"
    file.write_text(f"open({str(trap)!r}, 'w')\ndef f(*_):\n    return 0\n")
    touch = shlex.join(["touch", str(trap)])
    commands = [f"{scheme}:{touch}" for scheme in ("process", "ugi", "line", "sandbox:process")]
    # These commands are short enough to be valid player names.
    short = [f"{scheme}:touch t" for scheme in ("process", "ugi", "line", "sandbox:line")]
    server = serve(f"--engine=good={BOTS / 'functions.py'}:first", env={"PWD": str(tmp_path)})

    async def told(made: dict, text: str) -> None:
        async with client(server, made["id"], made["token"]) as page:
            for words in ({"type": "ask", "what": text}, {"type": "hello", "game": text, "token": text}):
                await page.socket.send(json.dumps({**words, "id": 1, "level": text, "opponent": text}))

    for text in [*commands, *short, f"{file}:f", "t.py:f", "good=process:touch t", "--engine=x=touch t"]:
        for wish in (
            {"opponent": text},
            {"opponent": "levels", "levels": [text, "easy"]},
            {"opponent": "levels", "levels": ["good", text]},
            {"opponent": "good", "engine": text},
            {"opponent": "good", "setup": {"game": text}},
            {"opponent": "good", "setup": {"game": "own", "definition": {"title": text, "players": [text, "human"]}}},
        ):
            status, _ = server.post("/api/games", {"setup": {"game": "chain"}, **wish})
            assert status in (400, 422), wish
        record = f'[Game "chain"]\n[Player1 "{text}"]\n[Player2 "{text}"]\n[Kinds "{text}"]\n\n1. 1,1 *\n'
        saved = json.dumps({"game": "chain", "kinds": ["human", text], "names": [text, text], "moves": ["1,1"]})
        for path in ("/api/position", "/api/analyse", "/api/review"):
            for source in (record, saved):
                server.post(path, {"record": source})
        for path in ("/api/hint", "/api/puzzle"):
            server.post(path, {"setup": {"game": text}})
        server.post("/api/lessons", {"game": text, "lesson": 1, "moves": [text[:10]]})
        server.get(f"/api/puzzle?game={text.replace(' ', '%20')}")
        asyncio.run(told(server.create("chain", "good", name=text, other_name=text), text))
    assert not trap.exists()
    assert not (tmp_path / "t").exists()
    assert not Path("t").exists()
    assert not server.complaints()


# -- the operator's options -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("--engine=sharp", "'sharp' is not a new name with a command, such as sharp=./my-bot"),
        ("--engine=sharp=", "is not a new name with a command"),
        ("--engine=Sharp=true", "'Sharp' cannot be an engine's name."),
        ("--engine=easy=true", "'easy' cannot be an engine's name."),
        ("--engine=link=true", "'link' cannot be an engine's name."),
        ("--engine=sharp=./nowhere", "there is no program"),
        ("--engine=sharp=process:'", "cannot be read"),
        ("--agent=process:true", "'process:true' is a program, not an agent. Offer it with --engine NAME=COMMAND"),
    ],
)
def test_wrong_engines_get_a_sentence(option: str, words: str, tmp_path: Path) -> None:
    told = CliRunner().invoke(serve_command, [option, "--database", str(tmp_path / "games"), "--check"])
    assert told.exit_code == 2, told.output
    assert words in told.output


def test_an_engine_is_tried_before_the_server_starts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = ["--database", str(tmp_path / "games.sqlite3")]
    bad = f"--engine=odd={spec('plays_illegally')}"
    assert run(["serve", "--port=0", *database, bad]) == 4
    assert "--engine odd: The computer (odd) failed: it played '99,99'" in capsys.readouterr().err
    assert run(["serve", "--check", *database, bad]) == 1
    told = capsys.readouterr().out
    assert "Unsafe: --engine odd: The computer (odd) failed: it played '99,99'" in told
    assert "Unsafe: --engine odd can read and change what the server can" in told
    assert not programs()
