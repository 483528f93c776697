"""Mirrors: what they claim is so, wherever they claim it."""

from random import Random

import pytest
from truth import SEARCHED, late_position, reachable, some, variants

from gridlock.engine import reference
from gridlock.engine.explain import HOW
from gridlock.engine.mirror import keeps, losing_mirror, mirror_moves, mirrors, symmetries
from gridlock.grid import Adjacency, Grid, cells_of
from gridlock.position import Position
from gridlock.rules import variant

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


def check(played, position, memo, names):
    mirror = losing_mirror(played, position)
    if mirror:
        names.add(mirror.name)
        assert not reference.solve(played, position, memo).win
    tried = {cell for cell in played.legal_cells(position) if losing_mirror(played, position.after(cell))}
    found = dict(mirror_moves(played, position))
    assert set(found) == tried
    names.update(mirror.name for mirror in found.values())


def nearly_symmetric(played, mirror, rng):
    """Each side's markers on the other's image, most of the board full; sometimes one cell breaks the symmetry."""
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
    """Also of positions that hardly come up; and every mirror is of use somewhere."""
    rng = Random(f"{game} {adjacency}")
    names = set()
    for board in ("3x4", "4x3", "4x4", "5x5"):
        played = variant(game, board, adjacency)
        memo = {}
        for mirror in mirrors(played.grid):
            for _ in range(120):
                check(played, nearly_symmetric(played, mirror, rng), memo, names)
    assert names == set(HOW)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "adjacency"), SEARCHED)
def test_what_a_mirror_claims_is_so(game, adjacency):
    """On the positions of the small boards and some of larger ones."""
    names = set()
    for played in variants(game, adjacency, 1, 9):
        memo = reachable(played)
        for position in some(memo, 1200):
            check(played, position, memo, names)
    rng = Random(f"{game} {adjacency}")
    for board in ("4x4", "4x5", "5x5"):
        played = variant(game, board, adjacency)
        memo = {}
        for _ in range(150):
            check(played, late_position(played, rng, 8), memo, names)
    assert "half-turn" in names


@pytest.mark.parametrize(("game", "adjacency"), SEARCHED)
def test_the_winner_can_follow_the_mirror_to_the_end(game, adjacency):
    """Play the answers the mirror gives, against random moves, from the start of larger boards."""
    rng = Random(f"{game} {adjacency}")
    for board in ("6x6", "6x7", "7x7", "8x5"):
        played = variant(game, board, adjacency)
        position = played.start()
        if not losing_mirror(played, position):
            opening = next(mirror_moves(played, position), None)
            if opening is None:
                continue
            position = position.after(opening[0])
        mirror = losing_mirror(played, position)
        while played.legal(position):
            cell = rng.choice(cells_of(played.legal(position)))
            position = position.after(cell)
            assert played.legal(position) >> mirror.image[cell] & 1
            position = position.after(mirror.image[cell])
