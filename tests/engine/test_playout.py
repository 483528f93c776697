"""Random games against probabilities worked out by hand, compiled and not."""

import importlib.util
import random
import sys
from fractions import Fraction
from importlib.machinery import SourceFileLoader
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from gridlock.engine.kernels import playout_kernel
from gridlock.position import Position
from gridlock.rulebook import Variant
from gridlock.rules import RULE_BOOKS, variant

COMPILED = not playout_kernel.__file__.endswith(".py")
GAMES = 5000 if COMPILED else 500
CODES = {name: getattr(playout_kernel, name.upper()) for name in RULE_BOOKS}


class Chances(NamedTuple):
    """What uniformly random moves lead to: the mover's chance, the mean length, and all lengths there are."""

    win: Fraction
    length: Fraction
    lengths: frozenset[int]


def chances(rules: Variant, position: Position, memo: dict[Position, Chances]) -> Chances:
    """Work them out by going through every game."""
    if position not in memo:
        replies = [chances(rules, position.after(cell), memo) for cell in rules.legal_cells(position)]
        memo[position] = Chances(
            sum((1 - reply.win for reply in replies), Fraction()) / max(1, len(replies)),
            sum((1 + reply.length for reply in replies), Fraction()) / max(1, len(replies)),
            frozenset(1 + length for reply in replies for length in reply.lengths) or frozenset([0]),
        )
    return memo[position]


def interpreted() -> ModuleType:
    """The kernel's source as plain Python, as if Cython had never been there."""
    path = Path(playout_kernel.__file__).with_name("playout_kernel.py")
    name = "gridlock.engine.kernels.playout_kernel_interpreted"
    loader = SourceFileLoader(name, str(path))
    spec = importlib.util.spec_from_loader(name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "cython", None)
        loader.exec_module(module)
    return module


def playouts_for(rules: Variant, module: Any = playout_kernel) -> Any:
    """Random games of a variant."""
    grid = rules.grid
    return module.Playouts(CODES[rules.book.name], grid.rows, grid.cols, grid.adjacency == "king")


def state(position: Position) -> tuple[int, int, int, int]:
    """A position as the kernel takes it."""
    heads = (-1 if head is None else head for head in (position.my_head, position.their_head))
    return (position.mine, position.theirs, *heads)


def within_five_sigma(wins: int, games: int, chance: Fraction) -> bool:
    """Whether a number of wins is no surprise."""
    return abs(wins - games * chance) <= 5 * sqrt(games * chance * (1 - chance))


@pytest.mark.parametrize("adjacency", ["king", "orthogonal"])
@pytest.mark.parametrize("game", RULE_BOOKS)
def test_wins_and_lengths_are_as_likely_as_they_should_be(game: str, adjacency: str) -> None:
    for board in ("1x2", "2x2", "1x6", "2x3", "3x2"):
        rules = variant(game, board, adjacency)
        playouts = playouts_for(rules)
        memo: dict[Position, Chances] = {}
        start = rules.start()
        for position in (start, *map(start.after, rules.legal_cells(start))):
            truth = chances(rules, position, memo)
            wins, steps = playouts.run(*state(position), GAMES, 7)
            assert within_five_sigma(wins, GAMES, truth.win), (rules, position)
            spread = max(truth.lengths) - min(truth.lengths)
            assert abs(steps / GAMES - truth.length) <= 5 * (spread / 2) / sqrt(GAMES), (rules, position)
            for cell, won in playouts.move_wins(*state(position), GAMES, 8):
                assert within_five_sigma(won, GAMES, 1 - chances(rules, position.after(cell), memo).win)


@pytest.mark.parametrize("game", RULE_BOOKS)
def test_one_game_at_a_time_ends_as_games_can_end(game: str) -> None:
    rules = variant(game, "2x3")
    lengths = chances(rules, rules.start(), {}).lengths
    seen = set()
    for seed in range(2000):
        wins, steps = playouts_for(rules).run(*state(rules.start()), 1, seed)
        assert wins == steps % 2
        seen.add(steps)
    assert seen == lengths


@pytest.mark.parametrize("game", RULE_BOOKS)
@pytest.mark.parametrize("board", ["5x5", "7x8", "9x14"])
def test_large_boards_as_a_plain_random_game_has_it(game: str, board: str) -> None:
    rules = variant(game, board)
    rng = random.Random(3)
    lengths = []
    for _ in range(300):
        position, moves = rules.start(), 0
        while choices := rules.legal_cells(position):
            position, moves = position.after(rng.choice(choices)), moves + 1
        lengths.append(moves)
    wins, steps = playouts_for(rules).run(*state(rules.start()), GAMES, 4)
    error = stdev(lengths) * sqrt(1 / 300 + 1 / GAMES)
    assert abs(steps / GAMES - fmean(lengths)) <= 5 * error
    odd = sum(length % 2 for length in lengths)
    assert abs(wins / GAMES - odd / 300) <= 5 * sqrt(0.25 / 300 + 0.25 / GAMES)


@pytest.mark.parametrize("game", RULE_BOOKS)
def test_plain_python_plays_the_same_games(game: str) -> None:
    plain = interpreted()
    assert not plain.cython.compiled
    for board in ("3x4", "10x12"):
        rules = variant(game, board)
        first, second = playouts_for(rules), playouts_for(rules, plain)
        start = state(rules.start())
        for seed in (0, 1, 2**64 - 1, 2**70 + 5):
            assert first.run(*start, 20, seed) == second.run(*start, 20, seed)
        assert first.move_wins(*start, 3, 11) == second.move_wins(*start, 3, 11)


def test_the_seed_decides() -> None:
    rules = variant("showdown")
    playouts = playouts_for(rules)
    first = playouts.run(*state(rules.start()), 500, 1)
    assert first == playouts.run(*state(rules.start()), 500, 1)
    assert first != playouts.run(*state(rules.start()), 500, 2)


def test_every_cell_is_as_likely_as_any_other() -> None:
    rules = variant("keepaway", "1x3")  # the middle ends the game at once, either end allows one move more
    games = 12 * GAMES
    wins, steps = playouts_for(rules).run(*state(rules.start()), games, 5)
    assert within_five_sigma(wins, games, Fraction(1, 3))
    assert steps == wins + 2 * (games - wins)


def test_larger_boards_are_refused() -> None:
    with pytest.raises(ValueError, match="128"):
        playout_kernel.Playouts(playout_kernel.SCATTER, 12, 11, True)
