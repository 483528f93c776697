"""Check that leaving a page cancels its request to the engine, so that no other page receives the answer."""

import asyncio

import pytest
from textual import events
from thinkers import LateThinker

from gridlock.core.game import Game
from gridlock.core.match import Match
from gridlock.core.rules import rule_book, variant
from gridlock.play.match import LiveMatch
from gridlock.play.puzzle_sources import Series
from gridlock.play.results import Played
from gridlock.tui.home import HomePage
from gridlock.tui.page import Page
from gridlock.tui.play import PlayPage, WatchPage
from gridlock.tui.review import ReviewPage, StatisticsPage
from gridlock.tui.training import LessonPage, PuzzlePage
from gridlock.userdata.saves import Slot, new_name

pytestmark = pytest.mark.slow


def a_match(kinds=("human", "human")):
    return LiveMatch(Match(variant(rule_book("scatter"), "4x4"), kinds=kinds), Slot(new_name()))


def finished_game():
    game = Game(variant(rule_book("keepaway"), "3x3"))
    game.push(4)
    return game


async def on_match(stage, *keys):
    stage.app.push_screen(PlayPage(stage.app.state, a_match()))
    await stage.press(*keys)


async def hint(stage):
    await on_match(stage, "h")


async def values(stage):
    await on_match(stage, "v")


async def why(stage):
    await on_match(stage, "w")


async def opponent(stage):
    stage.app.push_screen(PlayPage(stage.app.state, a_match(("easy", "human"))))


async def watching(stage):
    stage.app.push_screen(WatchPage(stage.app.state, a_match(("easy", "easy"))))


async def puzzle(stage):
    stage.app.push_screen(PuzzlePage(stage.app.state, Series()))


async def lesson(stage):
    page = LessonPage(stage.app.state, rule_book("trails"))
    page.number = next(one.number for one in page.course if one.task == "finish")
    stage.app.push_screen(page)
    await stage.pilot.pause()
    page.query_one("Board").point(page.game.variant.cell(*map(int, page.lesson.answers[0].split(","))))
    await stage.press("enter")


async def review(stage):
    stage.app.push_screen(ReviewPage(stage.app.state, finished_game(), 0.1))


async def statistics(stage):
    page = StatisticsPage(stage.app.state)
    page.found.add(Played(finished_game(), "easy", 1))
    stage.app.push_screen(page)
    await stage.press("k")


QUESTIONS = [hint, values, why, opponent, watching, puzzle, lesson, review, statistics]


@pytest.mark.parametrize("ask", QUESTIONS)
@pytest.mark.parametrize("answer", ["late", "just then"])
def test_a_page_that_is_left_while_the_engine_thinks(play, ask, answer):
    async def scene(stage):
        state = stage.app.state
        thinker = state.opponent = state.adviser = LateThinker()
        await ask(stage)
        await stage.until(lambda: thinker.asked)
        page = stage.app.screen
        assert isinstance(page, Page)
        if answer == "just then":  # the answer is ready, and the page closes before it can be shown
            thinker.may_answer.set()
            stage.app.pop_screen()
        else:
            await stage.press("escape")
        await stage.until(lambda: isinstance(stage.app.screen, HomePage))
        thinker.may_answer.set()
        for _ in range(5):
            await asyncio.sleep(0)
        await stage.pilot.pause()
        assert not [worker for worker in stage.app.workers if worker.node is page]
        if answer == "late":
            assert thinker.cancelled == thinker.asked

    play(scene)


@pytest.mark.parametrize("ask", QUESTIONS)
def test_the_program_is_closed_while_the_engine_thinks(play, ask):
    async def scene(stage):
        state = stage.app.state
        thinker = state.opponent = state.adviser = LateThinker()
        await ask(stage)
        await stage.until(lambda: thinker.asked)
        await stage.press("ctrl+c")
        thinker.may_answer.set()

    play(scene)


@pytest.mark.parametrize(
    ("before", "keys"),
    [
        ((), ["escape", "escape", "escape"]),
        ((), ["escape", "e", "escape"]),
        (("i",), ["escape", "escape", "escape"]),
        (("f",), ["enter", "enter", "escape"]),
        (("g",), ["n", "y", "escape"]),
    ],
)
def test_keys_that_come_faster_than_pages_close(play, before, keys):
    async def scene(stage):
        stage.app.push_screen(PlayPage(stage.app.state, a_match()))
        await stage.press(*before)
        for key in keys:
            stage.app.post_message(events.Key(key, None))
        await stage.pilot.pause()
        await stage.pilot.pause()
        assert isinstance(stage.app.screen_stack[1], HomePage)
        assert isinstance(stage.app.screen, HomePage | PlayPage)

    play(scene)


def test_a_key_that_comes_before_its_page_is_complete(play):
    async def scene(stage):
        page = WatchPage(stage.app.state, a_match(("easy", "easy")))
        page.state.opponent = LateThinker()
        stage.app.push_screen(page)
        await stage.app.run_action("pause", page)
        await stage.press("p")
        assert page.paused

    play(scene)
