"""Tests of the `analyse` and `solve` commands: their JSON, exit codes, limits and Ctrl-C."""

import json
import os
import re
import signal
import subprocess
import sys
from random import Random

import pytest
from bench import reference
from click.testing import CliRunner
from window import window

from gridlock.command import cli, run
from gridlock.core.game import Game
from gridlock.core.rules import RULE_BOOKS, variant
from gridlock.engine.solve import Solver

START = {"game", "board", "adjacency", "swap", "starts", "moves", "to_move"}  # the keys with which every answer begins
INTERRUPTED_SOON = """
import os, signal, threading, time
from gridlock.command import main

def interrupt():
    while signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        time.sleep(0.01)
    time.sleep(0.5)
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt, daemon=True).start()
main()
"""


def random_moves(played, rng):
    """Return the first moves of a random game, as a person would type them."""
    game = Game(played)
    for _ in range(rng.randrange(played.grid.size)):
        if not game.legal:
            break
        game.push(rng.choice(played.legal_cells(game.position)))
    return game, " ".join(played.name(cell) for cell in game.moves)


@pytest.mark.parametrize("adjacency", ["king", "orthogonal"])
@pytest.mark.parametrize("game", RULE_BOOKS)
def test_analyse_says_what_is_so(gridlock, game, adjacency):
    rng = Random(f"{game} {adjacency}")
    played = variant(game, "3x3", adjacency)
    memo = {}
    for _ in range(12):
        position, moves = random_moves(played, rng)
        arguments = ["--board", "3x3", "--adjacency", adjacency, "--moves", moves, "--json", "--memory", "4"]
        code, out, err = gridlock("analyse", game, *arguments, "--distances")
        assert (code, err) == (0, "")
        facts = json.loads(out)
        truth = reference.results(played, position.position, memo)
        won = any(result.win for result in truth.values())
        assert facts["to_move"] == (None if position.outcome else position.position.turn)
        assert facts["winner"] == (position.position.turn if won else 3 - position.position.turn)
        assert facts["outcome"] == ("win" if won else "loss")
        assert facts["winning"] == [list(played.coordinates(cell)) for cell in truth if truth[cell].win]
        assert facts["values"] == [
            {
                "cell": list(played.coordinates(cell)),
                "outcome": "win" if result.win else "loss",
                "distance": result.distance,
            }
            for cell, result in truth.items()
        ]
        assert facts["method"] in ("rules", "matching", "mirror", "centre", "search")
        assert facts["explanation"]


def test_a_verdict_waits_for_distances_only_on_request(gridlock):
    code, out, err = gridlock("analyse", "keepaway", "--board", "8x8", "--json")
    facts = json.loads(out)
    assert (code, err, facts["outcome"], facts["method"]) == (0, "", "loss", "matching")
    assert {move["distance"] for move in facts["values"]} == {None}
    code, out, _ = gridlock("analyse", "keepaway", "--board", "8x8")
    assert "Losing: all 64 moves" in out
    code, out, err = gridlock("analyse", "keepaway", "--board", "8x8", "--distances", "--time", "0.2", "--json")
    assert (code, json.loads(out)["outcome"]) == (0, "loss")
    assert err == "The moves to the end could not be counted in 0.2 s.\n"
    code, out, err = gridlock("analyse", "keepaway", "--board", "4x4", "--distances", "--time", "60", "--json")
    assert (code, err) == (0, "")
    assert None not in {move["distance"] for move in json.loads(out)["values"]}
    _, _, err = gridlock("analyse", "keepaway", "--board", "12x12", "--distances")
    assert err == "The moves to the end could not be counted for this game and board.\n"


def test_with_the_swap_rule_no_first_move_wins(gridlock):
    code, out, _ = gridlock("analyse", "showdown", "--swap", "--json")
    facts = json.loads(out)
    assert (code, facts["outcome"], facts["winning"], facts["swapping"], facts["method"]) == (
        0,
        "loss",
        [],
        None,
        "rules",
    )
    assert {(move["outcome"], move["distance"]) for move in facts["values"]} == {("loss", None)}
    assert facts["explanation"].startswith("No first move wins: the other player swaps if the move is good")
    assert (facts["pairing"], facts["line"]) == ([], [])


