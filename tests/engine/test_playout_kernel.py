"""Tests of random games against exact probabilities, in compiled and in interpreted code."""

import random
from fractions import Fraction
from itertools import islice
from math import sqrt
from statistics import fmean, stdev
from typing import Any, NamedTuple

import pytest
from shapes import EVERY_SHAPE, game, label, late_positions

from gridlock.core.grid import Adjacency, Grid
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.core.rules import variant
from gridlock.core.shape import SHAPES, Shape
from gridlock.engine.kernels import playout_kernel
from gridlock.engine.kernels.interface import state_of
from gridlock.engine.kernels.interpreted import plain

INTERPRETED = plain("playout_kernel")
COMPILED = playout_kernel is not INTERPRETED
GAMES = 5000 if COMPILED else 500
every_shape = pytest.mark.parametrize(("shape", "adjacency"), EVERY_SHAPE, ids=label)


class Chances(NamedTuple):
    """Statistics of uniformly random games: the mover's winning chance, the mean length, and all possible lengths."""

    win: Fraction
    length: Fraction
    lengths: frozenset[int]


def chances(rules: Variant, position: Position, memo: dict[Position, Chances]) -> Chances:
    """Compute the exact statistics by enumerating all games."""
    if position not in memo:
        replies = [chances(rules, position.after(cell), memo) for cell in rules.legal_cells(position)]
        memo[position] = Chances(
            sum((1 - reply.win for reply in replies), Fraction()) / max(1, len(replies)),
            sum((1 + reply.length for reply in replies), Fraction()) / max(1, len(replies)),
            frozenset(1 + length for reply in replies for length in reply.lengths) or frozenset([0]),
        )
    return memo[position]


def playouts_for(rules: Variant, module: Any = playout_kernel) -> Any:
    """Return random games of a variant."""
    return module.Playouts(rules.shape, rules.grid)


def within_five_sigma(wins: int, games: int, chance: Fraction) -> bool:
    """Return whether a win count is within five standard deviations of its expected value."""
    return abs(wins - games * chance) <= 5 * sqrt(games * chance * (1 - chance))


@every_shape
def test_wins_and_lengths_are_as_likely_as_they_should_be(shape: Shape, adjacency: Adjacency) -> None:
    for rows, cols in ((1, 2), (2, 2), (1, 5), (2, 3), (3, 2)):
        rules = game(shape, rows, cols, adjacency)
        playouts = playouts_for(rules)
        memo: dict[Position, Chances] = {}
        start = rules.start()
        for position in (start, *map(start.after, rules.legal_cells(start))):
            truth = chances(rules, position, memo)
            wins, steps = playouts.run(*state_of(position), GAMES, 7)
            assert within_five_sigma(wins, GAMES, truth.win), (rules, position)
            spread = max(truth.lengths) - min(truth.lengths)
            assert abs(steps / GAMES - truth.length) <= 5 * (spread / 2) / sqrt(GAMES), (rules, position)
            for cell, won in playouts.move_wins(*state_of(position), GAMES, 8):
                assert within_five_sigma(won, GAMES, 1 - chances(rules, position.after(cell), memo).win)


@every_shape
def test_one_game_at_a_time_ends_as_games_can_end(shape: Shape, adjacency: Adjacency) -> None:
    rules = game(shape, 2, 3, adjacency)
    lengths = chances(rules, rules.start(), {}).lengths
    seen = set()
    for seed in range(1000):
        wins, steps = playouts_for(rules).run(*state_of(rules.start()), 1, seed)
        assert wins == steps % 2
        seen.add(steps)
    assert seen == lengths


@pytest.mark.slow
@every_shape
def test_the_moves_are_the_legal_ones(shape: Shape, adjacency: Adjacency) -> None:
    """Playout results are returned for exactly the legal moves.

    If a move is certain to win, every playout of it is a win; if it is certain to lose, every playout is a loss.
    """
    for rows, cols in ((3, 4), (5, 5), (8, 16)):
        rules = game(shape, rows, cols, adjacency)
        playouts = playouts_for(rules)
        for position in islice(late_positions(rules, 5, rows), 40):
            won = dict(playouts.move_wins(*state_of(position), 20, 3))
            assert list(won) == rules.legal_cells(position), (rules, position)
            for cell, wins in won.items():
                chance = 1 - chances(rules, position.after(cell), {}).win
                assert (wins == 20) if chance == 1 else (wins == 0) if chance == 0 else 0 <= wins <= 20


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES, ids=label)
@pytest.mark.parametrize(("rows", "cols"), [(5, 5), (9, 14)])
def test_large_boards_as_a_plain_random_game_has_it(shape: Shape, rows: int, cols: int) -> None:
    rules = game(shape, rows, cols, Adjacency.KING if rows == 5 else Adjacency.ORTHOGONAL)
    rng = random.Random(3)
    lengths = []
    for _ in range(300):
        position, moves = rules.start(), 0
        while choices := rules.legal_cells(position):
            position, moves = position.after(rng.choice(choices)), moves + 1
        lengths.append(moves)
    wins, steps = playouts_for(rules).run(*state_of(rules.start()), GAMES, 4)
    error = stdev(lengths) * sqrt(1 / 300 + 1 / GAMES)
    assert abs(steps / GAMES - fmean(lengths)) <= 5 * error
    odd = sum(length % 2 for length in lengths)
    assert abs(wins / GAMES - odd / 300) <= 5 * sqrt(0.25 / 300 + 0.25 / GAMES)


@pytest.mark.slow
@every_shape
def test_plain_python_plays_the_same_games(shape: Shape, adjacency: Adjacency) -> None:
    assert not INTERPRETED.cython.compiled
    for rows, cols in ((3, 4), (10, 12)):
        rules = game(shape, rows, cols, adjacency)
        first, second = playouts_for(rules), playouts_for(rules, INTERPRETED)
        start = state_of(rules.start())
        for seed in (0, 1, 2**64 - 1, 2**70 + 5):
            assert first.run(*start, 20, seed) == second.run(*start, 20, seed)
        assert first.move_wins(*start, 3, 11) == second.move_wins(*start, 3, 11)


def test_the_seed_decides() -> None:
    rules = variant("showdown")
    playouts = playouts_for(rules)
    first = playouts.run(*state_of(rules.start()), 500, 1)
    assert first == playouts.run(*state_of(rules.start()), 500, 1)
    assert first != playouts.run(*state_of(rules.start()), 500, 2)


@pytest.mark.parametrize("board", ["5x5", "8x8", "9x9"])
def test_processors_without_the_instruction_play_the_same_games(board: str) -> None:
    rules = variant("showdown", board)
    runs = [
        playout_kernel.Playouts(rules.shape, rules.grid, deposit).run(*state_of(rules.start()), 200, 3)
        for deposit in (True, False)
    ]
    assert runs[0] == runs[1]


def test_every_cell_is_as_likely_as_any_other() -> None:
    rules = variant("keepaway", "1x3")  # the middle ends the game at once, either end allows one more move
    games = 12 * GAMES
    wins, steps = playouts_for(rules).run(*state_of(rules.start()), games, 5)
    assert within_five_sigma(wins, games, Fraction(1, 3))
    assert steps == wins + 2 * (games - wins)


def test_larger_boards_are_refused() -> None:
    with pytest.raises(ValueError, match="128"):
        playout_kernel.Playouts(Shape(closes_own=True), Grid(12, 11, Adjacency.KING))
