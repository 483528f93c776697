"""Tests of region puzzles: two methods confirm all answers, errors are explained, and seeds reproduce puzzles."""

from itertools import pairwise
from random import Random

import pytest
from bench import reference
from bench.traps import WANTED, difficulties
from test_region_words import slow_value

from gridlock.core.errors import BadGame
from gridlock.core.game import Game
from gridlock.core.grid import cells_of
from gridlock.core.rules import RULE_BOOKS, rule_book, variant
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine
from gridlock.engine.regions import Regions, open_cells, regions
from gridlock.play.exercises import winning_cells
from gridlock.play.heat import can_be_hot
from gridlock.play.puzzle_making import DIGITS, HOT_LEVELS, TRAPS, attempt, plan_for, stored_trap
from gridlock.play.puzzle_sources import Series
from gridlock.play.puzzles import Kind, NoPuzzle, Puzzle, Solving
from gridlock.play.region_puzzles import (
    give_up,
    hottest_region,
    hottest_score,
    judge,
    open_puzzle,
    reason_for,
    report_on,
)

HOT = next(book for book in RULE_BOOKS.values() if can_be_hot(variant(book.name)))
FEW = 7  # open cells of a region that is valued by the rules alone


def made(kind: Kind, seed: int, difficulty: int = 2) -> Puzzle:
    puzzle = plan_for(HOT, difficulty, kind=kind).make(seed, 60.0)
    assert puzzle
    return puzzle


def valued(puzzle: Puzzle) -> Regions:
    return regions(puzzle.game.variant, puzzle.game.position, Clock())


# -- the hottest region -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("difficulty", [1, 2, 3, 4, 5])
def test_the_hottest_region_is_hottest_by_values_and_by_the_rules(difficulty: int, rng: Random) -> None:
    puzzle = made(Kind.HOTTEST, rng.randrange(10**6), difficulty)
    game = puzzle.game
    sides = open_cells(game.variant, game.position)
    found = valued(puzzle)
    heats = {}
    for region in found.regions:
        assert region.temperature is not None
        here = sides[0] & region.cells, sides[1] & region.cells
        slow = slow_value(game.variant, here).temperature if region.cells.bit_count() <= FEW else region.temperature
        assert slow == region.temperature
        heats[region.cells] = slow
    top = max(heats, key=lambda cells: heats[cells])
    assert [heat for heat in heats.values() if heat >= heats[top]] == [heats[top]]
    assert heats[top] > 0
    assert set(puzzle.winning) == set(cells_of(top & game.legal))
    assert puzzle.winning
    assert puzzle.difficulty == difficulty
    for cell in cells_of(game.legal):
        judged = judge(game, cell, Kind.HOTTEST)
        assert judged.right == judged.done == (cell in puzzle.winning)
        assert judged.moves(cell) == []
    assert open_puzzle(game, Kind.HOTTEST) == puzzle
    assert give_up(game, Kind.HOTTEST).winning == puzzle.winning


def test_harder_questions_score_more() -> None:
    scores = []
    for difficulty in (1, 3, 5):
        found = valued(made(Kind.HOTTEST, 1, difficulty))
        top = hottest_region(found)
        assert top
        scores.append(hottest_score(found, top))
    assert all(one < other for one, other in pairwise(scores))


def test_answers_about_regions_have_reasons() -> None:
    game = Game(variant(HOT.name, "5x5"))
    for move in ("3,3", "1,1", "5,3", "1,3"):
        game.push(move)
    puzzle = open_puzzle(game, Kind.HOTTEST)
    assert puzzle.question.endswith("Where does moving first gain the most? Choose a move in the hottest region.")
    words = "A, 7 cells: hot, 3¼. First there, X comes out 3 ahead; second, 3 behind. Best cell 4,1."
    right, shown = judge(game, 15, Kind.HOTTEST), give_up(game, Kind.HOTTEST)
    assert report_on(game).regions[0].words == right.words.removeprefix("Right: ") == words
    assert shown.words == f"The hottest region is {words}"
    wrong = judge(game, 18, Kind.HOTTEST)
    assert wrong.words.startswith("4,4 isn't in the hottest region, but in a region of ")
    assert judge(game, 17, Kind.HOTTEST).words == "4,3 is a free move: only you can play there, so there is no hurry."


def test_an_answer_is_no_move() -> None:
    puzzle = made(Kind.HOTTEST, 3)
    solving = Solving(puzzle)
    wrong = next(cell for cell in cells_of(puzzle.game.legal) if cell not in puzzle.winning)
    for cell in (wrong, puzzle.winning[0]):
        solving.note(cell, judge(solving.game, cell, puzzle.kind))
    assert (solving.marks, solving.solved, solving.game.moves) == ("2", True, puzzle.game.moves)


# -- traps ------------------------------------------------------------------------------------------------------------


