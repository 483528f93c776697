"""Puzzles: exactly one move wins by the reference solver; the replies to answers, and how answers count."""

import asyncio
from dataclasses import replace
from datetime import date, timedelta
from math import prod
from pathlib import Path
from random import Random

import pytest
from bench import reference

from gridlock.core.errors import BadBoard, BadGame
from gridlock.core.game import SWAP, Game
from gridlock.core.grid import board_size
from gridlock.core.rules import BUILT_IN, RULE_BOOKS, variant
from gridlock.engine.analysis import reason
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine
from gridlock.play.puzzle_sources import Daily, FromGame, Series, puzzle_of
from gridlock.play.puzzles import make_puzzle, plan_for, puzzles_from, refutation
from gridlock.userdata import diary
from hermit import HERMIT

GAMES = sorted(BUILT_IN)
DAYS = Path(__file__).with_name("daily_puzzles.txt")  # for 60 days, as recorded by the program
KINDS = [(game, hard) for game in GAMES for hard in (False, True)]


def level_of(game, hard=False):
    return plan_for(RULE_BOOKS[game], hard).level


@pytest.mark.parametrize(("game", "hard"), KINDS)
def test_exactly_one_move_wins(game, hard):
    level = level_of(game, hard)
    engine = Engine(variant(game, level.board), 1 << 24)
    rng = Random(5)
    memo = {}
    for _ in range(4):
        made, analysis = make_puzzle(engine, rng, level, Clock())
        position = made.position
        assert len(analysis.winning) == 1
        assert len(analysis.values) >= level.moves
        assert level.distance[0] <= analysis.distance <= level.distance[1]
        if (engine.variant.grid.cells & ~position.taken).bit_count() <= 14:  # the reference is too slow for more
            truth = reference.results(engine.variant, position, memo)
            assert [cell for cell in truth if truth[cell].win] == analysis.winning
            assert truth[analysis.winning[0]].distance == analysis.distance


@pytest.mark.parametrize("game", GAMES)
def test_hard_puzzles_are_harder(game):
    usual, hard = level_of(game), level_of(game, hard=True)
    assert hard.distance[0] >= usual.distance[1]
    assert hard.moves >= usual.moves
    assert prod(board_size(hard.board)) > prod(board_size(usual.board))


def test_a_demand_that_cannot_be_met_is_dropped(monkeypatch):
    monkeypatch.setattr("gridlock.play.puzzles.PATIENCE", 20)
    level = level_of("chain")._replace(distance=(98, 99))
    _, analysis = make_puzzle(Engine(variant("chain", level.board), 1 << 22), Random(1), level, Clock())
    assert len(analysis.winning) == 1


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("board", ["3x4", "4x6"])
def test_other_boards(game, board):
    rows, cols = map(int, board.split("x"))
    level = level_of(game).on(rows, cols)
    made, analysis = make_puzzle(Engine(variant(game, board), 1 << 24), Random(1), level, Clock())
    assert str(made.variant.grid) == board
    assert len(analysis.winning) == 1
    assert len(analysis.values) > 1


def test_no_puzzle_where_there_is_none(monkeypatch):
    engine = Engine(variant("chain", "1x2"), 1 << 22)
    level = level_of("chain").on(1, 2)
    assert make_puzzle(engine, Random(1), level, Clock(0.0)) is None
    monkeypatch.setattr("gridlock.play.puzzles.TRIES", 50)
    assert make_puzzle(engine, Random(1), level, Clock()) is None


def test_a_position_that_takes_long_is_left(monkeypatch):
    """The limit is a number of positions rather than of seconds, so that a seed always makes the same puzzle."""
    engine = Engine(variant("keepaway", "5x7"), 1 << 22)
    level = level_of("keepaway")._replace(empty=(30, 30), distance=(1, 99))
    monkeypatch.setattr("gridlock.play.puzzles.WORK", 1)
    monkeypatch.setattr("gridlock.play.puzzles.TRIES", 2)
    assert make_puzzle(engine, Random(1), level, Clock()) is None


