"""Tests of generated puzzles, including daily puzzles and puzzles based on the mistakes in a game."""

from dataclasses import replace
from datetime import date, timedelta
from random import Random

import pytest
from bench import reference
from bench.dailies import INITIALS, SCHEDULE, is_daily
from test_puzzles import GAMES, check_by_the_engine, check_to_the_end, level_of, random_game, room

from gridlock.core.errors import BadBoard, BadGame
from gridlock.core.rules import BUILT_IN, RULE_BOOKS, variant
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine, engine_for
from gridlock.play.puzzle_making import make_puzzle, plan_for
from gridlock.play.puzzle_sources import DAILIES, FIRST_MONDAY, WEEK, puzzle_of
from gridlock.play.puzzles import (
    Solution,
    Step,
    puzzles_from,
    solution,
)
from hermit import HERMIT

# -- difficulty ---------------------------------------------------------------------------------------------------


def test_difficulty_grows_with_decisions_choices_and_depth():
    def graded(*steps):
        return Solution((), tuple(Step(*step) for step in steps)).score

    usual = graded((8, 1, 7), (4, 2, 5), (3, 3, 3))
    assert usual == (1 + 3) + (1 + 1) + 7 / 4
    assert graded((8, 1, 7), (4, 2, 5), (3, 1, 3)) > usual
    assert graded((9, 1, 7), (4, 2, 5), (3, 3, 3)) > usual
    assert graded((8, 1, 9), (4, 2, 7), (3, 3, 5)) > usual
    assert graded((8, 1, 7), (4, 2, 5), (9, 9, 3)) == usual, "where every move wins, there is nothing to decide"
    assert [Solution((), (Step(choices, 1, 9),)).difficulty for choices in (2, 2**5, 2**6, 2**8, 2**10)] == [
        1,
        2,
        3,
        4,
        5,
    ]


@pytest.mark.parametrize("game", GAMES)
def test_a_series_has_the_difficulty_that_was_asked_for(game):
    reached = {plan_for(RULE_BOOKS[game], difficulty).make("x", 60.0).difficulty for difficulty in range(1, 6)}
    assert reached == ({1, 2} if game == "keepaway" else {1, 2, 3, 4, 5})


# -- making them --------------------------------------------------------------------------------------------------


def test_a_difficulty_that_is_not_found_is_dropped(monkeypatch):
    monkeypatch.setattr("gridlock.play.puzzle_making.PATIENCE", 2000)
    made = make_puzzle(Engine(variant("chain", "3x3"), 1 << 22), Random(1), level_of("chain").on(3, 3), 5, Clock())
    assert made.difficulty < 5
    assert len(made.winning) == 1


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("board", ["3x4", "4x6"])
def test_other_boards(game, board):
    made = plan_for(RULE_BOOKS[game], 2, board).make(1, 60.0)
    assert str(made.game.variant.grid) == board
    assert made.game.variant.grid.adjacency == RULE_BOOKS[game].adjacency
    assert 0 < len(made.winning) < made.choices


def test_no_puzzle_where_there_is_none(monkeypatch):
    engine = Engine(variant("chain", "1x2"), 1 << 22)
    level = level_of("chain").on(1, 2)
    assert make_puzzle(engine, Random(1), level, 1, Clock(0.0)) is None
    monkeypatch.setattr("gridlock.play.puzzle_making.TRIES", 50)
    assert make_puzzle(engine, Random(1), level, 1, Clock()) is None


def test_a_position_that_takes_long_is_left(monkeypatch):
    """The search has a position limit rather than a time limit, so that a seed always produces the same puzzle."""
    engine = Engine(variant("scatter", "5x7"), 1 << 22)
    monkeypatch.setattr("gridlock.play.puzzle_making.WORK", 1)
    monkeypatch.setattr("gridlock.play.puzzle_making.TRIES", 5)
    assert make_puzzle(engine, Random(1), level_of("scatter")._replace(empty=(30, 30)), 1, Clock()) is None


def test_games_without_puzzles_and_boards_too_large_for_them() -> None:
    plain = replace(HERMIT, shape=None, legal=HERMIT.shape.legal, causes=HERMIT.shape.causes)
    with pytest.raises(BadGame, match="there are no puzzles for hermit"):
        plan_for(plain, 1)
    with pytest.raises(BadBoard, match="a board of at most 128 cells"):
        plan_for(RULE_BOOKS["chain"], 1, board="12x12")


@pytest.mark.parametrize("name", GAMES)
def test_puzzles_from_a_game_are_its_mistakes_and_its_only_moves(name, rng):
    for _ in range(4):
        game = random_game(name, rng)
        memo, expected = {}, []
        for ply in range(len(game.moves)):
            then = game.at(ply)
            if room(then) > 10 or then.passing or then.can_swap or then.swap_ahead:
                continue
            truth = reference.results(then.variant, then.position, memo)
            wins = [cell for cell in truth if truth[cell].win]
            mistake = bool(wins) and game.moves[ply] not in wins
            if mistake or (len(wins) == 1 and len(truth) >= 3):
                expected.append((ply, wins))
        made = [one for one in puzzles_from(game, 60.0) if room(one.game) <= 10]
        assert [(len(one.game.moves), list(one.winning)) for one in made] == expected


# -- the daily puzzle ---------------------------------------------------------------------------------------------


def check_daily(day, rng):
    """Check a daily puzzle, and play it to the end if the reference solver can handle it."""
    made = puzzle_of(day)
    game = made.game
    assert made.choices >= 6, day
    unique = game.variant.book.name != "keepaway"
    assert len(made.winning) == 1 if unique else len(made.winning) <= made.choices // 2, day
    assert made.difficulty == WEEK[day.weekday()], day
    solved = solution(engine_for(game.variant), game.position, Clock())
    assert is_daily(made, solved), day
    if rest := check_by_the_engine(game):
        check_to_the_end(rest, rng, {})
    return solved


def test_two_weeks_of_daily_puzzles(rng):
    solved = [check_daily(date(2027, 1, 4) + timedelta(number), rng) for number in range(14)]
    for week in (solved[:7], solved[7:]):
        scores = [one.score for one in week]
        assert [one.difficulty for one in week] == list(WEEK)
        assert max(scores[:1]) < min(scores[1:3]) <= max(scores[1:3]) < min(scores[3:5])
        assert max(scores[3:5]) < scores[5] < scores[6]


@pytest.mark.deep
def test_a_year_of_daily_puzzles(rng):
    for number in range(365):
        check_daily(date(2027, 1, 4) + timedelta(number), rng)


def test_the_daily_puzzle_is_the_same_everywhere_and_forever():
    """The file assigns puzzles to dates; each game appears every week, and no puzzle appears twice."""
    lines = DAILIES.read_text().splitlines()
    assert len(lines) == len(set(lines)) == 13 * 42
    for week in range(len(lines) // 7):
        games = [line.split()[0] for line in lines[7 * week : 7 * week + 7]]
        assert set(games) == BUILT_IN
        assert [INITIALS[one] for one in SCHEDULE[week % 6]] == games
    made = puzzle_of(date(2026, 11, 17))
    again = puzzle_of(date(2026, 11, 17) + timedelta(len(lines)))
    assert made.game.moves == again.game.moves
    assert FIRST_MONDAY.weekday() == 0
    for day in (date(1, 1, 1), date(2020, 1, 1), date(9999, 12, 31)):
        assert puzzle_of(day).difficulty == WEEK[day.weekday()]
