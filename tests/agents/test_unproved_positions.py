"""Tests of the choice of openings, and of hints and swaps that rely on tree search because nothing is proved."""

from random import Random

import pytest
from bench import levels

from gridlock.core.errors import GridLockError
from gridlock.core.game import Game
from gridlock.core.rules import variant
from gridlock.engine.choice import best_try, first_of_a_swap, grow, should_swap
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Verdict


class Unsure(Engine):
    """An engine that never solves anything."""

    def verdict(self, *_asked: object) -> Verdict:
        """Report the winner as unknown, as if time had run out."""
        return Verdict.UNKNOWN


@pytest.mark.parametrize("game", ["scatter", "showdown"])
def test_a_hint_is_the_move_the_tree_likes_best(game: str) -> None:
    rules = variant(game, "11x11", "king")
    position, rng = rules.start(), Random(2)
    for _ in range(3):
        position = position.after(rng.choice(rules.legal_cells(position)))
    engine = Engine(rules)
    analysis = engine.weigh(position, Clock(0.05))
    assert analysis.verdict is Verdict.UNKNOWN
    grown = grow(rules, position, Clock())
    assert grown is not None
    assert best_try(engine, analysis, Clock(), rng) == (grown.order[0], False)


def test_a_first_move_that_wins_is_taken_over_without_a_proof() -> None:
    """Each of these ten first moves wins, although random games suggest that most of them lose."""
    rules = variant("showdown", "5x6", "orthogonal")
    engine, swaps = Unsure(rules), 0
    for cell in range(0, 30, 3):
        game = Game(rules, swap=True)
        game.push(cell)
        swaps += should_swap(engine, game, Clock(), Random(1))
    assert swaps >= 9


@pytest.mark.parametrize("game", ["showdown", "scatter", "keepaway"])
def test_a_first_move_that_may_be_taken_over_is_hard_to_judge(game: str) -> None:
    rules = variant(game, "7x7", "king")
    cell = first_of_a_swap(Unsure(rules), rules.start(), Clock(), Random(1))
    grown = grow(rules, rules.start().after(cell), Clock())
    if game == "showdown":  # some moves win there, some lose; in the others there is no such choice, or no tree
        assert grown is not None
        assert 0.3 < grown.chance < 0.7
    assert cell in rules.legal_cells(rules.start())


def test_openings_that_test_a_player_are_found_where_they_come_late() -> None:
    """In keepaway on 5x5, openings that leave only a few winning moves are at least 16 moves long."""
    rules = variant("keepaway", "5x5")
    moves = levels.opening(rules, Random("keepaway/0"), True)
    assert len(moves) >= 25 * 2 // 3
    with pytest.raises(GridLockError, match="--untested"):
        levels.opening(variant("keepaway", "1x2"), Random(1), True)
