"""Tests that an agent works unchanged in every interface if it uses only the documented Game class."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from web_client import client
from web_server import Served

import gridlock as gl
from gridlock.core.match import Match
from gridlock.core.rules import rule_book, variant
from gridlock.tui.app import FullScreen
from gridlock.tui.page import AppState
from gridlock.userdata.saves import Slot, new_name

SCRIPT = Path(__file__).parent / "own_agent.py"
pytestmark = pytest.mark.slow


@pytest.fixture
def installed(install):
    """Install a package that provides the agent."""
    return install("own_agent", SCRIPT.read_text(), mine="mine")


def run(*command, folder):
    return subprocess.run([sys.executable, *command], capture_output=True, text=True, cwd=folder, check=False)


def test_as_a_script(tmp_path):
    done = run(SCRIPT, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] in ("Player 1 won.", "Player 2 won.")


@pytest.mark.usefixtures("installed")
def test_at_the_command_line(tmp_path):
    command = "-m gridlock play showdown --board 4x4 --player1 mine --player2 random --seed 1 --record game.txt"
    done = run(*command.split(), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    [game] = gl.load(tmp_path / "game.txt")
    assert game.outcome
    assert "wins the game!" in done.stdout


@pytest.mark.usefixtures("installed")
def test_on_the_full_screen(monkeypatch):
    monkeypatch.setattr("gridlock.tui.match.MOMENT", 0.0)
    match = Match(variant(rule_book("showdown"), "4x4"), kinds=("human", "mine"))

    async def scene():
        state = AppState()
        app = FullScreen(state, match, Slot(new_name()))
        try:
            async with app.run_test(size=(80, 24)) as pilot:
                await pilot.press("enter")
                while len(match.games[0].moves) < 2:
                    assert not state.failed, app.screen.said
                    await asyncio.sleep(0.02)
        finally:
            await state.stop()

    asyncio.run(scene())
    assert match.games[0].turn == 1


@pytest.mark.usefixtures("installed")
def test_in_the_browser(tmp_path):
    server = Served(str(tmp_path / "games.sqlite3"), tmp_path / "log", "--agent", "mine")
    try:
        server.start()
        made = server.create("showdown", "mine", setup={"board": "4x4"})

        async def scene():
            async with client(server, made["id"], made["token"]) as page:
                while not page.state["outcome"]:
                    await page.play(page.state["board"]["legal"][0])
                    while page.state["thinking"]:
                        assert (await page.receive())["type"] != "notice"
                return page.state

        state = asyncio.run(scene())
        assert state["players"][1]["name"] == "Computer, mine"
        assert not [line for line in server.lines() if line["event"] == "a worker failed"]
    finally:
        server.close()


@pytest.mark.usefixtures("installed")
def test_in_an_environment():
    against = pytest.importorskip("gridlock.envs.gymnasium").Against("showdown", "4x4", opponent="mine", side="second")
    against.reset(seed=1)
    over = False
    while not over:
        _, reward, over, _, info = against.step(int(against.action_masks().argmax()))
        assert "illegal" not in info
    assert reward in (-1.0, 1.0)
    against.close()
