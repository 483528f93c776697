"""Tests that puzzles judge every move as the reference solver does, and that any winning position can be a puzzle."""

import asyncio
from datetime import date, timedelta
from random import Random

import pytest
from bench import reference

from gridlock.core.game import SWAP, Game, Termination
from gridlock.core.rules import BUILT_IN, RULE_BOOKS, variant
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine, engine_for
from gridlock.play.puzzle_making import make_puzzle, plan_for
from gridlock.play.puzzle_sources import Daily, FromGame, Series, puzzle_of
from gridlock.play.puzzles import (
    HARDEST,
    NoPuzzle,
    Puzzle,
    Solving,
    Trial,
    best_move,
    give_up,
    is_settled,
    judge,
    open_puzzle,
    puzzles_from,
)
from gridlock.userdata import diary

GAMES = sorted(BUILT_IN)
KINDS = [(game, difficulty) for game in GAMES for difficulty in (1, 3, 5)]
REACHED = 13  # the most cells that the reference solver can handle


def level_of(game, difficulty=1):
    return plan_for(RULE_BOOKS[game], difficulty).level


def room(game):
    """Return the number of cells that may still be taken."""
    played, position = game.variant, game.position
    if played.shape.placing:  # closed cells stay closed
        return (played.legal(position) | played.legal(position.passed())).bit_count()
    return (played.grid.cells & ~position.taken).bit_count()


def random_game(name, rng):
    """Return a finished random game, which may include a swap."""
    game = Game(variant(name, "4x4"), swap=rng.random() < 0.5)
    while not game.outcome:
        swap = game.can_swap and rng.random() < 0.5
        game.push(SWAP if swap else rng.choice(game.variant.legal_cells(game.position)))
    return game


# -- judging ------------------------------------------------------------------------------------------------------


def check_every_move(game, memo):
    """Check the verdict on every move against the reference solver; return the winning moves with their replies."""
    truth = reference.results(game.variant, game.position, memo)
    right = {}
    for cell, result in truth.items():
        judged = judge(game.copy(), cell, 60.0)
        after = game.position.after(cell)
        assert judged.right == result.win, (game.moves, cell)
        if not judged.right:
            line = [*judged.refutation]
            assert len(line) % 2 == 1, "the opponent has the last word"
            assert not judged.done
            answers = reference.results(game.variant, after, memo)
            assert answers[line[0]].win
            assert answers[line[0]].distance == min(one.distance for one in answers.values() if one.win)
            continue
        right[cell] = judged
        assert judged.done == is_settled(game.variant, after)
        if judged.done:
            assert judged.reply is None
            assert set(judged.winning) == {one for one in truth if truth[one].win}
        else:
            replies = reference.results(game.variant, after, memo)
            assert replies[judged.reply].distance == max(one.distance for one in replies.values())
    return right


def check_by_the_engine(game):
    """Play the best moves until the reference solver can take over; return the game, or None if the puzzle is over."""
    game = game.copy()
    while room(game) > REACHED:
        cell = best_move(engine_for(game.variant), game.position, Clock())
        judged = judge(game.copy(), cell, 60.0)
        assert judged.right
        if judged.done:
            return None
        game.push(cell)
        game.push(judged.reply)
    return game


def check_to_the_end(game, rng, memo):
    """Play random winning moves to the end of a puzzle, checking the verdict on every move."""
    while True:
        right = check_every_move(game, memo)
        assert right, "the solver keeps the win"
        cell = rng.choice(sorted(right))
        if right[cell].done:
            return
        game.push(cell)
        game.push(right[cell].reply)


@pytest.mark.parametrize(("game", "difficulty"), KINDS)
def test_every_move_of_a_puzzle_is_judged_as_by_the_reference(game, difficulty, rng):
    level = level_of(game, difficulty)
    engine = Engine(variant(game, level.board, level.adjacency), 1 << 24)
    for _ in range(2):
        made = make_puzzle(engine, rng, level, difficulty, Clock())
        memo = {}
        if room(made.game) <= REACHED:
            truth = reference.results(engine.variant, made.game.position, memo)
            assert [cell for cell in truth if truth[cell].win] == list(made.winning)
        assert len(made.winning) == 1 if level.unique else len(made.winning) <= made.choices // 2
        if rest := check_by_the_engine(made.game):
            check_to_the_end(rest, rng, memo)


