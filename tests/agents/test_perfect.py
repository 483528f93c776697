"""Tests that the perfect level never gives up a win, and that it makes winning as hard as possible for an opponent."""

from random import Random

import pytest
from bench import reference

from gridlock.core.game import SWAP, Game
from gridlock.core.grid import Adjacency, Cell, Grid
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.core.rules import RULE_BOOKS, variant
from gridlock.engine.choice import choose
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine
from gridlock.players import agents
from hermit import HERMIT

GAMES = list(RULE_BOOKS)
ADJACENCIES = ["king", "orthogonal"]
PLENTY = 60.0  # seconds; on small boards a search finishes long before this limit


def ease(chosen: Variant, position: Position, memo: reference.Memo) -> float:
    """Return the number of winning moves, or infinity if every move wins, since no mistake is then possible."""
    wins = [result.win for result in reference.results(chosen, position, memo).values()]
    return float("inf") if all(wins) else sum(wins)


def random_position(chosen: Variant, rng: Random) -> Position:
    """Return a position late enough in a random game for the reference solver to handle."""
    while True:
        position = chosen.start()
        left = rng.randint(3, 8 if chosen.book.name == "keepaway" else 10)
        while chosen.legal(position):
            free = chosen.grid.cells & ~position.taken
            if chosen.book.name in ("scatter", "showdown"):
                free = chosen.legal(position) | chosen.legal(position.passed())
            if free.bit_count() <= left:
                return position
            position = position.after(rng.choice(chosen.legal_cells(position)))


def assert_well_chosen(chosen: Variant, position: Position, cell: Cell, memo: reference.Memo) -> None:
    """Check that a move wins or, if no move wins, makes winning as hard as possible for the opponent."""
    results = reference.results(chosen, position, memo)
    if any(result.win for result in results.values()):
        assert results[cell].win
        return
    ranks = {one: (ease(chosen, position.after(one), memo), -result.distance) for one, result in results.items()}
    assert ranks[cell] == min(ranks.values())


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("game", GAMES)
def test_small_boards(game: str, adjacency: str) -> None:
    rng = Random(f"{game}/{adjacency}")
    for board in ("2x2", "1x7", "3x3", "2x5", "3x4"):
        chosen = variant(game, board, adjacency)
        engine, memo = Engine(chosen), reference.Memo()
        for _ in range(12):
            position = random_position(chosen, rng)
            cell = choose(engine, position, Clock(PLENTY), rng)
            assert_well_chosen(chosen, position, cell, memo)


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("board", ["4x4", "5x5"])
def test_won_games_are_won(game: str, adjacency: str, board: str) -> None:
    """Play against a random opponent, and against a reference solver that delays losing for as long as possible."""
    chosen = variant(game, board, adjacency)
    engine, rng, memo = Engine(chosen), Random(f"{game}/{adjacency}/{board}"), reference.Memo()
    played = 0
    while played < 6:
        position = random_position(chosen, rng)
        if not reference.solve(chosen, position, memo).win:
            continue
        played += 1
        for clever in (False, True):
            now = position
            while True:
                now = now.after(choose(engine, now, Clock(PLENTY), rng))
                replies = reference.results(chosen, now, memo)
                if not replies:
                    break
                reply = max(replies, key=lambda one: replies[one].distance) if clever else rng.choice(list(replies))
                now = now.after(reply)
                assert chosen.legal(now), "it got stuck in a game that was won"


@pytest.mark.parametrize("game", GAMES)
def test_swap_is_taken_exactly_if_the_first_move_wins(game: str) -> None:
    for board in ("3x3", "2x4", "2x3"):
        chosen = variant(game, board)
        memo = reference.Memo()
        for first in chosen.legal_cells(chosen.start()):
            played = Game(chosen, swap=True)
            played.push(first)
            move = agents["perfect"](played, Random(1), PLENTY)
            won = not reference.solve(chosen, played.position, memo).win
            assert (move == SWAP) == won, chosen.name(first)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_first_move_that_may_be_taken_over_is_hard_to_answer(game: str) -> None:
    """If the opponent may swap, the agent chooses the losing first move that leaves the fewest winning replies.

    Swapping is a mistake after a losing first move.
    """
    for board in ("3x3", "2x4", "3x4"):
        chosen = variant(game, board)
        memo, start = reference.Memo(), chosen.start()
        replies = {
            cell: ease(chosen, start.after(cell), memo)
            for cell, result in reference.results(chosen, start, memo).items()
            if not result.win
        }
        move = agents["perfect"](Game(chosen, swap=True), Random(1), PLENTY)
        if replies:
            assert replies.get(move) == min(replies.values())
        else:
            assert move in chosen.legal_cells(start)


def test_a_game_the_engine_does_not_know() -> None:
    rng = Random(6)
    for size in ((3, 3), (4, 4), (3, 5)):
        chosen = Variant(HERMIT, Grid(*size, Adjacency.ORTHOGONAL))
        engine, memo = Engine(chosen), reference.Memo()
        for _ in range(10):
            position = chosen.start()
            for _ in range(rng.randint(0, 3)):
                if chosen.legal(position):
                    position = position.after(rng.choice(chosen.legal_cells(position)))
            if chosen.legal(position):
                cell = choose(engine, position, Clock(PLENTY), rng)
                results = reference.results(chosen, position, memo)
                assert results[cell].win == any(result.win for result in results.values())


@pytest.mark.slow
@pytest.mark.parametrize("level", ["easy", "medium", "hard", "perfect"])
@pytest.mark.parametrize("game", GAMES)
def test_the_largest_board(game: str, level: str) -> None:
    """The perfect level finds a legal move even with very little time, whether or not the board is empty."""
    chosen = variant(game, "100x100")
    played, rng = Game(chosen), Random(1)
    for _ in range(3):
        move = agents[level](played, rng, 0.05)
        assert played.legal >> move & 1
        played.push(move)
