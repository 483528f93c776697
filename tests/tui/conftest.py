"""The full screen without a terminal, in a home of its own."""

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
    """Where games and settings are kept."""
    monkeypatch.setenv("GRIDLOCK_HOME", str(tmp_path))
    monkeypatch.setattr("gridlock.tui.match.MOMENT", 0.0)
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Stage:
    """The program with somebody at its keys."""

    def __init__(self, pilot: Pilot[int], app: FullScreen) -> None:
        self.pilot, self.app = pilot, app

    async def press(self, *keys: str) -> None:
        """Press keys, by name or character, and let the screen settle."""
        await self.pilot.press(*map(real, keys))
        await self.pilot.pause()

    async def until(self, what: Callable[[], object]) -> None:
        """Wait for something to come about."""
        for _ in range(int(PATIENCE / 0.02)):
            if what():
                await self.pilot.pause()
                return
            await asyncio.sleep(0.02)
        raise AssertionError(f"it did not come about; on the screen:\n{self.text()}")

    async def sees(self, words: str) -> None:
        """Wait until words are on the screen."""
        await self.until(lambda: words in self.text())

    def lines(self) -> list[str]:
        """What is on the screen, line by line."""
        screen = self.app.screen
        return ["".join(segment.text for segment in strip) for strip in screen._compositor.render_strips()]

    def said(self, place: str) -> str:
        """The words in one place of the screen."""
        return str(self.app.screen.query_one(place, Static).content)

    def text(self) -> str:
        """All of it, words that were broken over lines put together."""
        return " ".join(" ".join(self.lines()).split())


@pytest.fixture
def play() -> Callable[..., None]:
    """Run a scene on the full screen, of a size, perhaps with a match first."""

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
