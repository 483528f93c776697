"""Tests of the interface between the kernels, whether compiled or interpreted, and the rest of the engine."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from shapes import game

from gridlock.core.grid import Adjacency, Grid
from gridlock.core.rules import RULE_BOOKS
from gridlock.core.shape import SHAPES
from gridlock.engine.kernels import board_search, interface
from gridlock.engine.kernels.interpreted import plain

FOLDER = Path(interface.__file__).parent
COMPILED = not board_search.__file__.endswith(".py")


def never(_nodes: int) -> bool:
    return False


def module_of(shape):
    """Return the name of the module whose kernel solves games with this shape."""
    return interface.win_loss(shape).make.__module__.rpartition(".")[2]


@pytest.mark.parametrize("shape", interface.WIN_LOSS, ids=module_of)
def test_a_kernel_says_which_shape_it_takes(shape):
    module = plain(module_of(shape))
    assert shape == module.TAKES
    assert sorted(module.TECHNIQUES.values()) == [1 << bit for bit in range(len(module.TECHNIQUES))]
    found = interface.win_loss(shape)
    assert found.everything == module.ALL == 2 ** len(module.TECHNIQUES) - 1
    assert found.without_mirrors == module.ALL - module.TECHNIQUES["MIRROR"] - module.TECHNIQUES.get("CENTRE", 0)
    kernel = found.make(Grid(1, 2, Adjacency.KING), 1 << 10, found.everything)
    state = (0, 0, 1) if shape.pawn else (0b11, 0b11)
    answer = int(shape.closes_other)
    assert kernel.solve(*state, never) == answer
    assert found.ask(kernel, [0, 1, 2] if shape.pawn else state, never) == answer, "as sets of cells"


def test_the_kernels_that_say_who_wins_are_all_listed():
    modules = {path.stem for path in FOLDER.glob("*_kernel.py") if "TAKES =" in path.read_text()}
    assert modules == set(map(module_of, interface.WIN_LOSS))
    assert interface.win_loss(None) is None
    assert sum(interface.win_loss(shape) is not None for shape in SHAPES) == len(modules)


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_has_distances_and_random_games(shape):
    played = game(shape, 2, 2, Adjacency.ORTHOGONAL)
    heads = (0, 3) if shape.pawn else (interface.NO_HEAD, interface.NO_HEAD)
    position = (1, 8, *heads) if shape.pawn else (0, 0, *heads)
    moves = interface.distances(played, 1 << 10).all_moves(*position, never)
    assert {abs(score) for _cell, score in moves} <= {interface.STUCK - plies for plies in range(1, 5)}
    assert [cell for cell, _score in moves] == [
        cell for cell, _wins in interface.random_games(played).move_wins(*position, 1, 0)
    ]


def test_no_kernel_is_loaded_before_it_is_needed():
    loaded = (
        "import sys, gridlock.engine.kernels.interface; print(*[name for name in sys.modules if 'kernels.' in name])"
    )
    found = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["gridlock.engine.kernels.interface"]


def test_kernels_know_no_game_by_its_name():
    for path in [*FOLDER.glob("*.py"), *FOLDER.glob("*.pxd")]:
        words = path.read_text().lower()
        assert not [name for name in RULE_BOOKS if name in words], path


WHO_WINS = """
from gridlock.engine.kernels import board_search, distances, interface
from gridlock.engine.kernels.interpreted import plain
from gridlock.core.grid import Grid
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.core.shape import SHAPES
grid = Grid(3, 3, "king")
for shape in interface.WIN_LOSS:
    found = interface.win_loss(shape)
    kernel = found.make(grid, 1 << 12, found.everything)
    print(kernel.solve(*((0b011111110, 0, 8) if shape.pawn else (511, 511)), lambda nodes: False), kernel.nodes)
for shape in SHAPES:
    kernel = interface.distances(Variant(RuleBook(title="Sample", shape=shape), grid), 1 << 12)
    print(kernel.solve(*((1, 256, 0, 8) if shape.pawn else (0, 0, -1, -1)), -1001, 1001, lambda nodes: False))
"""


@pytest.mark.skipif(not COMPILED, reason="nothing has been compiled")
@pytest.mark.parametrize("kept", ["all", "none", "the base only"])
def test_an_installation_with_some_kernels_compiled_and_others_not(kept, tmp_path):
    """An interpreted kernel builds on an interpreted base, even if a compiled base exists."""
    package = tmp_path / "gridlock"
    shutil.copytree(FOLDER.parents[1], package, ignore=shutil.ignore_patterns("__pycache__", "*.c", "web", "cli"))
    for built in (package / "engine" / "kernels").glob(f"*{Path(board_search.__file__).suffix}"):
        if kept == "none" or (kept == "the base only" and "kernel." in built.name):
            built.unlink()
    found = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{WHO_WINS}"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    here = subprocess.run([sys.executable, "-c", WHO_WINS], capture_output=True, text=True, check=True)
    assert found.stdout == here.stdout
    assert len(found.stdout.splitlines()) == len(interface.WIN_LOSS) + len(SHAPES)


@pytest.mark.parametrize("shape", interface.WIN_LOSS, ids=module_of)
@pytest.mark.parametrize("adjacency", Adjacency)
def test_a_kernel_tells_the_moves_that_it_would_try(shape, adjacency, rng):
    """The moves that a kernel would try are legal, and are the same whether or not the kernel is compiled."""
    grid, found = Grid(4, 5, adjacency), interface.win_loss(shape)
    kinds = found.make, getattr(plain(module_of(shape)), found.make.__name__)
    kernels = [make(grid, 1 << 10, found.everything) for make in kinds]
    for _ in range(30):
        mine, theirs = rng.getrandbits(20), rng.getrandbits(20)
        me, them = rng.sample(range(20), 2)
        free = mine & ~(1 << me | 1 << them)
        state, legal = ((free, me, them), grid.near[me] & free) if shape.pawn else ((mine, theirs), mine)
        compiled, interpreted = (kernel.moves(*state) for kernel in kernels)
        assert set(compiled) == set(interpreted)
        assert len(compiled) == len(set(compiled))
        assert all(legal >> cell & 1 for cell in compiled)