def test_the_reply_holds_out_longest_and_then_leaves_the_fewest_wins(rng):
    engine = engine_for(variant("showdown", "4x4"))
    memo = {}
    for _ in range(100):
        game = Game(engine.variant)
        while game.legal and room(game) > 10:
            game.push(rng.choice(engine.variant.legal_cells(game.position)))
        replies = reference.results(engine.variant, game.position, memo)
        if not replies or any(one.win for one in replies.values()):
            continue

        def wins(cell, position=game.position):
            return sum(one.win for one in reference.results(engine.variant, position.after(cell), memo).values())

        best = min(replies, key=lambda cell: (-replies[cell].distance, wins(cell), cell))
        assert best_move(engine, game.position, Clock()) == best, game.moves


def loses_nothing(played, position):
    """Return whether the player to move loses in every possible continuation."""
    for reply in played.legal_cells(position):
        after = position.after(reply)
        cells = played.legal_cells(after)
        if not cells or not all(loses_nothing(played, after.after(cell)) for cell in cells):
            return False
    return True


@pytest.mark.parametrize("name", GAMES)
def test_a_puzzle_ends_when_nothing_can_go_wrong(name, rng):
    played = variant(name, "3x3")
    seen = set()
    for _ in range(60):
        game = Game(played)
        while not game.outcome and not game.passing and rng.random() < 0.8:
            game.push(rng.choice(played.legal_cells(game.position)))
        if room(game) <= 7 and not game.passing:
            seen.add(expected := loses_nothing(played, game.position))
            assert is_settled(played, game.position) == expected
    assert seen == {True, False}


def test_a_puzzle_that_takes_long_to_check_just_goes_on(monkeypatch):
    monkeypatch.setattr("gridlock.play.puzzles.CERTAIN", 0)
    assert not is_settled(variant("showdown"), Game("showdown").position)


def test_the_solution_is_played_to_the_end():
    for name in GAMES:
        made = plan_for(RULE_BOOKS[name], 2).make(1, 60.0)
        shown = give_up(made.game)
        assert (shown.right, shown.done, shown.winning) == (False, True, made.winning)
        assert all(made.game.variant.name(cell) in shown.words for cell in made.winning)
        game = made.game.copy()
        for mine, reply in zip(shown.line[::2], (*shown.line[1::2], None), strict=True):
            judged = judge(game, mine)
            assert judged.right
            assert judged.reply == reply
            game.push(mine)
            if reply is not None:
                game.push(reply)
        assert judged.done


def test_a_large_board_is_judged_without_counting():
    """On a large board, there is no time to compute distances, so this test accepts any legal reply.

    The opponent makes the first and the last move of a refutation.
    """
    game, rng = Game("chain", "12x12", adjacency="king"), Random(37)
    while len(game.moves) < rng.randint(30, 60):
        game.push(rng.choice(game.variant.legal_cells(game.position)))
    found = open_puzzle(game, 1.0)
    assert found.difficulty == HARDEST
    assert 0 < len(found.winning) < found.choices
    right = judge(game, found.winning[0], 1.0)
    assert right.right
    assert game.variant.legal(game.position.after(found.winning[0])) >> right.reply & 1
    wrong = next(cell for cell in game.variant.legal_cells(game.position) if cell not in found.winning)
    assert len(judge(game, wrong, 1.0).refutation) % 2 == 1
    assert give_up(game, 1.0).line[0] in found.winning


# -- any position -------------------------------------------------------------------------------------------------


def after(game, *moves):
    for move in moves:
        game.push(move)
    return game


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (after(Game("keepaway"), "2,2"), "This game is over"),
        (Game("keepaway", swap=True), "Sides can still be swapped"),
        (after(Game("showdown", swap=True), "3,3"), "Sides can still be swapped"),
        (after(Game("showdown"), "3,3"), "This position is lost for the player to move"),
        (Game("showdown", "1x1"), "Every move wins here"),
        (after(Game("scatter", "9x9"), "1,1"), "The engine could not evaluate every move here in time"),
    ],
)
def test_a_position_that_is_no_puzzle_says_why(game, words):
    with pytest.raises(NoPuzzle, match=f"^{words}.*so (it|this position) is not a puzzle.$"):
        open_puzzle(game, 0.2)


