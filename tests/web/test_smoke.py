"""A smoke test: two players use a real server, which is killed mid-game, and a browser shows the finished game."""

import asyncio
import re
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from web_client import client
from web_server import Served

pytestmark = [pytest.mark.slow, pytest.mark.smoke]


def test_a_game_of_two_players_survives_a_kill(serve: Callable[..., Served]) -> None:
    server = serve()
    made = server.create("chain")
    tokens = [made["token"], server.join(made)]

    async def play(moves: int) -> dict:
        async with client(server, made["id"], tokens[0]) as one, client(server, made["id"], tokens[1]) as other:
            for _ in range(moves):
                state = max((one.state, other.state), key=lambda state: state["sequence"])
                if state["outcome"]:
                    break
                mover, waiting = (one, other) if [one.state["to_move"]] == one.welcome["seats"] else (other, one)
                await mover.play(mover.state["board"]["legal"][0])
                await waiting.until(ply=mover.state["ply"])
            assert one.state["moves"] == other.state["moves"]
            return one.state

    half = asyncio.run(play(3))
    assert half["ply"] == 3
    server.end(signal.SIGKILL)
    server.start()
    whole = asyncio.run(play(100))
    assert whole["moves"][:3] == half["moves"]
    assert whole["outcome"] is not None
    assert server.complaints() == []


CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed (Debian: chromium-headless-shell)")
def test_a_page_draws_its_board_in_a_browser(serve: Callable[..., Served], tmp_path: Path) -> None:
    server = serve()
    page = subprocess.run(
        [
            *(CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
            *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
            *(f"--user-data-dir={tmp_path / 'profile'}", "--virtual-time-budget=20000", "--dump-dom"),
            f"{server.origin}/analyse?game=showdown&board=5x5&moves=3,3",
        ],
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    ).stdout
    assert len(re.findall(r"data-cell=", page)) == 25
    assert server.complaints() == []
