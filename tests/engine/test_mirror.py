"""Tests that every result proved by a mirror strategy is correct."""

from dataclasses import replace
from random import Random

import pytest
from bench import reference
from test_analysis import check_proof
from truth import SEARCHED, late_position, reachable, some, variants

from gridlock.core.grid import Adjacency, Grid, cells_of
from gridlock.core.position import Position
from gridlock.core.rules import variant
from gridlock.engine.clock import Clock
from gridlock.engine.evidence import Method, Verdict
from gridlock.engine.mirror import HOW, Mirrors, keeps, mirrors, symmetries
from nameless import BOOKS, EVERY_SHAPE, PASSING

GRIDS = [Grid(*size, adjacency) for size in ((1, 1), (1, 4), (3, 3), (3, 4), (4, 4), (5, 2)) for adjacency in Adjacency]


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_mirrors_are_symmetries_that_undo_themselves(grid):
    assert [mirror.name for mirror in mirrors(grid)] == list(HOW)[: 5 if grid.rows == grid.cols else 3]
    for mirror in mirrors(grid):
        assert mirror.image in symmetries(grid)
        assert mirror.of(mirror.of(0b1011 & grid.cells)) == 0b1011 & grid.cells
        for cell in range(grid.size):
            assert mirror.of(1 << cell) == 1 << mirror.image[cell]
            assert bool(mirror.fixed >> cell & 1) == (mirror.image[cell] == cell)
            assert bool(mirror.touching >> cell & 1) == (mirror.image[cell] in grid.neighbours(cell))


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_symmetries_keep_neighbours_together(grid):
    distinct = set(symmetries(grid))
    if grid.rows > 1 and grid.cols > 1:
        assert len(distinct) == len(symmetries(grid)) == (8 if grid.rows == grid.cols else 4)
    for image in distinct:
        assert sorted(image) == list(range(grid.size))
        for cell in range(grid.size):
            assert sorted(image[near] for near in grid.neighbours(cell)) == sorted(grid.neighbours(image[cell]))


def test_which_symmetries_keep_a_position():
    played = variant("trails", "3x3")
    kept = [image for image in symmetries(played.grid) if keeps(image, played.start())]
    assert len(kept) == 2  # the half-turn exchanges the pawns, so only the diagonal is left beside doing nothing
    assert all(keeps(image, variant("scatter", "3x3").start()) for image in symmetries(played.grid))


def check(judge, position, memo, names):
    """Check that a position's mirror proof is correct, and that no move that creates symmetry is missed."""
    played = judge.variant
    proof = judge.judge(position, Clock())
    after = {cell: judge.judge(position.after(cell), Clock()) for cell in played.legal_cells(position)}
    into = {cell for cell, one in after.items() if one is not None and one.verdict is Verdict.LOSS}
    if proof is None:
        assert not into
        return
    assert proof.method is (Method.MIRROR if proof.strategy.centre is None else Method.CENTRE)
    names.add(proof.strategy.mirror.name)
    names.update(strategy.mirror.name for strategy in proof.moves.values())
    truth = reference.results(played, position, memo)
    check_proof(proof, truth, memo)
    for cell, strategy in proof.moves.items():
        if strategy != proof.strategy:  # shown for this move, the same proof replies by another mirror
            check_proof(replace(proof, best=cell), truth, memo)
    if proof.verdict is Verdict.WIN:
        assert set(proof.winning) == into
        assert all(HOW[proof.moves[cell].mirror.name] in proof.reason(cell) for cell in into)


def nearly_symmetric(played, mirror, rng):
    """Return a random position in which the two sides' markers are nearly mirror images of each other.

    In some positions, the player to move also has markers on all cells that the mirror maps to itself, and in some
    positions, this player has an additional marker on a random cell.
    """
    pawn = rng.choice(cells_of(played.grid.cells & ~mirror.fixed))
    mine, theirs = 1 << pawn, 1 << mirror.image[pawn]
    for cell in rng.sample(range(played.grid.size), rng.randrange(played.grid.size // 3, played.grid.size)):
        image = mirror.image[cell]
        if image != cell and not (mine | theirs) >> cell & 1:
            mine, theirs = mine | 1 << cell, theirs | 1 << image
    if rng.random() < 0.7:
        mine |= mirror.fixed
    if rng.random() < 0.3:
        mine |= 1 << rng.choice(cells_of(played.grid.cells & ~theirs))
    return Position(mine, theirs, pawn, mirror.image[pawn], 1)


@pytest.mark.parametrize(("game", "adjacency"), SEARCHED)
def test_what_a_mirror_claims_of_symmetric_positions_is_so(game, adjacency):
    """All results proved by a mirror strategy are correct, even in unlikely positions.

    The test also fails if one of the mirror strategies (such as answering each move with its image under a half-turn)
    never proves a result.
    """
    rng = Random(f"{game} {adjacency}")
    names = set()
    for board in ("3x4", "4x3", "4x4", "5x5"):
        played = variant(game, board, adjacency)
        judge, memo = Mirrors(played, played.shape), {}
        for mirror in mirrors(played.grid):
            for _ in range(120):
                check(judge, nearly_symmetric(played, mirror, rng), memo, names)
    assert names == set(HOW)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "adjacency"), SEARCHED)