def test_games_without_puzzles_and_boards_too_large_for_them() -> None:
    plain = replace(HERMIT, shape=None, legal=HERMIT.shape.legal, causes=HERMIT.shape.causes)
    with pytest.raises(BadGame, match="there are no puzzles for hermit"):
        plan_for(plain, hard=False)
    with pytest.raises(BadBoard, match="a board of at most 128 cells"):
        plan_for(RULE_BOOKS["chain"], hard=False, board="12x12")


# -- answers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "hard"), KINDS)
def test_every_answer_gets_its_verdict(game, hard):
    puzzle = plan_for(RULE_BOOKS[game], hard).make(7, 60.0)
    position, name = puzzle.game.position, puzzle.game.variant.name
    mark, other = (puzzle.game.variant.book.marks[side - 1] for side in (position.turn, 3 - position.turn))
    assert puzzle.question == (
        f"{mark} is to move. {other}'s last move: {name(puzzle.game.moves[-1])}. "
        f"Only one of {len(puzzle.analysis.values)} moves wins. Which?"
    )
    assert puzzle.verdict(puzzle.answer) == f"Right! {reason(puzzle.analysis)}"
    assert puzzle.verdict(None) == f"The answer is {name(puzzle.answer)}. {reason(puzzle.analysis)}"
    replies = puzzle.replies()
    assert set(replies) == {None, *(move.cell for move in puzzle.analysis.values)}
    assert all(puzzle.verdict(cell).startswith(replies[cell]) for cell in (None, puzzle.answer))
    for move in puzzle.analysis.values:
        if move.cell == puzzle.answer:
            continue
        against = refutation(puzzle.game, move.cell)
        after = puzzle.game.copy()
        after.push(move.cell)
        found = Engine(after.variant, 1 << 24).weigh(after.positions[-1], Clock())
        assert against in found.winning or not found.winning, "it wins against the wrong move"
        assert puzzle.verdict(move.cell) == f"No: {name(move.cell)} loses. {reason(puzzle.analysis)}"
        if against is not None:
            said = f"No: {name(move.cell)} loses to {name(against)}. {reason(puzzle.analysis)}"
            assert puzzle.verdict(move.cell, against) == said
            assert replies[move.cell].startswith(f"No: {name(move.cell)} loses to ")


def random_game(name, rng):
    """Return a game played at random to its end, perhaps with a swap."""
    game = Game(variant(name, "4x4"), swap=rng.random() < 0.5)
    while not game.outcome:
        swap = game.can_swap and rng.random() < 0.5
        game.push(SWAP if swap else rng.choice(game.variant.legal_cells(game.position)))
    return game


@pytest.mark.parametrize("name", GAMES)
def test_puzzles_from_a_game_are_all_its_positions_with_a_choice_and_one_winning_move(name):
    for seed in range(6):
        print("seed", seed)
        game = random_game(name, Random(f"{name} {seed}"))
        memo, expected = {}, []
        for ply in range(len(game.moves)):
            then = game.at(ply)
            few = (then.variant.grid.cells & ~then.position.taken).bit_count() <= 12
            if not few or then.passing or then.can_swap or then.legal.bit_count() < 3:
                continue
            truth = reference.results(then.variant, then.position, memo)
            if sum(found.win for found in truth.values()) == 1:
                expected.append((ply, next(cell for cell in truth if truth[cell].win)))
        made = [(len(one.game.moves), one.answer) for one in puzzles_from(game, 60.0)]
        assert [one for one in made if one[0] >= 4] == [one for one in expected if one[0] >= 4]


# -- the daily puzzle ---------------------------------------------------------------------------------------------


def test_the_daily_puzzle_is_the_same_everywhere_and_forever():
    """It is the same as on the first machine that made it."""
    for line in DAYS.read_text().splitlines():
        day, game, board, *moves, distance = line.split()
        made, analysis = puzzle_of(date.fromisoformat(day))
        told = [*map(made.variant.name, made.moves), "|", *map(made.variant.name, analysis.winning)]
        assert (made.variant.book.name, str(made.variant.grid), told) == (game, board, moves), day
        assert analysis.distance == int(distance), day