@pytest.mark.parametrize("game", RULE_BOOKS)
def test_the_player_to_swap_wins_by_swapping_or_moving(gridlock, game):
    """After every first move, the swap is a winning move if and only if no other move wins."""
    played = variant(game, "3x3")
    memo = {}
    for first in played.legal_cells(played.start()):
        code, out, _ = gridlock("analyse", game, "--board", "3x3", "--swap", "--moves", played.name(first), "--json")
        facts = json.loads(out)
        truth = reference.results(played, played.start().after(first), memo)
        winning = [list(played.coordinates(cell)) for cell in truth if truth[cell].win]
        assert (code, facts["outcome"], facts["winning"]) == (0, "win", winning)
        assert facts["swapping"] == ("loss" if winning else "win")
        assert facts["explanation"].startswith(("Swapping wins", "Only swapping wins")) == (not winning)


def test_the_documents_count_from_where_the_game_does(gridlock):
    _, out, _ = gridlock("analyse", "trails", "--json")
    assert json.loads(out)["winning"] == [[0, 1], [1, 0]]
    _, out, _ = gridlock("analyse", "keepaway", "--json")
    assert json.loads(out)["winning"] == [[2, 2]]


def test_starts_says_whose_turn_it_is(gridlock):
    for starts, moves, turn in (("1", "", 1), ("2", "", 2), ("2", "1,1", 1)):
        _, out, _ = gridlock("analyse", "showdown", "--starts", starts, "--moves", moves, "--json")
        assert json.loads(out)["to_move"] == turn


def test_analyse_draws_the_board(gridlock):
    code, out, err = gridlock("analyse", "keepaway")
    assert (code, err) == (0, "")
    assert out.splitlines()[:4] == ["   1  2  3", "1 -8 -8 -8", "2 -8 +1 -8", "3 -8 -8 -8"]
    assert "X is to move and wins." in out
    assert "Winning: 2,2 (+1)" in out


def test_a_finished_game_has_no_moves(gridlock):
    code, out, _ = gridlock("analyse", "keepaway", "--moves", "2,2", "--json")
    facts = json.loads(out)
    assert code == 0
    assert (facts["outcome"], facts["winning"], facts["values"], facts["method"]) == ("loss", [], [], "rules")


@pytest.mark.slow
@pytest.mark.parametrize("game", RULE_BOOKS)
def test_a_limit_on_a_large_board(gridlock, game):
    """Every result is reported as proved or as unknown, and the exit code says whether a limit was reached."""
    code, out, err = gridlock("analyse", game, "--board", "99x99", "--time", "0.2", "--memory", "16", "--json")
    facts = json.loads(out)
    assert facts["outcome"] == ("unknown" if game in ("scatter", "trails") else "win")
    assert code == (5 if facts["outcome"] == "unknown" else 0)
    assert err in ("", "Stopped after 0.2 s. For a longer search, use --time SECONDS.\n")
    assert len(facts["values"]) == (2 if game == "trails" else 99 * 99)
    if facts["outcome"] == "unknown":
        assert facts["winning"] == []
        assert {move["outcome"] for move in facts["values"]} == {"unknown"}
        assert {move["distance"] for move in facts["values"]} == {None}


def test_a_limit_is_reported(gridlock):
    arguments = ["analyse", "scatter", "--board", "11x11", "--time", "0.1", "--memory", "16"]
    code, out, err = gridlock(*arguments)
    assert (code, err) == (5, "Stopped after 0.1 s. For a longer search, use --time SECONDS.\n")
    assert "\nUnknown: all 121 moves\n" in out
    assert "(?)" not in out
    assert "the winner is not known" in out
    code, out, _ = gridlock(*arguments, "--json")
    assert (code, len(json.loads(out)["values"])) == (5, 121)


def test_analyse_has_a_limit_of_its_own():
    assert "[default: 10.0; more than 0]" in " ".join(CliRunner().invoke(cli, ["analyse", "--help"]).output.split())


def test_a_few_moves_not_known_are_listed(gridlock):
    code, out, err = gridlock("analyse", "trails", "--board", "21x21")  # too large to search in any amount of time
    assert (code, err) == (5, "")
    assert "Unknown: 0,1  1,0\n" in out


def test_one_position_is_one(gridlock):
    _, out, _ = gridlock("solve", "trails", "--board", "1x3", "--method", "search")
    assert "Method: search; 1 position, " in out


