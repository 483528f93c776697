"""Tests that check the centre rule by brute force, and by playing the replies that the rule prescribes."""

from functools import partial
from random import Random

import pytest
from bench import reference
from test_analysis import check_proof
from test_mirror import nearly_symmetric

from gridlock.core.game import Game
from gridlock.core.grid import Adjacency, Grid, cells_of, set_of
from gridlock.core.rules import variant
from gridlock.core.shape import Shape
from gridlock.engine.analysis import partners, reason
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Method, Verdict
from gridlock.engine.kernels.col_kernel import ALL, ColSearch
from gridlock.engine.kernels.interface import COL
from gridlock.engine.mirror import Centred, Mirrors, mirrors
from gridlock.engine.solve import Solver
from nameless import BOOKS

ADJACENCIES = [str(kind) for kind in Adjacency]
SIZES = [(rows, cols) for rows in range(1, 13) for cols in range(rows, 13) if rows * cols <= 12]


def mover_wins(zones, memo, mine, theirs):
    """Return whether the player to move wins.

    This brute-force search uses only the rules. The cells in `mine` are open to the player to move, and those in
    `theirs` are open to the opponent.
    """
    key = mine, theirs
    if key not in memo:
        memo[key] = any(
            not mover_wins(zones, memo, theirs & ~(1 << cell), mine & ~zones[cell]) for cell in cells_of(mine)
        )
    return memo[key]


def follow(judge, mirror, mine, theirs):
    """Return the mirror strategy for a position, after checking the strategy's reply to every move.

    Each reply must be legal, and must lead to a position with a mirror strategy that uses the same symmetry.
    """
    keeps, grid = judge.shape.keeps, judge.variant.grid
    strategy = judge.strategy(mirror, mine, theirs, mine & mirror.fixed)
    assert strategy is not None
    for cell in cells_of(mine):
        answer = strategy.answer(cell)
        assert theirs & ~(1 << cell) & 1 << answer
        left = mine & keeps(grid, cell) & ~(1 << answer), theirs & ~(1 << cell) & keeps(grid, answer)
        assert judge.strategy(mirror, *left, left[0] & mirror.fixed) is not None
    return strategy


def check_every_symmetric_position(size, adjacency):
    """Check every position in which one player's open cells are the mirror image of the other player's open cells.

    Return how many of the checked positions the centre rule (see docs/theory.md) decides.
    """
    played = variant(BOOKS["anywhere-closes_own"], "x".join(map(str, size)), adjacency)
    grid, judge = played.grid, Mirrors(played, played.shape)
    wins = partial(mover_wins, [near | 1 << cell for cell, near in enumerate(grid.near)], {})
    search, decided = ColSearch(grid, 1 << 20, ALL), 0
    for mirror in mirrors(grid):
        for mine in range(1 << grid.size):
            theirs = mirror.of(mine)
            strategy = judge.strategy(mirror, mine, theirs, mine & mirror.fixed)
            if strategy is not None:
                assert not wins(mine, theirs), (grid, mirror.name, mine)
                follow(judge, mirror, mine, theirs)
                decided += strategy.centre is not None
            assert search.solve(mine, theirs, lambda _: False) == wins(mine, theirs), (grid, mirror.name, mine)
    return decided


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("size", [size for size in SIZES if size[0] * size[1] <= 6], ids=str)
def test_every_symmetric_position_of_the_smallest_boards(size, adjacency):
    check_every_symmetric_position(size, adjacency)


@pytest.mark.slow
@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("size", [size for size in SIZES if size[0] * size[1] > 6], ids=str)
def test_every_symmetric_position_of_boards_up_to_twelve_cells(size, adjacency):
    decided = check_every_symmetric_position(size, adjacency)
    print(f"{size} {adjacency}: the centre rule decides {decided:,}")
    assert decided or size[0] * size[1] % 2 == 0


@pytest.mark.slow
@pytest.mark.parametrize("adjacency", ADJACENCIES)
def test_positions_in_which_the_winner_has_more_than_the_image(adjacency, rng):
    for size in ((3, 3), (1, 9), (3, 4), (3, 5)):
        played = variant(BOOKS["anywhere-closes_own"], "x".join(map(str, size)), adjacency)
        grid, judge = played.grid, Mirrors(played, played.shape)
        wins, decided = partial(mover_wins, [near | 1 << cell for cell, near in enumerate(grid.near)], {}), 0
        for _ in range(1500):
            mirror = rng.choice(mirrors(grid))
            mine = rng.getrandbits(grid.size) & rng.getrandbits(grid.size)
            theirs = mirror.of(mine) | rng.getrandbits(grid.size) & rng.getrandbits(grid.size)
            if strategy := judge.strategy(mirror, mine, theirs, mine & mirror.fixed):
                assert not wins(mine, theirs), (grid, mirror.name, mine, theirs)
                follow(judge, mirror, mine, theirs)
                decided += strategy.centre is not None
        assert decided


