"""Every lesson and every tip tells the truth: each claim is what the engine finds."""

import re

import pytest

from gridlock.core.game import Game
from gridlock.core.grid import cells_of
from gridlock.core.rules import BUILT_IN, RULE_BOOKS
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Verdict
from gridlock.play.lessons import TASKS, Claim, lessons, tips
from gridlock.players import agents
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
    names = tuple(game.variant.name(cell) for cell in found.winning)
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
    assert [name for cell, name in zip(cells_of(game.legal), legal, strict=True) if lesson.solves(cell)] == list(
        lesson.answers
    )
    assert not lesson.solves(None)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda one: f"{one.book.name} {one.number}")
def test_the_words_name_the_side_that_is_to_move(lesson) -> None:
    game = lesson.game()
    mark = lesson.book.marks[game.position.turn - 1]
    asked = re.search(r"[Yy]ou(?:rs)?(?:r marker)?(?: are|, as|,)? ([XOAB])\b|[Aa]s ([XOAB])\b", lesson.text)
    assert asked is None or (asked[1] or asked[2]) == mark
    for row, col in re.findall(r"\b([0-9]),([0-9])\b", lesson.text + lesson.after):
        assert game.variant.cell(int(row), int(col)) is not None, "a cell that is named is on the board"


@pytest.mark.slow
@pytest.mark.parametrize("lesson", [one for one in LESSONS if one.task == "finish"], ids=lambda one: one.title)
def test_a_lesson_to_be_finished_can_be_won_against_the_best_play(lesson) -> None:
    from random import Random

    game: Game = lesson.game()
    pupil = game.turn
    while not game.outcome:
        game.push(agents["perfect"](game, Random(1), 1.0))
    assert game.outcome.winner == pupil


def test_a_game_of_ones_own_has_none() -> None:
    assert lessons(HERMIT) == []
    assert tips(HERMIT) == []