def test_a_search_without_checkpoints_does_not_suggest_one(gridlock):
    code, _, err = gridlock(
        "solve", "chain", "--board", "10x10", "--method", "search", "--time", "0.1", "--memory", "16"
    )
    assert code == 5
    assert err.startswith("Out of time: ")
    assert err.endswith(" searched; --method auto solves it at once.\n")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["analyse", "chess"], 2),
        (["analyse", "showdown", "--board", "0x5"], 2),
        (["analyse", "showdown", "--time", "0"], 2),
        (["analyse", "showdown", "--time", "nan"], 2),
        (["solve", "showdown", "--time", "inf"], 2),
        (["atlas", "showdown", "--time", "nan"], 2),
        (["atlas", "showdown", "--time", "abc"], 2),
        (["review", "no-such-file", "--time", "nan"], 2),
        (["play", "showdown", "--time", "nan"], 2),
        (["analyse", "showdown", "--memory", "0"], 2),
        (["analyse", "showdown", "--moves", "9,9"], 3),
        (["analyse", "showdown", "--moves", "one"], 3),
        (["solve", "showdown", "--method", "luck"], 2),
        (["solve", "showdown", "--processes", "2", "--cluster", "local:2"], 2),
        (["solve", "showdown", "--checkpoint", "no-such-folder/c"], 1),
        (["solve", "showdown", "--checkpoint", ""], 2),
        (["solve", "showdown", "--checkpoint", "c", "--method", "proof"], 2),
        (["review", "no-such-game"], 3),
        (["review", "no-such-file.txt"], 1),
    ],
)
def test_mistakes_in_the_command_are_explained(gridlock, arguments, code):
    got, out, err = gridlock(*arguments)
    assert (got, out) == (code, "")
    assert err
    assert "Traceback" not in err


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "abc", ""])
def test_a_time_is_a_number_of_seconds(gridlock, text):
    code, _, err = gridlock("solve", "showdown", "--time", text)
    assert code == 2
    assert err.startswith(f"gridlock solve: Invalid value for '--time': '{text}' is not a number of seconds.\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "told", "note"),
    [
        (["analyse", "scatter", "--board", "9x9"], "the winner is not known", "this is what is known so far."),
        (["analyse", "showdown", "--board", "40x40"], "X is to move and wins.", "this is what is known so far."),
        (
            ["solve", "scatter", "--board", "9x9"],
            "Not solved: scatter",
            "searched; use --checkpoint FILE to keep the work.",
        ),
        (
            ["solve", "scatter", "--board", "9x9", "--processes", "2"],
            "Not solved: scatter",
            "searched; use --checkpoint",
        ),
        (
            ["solve", "scatter", "--board", "14x15", "--method", "search"],
            "Not solved: scatter",
            "FILE to keep the work.",
        ),
        (["solve", "trails", "--board", "13x13", "--pairs"], "Not solved: trails", "of 28,392 pairs decided, "),
        (
            ["solve", "showdown", "--board", "10x10", "--openings", "--threads", "2"],
            "showdown on 10x10",
            "of 100 first moves decided, ",
        ),
        (["atlas", "scatter", "--up-to", "11x11", "--time", "60"], "  1  1m  2m  2t", "of 66 boards are finished."),
    ],
)
def test_ctrl_c_shows_what_is_known(arguments, told, note):
    command = [sys.executable, "-c", INTERRUPTED_SOON, *arguments, "--memory", "16"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 130
    assert told in done.stdout
    assert done.stderr.startswith("Interrupted: ")
    assert note in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_second_ctrl_c_does_not_wait(monkeypatch):
    """A second Ctrl-C stops a search that is slow to respond to the first one."""
    monkeypatch.setattr(Solver, "solve", lambda *_: [os.kill(os.getpid(), signal.SIGINT) for _ in range(2)])
    assert run(["solve", "scatter"]) == 130
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize("command", ["analyse", "solve", "review", "puzzle", "atlas"])
def test_help_names_every_option(command):
    result = CliRunner().invoke(cli, [command, "--help"])
    assert result.exit_code == 0
    assert "--json" in result.output
    assert re.search(r"Examples?: gridlock", result.output)


def test_a_checkpoint_that_would_save_nothing_is_rejected(capsys, tmp_path):
    path = tmp_path / "c"
    code = run(["solve", "chain", "--board", "5x5", "--method", "search", "--checkpoint", str(path)])
    assert code == 2
    assert "--method auto" in capsys.readouterr().err
    assert not path.exists()


def test_a_puzzle_in_a_window_marks_no_cell_as_winning(tmp_path):
    with window("puzzle trails --seed 4", tmp_path) as shown:
        shown.wait_for("or 'quit': ")
        assert "\x1b[1;7m" in shown.raw  # the last move
        assert "+" not in shown.plain


@pytest.mark.parametrize(
    "arguments",
    [["analyse", "chain", "--json"], ["solve", "chain", "--json"], ["puzzle", "--json"], ["atlas", "chain"]],
)
def test_a_closed_error_stream_does_no_harm(arguments):
    command = ["sh", "-c", 'exec "$@" 2>&-', "sh", sys.executable, "-m", "gridlock", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0
    assert done.stdout
