"""Tests that the engine confirms each claim in a lesson, and that a lesson accepts only correct moves."""

import re
from random import Random

import pytest
from bench import reference

from gridlock.core.game import Game
from gridlock.core.grid import cells_of
from gridlock.core.rules import BUILT_IN, RULE_BOOKS, variant
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Verdict
from gridlock.play.lessons import (
    TASKS,
    Attempt,
    Claim,
    attempt,
    attempt_at_once,
    first_open,
    keeps_win,
    lessons,
    remember,
    tips,
)
from gridlock.play.match_text import refusal
from gridlock.userdata import diary
from hermit import HERMIT

BOOKS = [RULE_BOOKS[name] for name in sorted(BUILT_IN)]
LESSONS = [lesson for book in BOOKS for lesson in lessons(book)]
TIPS = [(book.name, tip) for book in BOOKS for tip in tips(book)]
CLAIMS = {
    **{f"{one.book.name} lesson {one.number}, {at}": claim for one in LESSONS for at, claim in enumerate(one.claims)},
    **{f"{game} {tip.tip[:20]}, {at}": claim for game, tip in TIPS for at, claim in enumerate(tip.claims)},
}


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=CLAIMS)
def test_every_claim_is_what_the_engine_finds(claim: Claim) -> None:
    game = claim.game()
    found = Engine(game.variant, 32 << 20).analyse(game, Clock(60))
    assert found.verdict is not Verdict.UNKNOWN
    names = [game.variant.name(cell) for cell in found.winning]
    said = [claim.outcome, claim.winning, claim.wins, claim.of, claim.method]
    truth = [str(found.verdict), names, len(names), len(found.values), str(found.method)]
    assert said == [None if one is None else two for one, two in zip(said, truth, strict=True)]


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.name)
def test_every_game_has_lessons_and_its_documents_tips(book) -> None:
    course = lessons(book)
    assert 5 <= len(course) <= 8
    assert [lesson.number for lesson in course] == list(range(1, len(course) + 1))
    assert course[0].task == "place"  # the rule comes first
    assert course[-1].task == "finish"  # and the strategy last, to be played out
    assert {lesson.task for lesson in course} <= set(TASKS)
    assert len(tips(book)) >= 3
    assert all(tip.claims for tip in tips(book))


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda one: f"{one.book.name} {one.number}")
def test_the_answers_are_all_there_are(lesson) -> None:
    game = lesson.game()
    legal = [game.variant.name(cell) for cell in cells_of(game.legal)]
    assert not game.outcome
    if lesson.task == "place":
        assert list(lesson.answers) == legal
    assert [game.variant.name(cell) for cell in lesson.cells] == list(lesson.answers)
    assert lesson.solution == f"The answer is {' or '.join(lesson.answers)}. {lesson.after}"


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda one: f"{one.book.name} {one.number}")
def test_the_words_name_the_side_that_is_to_move(lesson) -> None:
    game = lesson.game()
    mark = lesson.book.marks[game.position.turn - 1]
    asked = re.search(r"[Yy]ou(?:rs)?(?:r marker)?(?: are|, as|,)? ([XOAB])\b|[Aa]s ([XOAB])\b", lesson.text)
    assert asked is None or (asked[1] or asked[2]) == mark
    for row, col in re.findall(r"\b([0-9]),([0-9])\b", lesson.text + lesson.after):
        assert game.variant.cell(int(row), int(col)) is not None, "a cell that is named is on the board"


# -- taking a lesson ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda one: f"{one.book.name} {one.number}")
def test_every_first_move_is_judged_as_the_lesson_says(lesson) -> None:
    game = lesson.game()
    for cell in cells_of(game.legal):
        judged = attempt(lesson, game, cell)
        name = game.variant.name(cell)
        assert judged.right == (name in lesson.answers)
        if not judged.right:
            assert judged == Attempt(False, False, (), f"{name} does not win. Try another cell.")
        elif lesson.task != "finish":
            assert judged == Attempt(True, True, (cell,), f"Right! {lesson.after}")
        at_once = attempt_at_once(lesson, game, cell)
        assert at_once == (None if judged.right and lesson.task == "finish" else judged)
    assert game.moves == lesson.game().moves, "an attempt changes nothing"


@pytest.mark.parametrize("lesson", [one for one in LESSONS if one.task == "finish"], ids=lambda one: one.title)
@pytest.mark.parametrize("seed", range(5))
def test_a_lesson_played_to_its_end_accepts_every_move_that_wins_and_no_other(lesson, seed) -> None:
    print("seed", seed)
    rng = Random(f"{lesson.title} {seed}")
    game, engine, memo = lesson.game(), Engine(lesson.game().variant, 32 << 20), {}
    pupil, judged = game.turn, Attempt(True, False, (), "")
    while not judged.done:
        assert game.turn == pupil
        tried = {cell: attempt(lesson, game, cell) for cell in cells_of(game.legal)}
        found = engine.analyse(game, Clock(60))
        assert sorted(cell for cell in tried if tried[cell].right) == sorted(found.winning)
        if (game.variant.grid.cells & ~game.position.taken).bit_count() <= 10:
            truth = reference.results(game.variant, game.position, memo)
            assert sorted(found.winning) == sorted(cell for cell in truth if truth[cell].win)
        cell = rng.choice(found.winning)
        judged = tried[cell]
        assert judged.moves[0] == cell
        for move in judged.moves:
            game.push(move)
        replies = [game.variant.name(move) for move in judged.moves[1:]]
        if judged.done:
            assert judged.words == f"Right! {lesson.after}"
        elif replies:
            assert judged.words == f"Right. The opponent plays {', '.join(replies)}. Keep going."
    assert game.outcome
    assert game.outcome.winner == pupil


def test_a_move_whose_value_is_unknown_counts_as_right() -> None:
    game = Game(variant("scatter", "31x31"))
    game.push(0)
    assert keeps_win(game, 500, 0.01)


def test_a_cell_is_refused_with_its_reason_and_the_markers_that_forbid_it() -> None:
    game = Game(variant("showdown", "3x3"))
    game.push(0)
    assert refusal(game, 0)[1:] == ("The cell is already occupied. Try again.", 1)
    assert refusal(game, 1)[1:] == ("The cell is adjacent to your opponent's marker. Try again.", 1)
    assert refusal(game, None)[1:] == ("The cell is outside the grid. Try again.", 0)
    assert refusal(game, 8) is None


def test_lessons_done_are_remembered_and_the_first_open_one_comes_next(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path))
    course = lessons(BOOKS[0])
    assert first_open(course) == course[0]
    for done in (course[1], course[0]):
        remember(done)
    assert diary.read().lessons == {BOOKS[0].name: [1, 2]}
    assert first_open(course) == course[2]
    for done in course:
        remember(done)
    assert first_open(course) == course[0]


def test_your_own_game_has_no_lessons() -> None:
    assert lessons(HERMIT) == []
    assert tips(HERMIT) == []