@pytest.mark.parametrize("adjacency", ADJACENCIES)
def test_proofs_of_symmetric_positions_are_true(adjacency):
    rng, found = Random(adjacency), set()
    for board in ("3x3", "3x5", "5x5"):
        played, memo = variant("scatter", board, adjacency), {}
        judge = Mirrors(played, played.shape)
        for _ in range(200):
            position = nearly_symmetric(played, rng.choice(mirrors(played.grid)), rng)
            proof = judge.judge(position, Clock())
            if isinstance(proof, Centred):
                check_proof(proof, reference.results(played, position, memo), memo)
                found.add(proof.verdict)
    assert Verdict.LOSS in found


def test_proofs_of_moves_into_such_positions_are_true():
    played, memo = variant("scatter", "3x5", "king"), {}
    judge = Mirrors(played, played.shape)
    for first in (0, 5, 10):
        after = played.start().after(first).after(14 - first)
        for cell in (4, 9, 14):
            if played.legal(after) >> cell & 1:
                proof = judge.judge(after.after(cell), Clock())
                assert isinstance(proof, Centred)
                assert proof.verdict is Verdict.WIN
                check_proof(proof, reference.results(played, after.after(cell), memo), memo)


@pytest.mark.parametrize("cols", range(3, 40, 2))
def test_three_rows_are_decided_by_theorem(cols):
    played = variant("scatter", f"3x{cols}", "king")
    found = Solver(played).solve()
    assert (found.verdict, found.method, found.positions) == (Verdict.LOSS, Method.CENTRE, 0)
    turned = Solver(variant("scatter", f"{cols}x3", "king")).solve()
    assert (turned.verdict, turned.method) == (Verdict.LOSS, Method.CENTRE)


@pytest.mark.parametrize("size", ["3x9", "3x11"])
def test_a_search_without_the_rule_agrees(size):
    found = Solver(variant("scatter", size, "king"), "search").solve()
    assert (found.verdict, found.method) == (Verdict.LOSS, Method.SEARCH)


def test_the_winner_can_follow_one_proof_to_the_end(rng):
    played = variant("scatter", "3x11", "king")
    proof = Mirrors(played, played.shape).judge(played.start(), Clock())
    centres = 0
    for _ in range(60):
        position = played.start()
        while played.legal(position):
            cell = rng.choice(played.legal_cells(position))
            centres += cell == proof.strategy.centre
            position = position.after(cell)
            assert played.legal(position) >> proof.answer(cell) & 1
            position = position.after(proof.answer(cell))
    assert centres


def test_answering_with_the_image_up_to_the_centre_loses_with_five_rows():
    """In this example from docs/theory.md, the second player mirrors until the centre is taken, and then loses."""
    played = variant("scatter", "5x5", "king")
    position = played.start()
    for row, col in ((1, 2), (5, 4), (2, 5), (4, 1), (3, 3)):
        position = position.after(played.cell(row, col))
    assert not reference.solve(played, position).win


def test_what_a_player_is_told_and_shown():
    played = variant("scatter", "3x5", "king")
    analysis = Engine(played).analyse(Game(played), Clock(5))
    how = "the cell opposite through the centre of the board"
    assert analysis.words() == (
        f"Every move loses: the opponent can answer each one with {how}, and 2,3, which is its own image, with 1,3."
    )
    assert reason(analysis).endswith("For instance: if X plays 1,1, O answers with its mirror image, 3,5.")
    assert analysis.proof.refutation(7) == f": answer with 1,3, and then every move with {how}."
    shown = partners(analysis)
    assert next(iter(shown.items())) == (7, 2)  # the centre first, because the reply to it has another image
    assert (shown[2], shown[12]) == (12, 2)


def test_only_shapes_that_close_cells_to_their_owner_use_it():
    using = {name for name, book in BOOKS.items() if Mirrors(variant(book, "3x3"), book.shape).central}
    assert using == {"anywhere-closes_own"}
    assert Shape(closes_own=True) == COL


def test_a_spare_cell_must_not_cost_more_than_the_centre():
    """The centre rule does not apply on 5x5.

    Any marker beside the centre closes a cell that a marker in the centre leaves open.
    """
    for adjacency in ADJACENCIES:
        played = variant("scatter", "5x5", adjacency)
        assert Mirrors(played, played.shape).judge(played.start(), Clock()) is None
    grid = Grid(3, 3, Adjacency.KING)
    played = variant("scatter", "3x3", "king")
    judge, half_turn = Mirrors(played, played.shape), mirrors(grid)[0]
    alone = set_of([4])
    assert judge.strategy(half_turn, alone, alone, alone) is None  # a single shared cell wins for the player to move
