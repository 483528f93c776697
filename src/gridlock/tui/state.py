"""The state that all pages share: the preferences and the processes that think."""

from contextlib import suppress
from dataclasses import dataclass, field

from gridlock.play.thinking.process import Thinker
from gridlock.userdata.settings import THEMES, Preferences, store


@dataclass
class AppState:
    """The preferences, one process for opponents and one for advice, and how the program ends."""

    preferences: Preferences = field(default_factory=Preferences)
    opponent: Thinker = field(default_factory=Thinker)
    adviser: Thinker = field(default_factory=Thinker)
    farewell: str = ""  # printed after the screen has closed
    unsaved: bool = False  # whether a game could not be saved
    failed: bool = False  # whether an agent failed

    @property
    def theme(self) -> str:
        """The name of the current theme."""
        return self.preferences.theme or THEMES[0]

    def next_theme(self) -> str:
        """Return the name of the next theme, and remember it."""
        following = THEMES[(THEMES.index(self.theme) + 1) % len(THEMES)]
        self.remember("theme", following)
        return following

    def remember(self, key: str, value: str) -> None:
        """Change a setting, and save it if the file can be written."""
        self.preferences = self.preferences.set(key, value)
        with suppress(OSError):  # then it lasts until the screen is closed
            store({key: value})

    async def stop(self) -> None:
        """Stop the processes."""
        await self.opponent.stop()
        await self.adviser.stop()
