"""Tests of agents: valid and invalid return values, failures, and whether players are closed after use."""

import io
import sys
from contextlib import nullcontext
from dataclasses import dataclass
from random import Random

import numpy as np
import pytest

import gridlock as gl
from gridlock.command import run
from gridlock.core.errors import AgentFailed
from gridlock.core.game import SWAP, Game
from gridlock.core.rules import variant
from gridlock.play.match import choose_move
from gridlock.players import AGENTS, AgentEntry, FunctionPlayer, agents
from gridlock.tui.app import FullScreen
from gridlock.tui.app import run as run_screen
from gridlock.web.thinking.questions import choose


def game_of(name="showdown", board="3x3", moves=(), **settings):
    game = Game(variant(name, board), **settings)
    for move in moves:
        game.push(move)
    return game


def answered(game, value):
    return FunctionPlayer("mine", lambda: lambda *_: value).choose(game, Random(1), 1.0)


@pytest.mark.parametrize(
    "value", [(2, 2), [2, 2], "2,2", "2 2", "row 2 column 2", 4, np.int64(4), np.uint8(4), (np.int32(2), 2)]
)
def test_an_agent_returns_whatever_push_takes(value):
    move = answered(game_of(), value)
    assert (move, type(move)) == (4, int)


@pytest.mark.parametrize("value", [SWAP, np.int64(SWAP), "swap", " SWAP "])
def test_an_agent_swaps_in_any_form(value):
    assert answered(game_of(moves=[4], swap=True), value) == SWAP


def test_an_agent_returns_a_direction():
    game = game_of("trails", "3x3")
    assert answered(game, "right") == game.variant.cell(0, 1)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (None, "None is not "),
        ("hello", "UnreadableMove"),
        (2.0, "is not a move. A move is a row and a column"),
        (True, "is not a move. A move is a row and a column"),
        ((4,), "UnreadableMove"),
        ((1, 1, 1), "UnreadableMove"),
        ((1, 9), "the cell is outside the grid"),
        (16, "the cell is outside the grid"),
        (-7, "the cell is outside the grid"),
        (10**30, "the cell is outside the grid"),
        (4, "the cell is already occupied"),
        (SWAP, "this game has no swap rule"),
    ],
)
def test_nonsense_gets_a_one_sentence_error(value, reason):
    game = game_of(board="4x4", moves=[4])
    with pytest.raises(AgentFailed) as failed:
        answered(game, value)
    words = str(failed.value)
    assert words.startswith("The computer (mine) failed with ")
    assert reason in words
    assert words.endswith(".")
    assert game.moves == [4]


@pytest.mark.parametrize("error", [ZeroDivisionError("a\x1b[31m\nb"), SystemExit(3), RecursionError(), KeyError("x")])
def test_whatever_an_agent_raises_is_its_failure(error):
    def broken(game, _rng, _seconds):
        game.push(0)  # the agent changes only its own copy, not the match
        raise error

    player, game = FunctionPlayer("mine", lambda: broken), game_of()
    with pytest.raises(AgentFailed, match=type(error).__name__):
        player.choose(game, Random(1), 1.0)
    assert player.report.isprintable()
    assert not game.moves


def test_ctrl_c_is_not_a_failure():
    def stopped(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        FunctionPlayer("mine", lambda: stopped).choose(game_of(), Random(1), 1.0)


def test_a_failure_at_the_command_line_loses_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path))
    monkeypatch.setitem(agents, "silly", lambda *_: "no idea")
    monkeypatch.setattr(sys, "stdin", io.StringIO("3 3\n"))
    assert run(["play", "showdown", "--player2", "silly"]) == 4
    told = capsys.readouterr().err
    assert "The computer (silly) failed with UnreadableMove" in told
    assert "Your game is saved." in told
    [saved] = tmp_path.glob("games/*.json")
    assert '"3,3"' in saved.read_text()


def test_a_failure_on_the_full_screen_is_its_exit_code(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path))

    async def fail(screen):
        screen.state.failed = True

    monkeypatch.setattr(FullScreen, "run_async", fail)
    monkeypatch.setattr("gridlock.tui.app.orderly_exit", lambda _screen: nullcontext())  # keep pytest's signal handlers
    assert run_screen() == 4


# -- closing --------------------------------------------------------------------------------------------------------


class Watched(FunctionPlayer):
    """A player that counts how often it is closed."""

    closed = 0

    def close(self):
        self.closed += 1


@dataclass(frozen=True)
class Recorded(AgentEntry):
    """A registry entry that records the player objects created for an agent."""

    started: tuple = ()

    def start(self):
        self.started.append(Watched(self.name, self.load))
        return self.started[-1]


@pytest.fixture(params=["moves", "fails"])
def started(request, monkeypatch):
    """Register an agent named "watched", and return a list of the player objects that are created for it.

    Each test runs twice: once with an agent that moves, and once with an agent that fails.
    """
    load = AGENTS["random"].load if request.param == "moves" else lambda: lambda *_: None
    entry = Recorded("watched", "Is watched.", load, started=[])
    monkeypatch.setitem(AGENTS, "watched", entry)
    return entry.started


def closed(started, count):
    assert [player.closed for player in started] == [1] * count


def test_a_session_closes_its_players(started, tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path))
    run(["play", "chain", "--player1", "watched", "--player2", "watched"])
    closed(started, 2)
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    run(["play", "chain", "--player2", "watched"])
    closed(started, 3)


def test_the_process_of_the_full_screen_closes_its_player(started):
    try:
        choose_move(game_of(), "watched", "1", 0.1)
    except AgentFailed:
        assert started[0].report
    closed(started, 1)


def test_a_worker_of_the_server_closes_its_player(started):
    try:
        choose(game_of(), 0.1, "watched")
    except AgentFailed:
        assert started[0].report
    closed(started, 1)


@pytest.mark.slow  # requires the test-all extra
def test_an_environment_closes_its_opponent(started):
    pytest.importorskip("gymnasium")
    env = pytest.importorskip("gridlock.envs.gymnasium").Against("showdown", opponent="watched", side="first")
    env.reset(seed=1)
    assert [player.closed for player in started] == [0]
    try:
        env.step(0)
    except gl.GridLockError:
        assert started[0].report
    env.close()
    closed(started, 1)
