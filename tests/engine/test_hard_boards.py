"""Tests of the results file for hard boards: its format, and the evidence for each result."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from gridlock.command import cli, run
from gridlock.core.errors import BadBoard
from gridlock.core.grid import Adjacency
from gridlock.core.rules import RULE_BOOKS, variant
from gridlock.engine.hard_boards import HardBoard, Run, hard_board, hard_boards, read_results
from gridlock.engine.kernels.interface import win_loss
from gridlock.engine.mirror import keeps, symmetries

ROOT = Path(__file__).parents[2]
NAMES = [f"{one.game} {one.adjacency} {one.rows}x{one.cols}" for one in hard_boards()]
GOOD = """
[[board]]
game = "scatter"
board = "3x5"
adjacency = "king"
winner = 2
[[board.run]]
command = "gridlock solve scatter --board 3x5"
version = "0.1.0"
without = []
positions = 10
seconds = 2
"""


def test_the_format() -> None:
    (board,) = read_results(GOOD)
    assert (board.game, board.rows, board.cols, board.adjacency) == ("scatter", 3, 5, Adjacency.KING)
    assert (board.winner, board.winning, board.confirmed) == (2, None, False)
    assert board.runs[0].positions == 10
    again = GOOD[GOOD.index("[[board.run]]") :].replace("[]", '["TABLE"]')
    assert read_results(GOOD + again)[0].confirmed
    (once,) = read_results(GOOD + again + "stopped = true\n")  # the second run found no answer
    assert (once.winner, once.confirmed, [run.stopped for run in once.runs]) == (2, False, [False, True])
    (unsolved,) = read_results(GOOD.replace("winner = 2\n", "") + "stopped = true\n" + again + "stopped = true\n")
    assert (unsolved.winner, unsolved.confirmed) == (None, False)
    (won,) = read_results(GOOD.replace("winner = 2", "winner = 1\nwinning = [[2, 3]]"))
    assert won.winning == ((2, 3),)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("winner = 2", "winner = 3"),
        ("winner = 2", 'winner = "2"'),
        ("winner = 2", "winning = []"),
        ("winner = 2", "winner = 1\nwinning = []"),
        ("winner = 2", "winner = 2\nwinning = [[1, 1]]"),
        ("winner = 2", "colour = 2"),
        ("king", "queen"),
        ("3x5", "3x"),
        ("seconds = 2", ""),
        ("seconds = 2", "seconds = true"),
        ("positions = 10", "positions = '10'"),
        ("seconds = 2", "seconds = 2\nstopped = 1"),
        ("seconds = 2", "seconds = 2\nmachine = true"),
        ("seconds = 2", "seconds = 2\nstopped = true"),
        ("winner = 2", ""),
        (GOOD, GOOD + "stopped = true\n" + GOOD[GOOD.index("[[board.run]]") :]),
        (GOOD, GOOD + GOOD.replace("3x5", "5x3")),
        (GOOD[GOOD.index("[[board.run]]") :], ""),
        (GOOD[GOOD.index("[[board.run]]") :], "run = []"),
    ],
)
def test_anything_else_is_rejected(old: str, new: str) -> None:
    assert old in GOOD
    with pytest.raises((ValueError, BadBoard)):
        read_results(GOOD.replace(old, new))


def test_a_board_is_found_in_both_directions() -> None:
    assert hard_board("scatter", 3, 3, Adjacency.KING) is None
    for one in hard_boards():
        assert hard_board(one.game, one.rows, one.cols, one.adjacency) is one
        assert hard_board(one.game, one.cols, one.rows, one.adjacency) is one


@pytest.mark.parametrize("board", hard_boards(), ids=NAMES)
def test_the_evidence_of_a_result(board: HardBoard) -> None:
    """Every run that supports a result has a valid command and a positive cost, and names only existing techniques."""
    played = variant(board.game, f"{board.rows}x{board.cols}", board.adjacency)
    kind = win_loss(RULE_BOOKS[board.game].shape)
    assert kind is not None
    for one in board.runs:
        assert set(one.without) <= set(kind.techniques)
        assert one.positions > 0 < one.seconds
        words = shlex.split(one.command)
        if one.machine:
            check_gpu_command(board, one)
            continue
        assert words[:3] == ["gridlock", "solve", board.game]
        command = cli.get_command(None, "solve")
        context = command.make_context("solve", words[2:])
        given = context.params
        assert given["board"] == f"{board.rows}x{board.cols}"
        assert (given["adjacency"] or str(played.book.adjacency)) == board.adjacency
        assert sorted(given["without"]) == list(one.without)
    if board.winning is not None:
        cells = {played.cell(row, col) for row, col in board.winning}
        alike = [image for image in symmetries(played.grid) if keeps(image, played.start())]
        assert cells == {image[cell] for image in alike for cell in cells}  # symmetric first moves win alike
        assert all(played.legal(played.start()) >> cell & 1 for cell in cells)


def check_gpu_command(board: HardBoard, one: Run) -> None:
    """Check that the command compiles the GPU program for this board and switches off the techniques in `without`."""
    compiling, running = one.command.split(" && ")
    words = shlex.split(compiling)
    (source,) = (word for word in words if word.endswith(".cu"))
    assert source == f"bench/gpu/{board.game}.cu"
    assert (ROOT / source).is_file()
    assert words[0] == "nvcc"
    defined = {f"-DROWS={board.rows}", f"-DCOLS={board.cols}", f"-DKING={board.adjacency == 'king':d}"}
    defined |= {"-DWIDE"} if board.rows * board.cols > 64 else set()
    off = {"-DLOOK=99" if name == "LOOK" else f"-D{name}=0" for name in one.without}
    given = {word for word in words if re.match("-D(?!BLOCK_)", word)}  # the size of a block changes no result
    assert given == defined | off
    assert re.fullmatch(rf"\./{words[words.index('-o') + 1]} \d+ \d+", running)


@pytest.mark.parametrize("without", [["WALL"], ["WALL", "BLOCKS", "TABLE"]])
def test_a_technique_can_be_switched_off(without: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    words = ["solve", "trails", "--board", "5x5", "--adjacency", "king"]
    assert run(words) == 0
    first = capsys.readouterr().out
    assert run([*words, *(word for name in without for word in ("--without", name))]) == 0
    second = capsys.readouterr().out
    assert first.split(".")[0] == second.split(".")[0] == "The first player wins trails on 5x5 (king)"
    assert first.split(",")[0] != second.split(",")[0]  # the number of positions


def test_a_technique_is_named_in_any_case(capsys: pytest.CaptureFixture[str]) -> None:
    counts = []
    for name in ("WALL", "wall"):
        assert run(["solve", "trails", "--board", "5x5", "--adjacency", "king", "--without", name]) == 0
        counts.append(capsys.readouterr().out.split(",")[0])
    assert counts[0] == counts[1]


def test_a_technique_that_does_not_exist(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "trails", "--without", "LUCK"]) == 2
    err = capsys.readouterr().err
    assert "'--without': trails has no technique LUCK. Its techniques: TABLE, ORDER" in err
    assert run(["solve", "chain", "--without", "TABLE"]) == 2
    assert "The search of this game uses no techniques that --without can switch off." in capsys.readouterr().err


def test_a_checkpoint_belongs_to_its_techniques(tmp_path: object, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["solve", "trails", "--board", "5x5", "--adjacency", "king", "--checkpoint", f"{tmp_path}/proved"]
    assert run(words) == 0
    assert run([*words, "--without", "WALL"]) == 3
    assert "another search" in capsys.readouterr().err
