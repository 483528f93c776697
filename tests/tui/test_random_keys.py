"""Random keys on every page, while the engine answers late and sometimes fails, raise no exception."""

import asyncio

import pytest
from keys import real_keys
from textual import events
from textual.keys import key_to_character
from thinkers import MoodyThinker

from gridlock.core.game import Game
from gridlock.core.match import Match
from gridlock.core.rules import RULE_BOOKS, rule_book, variant
from gridlock.play.match import LiveMatch
from gridlock.play.puzzle_sources import Daily, FromGame, Series
from gridlock.tui.app import FullScreen
from gridlock.tui.page import AppState, Page
from gridlock.tui.play import PlayPage, WatchPage
from gridlock.tui.review import ReviewPage, StatisticsPage
from gridlock.tui.saved_games import SavedGamesPage
from gridlock.tui.setup import GamesPage, SetupPage
from gridlock.tui.training import LessonPage, PuzzlePage
from gridlock.userdata.saves import Slot, new_name

COUNT = 20_000  # keys in all
PARTS = 10  # parts of each page's sizes, shared between processes; one part is in the full tier, the others are deep
BURST = 25  # keys until the page is opened again
CLOSING = {"ctrl+c", "ctrl+q", "ctrl+z"}  # these end the program, or stop the process


def table(rng, kinds):
    book = rng.choice(list(RULE_BOOKS.values()))
    board = rng.choice([None, "3x3", "2x3", "4x4"])
    rounds, swap = rng.choice([1, 1, 3]), rng.random() < 0.3
    return LiveMatch(Match(variant(book, board), rounds=rounds, swap=swap, kinds=kinds, think=0.05), Slot(new_name()))


def played(rng):
    game = Game(variant(rng.choice(list(RULE_BOOKS.values())), "3x3"))
    while not game.outcome:
        game.push(rng.choice(game.variant.legal_cells(game.position)))
    return game


def of_the_day(_rng):
    from datetime import date

    return Daily(date(2026, 11, 9))


def some_saved(state, rng):
    """Save a few games to list, finished and unfinished; return the state."""
    for kinds in (("human", "easy"), ("human", "human"), ("random", "easy")):
        live = table(rng, kinds)
        live.start_round()
        if not live.game.outcome:
            live.push(rng.choice(live.game.variant.legal_cells(live.game.position)))
        if rng.random() < 0.5 and not live.watched and not live.game.outcome:
            live.resign()
        live.leave()
    return state


PAGES = {
    "home": lambda _desk, _rng: None,
    "setup": lambda state, rng: SetupPage(state, rng.choice(list(RULE_BOOKS.values())), rng.random() < 0.3),
    "games": lambda state, _rng: GamesPage(state, "lessons", list(RULE_BOOKS.values()), LessonPage),
    "friends": lambda state, rng: PlayPage(state, table(rng, ("human", "human"))),
    "against": lambda state, rng: PlayPage(state, table(rng, rng.choice([("human", "easy"), ("easy", "human")]))),
    "watch": lambda state, rng: WatchPage(state, table(rng, ("random", "easy"))),
    "puzzles": lambda state, rng: PuzzlePage(
        state, rng.choice([Series(rule_book("chain")), of_the_day(rng), FromGame(played(rng), 0.05)])
    ),
    "lessons": lambda state, rng: LessonPage(state, rng.choice(list(RULE_BOOKS.values()))),
    "review": lambda state, rng: ReviewPage(state, played(rng), 0.05),
    "statistics": lambda state, _rng: StatisticsPage(state),
    "saved games": lambda state, rng: SavedGamesPage(some_saved(state, rng)),
}


def some_key(rng, app):
    """Return mostly a key that is bound on the page, sometimes one for typing, sometimes any other."""
    fate = rng.random()
    if fate < 0.7:
        bound = [key for key in app.screen.active_bindings if key in real_keys() and key not in CLOSING]
        return rng.choice(bound)
    if fate < 0.85:
        return rng.choice(["enter", "space", "1", "2", "3", "colon", "backspace", "escape", *"cpldwr"])
    return rng.choice(sorted(real_keys().keys() - CLOSING))


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(
    "part",
    [pytest.param(part, marks=pytest.mark.deep if part else pytest.mark.slow) for part in range(PARTS)],
)
def test_random_keys(page, part, rng, monkeypatch, tmp_path):  # noqa: ARG001  (a part is a number of its own)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("gridlock.tui.play.SPEEDS", (0.02, 0.01, 0.005, 0.002, 0.0))
    monkeypatch.setattr("gridlock.tui.play.BEAT", 0.001)
    monkeypatch.setattr("gridlock.tui.home.HomePage.action_leave", lambda _page: None)  # q would end it
    monkeypatch.setattr(FullScreen, "action_interrupt", lambda _app: None)  # so would "quit" in the list of actions
    pressed = []

    async def scene():
        state = AppState(opponent=MoodyThinker(rng), adviser=MoodyThinker(rng))
        app = FullScreen(state)
        async with app.run_test(size=rng.choice([(80, 24), (40, 12), (120, 40)])) as pilot:
            for number in range(COUNT // len(PAGES) // PARTS):
                if number % BURST == 0:
                    await pilot.pause()
                    while len(app.screen_stack) > 2:
                        app.pop_screen()
                        await pilot.pause()
                    if (opened := PAGES[page](state, rng)) is not None:
                        app.push_screen(opened)
                        await pilot.pause()
                key = some_key(rng, app)
                pressed.append(key)
                app.post_message(events.Key(key, key_to_character(key)))
                if rng.random() < 0.5:  # otherwise the next key comes before this one is handled
                    await asyncio.sleep(rng.choice((0, 0, 0.001, 0.01)))
                if rng.random() < 0.1:
                    await pilot.pause()
                assert app.is_running, pressed[-50:]
                assert isinstance(app.screen_stack[1], Page)
            await pilot.pause()

    try:
        asyncio.run(scene())
    finally:
        print(pressed[-50:])