def check_trap(puzzle: Puzzle) -> None:
    """Check a trap puzzle with exact values, with a search and, if the puzzle is small, with the reference solver."""
    game = puzzle.game
    assert puzzle.winning == tuple(winning_cells(game.variant, game.position))
    top = hottest_region(valued(puzzle))
    assert top
    assert top.cells & game.legal
    assert not any(top.cells >> cell & 1 for cell in puzzle.winning)
    ones, twos = open_cells(game.variant, game.position)
    if (ones | twos).bit_count() <= 10:
        found = reference.results(game.variant, game.position)
        assert puzzle.winning == tuple(cell for cell in found if found[cell].win)


def test_every_stored_trap_is_one_by_values_and_by_search() -> None:
    lines = TRAPS.read_text(encoding="ascii").splitlines()
    assert len(set(lines)) == len(lines) == 5 * WANTED
    for line in lines:
        difficulty, board, winning, moves = line.split()
        game = Game(variant(HOT.name, board, HOT_LEVELS[0].adjacency))
        for move in moves:
            game.push(DIGITS.index(move))
        trap = Puzzle(game, (DIGITS.index(winning),), int(difficulty), Kind.TRAP)
        check_trap(trap)
        assert difficulties(trap) == {int(difficulty)}


@pytest.mark.parametrize("difficulty", [1, 5])
def test_a_seed_picks_a_trap_and_turns_it(difficulty: int, rng: Random) -> None:
    seed = rng.randrange(10**6)
    puzzle = made(Kind.TRAP, seed, difficulty)
    check_trap(puzzle)
    assert puzzle.difficulty == difficulty
    assert made(Kind.TRAP, seed, difficulty) == puzzle
    assert open_puzzle(puzzle.game, Kind.TRAP) == puzzle
    assert puzzle.question.endswith("Careful: the hottest region is a trap.")
    assert len({stored_trap(HOT, difficulty, Random(number)).game.moves[0] for number in range(20)}) > 3


def test_a_wrong_move_into_the_trap_is_explained() -> None:
    puzzle = made(Kind.TRAP, 1)
    top = hottest_region(valued(puzzle))
    assert top
    inside = [cell for cell in cells_of(puzzle.game.legal) if top.cells >> cell & 1]
    told = judge(puzzle.game, inside[0], Kind.TRAP)
    assert not told.right
    assert " loses to " in told.words
    assert "That move was in the hottest region (temperature " in told.words
    assert judge(puzzle.game, puzzle.winning[0], Kind.TRAP).right
    name = puzzle.game.variant.name(puzzle.winning[0])
    assert f"But every move in A loses, while {name}" in reason_for(puzzle.game, Kind.TRAP, 5.0)
    assert not give_up(puzzle.game, Kind.TRAP).right


def test_traps_are_looked_for_on_other_boards() -> None:
    plan = plan_for(HOT, 2, "4x5", "orthogonal", Kind.TRAP)
    assert not plan.stored
    engine, rng = Engine(plan.variant, 1 << 24), Random(2)
    found = (attempt(engine, rng, plan.level, 3, Clock(), Kind.TRAP) for _ in range(20_000))
    check_trap(next(puzzle for puzzle in found if puzzle))


# -- what is no puzzle ------------------------------------------------------------------------------------------------


def test_positions_that_are_no_puzzle_about_regions() -> None:
    def reason(name: str, board: str, kind: Kind, *moves: str) -> str:
        game = Game(variant(name, board))
        for move in moves:
            game.push(move)
        with pytest.raises(NoPuzzle) as refused:
            open_puzzle(game, kind)
        return str(refused.value)

    other = next(book.name for book in RULE_BOOKS.values() if book.shape and book.shape.placing and book is not HOT)
    for kind in (Kind.HOTTEST, Kind.TRAP):
        assert reason(other, "3x3", kind) == "No region is ever hot in this game, so this position is not a puzzle."
        assert reason(HOT.name, "1x1", kind, "1,1") == "This game is over, so it is not a puzzle."
    one = "No region here is hotter than all the others, so this position is not a puzzle."
    assert reason(HOT.name, "3x3", Kind.HOTTEST) == one
    cool = "A trap puzzle needs a hottest region in which every move loses, but this position has no such region."
    assert reason(HOT.name, "3x4", Kind.TRAP) == cool


def test_only_games_that_can_be_hot_have_such_puzzles() -> None:
    with pytest.raises(BadGame, match=f"no puzzles of the kind trap for chain, only for {HOT.name}"):
        plan_for(rule_book("chain"), 2, kind=Kind.TRAP)
    series = Series(seed=1, kind=Kind.HOTTEST)
    assert {series.next()[0].variant.book for _ in range(3)} == {HOT}
    assert series.title == "Find the hottest region, difficulty 2 of 5"
    series.choose(Kind.WIN)
    assert len({series.next()[0].variant.book for _ in range(9)}) == len(RULE_BOOKS)
