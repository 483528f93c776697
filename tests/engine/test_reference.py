"""Tests that compare the reference solver with a second solver.

The second solver implements the rules of the five built-in games with sets of coordinates instead of bitboards.
"""

import random
from functools import cache

import pytest
from bench import reference
from bench.reference import Result

from gridlock.core.grid import cells_of
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.core.rules import RULE_BOOKS, variant

Places = frozenset[tuple[int, int]]
Head = tuple[int, int] | None


@cache
def touching(place: tuple[int, int], king: bool) -> Places:
    """Return the coordinates of a cell's neighbours, including those off the board."""
    row, col = place
    around = {(row + down, col + right) for down in (-1, 0, 1) for right in (-1, 0, 1)} - {place}
    return frozenset((r, c) for r, c in around if king or r == row or c == col)


def open_places(
    game: str, board: Places, king: bool, mine: Places, theirs: Places, my_head: Head, their_head: Head
) -> list[tuple[int, int]]:
    """Return the cells that a player may take, computed directly from the rules of the game."""
    allowed = {
        "keepaway": lambda place: their_head is None or place not in touching(their_head, king),
        "chain": lambda place: their_head is None or place in touching(their_head, king),
        "scatter": lambda place: not touching(place, king) & mine,
        "trails": lambda place: place in touching(my_head, king),
        "showdown": lambda place: not touching(place, king) & theirs,
    }[game]
    return [place for place in sorted(board - mine - theirs) if allowed(place)]


@cache
def loser_moves(
    game: str, board: Places, king: bool, mine: Places, theirs: Places, my_head: Head, their_head: Head
) -> tuple[bool, int]:
    """Return whether the player to move wins, and how many moves the loser still makes with best play."""
    wins, losses = [], []
    for place in open_places(game, board, king, mine, theirs, my_head, their_head):
        reply_wins, count = loser_moves(game, board, king, theirs, mine | {place}, their_head, place)
        if reply_wins:
            losses.append(count + 1)
        else:
            wins.append(count)
    return (True, min(wins)) if wins else (False, max(losses, default=0))


def expected(rules: Variant, position: Position) -> Result:
    """Return the second solver's result."""

    def places(bits: int) -> Places:
        return frozenset(divmod(cell, rules.grid.cols) for cell in cells_of(bits))

    def head(cell: int | None) -> Head:
        return None if cell is None else divmod(cell, rules.grid.cols)

    win, count = loser_moves(
        rules.book.name,
        places(rules.grid.cells),
        rules.grid.adjacency == "king",
        places(position.mine),
        places(position.theirs),
        head(position.my_head),
        head(position.their_head),
    )
    return Result(win, 2 * count + win)


def random_position(rules: Variant, moves: int, seed: str) -> Position:
    """Return a position after a given number of random moves, or fewer if the game ends first."""
    rng = random.Random(seed)
    position = rules.start()
    for _ in range(moves):
        if choices := rules.legal_cells(position):
            position = position.after(rng.choice(choices))
    return position


@pytest.mark.slow
@pytest.mark.parametrize("adjacency", ["king", "orthogonal"])
@pytest.mark.parametrize("game", RULE_BOOKS)
def test_agrees_with_the_second_solver(game: str, adjacency: str) -> None:
    for board in ("1x2", "2x2", "1x5", "2x3", "3x2", "3x3", "4x4"):
        rules = variant(game, board, adjacency)
        memo: reference.Memo = {}
        for seed in range(25):
            moves = seed % 4 + max(0, rules.grid.size - 8)
            position = random_position(rules, moves, f"{board} {seed}")
            assert reference.solve(rules, position, memo) == expected(rules, position), (board, position)


@pytest.mark.parametrize(
    ("game", "board", "adjacency", "winning"),
    [
        ("keepaway", "3x3", "king", {"2,2"}),
        ("chain", "3x3", "orthogonal", {"1,1", "1,3", "2,2", "3,1", "3,3"}),
        ("chain", "4x4", "orthogonal", set()),
        ("scatter", "3x3", "king", set()),
        ("trails", "3x3", "orthogonal", {"0,1", "1,0"}),
        ("trails", "4x4", "orthogonal", set()),
        ("showdown", "3x3", "king", {"2,2"}),
    ],
)
def test_known_winning_openings(game: str, board: str, adjacency: str, winning: set[str]) -> None:
    rules = variant(game, board, adjacency)
    results = reference.results(rules, rules.start())
    assert {rules.name(cell) for cell, result in results.items() if result.win} == winning


def test_a_winner_hurries_and_a_loser_delays() -> None:
    assert reference.best([Result(True, 5), Result(False, 8), Result(True, 3)]) == (True, 3)
    assert reference.best([Result(False, 2), Result(False, 6), Result(False, 4)]) == (False, 6)
    assert reference.best([]) == (False, 0)


def test_a_move_counts_itself() -> None:
    rules = variant("keepaway")
    assert reference.results(rules, rules.start())[4] == (True, 1)  # player 2 has no move left
    assert reference.solve(rules, rules.start()) == (True, 1)


def test_scatter_is_decided_when_a_player_must_pass() -> None:
    rules = variant("scatter", "1x3", "king")
    position = rules.start().after(1).after(0)  # X, in the middle, cannot move; O, on the left, can
    assert rules.must_pass(position)
    assert reference.solve(rules, position) == (False, 0)
