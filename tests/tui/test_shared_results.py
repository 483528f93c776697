"""Tests of shared results (including the number of hints) and of the results page."""

import base64
from datetime import date, timedelta

import pytest

from gridlock.core.match import Match
from gridlock.core.rules import rule_book, variant
from gridlock.play.puzzles import give_up
from gridlock.play.share import LEGEND
from gridlock.tui.board import Board
from gridlock.tui.page import Note
from gridlock.userdata import diary
from gridlock.userdata.saves import entries

pytestmark = pytest.mark.slow


def test_the_result_of_the_day_is_copied_and_shown(play):
    async def scene(stage):
        sent = []
        stage.app._driver.write = sent.append
        await stage.press("d")
        page = stage.app.screen
        await stage.until(lambda: page.solving)
        await stage.press("c")
        assert stage.app.screen is page, "there is nothing to share yet"
        while not page.solving.over:
            page.query_one(Board).point(give_up(page.solving.game).winning[0])
            await stage.press("enter")
            await stage.until(lambda: not page.thinking)
        await stage.press("c")
        assert isinstance(stage.app.screen, Note)
        text = stage.app.clipboard
        assert text.startswith(f"GridLock daily {date.today().isoformat()}: ")
        assert f"\n{'🟩' * len(page.solving.marks)} solved\n" in text
        assert text.endswith(f"\ngridlock puzzle --day {date.today().isoformat()}")
        assert f"\x1b]52;c;{base64.b64encode(text.encode()).decode()}\a" in sent
        assert text.splitlines()[0] in stage.text()

    play(scene, (80, 40))


def test_a_review_can_be_shared_with_its_hints(play):
    async def scene(stage):
        page = stage.app.screen
        await stage.press("h")
        await stage.until(lambda: page.coach.advice)
        await stage.press("enter")  # the middle ends it at once
        await stage.until(lambda: page.live.game.outcome)
        await stage.press("e")
        await stage.until(lambda: stage.app.screen.review)
        await stage.press("c")
        assert stage.app.clipboard == "GridLock: Keep-Away 3x3 against easy: won in 1 move, 1 hint\n🟩"

    play(scene, match=Match(variant(rule_book("keepaway"), "3x3"), kinds=("human", "easy")))
    assert [entry.saved.match.hints for entry in entries()] == [[1]]


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (40, 12)])
def test_the_results_page_has_a_title_and_cuts_nothing(play, size):
    async def scene(stage):
        await stage.press("r")
        assert stage.said("#title") == "Your results"
        await stage.sees("You have not finished a game against the computer yet.")
        assert "gridlock" not in stage.text(), "no shell command inside the full screen"

    play(scene, size)


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (40, 24)])
def test_tables_and_the_calendar_fit(play, size):
    for back in range(3):
        diary.write(
            lambda pages, back=back: pages.with_daily(
                date.today() - timedelta(back), "x" if back == 1 else "1", "chain"
            )
        )

    async def scene(stage):
        page = stage.app.screen
        await stage.press("enter")
        await stage.until(lambda: page.live.game.outcome)
        await stage.press("escape", "r")
        lines = [line.rstrip() for line in stage.lines()]
        assert any(line.split() == ["won", "of", "%", "unaided"] for line in lines)
        assert any(line.startswith("against perfect") and line.split()[-4:] == ["1", "1", "100", "1"] for line in lines)
        await stage.press("end")
        await stage.sees(" ".join(LEGEND.split()))
        assert "[#]" in stage.text()

    play(scene, size, match=Match(variant(rule_book("keepaway"), "3x3"), kinds=("human", "perfect")))


def test_the_first_page_has_the_calendar_too(play):
    diary.write(lambda pages: pages.with_daily(date.today(), "1", "chain"))

    async def scene(stage):
        items = stage.app.screen.items
        stage.app.screen.query_one("OptionList").highlighted = next(
            at for at, item in enumerate(items) if getattr(item, "key", "") == "d"
        )
        await stage.sees(" ".join(LEGEND.split()))

    play(scene)


def test_a_game_that_is_left_without_a_move_is_not_kept(play):
    async def scene(stage):
        for key in ("escape", "c"):
            await stage.press(key)
        await stage.press("enter", "escape")
        assert "Continue" not in stage.text()

    play(scene, match=Match(variant(rule_book("showdown")), kinds=("human", "human")))
    assert list(entries()) == []
