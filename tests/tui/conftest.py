"""Fixtures that run the full-screen app without a terminal and with a temporary home folder."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from keys import real
from textual.pilot import Pilot
from textual.widgets import Static

from gridlock.core.match import Match
from gridlock.tui.app import FullScreen
from gridlock.tui.page import AppState
from gridlock.userdata.saves import Slot, new_name
from gridlock.userdata.settings import Preferences

PATIENCE = 120.0  # seconds for anything to happen, on a busy machine


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for games and settings."""
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path))
    monkeypatch.setattr("gridlock.tui.match.MOMENT", 0.0)
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Stage:
    """The full-screen program, driven by key presses."""

    def __init__(self, pilot: Pilot[int], app: FullScreen) -> None:
        self.pilot, self.app = pilot, app

    async def press(self, *keys: str) -> None:
        """Press keys, given by name or character, and let the screen settle."""
        await self.pilot.press(*map(real, keys))
        await self.pilot.pause()

    async def until(self, what: Callable[[], object]) -> None:
        """Wait until a condition holds."""
        for _ in range(int(PATIENCE / 0.02)):
            if what():
                await self.pilot.pause()
                return
            await asyncio.sleep(0.02)
        raise AssertionError(f"it did not come about; on the screen:\n{self.text()}")

    async def sees(self, words: str) -> None:
        """Wait until these words are on the screen."""
        await self.until(lambda: words in self.text())

    def lines(self) -> list[str]:
        """Return the lines on the screen."""
        screen = self.app.screen
        return ["".join(segment.text for segment in strip) for strip in screen._compositor.render_strips()]

    def said(self, place: str) -> str:
        """Return the text in one part of the screen."""
        return str(self.app.screen.query_one(place, Static).content)

    def text(self) -> str:
        """Return all text on the screen as a single line."""
        return " ".join(" ".join(self.lines()).split())


@pytest.fixture
def play() -> Callable[..., None]:
    """Return a function that runs a test's coroutine in full-screen mode, optionally starting with a match."""

    def run(
        scene: Callable[[Stage], Awaitable[None]], size: tuple[int, int] = (80, 24), match: Match | None = None
    ) -> None:
        async def whole() -> None:
            state = AppState(Preferences.load())
            app = FullScreen(state, match, Slot(new_name()) if match else None)
            async with app.run_test(size=size, notifications=True) as pilot:
                await scene(Stage(pilot, app))

        asyncio.run(whole())

    return run
