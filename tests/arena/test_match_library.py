"""Tests of `gl.match` with agents given by name or as functions."""

import doctest
from pathlib import Path
from random import Random
from typing import Any

import pytest

import gridlock as gl
from gridlock.arena.plan import BadPlan
from gridlock.core.errors import AgentFailed

QUICK: dict[str, Any] = {"game": "showdown", "board": "4x4", "seconds": 0.0, "margin": 60.0}
PATIENT = {**QUICK, "seconds": 30.0}  # for functions that run in separate processes on a busy machine


def test_the_examples_of_the_documentation_are_right() -> None:
    page = Path(__file__).parents[2] / "docs" / "tournaments.md"
    assert doctest.testfile(str(page), module_relative=False).failed == 0


def first_cell(game: gl.Game, _rng: Random, _seconds: float) -> Any:
    """Take the first legal cell."""
    return game.legal_moves[0]


def broken(_game: gl.Game, _rng: Random, _seconds: float) -> Any:
    """Raise an error instead of moving."""
    raise ZeroDivisionError("oops")


def test_functions_and_names_play() -> None:
    result = gl.match(first_cell, "random", games=10, isolated=False, **QUICK)
    assert (result.a, result.b) == ("first_cell", "random")
    assert sum(result.score) == len(result.games) == len(result.records) == 10
    assert result.pairs.units == 5
    assert set(result.ratings) == {"first_cell", "random"}
    assert repr(result).startswith(f"<Match first_cell {result.score[0]}-{result.score[1]} random: pairs ")
    assert all(game.winner for game in result.records)


def test_a_function_in_its_own_process_plays_the_same_games() -> None:
    here = gl.match(first_cell, "random", games=2, isolated=False, **QUICK)
    there = gl.match(first_cell, "random", games=2, **PATIENT)
    assert [game["moves"] for game in here.games] == [game["moves"] for game in there.games]


@pytest.mark.parametrize("isolated", [False, True])
def test_a_function_that_fails_loses_its_games(isolated: bool) -> None:
    result = gl.match("random", broken, games=4, isolated=isolated, **PATIENT)
    failed = [game for game in result.games if game["reason"] == "failed"]
    assert failed
    assert all(game["winner"] == "a" and "oops" in game["report"] for game in failed)


@pytest.mark.slow
def test_agents_from_a_file_play_and_fail_in_their_own_process(tmp_path: Path) -> None:
    """A program that exits or loops forever loses the game; the match continues."""
    file = tmp_path / "mine.py"
    file.write_text(
        "import os\n"
        "def good(game, rng, seconds):\n    return game.legal_moves[0]\n"
        "def dies(game, rng, seconds):\n    os._exit(3)\n"
    )
    good = gl.match(f"{file}:good", "random", games=2, **PATIENT)
    assert {game["reason"] for game in good.games} == {"stuck"}
    assert good.a == "mine.py:good"
    dies = gl.match(f"{file}:dies", "random", games=2, **PATIENT)
    assert {(game["reason"], game["winner"]) for game in dies.games} == {("failed", "b")}


@pytest.mark.slow
def test_an_endless_loop_loses_the_game_and_not_the_match() -> None:
    def endless(_game: gl.Game, _rng: Random, _seconds: float) -> Any:
        while True:
            pass

    result = gl.match("random", endless, games=2, game="chain", board="3x3", seconds=0.05)
    assert {game["reason"] for game in result.games} <= {"time", "stuck"}
    assert "time" in {game["reason"] for game in result.games}


def test_a_match_against_itself_has_two_names() -> None:
    result = gl.match("random", "random", games=2, **QUICK)
    assert (result.a, result.b) == ("random", "random-2")


def test_a_test_ends_the_match() -> None:
    result = gl.match("perfect", "random", games=400, sprt=(0, 100), **{**QUICK, "seconds": 0.01})
    assert result.sprt is not None
    assert result.sprt.decision == "H1"
    assert len(result.games) < 400


def test_a_match_in_a_folder_is_resumed(tmp_path: Path) -> None:
    games = gl.match("random", "easy", games=4, out=tmp_path / "out", **QUICK).games
    assert (tmp_path / "out" / "crosstable.svg").exists()
    assert gl.match("random", "easy", games=4, out=tmp_path / "out", **QUICK).games == games


def test_bad_arguments_get_a_sentence() -> None:
    with pytest.raises(AgentFailed, match="There is no agent called 'nobody'"):
        gl.match("nobody", "easy")
    with pytest.raises(BadPlan, match="An agent must be a name or a function"):
        gl.match(5, "easy")  # type: ignore[arg-type]
    with pytest.raises(BadPlan, match="do not set `processes`"):
        gl.match(first_cell, "easy", processes=2)
    with pytest.raises(BadPlan, match="games must be an even number"):
        gl.match("random", "easy", games=3)
    with pytest.raises(BadPlan, match="such as 10"):
        gl.match("random", "easy", clock="soon")
