"""Tests that pressing random keys raises no exception on any page, even if the engine answers late or fails."""

import asyncio

import pytest
from keys import real_keys
from textual import events
from textual.keys import key_to_character
from thinkers import MoodyThinker
from tui_pages import PAGES

from gridlock.tui.app import FullScreen
from gridlock.tui.page import AppState, Page
from tiers import mostly_deep

COUNT = 20_000  # keys in all
PARTS = 20  # parts of each page's sizes, shared between processes; one part is in the full tier, the others are deep
BURST = 25  # keys until the page is opened again
CLOSING = {"ctrl+c", "ctrl+q", "ctrl+z"}  # these end the program, or stop the process


def some_key(rng, app):
    """Return a random key: usually one that the page binds, sometimes one for typing, and sometimes any other key."""
    fate = rng.random()
    if fate < 0.7:
        bound = [key for key in app.screen.active_bindings if key in real_keys() and key not in CLOSING]
        return rng.choice(bound)
    if fate < 0.85:
        return rng.choice(["enter", "space", "1", "2", "3", "colon", "backspace", "escape", *"cpldwr"])
    return rng.choice(sorted(real_keys().keys() - CLOSING))


@pytest.mark.parametrize("page", mostly_deep(PAGES, "against", "friends", "puzzles", "review", "setup"))
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
