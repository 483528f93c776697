"""Helpers that create test games, boards and positions, and get their results from the reference solver."""

from collections.abc import Iterator
from random import Random

from bench import reference

from gridlock.core.grid import Adjacency, Grid
from gridlock.core.position import Position
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.core.shape import SHAPES, Shape

ADJACENCIES = list(Adjacency)
EVERY_SHAPE = [(shape, adjacency) for shape in SHAPES for adjacency in ADJACENCIES]


def label(value: Shape | Adjacency) -> str:
    """Return a short name for a shape or an adjacency, for use in test names."""
    if isinstance(value, Adjacency):
        return str(value)
    closes = [word for word, closed in (("own", value.closes_own), ("other", value.closes_other)) if closed]
    return " ".join(
        ["closes " + "+".join(closes or ["none"]), str(value.follows or "anywhere")] + ["pawn"] * value.pawn
    )


def game(shape: Shape, rows: int, cols: int, adjacency: Adjacency, heads: tuple[int, int] | None = None) -> Variant:
    """Return a game with the given marker rules and board, optionally with unusual starting cells for its pawns."""
    book = RuleBook(
        name="sample",
        title="Sample",
        summary="Any shape.",
        rules="As its shape says.",
        board=(rows, cols),
        adjacency=adjacency,
        closed="closed",
        example=(),
        shape=shape,
        start=None if heads is None else lambda _grid, _starts: Position(1 << heads[0], 1 << heads[1], *heads, 1),
    )
    return Variant(book, Grid(rows, cols, adjacency))


def boards(fewest: int, most: int) -> list[tuple[int, int]]:
    """Return the size of every board that has at least `fewest` and at most `most` cells."""
    sizes = [(rows, cols) for rows in range(1, most + 1) for cols in range(1, most // rows + 1)]
    return [(rows, cols) for rows, cols in sizes if rows * cols >= fewest]


def truth(rules: Variant) -> reference.Memo:
    """Return every reachable position, with its result."""
    memo: reference.Memo = {}
    reference.solve(rules, rules.start(), memo)
    return memo


def score(result: reference.Result) -> int:
    """Convert a result to the score that the kernels use."""
    return 1000 - result.distance if result.win else result.distance - 1000


def move_scores(rules: Variant, position: Position, memo: reference.Memo) -> list[tuple[int, int]]:
    """Return every move with its score according to the reference solver."""
    return [(cell, score(result)) for cell, result in reference.results(rules, position, memo).items()]


def open_cells(rules: Variant, position: Position) -> int:
    """Return the number of cells that at least one player can still take, now or later."""
    assert rules.shape is not None
    own, other = rules.shape.open_to_both(rules.grid, position)
    return (own | other).bit_count()


def late_positions(rules: Variant, cells: int, seed: int) -> Iterator[Position]:
    """Yield positions, reachable or not, with random markers and at most the given number of open cells."""
    rng, size = Random(seed), rules.grid.size
    while True:
        order = rng.sample(range(size), size)
        position = Position(0, 0, None, None, 1)
        if rules.book.pawns:
            position = Position(1 << order[0], 1 << order[1], order[0], order[1], 1)
            order = order[2:]
        for cell in order:
            if open_cells(rules, position) <= cells:
                break
            position = position.after(cell)  # whatever the rules say of it
        yield position
