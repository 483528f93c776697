"""Tests that each level of the computer plays the same moves when a game is given another name."""

from dataclasses import replace
from random import Random

import pytest

from gridlock.core.game import Game
from gridlock.core.rules import BUILT_IN, RULE_BOOKS, variant
from gridlock.players import agents

PLENTY = 60.0  # seconds; on small boards a search finishes long before this limit


@pytest.mark.slow
@pytest.mark.parametrize("level", agents.online())
@pytest.mark.parametrize("game", sorted(BUILT_IN))
def test_the_same_seed_gives_the_same_moves_by_another_name(game: str, level: str) -> None:
    book = RULE_BOOKS[game]
    for seed, swap in ((1, False), (2, True), (3, False)):
        games = []
        for one in (book, replace(book, name="other")):
            played, rng = Game(variant(one, "4x4"), swap=swap), Random(seed)
            while not played.outcome:
                played.push(agents[level](played, rng, PLENTY))
            games.append(played.moves)
        assert games[0] == games[1]
        assert games[0]
