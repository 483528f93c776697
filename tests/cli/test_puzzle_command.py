"""`gridlock puzzle`: the conversation about puzzles, and its JSON."""

import json
import os
import sys
import tempfile
from subprocess import run

import pytest

from gridlock.core.rules import BUILT_IN, RULE_BOOKS, variant
from gridlock.play.puzzles import plan_for

GAMES = sorted(BUILT_IN)


def puzzle(*arguments, answers=""):
    """Run the command before any puzzle has been solved."""
    command = [sys.executable, "-c", "from gridlock.command import main; main()", "puzzle", *arguments]
    with tempfile.TemporaryDirectory() as home:
        environment = os.environ | {"GRIDLOCK_HOME": home}
        return run(command, input=answers, capture_output=True, text=True, check=False, env=environment)


def test_the_same_seed_makes_the_same_puzzle():
    one, two, other = (json.loads(puzzle("scatter", "--seed", seed, "--json").stdout) for seed in ("3", "3", "4"))
    assert one == two
    assert one != other
    assert set(one) == {
        "game", "board", "adjacency", "swap", "starts", "moves", "to_move", "winning", "distance", "explanation"
    }  # fmt: skip


def test_a_conversation():
    facts = json.loads(puzzle("showdown", "--seed", "3", "--json").stdout)
    right = "{},{}".format(*facts["winning"][0])
    taken = "{},{}".format(*facts["moves"][0])
    done = puzzle("showdown", "--seed", "3", answers=f"nonsense\n99,99\n{taken}\n{right}\nquit\n")
    assert (done.returncode, done.stderr) == (0, "")
    out = done.stdout
    words = [
        "moves wins. Which?",
        "For the answer, type show; to stop, quit.",
        "outside the grid",
        "already occupied",
        "Right!",
        "Streak: 1.",
        "Come",
    ]
    places = [out.find(word) for word in words]
    assert -1 not in places
    assert places == sorted(places)
    assert out.count("moves wins. Which?") == 2


def test_a_wrong_answer_is_refuted_and_ends_the_streak():
    facts = json.loads(puzzle("trails", "--seed", "3", "--json").stdout)
    _, analysis = plan_for(RULE_BOOKS["trails"], hard=False).make(3, 60.0)
    name = variant("trails", facts["board"]).name
    wrong = next(name(move.cell) for move in analysis.values if move.cell not in analysis.winning)
    done = puzzle("trails", "--seed", "3", answers=f"{wrong}\n")
    assert done.returncode == 0
    assert f"No: {wrong} loses to " in done.stdout
    assert "loses to" in done.stdout
    assert "Streak: 0." in done.stdout
    assert done.stdout.endswith("Come back soon.\n")


@pytest.mark.parametrize("word", ["show", "skip", "SHOW"])
def test_giving_up_shows_the_answer_and_ends_the_streak(word):
    facts = json.loads(puzzle("trails", "--seed", "3", "--json").stdout)
    right = "{},{}".format(*facts["winning"][0])
    done = puzzle("trails", "--seed", "3", answers=f"{right}\n{word}\nquit\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.index("Streak: 1.") < done.stdout.index("The answer is ")
    assert done.stdout.index("The answer is ") < done.stdout.index("Streak: 0 (your best: 1).")
    assert done.stdout.count("moves wins. Which?") == 3


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_answer_states_everything_it_depends_on(game):
    """The board has the game's own numbering, and the last move can be seen without colour."""
    facts = json.loads(puzzle(game, "--seed", "4", "--json").stdout)
    out = puzzle(game, "--seed", "4").stdout
    played = variant(game, facts["board"])
    other = played.book.marks[2 - facts["to_move"]]
    assert "{}'s last move: {},{}.".format(other, *facts["moves"][-1]) in out
    lines = out.splitlines()
    first = played.book.origin
    assert lines[2].split() == [str(first + col) for col in range(played.grid.cols)]
    for row in range(played.grid.rows):
        assert lines[3 + row].split()[0] == str(first + row)
    assert "+" not in "".join(lines[: 3 + played.grid.rows])


def test_custom_boards():
    facts = json.loads(puzzle("scatter", "--board", "4x6", "--adjacency", "orthogonal", "--seed", "1", "--json").stdout)
    assert (facts["board"], facts["adjacency"]) == ("4x6", "orthogonal")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["--today", "--day", "2026-01-01"], 2, "--today and --day cannot be used together."),
        (["--today", "chain", "--hard"], 2, "leave out GAME, --hard."),
        (["--board", "4x4"], 2, "--board and --adjacency need a GAME."),
        (["--adjacency", "king"], 2, "--board and --adjacency need a GAME."),
        (["chain", "--board", "12x12"], 2, "puzzles need a board of at most 128 cells."),
        (["chain", "--time", "nan"], 2, "'nan' is not a number of seconds."),
        (["trails", "--board", "1x1"], 2, "Trails needs a board of at least 2 cells."),
        (["chain", "--board", "1x2"], 5, "no puzzle was found for chain on 1x2 (orthogonal)."),
        (["chain", "--board", "1x2", "--json"], 5, "no puzzle was found for chain on 1x2 (orthogonal)."),
    ],
)
def test_an_impossible_puzzle_is_explained(arguments, code, sentence):
    done = puzzle(*arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert sentence in done.stderr
    assert done.stderr.count("\n") <= 2


def test_the_end_of_the_input_ends_it():
    done = puzzle("--seed", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Keep-Away on 4x4" in done.stdout


def test_games_in_turn_and_games_without_puzzles():
    done = puzzle("chess")
    assert done.returncode == 2
    assert "there is no game called 'chess'" in done.stderr
    facts = json.loads(puzzle("--seed", "1", "--json").stdout)
    answers = "{},{}\nquit\n".format(*facts["winning"][0])
    out = puzzle("--seed", "1", answers=answers).stdout
    assert out.index("Keep-Away on") < out.index("Chain on")
