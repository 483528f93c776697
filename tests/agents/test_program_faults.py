"""Tests that each faulty program loses its game for the right reason and leaves no process behind."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from random import Random
from subprocess import DEVNULL, PIPE

import pytest
from functions import FAILURES

import gridlock as gl
from bot_checks import BOTS, FAULTS, marked, nothing_remains, seconds, spec
from gridlock.core.match import Match
from gridlock.play.match import LiveMatch, choose_move
from gridlock.play.thinking.process import Failed, Thinker
from gridlock.players import AgentFailed, agents, conversations
from gridlock.tui.app import FullScreen
from gridlock.tui.page import AppState
from gridlock.tui.play import PlayPage
from gridlock.userdata.saves import Slot, new_name

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what remains is looked up in /proc")
QUICK = ("dies_mid_game", "hangs", "forks_and_dies")


def play_on(kind: str, think: float, isolated: bool = False) -> None:
    """Ask a player for moves until `AgentFailed` is raised because it crashes, is too slow or breaks the rules."""
    game = gl.Game("showdown", "5x5")
    with closing(agents.start(kind, isolated=isolated)) as player:
        while True:
            game.push(player.choose(game, Random(1), think))
            game.push(game.legal_moves[-1])
            time.sleep(0.3 * ("out_of_turn" in kind))


def adjudicated(bot: str) -> str:
    """Let a faulty program play until it fails; return the failure message."""
    began = time.monotonic()
    with pytest.raises(AgentFailed, match=rf"^The computer \({bot}\.py\) failed: it .*({FAULTS[bot]})") as failure:
        play_on(spec(bot), seconds(FAULTS[bot]))
    print(f"{bot}: {time.monotonic() - began:.1f} s")
    return str(failure.value)


@pytest.mark.parametrize("bot", QUICK)
def test_a_fault_is_adjudicated(bot: str) -> None:
    with nothing_remains():
        adjudicated(bot)


@pytest.mark.slow
def test_every_fault_is_adjudicated_while_others_play() -> None:
    with nothing_remains(), ThreadPoolExecutor() as threads:
        assert len(list(threads.map(adjudicated, FAULTS))) == len(FAULTS)


@pytest.mark.slow
def test_a_fault_ends_a_game_at_the_terminal_and_the_game_is_saved(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path))
    words = [sys.executable, "-m", "gridlock", "play", "showdown", "--player2", "random"]
    with nothing_remains():
        games = {
            bot: subprocess.Popen(
                [*words, "--pause", "0.3", "--time", str(seconds(FAULTS[bot])), "--player1", spec(bot)],
                stdout=DEVNULL,
                stderr=PIPE,
                text=True,
            )
            for bot in FAULTS
        }
        told = {bot: game.communicate()[1] for bot, game in games.items()}
    for bot, game in games.items():
        assert game.returncode == 4, told[bot]
        assert re.search(rf"The computer \({bot}\.py\) failed: it .*({FAULTS[bot]})", told[bot]), told[bot]
        assert "saved" in told[bot]
        assert "Traceback" not in told[bot]


@pytest.mark.slow
def test_a_fault_loses_its_games_in_a_match_and_the_match_goes_on(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "gridlock", "match", "--games", "4", "--board", "7x7", "--no-judge"]
    with nothing_remains():
        matches = {
            bot: subprocess.Popen(
                [*words, "--time", str(seconds(FAULTS[bot])), "--out", str(tmp_path / bot), spec(bot), "random"],
                stdout=PIPE,
                stderr=PIPE,
                text=True,
            )
            for bot in FAULTS
        }
        told = {bot: match.communicate() for bot, match in matches.items()}
    for bot, match in matches.items():
        assert match.returncode == 0, told[bot]
        assert "Traceback" not in told[bot][1]
        games = [json.loads(line) for line in (tmp_path / bot / "results.jsonl").read_text().splitlines()]
        assert [game["winner"] for game in games] == ["b"] * 4, games
        assert {game["reason"] for game in games} <= {"time", "illegal move", "failed"}
        # In some openings, the program makes an illegal move and loses before the fault under test appears. At least
        # one game's report must name the fault under test.
        reports = [game["report"] for game in games]
        assert any(re.search(rf"\({bot}\.py\) failed: it .*({FAULTS[bot]})", report) for report in reports), reports


def test_a_program_that_never_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = tmp_path / "text"
    text.write_text("no program")
    with nothing_remains():
        with pytest.raises(AgentFailed, match=r"There is no program '\./nowhere'"):
            agents.start("process:./nowhere --fast")
        with pytest.raises(AgentFailed, match="is not executable"):
            agents.start(f"process:{text}")
        text.chmod(0o755)
        with pytest.raises(AgentFailed, match="it could not be started: Exec format error"):
            play_on(f"ugi:{text}", 0.2)
        monkeypatch.setattr(conversations, "STARTING", 0.3)
        with pytest.raises(AgentFailed, match=r"it did not answer 'ugi' with 'ugiok' within 0\.3 seconds"):
            play_on(spec("never_greets"), 0.2)
        with pytest.raises(AgentFailed, match=r"it did not move within 0\.2 seconds"):
            play_on(spec("never_greets", "process"), 0.2)


def test_a_program_that_ignores_quit_is_killed() -> None:
    with nothing_remains():
        player = agents.start(spec("ignores_everything"))
        assert player.choose(gl.Game("showdown"), Random(1), 2.0) == 0
        player.close()
        player.close()


def test_a_line_bot_is_adjudicated_too() -> None:
    for answer, reason in (("", "it sent an empty line"), ("2 2", "it played '2 2', which is not possible: a move is")):
        with nothing_remains(), pytest.raises(AgentFailed, match=reason):
            play_on(f"line:echo '{answer}'", 0.2)


# -- functions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "function", [pytest.param(one, marks=() if one == "loops_in_c" else pytest.mark.slow) for one in FAILURES]
)
def test_a_failing_function_harms_nothing_else(function: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import functions

    with nothing_remains(), pytest.raises(AgentFailed, match=FAILURES[function]):
        play_on(f"{BOTS / 'functions.py'}:{function}", seconds(FAILURES[function]))
    monkeypatch.setitem(agents, "mine", getattr(functions, function))
    with nothing_remains(), pytest.raises(AgentFailed, match=FAILURES[function]):
        play_on("mine", seconds(FAILURES[function]), isolated=True)


# -- worker processes, which the full screen and the server use -------------------------------------------------------


def is_stopped(pid: int) -> bool:
    """Return whether a process was stopped by a signal."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


