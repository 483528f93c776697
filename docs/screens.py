"""Draw the documentation's pictures of the full-screen interface: python docs/screens.py"""

import asyncio
import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from gridlock.core.match import Match
from gridlock.core.notation import play_moves
from gridlock.core.rules import variant
from gridlock.tui.app import FullScreen
from gridlock.tui.board import Board
from gridlock.tui.match import MatchPage
from gridlock.tui.page import AppState
from gridlock.userdata.saves import Slot, new_name
from gridlock.userdata.settings import Preferences

IMAGES = Path(__file__).parent / "images"
SIZE = (80, 24)
FONT = re.compile(r"@font-face \{.*?\}", re.DOTALL)  # removed, because a page must not fetch anything from other sites
THINK = 600.0  # seconds; long enough for correct results even on a slow machine


def a_match(game: str, moves: str, names: tuple[str, str], level: str = "human") -> Match:
    """Return a match in the middle of its first game."""
    match = Match(variant(game), names=names, kinds=("human", level), think=THINK)
    play_moves(match.current(), moves)
    return match


async def picture(match: Match | None, key: str, theme: str, there: Callable[[FullScreen], object]) -> str:
    """Press a key in the given match, or on the first screen if there is no match, and return the screen as an SVG."""
    state = AppState(Preferences(theme=theme))
    app = FullScreen(state, match, Slot(new_name()) if match else None)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(key)
        while not there(app):
            await asyncio.sleep(0.05)
        await pilot.pause()
        return FONT.sub("", app.export_screenshot(title="gridlock")).replace("Fira Code", "monospace")


def advised(app: FullScreen) -> bool:
    """Return whether the board already shows the requested advice."""
    return isinstance(app.screen, MatchPage) and app.screen.coach.advice is not None


def counted(app: FullScreen) -> bool:
    """Return whether distances are shown for all moves.

    If only some distances are shown, ask the engine again.
    """
    if not isinstance(app.screen, MatchPage) or (advice := app.screen.coach.advice) is None:
        return False
    if all(text[1:] for text, _ in advice.values.values()):
        return True
    app.screen.coach.advice = None
    app.screen.ask_coach()
    return False


async def pictures() -> dict[str, str]:
    """Return all pictures, keyed by name; games are saved in GRIDLOCK_HOME."""
    values = a_match("showdown", "3,3 1,1 5,5 5,1 3,5 1,3", ("Ada", "Computer"), "hard")
    slot = Slot(new_name())
    slot.save(values)
    slot.release()
    home = await picture(None, "home", "dark", lambda app: app.screen.query_one(Board).display)
    slot.path.unlink()
    return {
        "home": home,
        "play": await picture(values, "v", "dark", counted),
        "pairs": await picture(a_match("chain", "2,2 2,3", ("Ada", "Bo")), "w", "light", advised),
    }


def main() -> None:
    """Redraw all pictures."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["GRIDLOCK_HOME"] = home
        for name, svg in asyncio.run(pictures()).items():
            (IMAGES / f"screen-{name}.svg").write_text(svg)


if __name__ == "__main__":
    main()