def test_a_side_that_must_pass_has_nothing_to_solve():
    game = Game("scatter", "1x3")
    after(game, "1,2", "1,1")
    assert game.passing
    with pytest.raises(NoPuzzle, match="Every move wins here"):
        open_puzzle(game)


def test_a_won_position_is_a_puzzle_with_all_its_winning_moves(rng):
    memo, opened = {}, 0
    played = variant("trails", "3x4")
    for _ in range(40):
        game = Game(played)
        while not game.outcome and rng.random() < 0.7:
            game.push(rng.choice(played.legal_cells(game.position)))
        truth = reference.results(played, game.position, memo)
        wins = [cell for cell in truth if truth[cell].win]
        if 0 < len(wins) < len(truth):
            opened += 1
            found = open_puzzle(game)
            assert (list(found.winning), found.choices) == (wins, len(truth))
            assert found.question.endswith(f" of {len(truth)} moves win{'s' * (len(wins) == 1)}.")
    assert opened


def test_the_rule_says_which_neighbours_count():
    rules = [plan_for(RULE_BOOKS[name], 1).make(1, 60.0).rule for name in ("chain", "showdown")]
    assert rules[0].endswith(" Diagonals count.")
    assert "Diagonals" not in rules[1]
    made = Puzzle(Game("showdown", adjacency="orthogonal"), (0,), 1)
    assert made.rule.endswith(" Diagonals do not count.")


# -- marks --------------------------------------------------------------------------------------------------------


def marks_of(*judgements):
    """Return the marks (such as "2" or "x") for a series of attempts at a puzzle, and whether the attempts solve it.

    True stands for a right move, False for a wrong move, and None for giving up.
    """
    solving = Solving(Puzzle(Game("showdown"), (0,), 1))
    cells = iter(range(25))
    for number, one in enumerate(judgements, 1):
        done = number == len(judgements)
        solving.note(
            None if one is None else next(cells) if one else 0, Trial(bool(one), "", done and one is not False)
        )
    return solving.marks, solving.solved


@pytest.mark.parametrize(
    ("judgements", "expected"),
    [
        ([True], ("1", True)),
        ([False], ("", None)),
        ([False, True], ("2", True)),
        ([False, False, False], ("x", False)),
        ([False, False, False, True], ("x", False)),
        ([None], ("x", False)),
        ([False, False, None], ("x", False)),
        ([False, False, False, None], ("x", False)),
    ],
)
def test_a_step_has_a_mark(judgements, expected):
    assert marks_of(*judgements) == expected


def test_marks_follow_the_steps_and_the_board_follows_the_moves():
    made = plan_for(RULE_BOOKS["scatter"], 3).make(1, 60.0)
    solving = Solving(made)
    wrong = next(cell for cell in made.game.variant.legal_cells(made.game.position) if cell not in made.winning)
    solving.note(wrong, judge(solving.game, wrong))
    assert (solving.marks, solving.game.moves) == ("", made.game.moves)
    while not solving.over:
        cell = give_up(solving.game).winning[0]
        solving.note(cell, judge(solving.game, cell))
    assert solving.marks == "2" + "1" * (len(solving.marks) - 1)
    assert solving.solved
    assert made.game.moves == solving.game.moves[: len(made.game.moves)], "the puzzle itself stays as it was"


# -- where they come from, and how they count ---------------------------------------------------------------------


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path))


async def directly(question, *arguments):
    """Answer a question in the test's own process."""
    return question(*arguments)


def made_by(source):
    return asyncio.run(source.make(directly))


def result(marks, game="scatter"):
    """Return a finished attempt at a puzzle; the string `marks` has one mark for each step."""
    solving = Solving(Puzzle(Game(game), (0,), 1))
    solving.marks, solving.over = marks, True
    return solving


def test_a_series_has_all_games_in_turn_and_follows_from_its_seed():
    one, two, other = Series(seed=3), Series(seed=3), Series(seed=4)
    plans = [one.next() for _ in range(7)]
    assert [plan.variant.book.name for plan, _ in plans] == [*RULE_BOOKS, *list(RULE_BOOKS)[:2]]
    assert plans == [two.next() for _ in range(7)]
    assert len({seed for _, seed in plans}) == 7
    assert not {seed for _, seed in plans} & {other.next()[1] for _ in range(7)}
    assert Series().next()[1] != Series().next()[1]


