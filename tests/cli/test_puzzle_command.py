"""Tests of `gridlock puzzle`: its dialogue with the solver, and its JSON."""

import json
import os
import sys
import tempfile
from random import Random
from subprocess import run

import pytest

from gridlock.core.game import Game
from gridlock.core.records import dump_text
from gridlock.core.rules import BUILT_IN, variant
from gridlock.play.puzzles import puzzles_from

GAMES = sorted(BUILT_IN)


def puzzle(*arguments, answers=""):
    """Run `gridlock puzzle` in an empty home folder, in which no puzzle has been solved."""
    command = [sys.executable, "-c", "from gridlock.command import main; main()", "puzzle", *arguments]
    with tempfile.TemporaryDirectory() as home:
        environment = os.environ | {"GRIDLOCK_HOME": home}
        return run(command, input=answers, capture_output=True, text=True, check=False, env=environment)


def named(place):
    return "{},{}".format(*place)


def solved(facts):
    """Return the moves that a puzzle's solver must make, as they would be typed."""
    return [named(place) for place in facts["line"][::2]]


def wrong_in(facts):
    """Return a legal first move that loses."""
    game = Game(variant(facts["game"], facts["board"], facts["adjacency"]))
    for place in facts["moves"]:
        game.push(named(place))
    return next(named(place) for place in game.legal_moves if list(place) not in facts["winning"])


def test_the_same_seed_makes_the_same_puzzle():
    one, two, other = (json.loads(puzzle("scatter", "--seed", seed, "--json").stdout) for seed in ("3", "3", "4"))
    assert one == two
    assert one != other
    assert set(one) == {
        "game", "board", "adjacency", "swap", "starts", "moves", "to_move", "kind", "difficulty", "winning",
        "distance",
        "explanation", "line",
    }  # fmt: skip
    assert one["line"][0] in one["winning"]


def test_a_conversation():
    facts = json.loads(puzzle("showdown", "--seed", "3", "--difficulty", "3", "--json").stdout)
    assert facts["difficulty"] == 3
    taken = named(facts["moves"][0])
    typed = ["nonsense", "99,99", taken, wrong_in(facts), *solved(facts), "quit"]
    done = puzzle("showdown", "--seed", "3", "--difficulty", "3", answers="\n".join(typed) + "\n")
    assert (done.returncode, done.stderr) == (0, "")
    out = done.stdout
    words = [
        "Difficulty 3 of 5.",
        "moves wins.",
        "Type 'show' for the answer, or 'quit' to stop.",
        "outside the grid",
        "already occupied",
        f"{wrong_in(facts)} loses to ",
        "\nTry again.",
        *(f"Right. {'XO'[2 - facts['to_move']]} plays {named(place)}." for place in facts["line"][1::2]),
        "Solved!",
        "The first move:",
        "Streak: 1.",
        "Come",
    ]
    places = [out.find(word) for word in words]
    assert -1 not in places, words[places.index(-1)]
    assert places == sorted(places)
    assert out.count("moves wins.") == 2


def test_a_third_wrong_move_ends_the_streak_but_not_the_puzzle():
    facts = json.loads(puzzle("trails", "--seed", "3", "--json").stdout)
    wrong = wrong_in(facts)
    done = puzzle("trails", "--seed", "3", answers="\n".join([*solved(facts), *[wrong] * 3, "quit"]) + "\n")
    assert done.returncode == 0
    typed = "\n".join([*[wrong] * 3, *solved(facts), "quit"]) + "\n"
    done = puzzle("trails", "--seed", "3", answers=typed)
    assert done.stdout.count(f"{wrong} loses to ") == 3
    assert "That was mistake 3, so the puzzle won't count as solved." in done.stdout
    assert done.stdout.index("count as solved") < done.stdout.index("Solved!") < done.stdout.index("Streak: 0.")
    assert done.stdout.endswith("Come back soon.\n")


