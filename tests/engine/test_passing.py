"""Tests of the passing rule: a player who has no legal move never gets one again.

Games that break the passing rule are rejected, and games that obey it are solved.
"""

from dataclasses import replace

import pytest
from bench import reference
from truth import ADJACENCIES, analysed, reachable, some, variants, without_kernels

from gridlock.core.errors import BadGame
from gridlock.core.game import SWAP, Game
from gridlock.core.rules import RULE_BOOKS, variant
from gridlock.core.shape import Follow, Shape
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Method, Verdict
from gridlock.engine.review import review
from gridlock.engine.solve import Solver
from hermit import HERMIT
from nameless import PASSING

AWAY = Shape(follows=Follow.AWAY)
LAWLESS = replace(HERMIT, name="lawless", shape=None, legal=AWAY.legal, causes=AWAY.causes, passes=True)
OWN = RULE_BOOKS["scatter"].shape
LAWFUL = replace(RULE_BOOKS["scatter"], name="lawful", shape=None, legal=OWN.legal, causes=OWN.causes)


def refused(ask):
    """Check that a question fails with a one-sentence error message that names the game, and return the message."""
    with pytest.raises(BadGame) as error:
        ask()
    words = str(error.value)
    assert words.startswith("lawless ")
    assert words.endswith(".")
    assert words.count(".") == 1
    return words


def test_the_reference_refuses_a_game_that_breaks_it():
    played = variant(LAWLESS, "3x3", "king")
    assert "breaks the passing rule" in refused(lambda: reference.solve(played, played.start()))
    assert "breaks the passing rule" in refused(lambda: reference.results(played, played.start()))


def test_the_engine_refuses_it_whatever_it_is_asked():
    played = variant(LAWLESS, "3x3", "king")
    start, stuck = played.start(), played.start().after(4)
    assert played.must_pass(stuck)
    for position in (start, stuck):
        for ask in (
            lambda engine, position: engine.verdict(position, Clock()),
            lambda engine, position: engine.weigh(position, Clock()),
            lambda engine, position: engine.search.verdict(position, Clock()),
        ):
            assert "the solver requires that a player who has had to pass can never move again" in refused(
                lambda ask=ask, position=position: ask(Engine(played, 1 << 20), position)
            )
    refused(lambda: Engine(played, 1 << 20).prove(stuck, Clock()))
    for method in ("auto", "search"):
        refused(lambda method=method: Solver(played, method).solve())
        refused(lambda method=method: Solver(played, method).solve(openings=True))
    game = Game(played)
    game.push(4)
    assert game.passing
    refused(lambda: list(review(Engine(played, 1 << 20), game, 60.0)))


def test_a_look_at_the_law_that_was_broken_off_proves_nothing():
    """Even if the first search is interrupted early, the next search finds that the game breaks the passing rule."""
    played = variant(LAWLESS, "3x3", "king")
    stuck = played.start().after(4)
    for budget in range(3):
        search, asked = Engine(played, 1 << 20).search, iter(range(budget))
        assert search.verdict(stuck, lambda _nodes, asked=asked: next(asked, None) is None) is Verdict.UNKNOWN
        refused(lambda search=search: search.verdict(stuck, Clock()))


@pytest.mark.parametrize("adjacency", ADJACENCIES)
def test_a_game_of_functions_that_obeys_it_is_searched_correctly(adjacency):
    for played in variants(LAWFUL, adjacency, 1, 8):
        memo, engine = reachable(played), Engine(played, 1 << 20)
        for position in some(memo, 120):
            analysis = analysed(engine, position)
            truth = reference.results(played, position, memo)
            assert analysis.winning == [cell for cell, result in truth.items() if result.win]
            assert analysis.method in (Method.SEARCH, Method.RULES)
            assert analysis.distance is None or not analysis.values


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("name", PASSING)
def test_passes_change_nothing_about_who_wins(name, adjacency):
    """A player who has to pass always loses, so a position has the same value with passes as without them."""
    for played in variants(PASSING[name], adjacency, 7, 8):
        other = replace(played, book=replace(played.book, passes=False))
        memo = reachable(other)
        for position in some(memo, 80):
            assert reference.solve(played, position) == memo[position[:4]]
            assert without_kernels(Engine(played, 1 << 20)).verdict(position, Clock()) is (
                Verdict.WIN if memo[position[:4]].win else Verdict.LOSS
            )


def test_a_player_stuck_after_the_first_move_may_still_swap():
    """A stuck player who may still swap does not pass, because a pass happens only when there is no other option."""
    played = variant(PASSING["anywhere-closes_other-passes"], "3x3", "king")
    game = Game(played, swap=True)
    game.push(4)
    assert (game.turn, game.legal, game.can_swap, game.passing, game.outcome) == (2, 0, True, False, None)
    analysis = without_kernels(Engine(played, 1 << 20)).analyse(game, Clock())
    assert (analysis.verdict, analysis.swap, analysis.values) == (Verdict.WIN, Verdict.WIN, ())
    game.push(SWAP)
    assert (game.turn, game.passing, game.legal) == (2, True, played.grid.cells & ~(1 << 4))
    game.push(0)
    assert [(event.player, event.side, event.cell, event.swap) for event in game.history()] == [
        (1, 1, 4, False),
        (2, 2, None, True),
        (1, 2, None, False),
        (2, 1, 0, False),
        (1, 2, None, False),
    ]
    plain = Game(played)
    plain.push(4)
    assert (plain.turn, plain.passing) == (1, True)