def test_a_month_of_puzzles_has_one_answer_each():
    for number in range(31):
        made, analysis = puzzle_of(date(2027, 1, 1) + timedelta(number))
        assert len(analysis.winning) == 1
        assert not made.outcome


# -- where they come from, and how they count ---------------------------------------------------------------------


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path))


async def directly(question, *arguments):
    """Answer the question in this process."""
    return question(*arguments)


def made_by(source):
    return asyncio.run(source.make(directly))


def test_a_series_has_all_games_in_turn_and_follows_from_its_seed():
    one, two, other = Series(seed=3), Series(seed=3), Series(seed=4)
    plans = [one.next() for _ in range(7)]
    assert [plan.variant.book.name for plan, _ in plans] == [*RULE_BOOKS, *list(RULE_BOOKS)[:2]]
    assert plans == [two.next() for _ in range(7)]
    assert len({seed for _, seed in plans}) == 7
    assert not {seed for _, seed in plans} & {other.next()[1] for _ in range(7)}
    assert Series().next()[1] != Series().next()[1]


def test_a_series_of_hard_puzzles_on_a_chosen_board():
    series = Series(RULE_BOOKS["scatter"], board="4x6", adjacency="orthogonal", seed=1)
    made = [made_by(series) for _ in range(2)]
    assert made[0].game.moves != made[1].game.moves
    assert {str(one.game.variant.grid) for one in made} == {"4x6"}
    series = Series(RULE_BOOKS["chain"], seed=1)
    usual = series.next()[0]
    series.harder = True
    assert (usual, series.next()[0]) == tuple(plan_for(RULE_BOOKS["chain"], hard) for hard in (False, True))


@pytest.mark.usefixtures("home")
def test_a_streak_lasts_until_a_wrong_answer():
    said = [Series().answered(right) for right in (True, True, False, True)]
    assert said == ["Streak: 1.", "Streak: 2.", "Streak: 0 (your best: 2).", "Streak: 1 (your best: 2)."]
    assert (diary.read().solved, diary.read().asked) == (3, 4)


@pytest.mark.usefixtures("home")
def test_only_the_first_answer_of_a_day_counts_and_only_on_that_day():
    day = date(2026, 11, 15)
    assert Daily(day - timedelta(1)).answered(True) == "Daily streak: 1."
    assert Daily(day).title == "Daily puzzle for 2026-11-15."
    assert Daily(day).answered(True) == "Daily streak: 2."
    assert Daily(day).title == "Daily puzzle for 2026-11-15. You have already solved it, so this is practice."
    assert Daily(day).answered(False) == "Daily streak: 2."
    after = day + timedelta(1)
    assert Daily(after, counts=False).answered(True) == ""
    assert Daily(after).answered(False) == "Daily streak: none yet. There is a new puzzle tomorrow."
    assert Daily(after).title == "Daily puzzle for 2026-11-16. You have already tried it, so this is practice."
    assert Daily(after, counts=False).title == "Daily puzzle for 2026-11-16."
    assert made_by(Daily(day)).answer == puzzle_of(day).answer


@pytest.mark.usefixtures("home")
def test_puzzles_from_a_game_come_one_after_another_and_count_for_nothing():
    game = next(one for seed in range(99) if len(puzzles_from(one := random_game("showdown", Random(seed)), 9.0)) > 1)
    source = FromGame(game, 9.0)
    count = len(puzzles_from(game, 9.0))
    for number in range(1, count + 1):
        assert made_by(source).game.moves == puzzles_from(game, 9.0)[number - 1].game.moves
        assert source.answered(True) == f"Puzzle {number} of {count} from this game."
        assert source.more == (number < count)
    assert made_by(source) is None
    assert diary.read() == diary.Diary()
