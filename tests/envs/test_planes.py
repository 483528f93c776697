"""Tests that agents observe, for each cell, exactly the facts on which the rules depend."""

import subprocess
import sys
from random import Random

import numpy as np
import pytest

from gridlock import RULE_BOOKS, Game, cells_of
from gridlock.envs.planes import PLANES, seen


@pytest.mark.parametrize("name", RULE_BOOKS)
@pytest.mark.parametrize("board", ["3x4", "5x5", "12x11"])
def test_every_plane_has_the_cells_it_is_named_after(name, board):
    rng = Random(f"{name} {board}")
    game = Game(name, board)
    grid = game.variant.grid
    while game.outcome is None:
        planes, mask = seen(grid, game.position, game.legal, grid.size + 1)
        assert planes.shape == (len(PLANES), grid.rows, grid.cols)
        mine, theirs, my_head, their_head = ({(int(r), int(c)) for r, c in np.argwhere(plane)} for plane in planes)
        position = game.position
        assert mine == {divmod(cell, grid.cols) for cell in cells_of(position.mine)}
        assert theirs == {divmod(cell, grid.cols) for cell in cells_of(position.theirs)}
        assert my_head == ({divmod(position.my_head, grid.cols)} if position.my_head is not None else set())
        assert their_head == ({divmod(position.their_head, grid.cols)} if position.their_head is not None else set())
        assert np.flatnonzero(mask).tolist() == cells_of(game.legal)
        assert len(mask) == grid.size + 1
        game.push(rng.choice(cells_of(game.legal)))


def test_without_numpy_a_sentence_says_what_to_install():
    code = "import sys; sys.modules['numpy'] = None\nimport gridlock.envs.planes"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    last = done.stderr.splitlines()[-1]
    assert last.endswith("MissingExtra: numpy is missing. Install it with: pip install 'gridlock-games[batch]'")