def ask(bot: str, then: str = "") -> str:
    """Ask a program for a move through a worker process; return the failure message, or "cancelled"."""

    async def scene() -> str:
        thinker = Thinker()
        try:
            game = gl.Game("showdown")
            asking = asyncio.create_task(thinker.ask(choose_move, game, spec(bot), "1", 0.2 if not then else 3600.0))
            if not then:
                await asking
            while len(marked(os.environ["GRIDLOCK_MARK"])) < 3:  # the worker, the guard and the program
                await asyncio.sleep(0.05)
            while bot == "stops_its_guard" and not any(map(is_stopped, marked(os.environ["GRIDLOCK_MARK"]))):
                await asyncio.sleep(0.05)
            if then == "kill" and thinker.pid:
                os.kill(thinker.pid, signal.SIGKILL)
                await asking
            asking.cancel()
            await asyncio.wait([asking])
            await thinker.settled()
            return "cancelled"
        except Failed as failure:
            return str(failure)
        finally:
            await thinker.stop()

    return asyncio.run(scene())


@pytest.mark.slow
def test_a_fault_in_a_worker_is_reported() -> None:
    with nothing_remains():
        assert ask("plays_illegally").startswith("The computer (plays_illegally.py) failed: it played '99,99'")


@pytest.mark.slow
@pytest.mark.parametrize("bot", ["hangs", "stops_its_guard"])
def test_a_killed_worker_leaves_no_program_behind(bot: str) -> None:
    with nothing_remains():
        assert ask(bot, "kill") == "The engine process has ended."


@pytest.mark.slow
def test_a_cancelled_question_leaves_no_program_behind() -> None:
    with nothing_remains():
        assert ask("hangs", "cancel") == "cancelled"


@pytest.mark.slow
def test_a_fault_on_the_full_screen_is_shown_and_the_game_is_saved(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path))

    async def scene() -> str:
        match = Match(gl.variant("showdown"), kinds=("human", spec("plays_illegally")), think=60.0)
        live, state = LiveMatch(match, Slot(new_name())), AppState()
        app = FullScreen(state)
        try:
            async with app.run_test(size=(100, 30)) as pilot:
                live.start_round()
                live.push(24)
                app.push_screen(page := PlayPage(state, live))
                while not page.failure:
                    await pilot.pause(0.05)
                return page.failure
        finally:
            await state.stop()
            live.leave()

    with nothing_remains():
        assert asyncio.run(scene()).startswith("The computer (plays_illegally.py) failed: it played '99,99'")
    assert len(list(tmp_path.glob("games/*.json"))) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -15), (signal.SIGKILL, -9)])
def test_ctrl_c_leaves_no_program_behind(number: int, code: int, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path))
    words = [sys.executable, "-m", "gridlock", "play", "showdown", "--player2", "random", "--time", "3600"]
    with nothing_remains():
        token = os.environ["GRIDLOCK_MARK"]
        game = subprocess.Popen([*words, "--player1", spec("hangs")], stdout=DEVNULL, stderr=DEVNULL)
        while len(marked(token)) < 3:
            time.sleep(0.05)
        game.send_signal(number)
        assert game.wait() == code
