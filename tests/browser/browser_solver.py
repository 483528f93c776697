"""A simulated person who solves puzzles in a browser by asking the site for the winning moves."""

from collections.abc import Callable
from typing import Any

from browser_visitor import Site
from playwright.sync_api import Page, expect


def click(page: Page, cell: int) -> None:
    """Click a cell."""
    page.locator(f"[data-cell='{cell}']").click()


class Solver:
    """A person who solves the puzzle on a page, asking the site for the winning moves at each step."""

    def __init__(self, site: Site, page: Page, puzzle: dict[str, Any]) -> None:
        self.site, self.page = site, page
        self.position = puzzle["position"]
        self.setup = self.position["setup"]
        self.moves: list[str] = []

    def winning(self) -> list[int]:
        """Return the winning moves in the current position."""
        told = self.site.ask("/api/puzzle/try", {"setup": self.setup, "moves": self.moves, "give_up": True})
        winning: list[int] = told["winning"]
        return winning

    def wrong(self) -> int:
        """Return a losing move in the current position."""
        winning = self.winning()
        legal: list[int] = self.position["board"]["legal"]
        return next(cell for cell in legal if cell not in winning)

    def play(self, choose: Callable[[Page, int], None] = click) -> bool:
        """Make a winning move on the page, and return whether it solves the puzzle."""
        cell, board = self.winning()[0], self.position["board"]
        name = f"{cell // board['cols'] + board['origin']},{cell % board['cols'] + board['origin']}"
        told = self.site.ask("/api/puzzle/try", {"setup": self.setup, "moves": [*self.moves, name]})
        choose(self.page, cell)
        expect(self.page.locator("#words")).to_have_text(told["words"])
        self.position = told["position"]
        self.moves = self.position["setup"]["moves"][len(self.setup["moves"]) :]
        done: bool = told["done"]
        return done
