"""Tests of the `gridlock legal` and `gridlock perft` commands."""

import json
import os
import signal

import pytest

from gridlock.cli.terminal import Progress
from gridlock.command import run


def ask(capsys, *arguments):
    """Return a command's exit code, standard output and standard error."""
    code = run(list(arguments))
    return code, *capsys.readouterr()


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["chain", "--moves", "3,3"], (2, [[2, 3], [3, 2], [3, 4], [4, 3]], False, False, None)),
        (["chain", "--moves", "3,3", "--starts", "2"], (1, [[2, 3], [3, 2], [3, 4], [4, 3]], False, False, None)),
        (["keepaway"], (1, [[row, col] for row in (1, 2, 3) for col in (1, 2, 3)], False, False, None)),
        (["keepaway", "--moves", "2,2"], (None, [], False, True, 1)),
        (["keepaway", "--moves", "2,2", "--starts", "2"], (None, [], False, True, 2)),
        (
            ["keepaway", "--moves", "2 2", "--adjacency", "orthogonal"],
            (2, [[1, 1], [1, 3], [3, 1], [3, 3]], False, False, None),
        ),
        (
            ["scatter", "--board", "3x3", "--moves", "2,2; 1,1"],
            (2, [[1, 3], [2, 3], [3, 1], [3, 2], [3, 3]], True, False, None),
        ),
        (["scatter", "--board", "3x3", "--moves", "2,2 1,1 3,3 1,3 3,1"], (None, [], False, True, 2)),
        (["trails"], (1, [[0, 1], [1, 0]], False, False, None)),
        (["trails", "--board", "1x2"], (None, [], False, True, 2)),
        (
            ["SHOWDOWN", "--board", "3x3", "--moves", "1,1"],
            (2, [[1, 3], [2, 3], [3, 1], [3, 2], [3, 3]], False, False, None),
        ),
    ],
)
def test_legal_as_json(capsys, arguments, answer):
    code, out, err = ask(capsys, "legal", *arguments, "--json")
    assert (code, err) == (0, "")
    facts = json.loads(out)
    assert tuple(facts[key] for key in ("to_move", "legal", "passed", "over", "winner")) == answer


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chain", "--moves", "3,3"], "Player 2 can play 4 cells:\n2,3 3,2 3,4 4,3\n"),
        (["chain", "--board", "1x2", "--moves", "1,1"], "Player 2 can play 1 cell:\n1,2\n"),
        (["trails", "--board", "1x2"], "Player A has no move. Player B wins.\n"),
        (["scatter", "--board", "3x3", "--moves", "2,2 1,1"], "Player 1 has no move and must pass.\n"),
    ],
)
def test_legal_for_people(capsys, arguments, words):
    assert ask(capsys, "legal", *arguments) == (0, words, "")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (
            ["chain", "--moves", "3,3 1,1"],
            3,
            "Move 2 (1,1) is not possible: the cell is not adjacent to the last marker.",
        ),
        (
            ["chain", "--moves", "3,3 b2"],
            3,
            "Move 2 ('b2') cannot be read: Columns have numbers here, not letters. "
            "Enter a row and a column, such as 2,3.",
        ),
        (["trails", "--moves", "-1,0"], 3, "Move 1 (-1,0) is not possible: the cell is outside the grid."),
        (["keepaway", "--moves", "2,2 1,1"], 3, "Move 2 (1,1) is not possible: the game is over."),
        (["chess"], 2, "there is no game called 'chess'"),
        (["chain", "--board", "5"], 2, "'5' is not a board"),
        (["chain", "--board", "0x5"], 2, "boards go from 1x1 to 100x100"),
        (["chain", "--adjacency", "hex"], 2, "hex"),
        (["chain", "--starts", "3"], 2, "'3' is not one of '1', '2'."),
    ],
)
def test_legal_refuses_with_a_sentence(capsys, arguments, code, words):
    for form in ([], ["--json"]):
        exit_code, out, err = ask(capsys, "legal", *arguments, *form)
        assert (exit_code, out) == (code, "")
        assert words in err


def test_perft(capsys):
    assert ask(capsys, "perft", "trails", "--depth", "4") == (0, "1 2\n2 4\n3 8\n4 10\n", "")
    code, out, _ = ask(capsys, "perft", "keepaway", "--depth", "2", "--divide")
    assert code == 0
    assert out.startswith("1 9\n2 32\n\nof length 2, by first move:\n1,1 5\n1,2 3\n")
    code, out, _ = ask(capsys, "perft", "chain", "--board", "2x2", "--depth", "5", "--json", "--divide")
    assert json.loads(out) == {
        "game": "chain",
        "board": "2x2",
        "adjacency": "orthogonal",
        "counts": [4, 8, 8, 8, 0],
        "divide": [{"cell": cell, "count": 0} for cell in ([1, 1], [1, 2], [2, 1], [2, 2])],
    }
    code, out, _ = ask(
        capsys, "perft", "chain", "--board", "1x3", "--adjacency", "king", "--depth", "1", "--json", "--divide"
    )
    assert json.loads(out)["divide"] == [{"cell": [1, col], "count": 1} for col in (1, 2, 3)]


@pytest.mark.parametrize("depth", ["0", "-1", "10001", "x"])
def test_perft_of_no_depth(capsys, depth):
    code, out, err = ask(capsys, "perft", "chain", "--depth", depth)
    assert (code, out) == (2, "")
    assert "--depth" in err


@pytest.mark.parametrize("command", ["legal", "perft"])
def test_help_shows_an_example(capsys, command):
    code, out, _ = ask(capsys, command, "--help")
    assert code == 0
    assert f"Example: gridlock {command} " in out


def test_a_count_that_takes_too_long_can_be_stopped(capsys, monkeypatch):
    # Simulate Ctrl-C at the first progress report, because a signal at a random moment might arrive while the coverage
    # tool holds a lock.
    monkeypatch.setattr(Progress, "tell", lambda *_: os.kill(os.getpid(), signal.SIGINT))
    # A count to depth 9000 would never finish, and a recursive function would exceed Python's recursion limit.
    code, out, err = ask(capsys, "perft", "chain", "--board", "100x100", "--depth", "9000")
    assert (code, err) == (130, "Interrupted: these are the counts so far.\n")
    counted = [tuple(map(int, line.split())) for line in out.splitlines()]
    assert counted, "what was finished is told"
    assert counted[:2] == [(1, 10_000), (2, 39_600)][: len(counted)]  # on a busy machine, the signal may come early
    assert [length for length, _ in counted] == list(range(1, len(counted) + 1))
