"""Tests that keys never change, and that they are equal if and only if the positions are equivalent by symmetry."""

import numpy as np
import pytest
from dataset_rows import BOOKS, EVERY_GAME, canonical
from truth import reachable, some

from gridlock.core.grid import Grid, cells_of
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.datasets.keys import Keys, open_cells
from gridlock.datasets.rows import markers
from gridlock.datasets.splits import split_of
from gridlock.engine.mirror import symmetries
from nameless import BOOKS as SHAPES
from nameless import EVERY_SHAPE


def arrays(played, positions):
    """Return positions in the form that the class Keys expects."""
    board = np.array([np.frombuffer(markers(one, played.grid.size), np.int8) for one in positions])
    my_heads, their_heads = zip(*[position[2:4] for position in positions], strict=True)
    heads = [np.array([-1 if head is None else head for head in some]) for some in (my_heads, their_heads)]
    return board, *heads


def turned(position, image):
    """Return the image of a position, given the image of every cell."""
    mine, theirs = (sum(1 << image[cell] for cell in cells_of(bits)) for bits in position[:2])
    return Position(mine, theirs, *(None if head is None else image[head] for head in position[2:4]), 1)


@pytest.mark.parametrize(("game", "adjacency"), EVERY_GAME)
def test_keys_are_equal_exactly_for_positions_that_play_alike(game, adjacency):
    for board in ((3, 3), (2, 3)):
        played = Variant(BOOKS[game], Grid(*board, adjacency))
        positions = some(reachable(played), 3000)
        keys = Keys(played).of(*arrays(played, positions)).tolist()
        forms = [canonical(played, position) for position in positions]
        assert len(set(zip(keys, forms, strict=True))) == len(set(keys)) == len(set(forms))


@pytest.mark.parametrize(("name", "adjacency"), EVERY_SHAPE)
def test_images_have_the_same_key(name, adjacency, rng):
    for board in ((6, 6), (5, 7)):
        played = Variant(SHAPES[name], Grid(*board, adjacency))
        if not played.legal(played.start()):
            continue
        position = played.start()
        for _ in range(rng.randint(0, 8)):
            cells = played.legal_cells(position)
            position = position.after(rng.choice(cells)) if cells else position
        images = [turned(position, image) for image in symmetries(played.grid)]
        assert len(set(Keys(played).of(*arrays(played, images)).tolist())) == 1
        mine, theirs = open_cells(played.shape, played.grid, arrays(played, [position])[0])
        found = tuple(sum(1 << cell for cell in np.flatnonzero(cells[0]).tolist()) for cells in (mine, theirs))
        assert found == played.shape.open_to_both(played.grid, position)


def test_keys_and_splits_never_change():
    """If keys changed, a position could be in the training set of one dataset and in the test set of a later one."""
    played = Variant(BOOKS["trails"], Grid(3, 4, "orthogonal"))
    start = played.start()
    line = [start, start.after(1), start.after(1).after(7)]
    keys = Keys(played).of(*arrays(played, line))
    assert keys.tolist() == [1691033791367313591, 1450461291596984072, 4103973782441082597]
    assert split_of(np.arange(30, dtype=np.uint64)).tolist() == [
        0,
        2,
        0,
        0,
        0,
        2,
        0,
        2,
        0,
        2,
        1,
        0,
        0,
        1,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        1,
        0,
        2,
        1,
        0,
        2,
        0,
        0,
        0,
    ]


def test_eight_of_ten_positions_are_for_training():
    splits = np.bincount(split_of(np.arange(100_000, dtype=np.uint64)), minlength=4) / 100_000
    assert np.allclose(splits, [0.8, 0.1, 0.1, 0], atol=0.005)
