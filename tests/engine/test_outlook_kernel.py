"""Tests of Col evaluations: exact values are right, estimates are close, and compiled code gives the same results."""

from collections.abc import Iterator
from random import Random

import pytest
from test_col_kernel import all_cells, bits, mover_wins

from gridlock.core.grid import Adjacency, Grid
from gridlock.core.rules import variant
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Verdict
from gridlock.engine.kernels import outlook_kernel
from gridlock.engine.kernels.interpreted import plain

MEMORY = 1 << 18
ADJACENCIES = list(Adjacency)
PLAIN = plain("outlook_kernel")


def drawn(rows: int, cols: int, count: int) -> Iterator[tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]]]:
    """Yield random pairs of sets: the cells open to each player."""
    rng = Random(f"{rows}x{cols}")
    for _ in range(count):
        share = rng.random()
        p, q = (frozenset(cell for cell in sorted(all_cells(rows, cols)) if rng.random() < share) for _ in range(2))
        yield p, q


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("size", [(2, 4), (3, 4)])
def test_what_it_is_certain_of_is_so(size: tuple[int, int], adjacency: Adjacency) -> None:
    outlook = outlook_kernel.Outlook(Grid(*size, adjacency), MEMORY)
    certain = 0
    for p, q in drawn(*size, 300):
        _, decided = outlook.of(bits(p, size[1]), bits(q, size[1]))
        certain += decided != 0
        if decided:
            assert (decided > 0) == mover_wins(p, q, adjacency is Adjacency.KING), (p, q)
    assert certain == 300 if size == (2, 4) else certain > 150  # whose regions are all small


@pytest.mark.parametrize("adjacency", ADJACENCIES)
def test_plain_python_sees_the_same(adjacency: Adjacency) -> None:
    assert not PLAIN.cython.compiled
    grid = Grid(5, 6, adjacency)
    one, other = outlook_kernel.Outlook(grid, MEMORY), PLAIN.Outlook(grid, MEMORY)
    for p, q in drawn(5, 6, 40):
        asked = bits(p, 6), bits(q, 6)
        assert one.of(*asked) == other.of(*asked)


@pytest.mark.parametrize("board", [("6x6", "king"), ("5x6", "orthogonal")])
def test_it_usually_predicts_the_winner(board: tuple[str, str]) -> None:
    """On boards small enough to be solved by search, even an inexact estimate usually predicts the winner correctly."""
    rules, rng = variant("scatter", *board), Random(8)
    assert rules.shape is not None
    engine, outlook = Engine(rules), outlook_kernel.Outlook(rules.grid, MEMORY)
    right = asked = 0
    while asked < 60:
        position = rules.start()
        for _ in range(rng.randint(2, 7)):
            position = position.after(rng.choice(rules.legal_cells(position)))
            if not rules.legal(position):
                break
        lead, decided = outlook.of(*rules.shape.open_to_both(rules.grid, position))
        if rules.legal(position) and not decided:
            asked += 1
            right += (lead > 0) == (engine.verdict(position, Clock()) is Verdict.WIN)
    assert right > 0.8 * asked


def test_cells_that_are_not_there_are_refused() -> None:
    with pytest.raises(ValueError, match="not on the board"):
        outlook_kernel.Outlook(Grid(2, 2, Adjacency.KING), MEMORY).of(16, 0)
