"""What all screens share: what is remembered, and the processes that think."""

from contextlib import suppress
from dataclasses import dataclass, field

from gridlock.play.thinking.process import Thinker
from gridlock.userdata.settings import THEMES, Preferences, store


@dataclass
class AppState:
    """The preferences, one process for opponents and one for advice, and what is said when the screen closes."""

    preferences: Preferences = field(default_factory=Preferences)
    opponent: Thinker = field(default_factory=Thinker)
    adviser: Thinker = field(default_factory=Thinker)
    farewell: str = ""
    unsaved: bool = False
    failed: bool = False  # an agent has

    @property
    def theme(self) -> str:
        """How the screen looks."""
        return self.preferences.theme or THEMES[0]

    def next_theme(self) -> str:
        """Another look, remembered."""
        following = THEMES[(THEMES.index(self.theme) + 1) % len(THEMES)]
        self.remember("theme", following)
        return following

    def remember(self, key: str, value: str) -> None:
        """Keep a setting, as far as it can be kept."""
        self.preferences = self.preferences.set(key, value)
        with suppress(OSError):  # otherwise it holds until the screen is closed
            store({key: value})

    async def stop(self) -> None:
        """End the processes: nobody needs an answer any more."""
        await self.opponent.stop()
        await self.adviser.stop()
