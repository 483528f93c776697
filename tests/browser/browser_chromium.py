"""Chromium, driven by Playwright, for the tests that run in every browser."""

import json
from typing import Any

from browser_visitor import Site
from browser_windows import KEYS, Browser, Window
from playwright.sync_api import Browser as Driven
from playwright.sync_api import BrowserContext, Error, Page

NAMES = {code: name for name, code in KEYS.items()}


class Chromium(Browser):
    """Chromium, headless, with its own profile."""

    def __init__(self, browser: Driven) -> None:
        self._context: BrowserContext = browser.new_context()

    def window(self, site: Site) -> Window:
        """A new tab."""
        return ChromiumWindow(site, self._context.new_page())

    def stop(self) -> None:
        """Do nothing, because Playwright closes the windows when it closes the browser."""


class ChromiumWindow(Window):
    """A Chromium tab."""

    def __init__(self, site: Site, page: Page) -> None:
        self.site = site
        self.page = page

    def go(self, address: str) -> None:
        """Load an address."""
        self.page.goto(address, wait_until="domcontentloaded")

    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression."""
        while True:
            try:
                return json.loads(self.page.evaluate(f"() => JSON.stringify([({expression})])"))[0]
            except Error as error:
                if "context was destroyed" not in error.message:
                    raise
                self.page.wait_for_load_state("domcontentloaded")  # the page was just being left

    def perform(self, actions: list[dict[str, Any]]) -> None:
        """Use the mouse, a finger or the keyboard."""
        mouse, keyboard = self.page.mouse, self.page.keyboard
        for one in (each for action in actions for each in action["actions"]):
            match one["type"]:
                case "pointerMove" if actions[0]["id"] == "touch":
                    self._touch(one["x"], one["y"])
                    return
                case "pointerMove":
                    mouse.move(one["x"], one["y"])
                case "pointerDown":
                    mouse.down()
                case "pointerUp":
                    mouse.up()
                case "keyDown":
                    keyboard.down(NAMES.get(one["value"], one["value"]))
                case "keyUp":
                    keyboard.up(NAMES.get(one["value"], one["value"]))

    def _touch(self, x: int, y: int) -> None:
        """Touch a point.

        Touch emulation changes how boards are shown, so it is switched on only here, and only for this page.
        """
        protocol = self.page.context.new_cdp_session(self.page)
        protocol.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
        protocol.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        protocol.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def resize(self, width: int, height: int) -> None:
        """Set the page's width and height."""
        self.page.set_viewport_size({"width": width, "height": height})

    def close(self) -> None:
        """Close the window."""
        self.page.close()
