"""Tests that a limited search finds every win within its depth, respects its position limit, and is deterministic."""

import random

import pytest

from gridlock import RULE_BOOKS, Game
from gridlock.engine.clock import Clock, cancellation
from gridlock.engine.deepening import deepen
from gridlock.engine.engine import Engine, engine_for
from gridlock.engine.evidence import Verdict
from gridlock.players.levels import look_ahead


def positions(name: str, board: str, rng: random.Random, count: int) -> list[Game]:
    """Return unfinished games, each after a random number of random moves."""
    found: list[Game] = []
    while len(found) < count:
        game = Game(name, board)
        for _ in range(rng.randrange(game.variant.grid.size)):
            if game.legal:
                game.push(rng.choice(list(game.legal_moves)))
        if game.legal:
            found.append(game)
    return found


@pytest.mark.parametrize("name", RULE_BOOKS)
def test_without_a_limit_it_solves_small_boards(name: str, rng: random.Random) -> None:
    for game in positions(name, rng.choice(["2x3", "3x3", "1x6"]), rng, 10):
        engine, position = engine_for(game.variant), game.position
        *_, found = deepen(engine, position, Clock())
        assert game.legal >> found.cell & 1
        assert found.verdict is engine.verdict(position, Clock())
        assert engine.verdict(position.after(found.cell), Clock()).opposite is found.verdict


@pytest.mark.parametrize("name", RULE_BOOKS)
def test_it_sees_every_win_within_its_depth(name: str, rng: random.Random) -> None:
    for game in positions(name, "4x4", rng, 5):
        engine, position = Engine(game.variant, mirrors=False), game.position
        *_, found = deepen(engine, position, Clock(), depth=3)
        seen = look_ahead(game.variant, position, 3)
        if seen is not Verdict.UNKNOWN:
            assert found.verdict is seen
        if seen is Verdict.WIN:
            assert look_ahead(game.variant, position.after(found.cell), 2) in (Verdict.LOSS, Verdict.UNKNOWN)


def test_it_searches_no_more_positions_than_it_may_and_always_the_same() -> None:
    game = Game("trails", "7x7")
    for limit in (1, 2, 10, 1000):
        runs = [list(deepen(engine_for(game.variant), game.position, Clock(), positions=limit)) for _ in range(2)]
        assert runs[0] == runs[1]
        assert runs[0][-1].positions <= limit
    assert [found.depth for found in runs[0]] == list(range(len(runs[0])))


def test_a_cancelled_search_still_has_a_move() -> None:
    game = Game("trails", "9x9")
    cancellation.begin()
    clock = Clock()
    search = deepen(engine_for(game.variant), game.position, clock)
    found = next(search)
    cancellation.cancel()
    assert list(search) == []
    assert game.legal >> found.cell & 1
    cancellation.begin()