@pytest.mark.parametrize("word", ["show", "skip", "SHOW"])
def test_giving_up_shows_the_solution_and_ends_the_streak(word):
    facts = json.loads(puzzle("trails", "--seed", "3", "--json").stdout)
    done = puzzle("trails", "--seed", "3", answers="\n".join([*solved(facts), word, "quit"]) + "\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.index("Streak: 1.") < done.stdout.index("The winning move is ")
    assert done.stdout.index("The winning move is ") < done.stdout.index("Streak: 0 (your best: 1).")
    assert done.stdout.count("moves wins.") == 3


def test_a_position_of_ones_own(tmp_path):
    facts = json.loads(puzzle("scatter", "--seed", "3", "--json").stdout)
    game = Game(variant("scatter", facts["board"]))
    for place in facts["moves"]:
        game.push(named(place))
    file = tmp_path / "game.txt"
    file.write_text(dump_text(game))
    for position in (game.position_text(), str(file)):
        own = json.loads(puzzle("--position", position, "--json").stdout)
        assert {name: own[name] for name in ("winning", "difficulty", "line")}.items() <= facts.items()
        done = puzzle("--position", position, answers="\n".join(solved(facts)) + "\n")
        assert "Solved!" in done.stdout
        assert "Streak" not in done.stdout
    lost = puzzle("--position", Game("chain", "2x2").position_text())
    assert (lost.returncode, lost.stdout) == (3, "")
    assert "This position is lost for the player to move, so it is not a puzzle." in lost.stderr
    assert puzzle("--position", "nonsense").returncode == 3


def test_the_mistakes_of_a_game(tmp_path):
    game = Game("showdown", "4x4")
    rng = Random(2)
    while not game.outcome:
        game.push(rng.choice(game.variant.legal_cells(game.position)))
    count = len(puzzles_from(game, 9.0))
    assert count > 1
    file = tmp_path / "game.txt"
    file.write_text(dump_text(game))
    done = puzzle("--from", str(file), answers="show\n" * count)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"Puzzle {count} of {count} from this game." in done.stdout
    assert "Streak" not in done.stdout
    short = Game("showdown", "1x1")
    short.push("1,1")
    file.write_text(dump_text(short))
    assert "This game has no puzzles" in puzzle("--from", str(file)).stdout


def test_a_timed_run_counts_and_records_nothing():
    facts = json.loads(puzzle("trails", "--seed", "3", "--json").stdout)
    done = puzzle("trails", "--seed", "3", "--run", "1", answers="\n".join([*solved(facts), "show"]) + "\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "You have 1 minute. A wrong move ends a puzzle." in done.stdout
    assert "Solved so far: 1 of 1." in done.stdout
    assert done.stdout.endswith("You solved 1 of 2.\n")
    assert "Streak" not in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_answer_states_everything_it_depends_on(game):
    """The board shows the game's row and column numbers, and the text names the last move, so colour is not needed."""
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


def test_the_hottest_region_is_asked_for():
    facts = json.loads(puzzle("--kind", "hottest", "--seed", "3", "--json").stdout)
    assert (facts["kind"], facts["difficulty"]) == ("hottest", 2)
    game = Game(variant(facts["game"], facts["board"], facts["adjacency"]))
    for place in facts["moves"]:
        game.push(named(place))
    wrong = next(place for place in game.legal_moves if list(place) not in facts["hottest"])
    typed = [named(wrong), named(facts["hottest"][0]), "quit"]
    done = puzzle("--kind", "hottest", "--seed", "3", answers="\n".join(typed) + "\n")
    assert (done.returncode, done.stderr) == (0, "")
    words = [
        "Where does moving first gain the most?",
        f"{named(wrong)} is ",
        "Try again.",
        f"Right: {facts['explanation'].removeprefix('The hottest region is ')}",
        "Letters are regions",
        "Hottest: A.",
        "Streak: 1.",
    ]
    places = [done.stdout.find(word) for word in words]
    assert -1 not in places, words[places.index(-1)]
    assert places == sorted(places)


def test_a_trap_is_played_and_explained():
    facts = json.loads(puzzle("--kind", "trap", "--seed", "3", "--json").stdout)
    done = puzzle("--kind", "trap", "--seed", "3", answers="\n".join([*solved(facts), "quit"]) + "\n")
    assert (done.returncode, done.stderr) == (0, "")
    out = done.stdout
    assert out.index("the hottest region is a trap") < out.index("Solved!") < out.index("But every move in A loses")
    game = Game(variant(facts["game"], facts["board"], facts["adjacency"]))
    for place in facts["moves"]:
        game.push(named(place))
    own = puzzle("--position", game.position_text(), "--kind", "trap", "--json")
    assert json.loads(own.stdout)["winning"] == facts["winning"]


def test_custom_boards():
    facts = json.loads(puzzle("scatter", "--board", "4x6", "--adjacency", "orthogonal", "--seed", "1", "--json").stdout)
    assert (facts["board"], facts["adjacency"]) == ("4x6", "orthogonal")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["--today", "--day", "2026-01-01"], 2, "--today and --day cannot be used together."),
        (["--today", "chain", "--difficulty", "5"], 2, "--today fixes the puzzle: leave out GAME, --difficulty."),
        (["--from", "1", "--json"], 2, "--from fixes the puzzle: leave out --json."),
        (["chain", "--kind", "trap"], 2, "there are no puzzles of the kind trap for chain, only for showdown."),
        (["--today", "--kind", "trap"], 2, "--today fixes the puzzle: leave out --kind."),
        (["--kind", "cold"], 2, "'cold' is not one of 'win', 'hottest', 'trap'."),
        (["--difficulty", "6"], 2, "6 is not between 1 and 5."),
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
    out = puzzle("--seed", "1", answers="\n".join([*solved(facts), "quit"]) + "\n").stdout
    assert out.index("Keep-Away on") < out.index("Chain on")
