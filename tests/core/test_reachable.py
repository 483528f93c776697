"""Tests that positions set up by hand are accepted if a game can reach them, and otherwise rejected with a reason."""

import re
from itertools import product
from random import Random

import pytest

from gridlock.core.errors import BadPosition
from gridlock.core.grid import Adjacency, Grid
from gridlock.core.position import Position
from gridlock.core.reachable import set_up
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.core.rules import BUILT_IN, variant
from gridlock.core.shape import SHAPES, Shape
from gridlock.core.snapshot import ANY, NOTHING, position_text, read_position
from sample_games import random_game

SMALL = [variant(name, "2x3", adjacency) for name in sorted(BUILT_IN) for adjacency in Adjacency]
OWN = [
    Variant(RuleBook(title=f"own {number}", shape=shape), Grid(2, 2 if shape.pawn else 3, Adjacency.KING))
    for number, shape in enumerate(SHAPES)
]


def reached(on: Variant) -> set[Position]:
    """Return every position of every game, including positions after a pass."""
    found: set[Position] = set()
    waiting = [on.start(1), on.start(2)]
    while waiting:
        position = waiting.pop()
        if position in found:
            continue
        found.add(position)
        if on.must_pass(position):
            waiting.append(position.passed())
        waiting += [position.after(cell) for cell in on.legal_cells(position)]
    return found


def lines(on: Variant) -> list[str]:
    """Return a line of text for each arrangement of markers and each side to move, without naming any last moves."""
    signs = [".", *on.book.marks, *(mark.lower() for mark in on.book.marks if on.book.pawns)]
    cols, made = on.grid.cols, []
    for cells in product(signs, repeat=on.grid.size):
        if on.book.pawns and any(cells.count(mark) != 1 for mark in on.book.marks):
            continue
        written = "/".join("".join(cells[row : row + cols]) for row in range(0, on.grid.size, cols))
        rows = re.sub(r"\.+", lambda run: str(len(run[0])), written)
        lasts = [ANY if mark in cells else NOTHING for mark in on.book.marks]
        made += [f"{on.book.name} {on.grid.adjacency} {rows} {turn} {' '.join(lasts)} -" for turn in on.book.marks]
    return made


def plain(on: Variant, position: Position) -> str:
    """Return a position as a line of text that does not specify the players' last moves."""
    name, adjacency, rows, turn, *_ = position_text(on, position, NOTHING).split()
    lasts = [ANY if position.markers(side) else NOTHING for side in (1, 2)]
    return f"{name} {adjacency} {rows} {turn} {' '.join(lasts)} -"


@pytest.mark.parametrize("on", [*SMALL, *OWN], ids=lambda on: f"{on.book.name} {on.grid} {on.grid.adjacency}")
def test_exactly_the_positions_of_games_are_possible(on: Variant) -> None:
    possible = reached(on)
    expected = {plain(on, position) for position in possible}
    for line in lines(on):
        made = set_up(line, on.book)
        assert (made.game is not None) == (line in expected), (line, made.problem)
        if made.game is None:
            assert made.problem is not None
            assert made.problem.words.endswith(".")
        else:
            assert made.game.positions[-1] in possible, (line, made.game.position_text())


def test_every_position_of_a_random_game_can_be_set_up() -> None:
    seed = Random().randrange(10**9)
    print(f"seed {seed}")
    rng = Random(seed)
    for _ in range(60):
        played = variant(
            rng.choice(sorted(BUILT_IN)), f"{rng.randint(2, 7)}x{rng.randint(2, 7)}", rng.choice(list(Adjacency))
        )
        game = random_game(played, rng)
        for ply in range(len(game.moves) + 1):
            before = game.at(ply)
            made = set_up(before.position_text())
            assert made.game is not None, (seed, before.position_text(), made.problem)
            assert made.game.position_text() == before.position_text()
            assert made.game.set_up == (ply > 0)  # the usual start is an ordinary game


@pytest.mark.parametrize(
    ("line", "words", "cells"),
    [
        (
            "showdown king 5/2XO1/5/5/5 X ? ? -",
            "X at 2,3 and O at 2,4 touch: opposing markers must not touch.",
            [7, 8],
        ),
        (
            "scatter king XX1/3/OO1 X ? ? -",
            "X at 1,1 and X at 1,2 touch: a player's own markers must not touch.",
            [0, 1],
        ),
        (
            "showdown king X1X/3/X2 O ? - -",
            "X has 3 markers and O has 0, but the players take turns: the difference can be at most 1.",
            [],
        ),
        ("showdown king X2/3/3 X ? - -", "X has 1 marker and O has 0, so O is to move.", []),
        (
            "scatter king X1X/3/X1O X ? ? -",
            "X has 3 markers and O has 1, but O cannot have passed, because O still has a cell to play.",
            [],
        ),
        (
            "chain orthogonal X3/4/2O1/4 X ? 3,3 -",
            "O's last marker, 3,3, does not touch X's last marker, so it was not a legal move.",
            [10],
        ),
        (
            "keepaway king XO1/3/3 X ? 1,2 -",
            "O's last marker, 1,2, touches X's last marker, so it was not a legal move.",
            [0, 1],
        ),
        ("trails orthogonal 1A1/3/2B B ? ? -", "A starts on 0,0, so its pawn or its trail must be there.", [0]),
        ("trails orthogonal a1A/3/2B B ? ? -", "A cannot visit all of its cells on the way from 0,0 to 0,2.", [0, 2]),
        ("keepaway king 3/1X1/2O X ? ? -", "No sequence of legal moves leads to this position.", []),
    ],
)
def test_what_is_wrong_is_said_and_shown(line: str, words: str, cells: list[int]) -> None:
    made = set_up(line)
    assert made.game is None
    assert made.problem is not None
    assert made.problem == (words, sum(1 << cell for cell in cells))


def test_a_search_that_takes_too_long_counts_as_possible() -> None:
    rows = "/".join("XOXOXOXOXOXOXOXOXOXO" if row % 2 else "OXOXOXOXOXOXOXOXOXOX" for row in range(20))
    made = set_up(f"chain orthogonal {rows} X ? ? -")
    assert made.game is not None


def test_only_the_set_up_board_may_leave_a_last_cell_open() -> None:
    with pytest.raises(BadPosition, match="took last"):
        read_position("showdown king X2/3/2O X ? ? -")


def test_a_game_with_its_own_functions_is_searched() -> None:
    shape = Shape(closes_other=True)
    book = RuleBook(title="Own", legal=shape.legal, causes=shape.causes)
    assert set_up("own king X2/3/2O X ? ? -", book).game is not None
    problem = set_up("own king XO1/3/3 X ? ? -", book).problem
    assert problem is not None
    assert problem.words == "No sequence of legal moves leads to this position."
