"""Draw the pictures of the full screen that the documentation shows: python docs/screens.py"""

import asyncio
import os
import re
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

IMAGES = Path(__file__).parent / "images"
FONT = re.compile(r"@font-face \{.*?\}", re.DOTALL)  # a page must fetch nothing from elsewhere


async def main() -> None:
    """All of them."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["GRIDLOCK_HOME"] = home
        from gridlock.cli.store import Slot, new_name
        from gridlock.play.match import Match
        from gridlock.rules import rule_book, variant
        from gridlock.tui.app import FullScreen
        from gridlock.tui.desk import Desk

        async def picture(
            name: str, match: Match | None, moves: str, act: Callable[[FullScreen], Awaitable[None]], theme: str
        ) -> None:
            desk = Desk()
            desk.preferences = desk.preferences.set("theme", theme)
            if match is not None:
                game = match.current()
                for move in moves.split():
                    row, col = map(int, move.split(","))
                    game.push(match.variant.cell(row, col))
            app = FullScreen(desk, match, Slot(new_name()) if match else None)
            async with app.run_test(size=(80, 24)) as pilot:
                await act(app)
                await pilot.pause()
                svg = FONT.sub("", app.export_screenshot(title="gridlock"))
                (IMAGES / f"screen-{name}.svg").write_text(svg.replace("Fira Code", "monospace"))
            desk.close()

        async def press(app: FullScreen, key: str) -> None:
            app.simulate_key(key)
            await asyncio.sleep(5)

        showdown = Match(variant(rule_book("showdown")), names=("Ada", "Computer"), kinds=("human", "hard"))
        await picture("play", showdown, "3,3 1,1 5,5 5,1", lambda app: press(app, "v"), "dark")
        chain = Match(variant(rule_book("chain")), names=("Ada", "Bo"))
        await picture("pairs", chain, "2,2 2,3", lambda app: press(app, "w"), "light")
        await picture("home", None, "", lambda app: press(app, "down"), "dark")


if __name__ == "__main__":
    asyncio.run(main())