def test_what_a_mirror_claims_on_larger_boards_is_so(game, adjacency):
    rng = Random(f"{game} {adjacency}")
    names = set()
    for board in ("4x4", "4x5", "5x5"):
        played = variant(game, board, adjacency)
        judge, memo = Mirrors(played, played.shape), {}
        for _ in range(150):
            check(judge, late_position(played, rng, 8), memo, names)
    assert names


def check_small_boards(book, adjacency, most):
    """Check the mirror proofs for all positions, or for a sample of them, on boards of up to nine cells."""
    names = set()
    for played in variants(book, adjacency, 1, 9):
        memo, judge = reachable(played), Mirrors(played, played.shape)
        for position in some(memo, most or len(memo)):
            check(judge, position, memo, names)
    assert names


@pytest.mark.slow
@pytest.mark.parametrize(("name", "adjacency"), EVERY_SHAPE)
def test_what_a_mirror_claims_is_so_for_every_shape(name, adjacency):
    check_small_boards(BOOKS[name], adjacency, 400)


@pytest.mark.deep
@pytest.mark.parametrize(("name", "adjacency"), EVERY_SHAPE)
def test_what_a_mirror_claims_of_every_position_is_so(name, adjacency):
    check_small_boards(BOOKS[name], adjacency, None)


@pytest.mark.slow
@pytest.mark.parametrize("adjacency", [str(kind) for kind in Adjacency])
@pytest.mark.parametrize("name", PASSING)
def test_passes_change_nothing_about_a_mirror(name, adjacency):
    check_small_boards(PASSING[name], adjacency, 300)


@pytest.mark.parametrize(("name", "adjacency"), EVERY_SHAPE)
def test_the_winner_can_follow_the_mirror_to_the_end(name, adjacency):
    """Play whole games on larger boards, answering random moves with the replies from one proof."""
    rng = Random(f"{name} {adjacency}")
    for board in ("6x6", "6x7", "7x7", "8x5"):
        played = variant(BOOKS[name], board, adjacency)
        for opening in (False, True):
            position = played.start()
            for _ in range(rng.randint(0, 3) * opening):
                if cells := played.legal_cells(position):
                    position = position.after(rng.choice(cells))
            proof = Mirrors(played, played.shape).judge(position, Clock())
            if proof is None:
                continue
            if proof.verdict is Verdict.WIN:
                position = position.after(proof.best)
            while played.legal(position):
                cell = rng.choice(played.legal_cells(position))
                position = position.after(cell)
                assert played.legal(position) >> proof.answer(cell) & 1
                position = position.after(proof.answer(cell))


@pytest.mark.parametrize("adjacency", [str(kind) for kind in Adjacency])
def test_which_shapes_a_mirror_decides_on_even_boards(adjacency):
    """On 6x6 boards, mirroring wins some games under both adjacencies, and others only under orthogonal adjacency.

    With king adjacency, each of the four centre cells touches its image under a 180-degree rotation.
    """
    decided = set()
    for name, book in BOOKS.items():
        played = variant(book, "6x6", adjacency)
        proof = Mirrors(played, played.shape).judge(played.start(), Clock())
        if proof is not None and proof.verdict is Verdict.LOSS:
            decided.add(name)
    anywhere, pawns = {"anywhere", "anywhere-closes_own"}, {"near-pawn", "near-closes_own-pawn", "away-pawn"}
    pawns.add("away-closes_own-pawn")
    apart = {"anywhere-closes_other", "anywhere-closes_own-closes_other", "away", "away-closes_own"}
    apart |= {f"away-{name}" for name in ("closes_other", "closes_own-closes_other")}
    apart |= {
        f"{step}-{name}-pawn" for step in ("near", "away") for name in ("closes_other", "closes_own-closes_other")
    }
    assert decided == anywhere | pawns | (apart if adjacency == "orthogonal" else set())
