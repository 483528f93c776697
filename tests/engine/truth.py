"""Positions to test, and the reference solver's answers."""

from dataclasses import replace
from random import Random

from bench import reference

from gridlock.core.grid import Adjacency, Grid
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.core.rules import BUILT_IN, RULE_BOOKS, rule_book, variant
from gridlock.engine.clock import Clock
from gridlock.engine.kernels import interface

ADJACENCIES = [str(kind) for kind in Adjacency]
GAMES = [name for name in RULE_BOOKS if name in BUILT_IN]
EVERY_GAME = [(game, adjacency) for game in GAMES for adjacency in ADJACENCIES]
SEARCHED = [(game, adjacency) for game, adjacency in EVERY_GAME if game in ("scatter", "trails", "showdown")]


def variants(game, adjacency, fewest, most):
    """Return the game's variants on all boards with `fewest` to `most` cells, in both orientations."""
    sizes = [(rows, cols) for rows in range(1, most + 1) for cols in range(1, most // rows + 1)]
    least = max(fewest, rule_book(game).smallest)
    return [variant(game, f"{rows}x{cols}", adjacency) for rows, cols in sizes if rows * cols >= least]


def reachable(played):
    """Return every reachable position, with its exact result."""
    memo = {}
    reference.solve(played, played.start(), memo)
    return memo


def some(memo, count, seed=1):
    """Return a repeatable sample of at most `count` positions."""
    keys = list(memo) if len(memo) <= count else Random(seed).sample(list(memo), count)
    return [Position(*key, 1) for key in keys]


def open_cells(played, position):
    """Return an upper bound on the number of cells that can still be taken."""
    if played.shape and played.shape.placing:
        return (played.legal(position) | played.legal(position.passed())).bit_count()
    return (played.grid.cells & ~position.taken).bit_count()


def late_position(played, rng, most):
    """Play random games until a position has a legal move and at most `most` open cells, and return that position."""
    while True:
        position = played.start()
        while played.legal(position):
            if open_cells(played, position) <= most:
                return position
            position = position.after(rng.choice(played.legal_cells(position)))


def closing_position(played, rng, most):
    """Return a position near the end of a random game.

    The position is chosen at random from the unfinished positions with at most `most` open cells or, if there are none,
    from the game's last two positions.
    """
    line = [played.start()]
    while cells := played.legal_cells(line[-1]):
        line.append(line[-1].after(rng.choice(cells)))
    return rng.choice([position for position in line[:-1] if open_cells(played, position) <= most] or line[-2:])


def walled_in(game, adjacency, rng, windows, most):
    """Return a game and a 13x13 position whose empty cells are all in 4x4 windows with the given top-left corners."""
    played = Variant(RULE_BOOKS[game], Grid(13, 13, Adjacency(adjacency)))
    inside = [13 * (row + down) + col + right for row, col in windows for down in range(4) for right in range(4)]
    empty = rng.sample(inside, most)
    owners = {cell: rng.choice((1, 2)) for cell in range(played.grid.size) if cell not in empty}
    sets = [sum(1 << cell for cell, owner in owners.items() if owner == side) for side in (1, 2)]
    heads = [rng.choice([cell for cell in inside if owners.get(cell) == side] or [None]) for side in (1, 2)]
    if played.book.pawns and None in heads:
        return walled_in(game, adjacency, rng, windows, most)
    return played, Position(*sets, *heads, 1)


def analysed(engine, position, clock=None, counting=None):
    """Return the engine's complete analysis of a position, with distances; by default, there is no time limit."""
    clock = clock or Clock()
    return engine.explained(engine.weigh(position, clock, counting), clock)


def without_distances(engine):
    """Remove an engine's distance kernel, and return the engine."""
    engine.distances.__dict__["kernel"] = None
    return engine


def by_functions(played):
    """Return the same game with its rules defined by functions instead of a `Shape`."""
    shape = played.shape
    return replace(played, book=replace(played.book, shape=None, legal=shape.legal, causes=shape.causes))


def without_kernels(engine):
    """Remove an engine's kernels, so that it uses only theory and the plain search; return the engine."""
    engine.search.variant = by_functions(engine.variant)
    return without_distances(engine)


def make_kernels(monkeypatch, shape, make=None, techniques=None):
    """Have the search use a kernel with a different constructor or different techniques; return the original kernel."""
    usual = interface.win_loss(shape)
    other = usual._replace(make=make or usual.make)
    if techniques is not None:
        other = other._replace(techniques={"MIRROR": techniques})
    monkeypatch.setattr("gridlock.engine.search.win_loss", lambda _shape: other)
    return usual