def test_a_series_on_a_chosen_board_and_of_another_difficulty():
    series = Series(RULE_BOOKS["scatter"], board="4x6", adjacency="orthogonal", seed=1)
    made = [made_by(series) for _ in range(2)]
    assert made[0].game.moves != made[1].game.moves
    assert {str(one.game.variant.grid) for one in made} == {"4x6"}
    series = Series(RULE_BOOKS["chain"], seed=1)
    usual = series.next()[0]
    series.difficulty = 5
    assert series.title == "Puzzles, difficulty 5 of 5"
    assert (usual, series.next()[0]) == tuple(plan_for(RULE_BOOKS["chain"], difficulty) for difficulty in (2, 5))


@pytest.mark.usefixtures("home")
def test_a_streak_lasts_until_a_puzzle_is_missed():
    said = [Series().finished(result(marks)) for marks in ("11", "121", "1x", "1")]
    assert said == ["Streak: 1.", "Streak: 2.", "Streak: 0 (your best: 2).", "Streak: 1 (your best: 2)."]
    assert (diary.read().solved, diary.read().asked, diary.read().games) == (3, 4, {"scatter": [3, 4]})


@pytest.mark.usefixtures("home")
def test_only_the_first_result_of_a_day_counts_and_only_on_that_day():
    day = date(2026, 11, 15)
    assert Daily(day - timedelta(1)).finished(result("121")) == "Daily streak: 1."
    assert Daily(day).title == "Daily puzzle for 2026-11-15."
    assert Daily(day).finished(result("11")) == "Daily streak: 2."
    assert Daily(day).title == "Daily puzzle for 2026-11-15. You've already solved this puzzle, so this is practice."
    assert Daily(day).finished(result("x")) == "Daily streak: 2."
    later = day + timedelta(1)
    assert Daily(later, counts=False).finished(result("1")) == ""
    assert Daily(later).finished(result("1x")) == "Daily streak: none yet. There is a new puzzle tomorrow."
    assert Daily(later).title == "Daily puzzle for 2026-11-16. You've already missed this puzzle, so this is practice."
    assert Daily(later, counts=False).title == "Daily puzzle for 2026-11-16."
    assert Daily(later + timedelta(1)).finished(result("1")) == "Daily streak: 1 (your best: 2)."
    assert made_by(Daily(day)).winning == puzzle_of(day).winning
    assert diary.read().marks["2026-11-15"] == "11"
    assert diary.read().games == {"scatter": [3, 4]}


@pytest.mark.usefixtures("home")
def test_puzzles_from_a_game_come_one_after_another_and_count_for_nothing():
    game = next(one for seed in range(99) if len(puzzles_from(one := random_game("showdown", Random(seed)), 9.0)) > 1)
    source = FromGame(game, 9.0)
    count = len(puzzles_from(game, 9.0))
    for number in range(1, count + 1):
        assert made_by(source).game.moves == puzzles_from(game, 9.0)[number - 1].game.moves
        assert source.finished(result("1")) == f"Puzzle {number} of {count} from this game."
        assert source.more == (number < count)
    assert made_by(source) is None
    assert diary.read() == diary.Diary()


@pytest.mark.parametrize(
    ("name", "player", "forfeit", "words"),
    [
        ("trails", 1, Termination.RESIGNED, "but Player A (A) resigned in a won position, which gave the win away."),
        ("chain", 2, Termination.TIME, "but Player 2 (O) ran out of time in a won position, which gave the win away."),
        ("trails", 2, Termination.RESIGNED, "the engine found no missed win"),
        ("chain", 1, Termination.RESIGNED, "the engine found no missed win"),
    ],
)
def test_a_game_without_puzzles_says_whether_a_win_was_resigned(name, player, forfeit, words):
    """In `trails`, every first move wins; in `chain`, the second player wins."""
    game = Game(name, "3x3" if name == "trails" else "4x4")
    game.resign(player, forfeit)
    source = FromGame(game, 9.0)
    assert made_by(source) is None
    assert source.none.startswith("This game has no puzzles")
    assert words in source.none


def test_a_won_position_that_was_resigned_is_a_puzzle_if_a_move_can_lose():
    game = Game("showdown", "3x3")
    game.resign(1)
    [made] = puzzles_from(game, 9.0)
    assert made.winning == (4,)
    assert not made.game.is_over
    game = Game("showdown", "3x3")
    game.resign(2)
    assert not puzzles_from(game, 9.0), "the resigning player was losing"
