"""Tests of the levels below `perfect`: each beats the next weaker level, and none misses a win that it should see."""

from itertools import pairwise
from random import Random

import pytest
from bench import reference

from gridlock.core.game import SWAP, Game
from gridlock.core.rules import RULE_BOOKS, variant
from gridlock.players import Agent, agents
from gridlock.players.levels import PAIRING, USUAL, WALKING, Level
from gridlock.players.registry import AGENTS

LADDER = ["random", "easy", "medium", "hard", "perfect"]
PLENTY = 60.0  # seconds; on small boards a search finishes long before this limit


def play_out(board: tuple[str, str], opening: int, players: tuple[Agent, Agent]) -> int:
    """Play a game from a random opening and return the winner."""
    played, rng = Game(variant(*board)), Random(f"{board}/{opening}")
    for _ in range(2):
        played.push(rng.choice(played.variant.legal_cells(played.position)))
    while not (outcome := played.outcome):
        played.push(players[played.turn - 1](played, Random(f"{opening}/{len(played.moves)}"), PLENTY))
    return outcome.winner


def score(board: tuple[str, str], upper: Agent, lower: Agent, pairs: int) -> float:
    points = 0
    for opening in range(pairs):
        points += play_out(board, opening, (upper, lower)) == 1
        points += play_out(board, opening, (lower, upper)) == 2
    return points / (2 * pairs)


@pytest.mark.parametrize("board", [("showdown", "5x5"), ("trails", "5x5")])
def test_each_level_beats_the_one_below(board: tuple[str, str]) -> None:
    """In games with fixed seeds, each level beats the one below; bench/levels.py shows a wider gap on larger boards."""
    scores = [score(board, agents[upper], agents[lower], 30) for lower, upper in pairwise(LADDER)]
    assert min(scores) >= 0.55
    assert sum(scores) / len(scores) >= 0.65
    assert score(board, agents["perfect"], agents["easy"], 15) >= 0.8


@pytest.mark.slow
@pytest.mark.parametrize("game", ["keepaway", "chain"])
def test_in_the_pairing_games_a_level_finds_the_winning_move_more_often(game: str) -> None:
    """In these positions, at most half of the moves win, and stronger levels find a winning move more often."""
    chosen, rng, memo = variant(game, "3x4"), Random(game), reference.Memo()
    tests, found = 0, dict.fromkeys(LADDER, 0)
    while tests < 200:
        played = Game(chosen)
        for _ in range(rng.randint(1, 9)):
            if played.legal:
                played.push(rng.choice(chosen.legal_cells(played.position)))
        results = reference.results(chosen, played.position, memo)
        winning = {cell for cell, result in results.items() if result.win}
        if not 1 <= len(winning) <= len(results) / 2 or len(results) < 2:
            continue
        tests += 1
        for level in LADDER:
            found[level] += agents[level](played, Random(f"{level}/{tests}"), PLENTY) in winning
    scores = list(found.values())
    assert scores[-1] == tests
    assert all(upper - lower >= tests / 20 for lower, upper in pairwise(scores))


def thoughtful(game: Game, rng: Random, _think: float) -> int:
    """Play like a thoughtful beginner: choose the move that gives the largest lead in legal moves."""

    def lead(cell: int) -> tuple[int, float]:
        after = game.position.after(cell)
        legal = game.variant.legal
        return legal(after.passed()).bit_count() - legal(after).bit_count(), rng.random()

    return max(game.variant.legal_cells(game.position), key=lead)


@pytest.mark.parametrize("board", [("showdown", "5x5"), ("scatter", "5x5")])
def test_easy_loses_to_a_thoughtful_beginner(board: tuple[str, str]) -> None:
    assert score(board, thoughtful, agents["easy"], 30) >= 0.6


@pytest.mark.parametrize("game", ["scatter", "trails", "showdown"])
@pytest.mark.parametrize(("level", "sight"), [("medium", 1), ("hard", 3)])
def test_what_a_level_does_not_overlook(game: str, level: str, sight: int) -> None:
    """The computer finds any win within its search depth; if there is none, it avoids losses within that depth."""
    chosen, rng, memo = variant(game, "3x4"), Random(game), reference.Memo()
    decided = 0
    while decided < 60:
        played = Game(chosen)
        for _ in range(rng.randint(3, 8)):
            if played.legal:
                played.push(rng.choice(chosen.legal_cells(played.position)))
        if not played.legal:
            continue
        results = reference.results(chosen, played.position, memo)
        near = {cell for cell, result in results.items() if result.distance <= sight}
        wins = {cell for cell in near if results[cell].win}
        traps = {cell for cell in near if not results[cell].win}
        if not near or not any(result.win for result in results.values()):
            continue
        decided += 1
        for seed in range(6):
            move = agents[level](played, Random(seed), PLENTY)
            assert results[move].win if wins else move not in traps


def test_easy_overlooks_things() -> None:
    """The easy level does not always lock the opponent out at once, even when it can."""
    played = Game(variant("chain", "3x4"))
    for cell in (7, 6, 2):  # now the corner locks the opponent out, and the other move loses
        played.push(cell)
    assert played.variant.legal_cells(played.position) == [1, 3]
    assert {agents["easy"](played, Random(seed), PLENTY) for seed in range(60)} == {1, 3}


@pytest.mark.parametrize("level", LADDER)
@pytest.mark.parametrize("game", list(RULE_BOOKS))
def test_the_same_seed_gives_the_same_move(game: str, level: str) -> None:
    chosen = variant(game, "4x4")
    for swap in (False, True):
        moves = []
        for _ in range(2):
            played = Game(chosen, swap=swap)
            played.push(chosen.legal_cells(played.position)[1])
            moves.append(agents[level](played, Random(5), PLENTY))
        assert moves[0] == moves[1]
        assert played.legal >> moves[0] & 1 if moves[0] != SWAP else swap


@pytest.mark.parametrize("shapes", [PAIRING, WALKING, USUAL])
def test_the_summaries_say_how_often_a_level_works_its_move_out(shapes: dict[str, Level]) -> None:
    said = {
        "easy": ("Nearly every move is a guess", 0.1),
        "medium": ("Two in three moves are guesses", 1 / 3),
        "hard": ("One in three moves is a guess", 2 / 3),
    }
    for name, (words, share) in said.items():
        assert words in AGENTS[name].summary
        assert shapes[name].care == pytest.approx(share, abs=0.1)
