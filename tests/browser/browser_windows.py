"""A common interface for controlling different browsers, with only the operations that tests need."""

import json
import re
import shutil
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

from browser_visitor import Site

from gridlock.web.pages.files import STATIC

PATIENCE = 120.0  # seconds until a test gives up waiting: machines that test are busy
KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "Tab": "\ue004", "Backspace": "\ue003"}
KEYS |= {f"Arrow{way}": chr(0xE012 + at) for at, way in enumerate(("Left", "Up", "Right", "Down"))}

# This script runs first on every page, and records errors and warnings, because not every browser reports them.
WATCH = """
{
  const tell = (words) => {
    const known = JSON.parse(sessionStorage.getItem("problems") ?? "[]");
    sessionStorage.setItem("problems", JSON.stringify([...known, `${location.pathname}: ${words}`]));
  };
  let leaving = false; // WebKit reports pictures that are still loading when another page opens
  addEventListener("beforeunload", () => { leaving = true; });
  addEventListener("error", (event) => {
    if (leaving && event.target instanceof HTMLImageElement) return;
    tell(`error: ${event.message ?? event.target.src ?? event.target.href}`);
  }, true);
  addEventListener("unhandledrejection", (event) => tell(`rejected: ${event.reason}`));
  addEventListener("securitypolicyviolation", (event) => tell(`policy: ${event.violatedDirective}`));
  for (const level of ["error", "warn"]) {
    const real = console[level].bind(console);
    console[level] = (...all) => (tell(`${level}: ${all.join(" ")}`), real(...all));
  }
}
"""

FIND = """((selector, words) => [...document.querySelectorAll(selector)].find((one) =>
  one.checkVisibility() && `${one.getAttribute("aria-label") ?? ""} ${one.textContent}`.includes(words)))"""

# The point at which to click an element, or null if the element is missing or something else covers that point.
POINT = f"""(([selector, words]) => {{
  const one = {FIND}(selector, words);
  if (!one) return null;
  one.scrollIntoView({{ block: "center", behavior: "instant" }});
  const {{ x, y, width, height }} = one.getBoundingClientRect();
  const at = [Math.round(x + width / 2), Math.round(y + height / 2)];
  return one.contains(document.elementFromPoint(...at)) ? at : null;
}})"""


class Watched(Site):
    """A server whose pages record their errors and warnings."""

    def __init__(self, folder: Path, *options: str) -> None:
        static = folder / "static"
        shutil.copytree(STATIC, static)
        first = static / "theme.js"
        first.write_text(WATCH + first.read_text())
        patched = f"import pathlib, gridlock.web.pages.files as f; f.STATIC = pathlib.Path({str(static)!r})"
        self.program = ("-c", f"{patched}; from gridlock.entry import main; main()")
        super().__init__(folder, *options)


class Window(ABC):
    """A browser window, with the actions that a person can perform in it."""

    site: Site
    excused = re.compile(r"$^")  # errors and warnings that a test causes on purpose

    @abstractmethod
    def go(self, address: str) -> None:
        """Load an address."""

    @abstractmethod
    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression."""

    @abstractmethod
    def perform(self, actions: list[dict[str, Any]]) -> None:
        """Perform mouse, touch or keyboard actions, given in WebDriver's format."""

    @abstractmethod
    def resize(self, width: int, height: int) -> None:
        """Set the page's width and height."""

    @abstractmethod
    def close(self) -> None:
        """Close the window."""

    # -- looking ----------------------------------------------------------------------------------------------

    def open(self, path: str, ready: str = "body") -> None:
        """Load a page of the site, and wait until an element appears."""
        if self.site.kept:
            self.go(f"{self.site.address}/static/icon.svg")
            self.evaluate(f"Object.assign(localStorage, {json.dumps(self.site.kept)}) && 0")
            self.site.kept.clear()
        self.go(path if "://" in path else self.site.url(path))
        self.sees(ready)

    def wait(self, expression: str) -> Any:
        """Wait until an expression is true, and return its value."""
        end = time.monotonic() + PATIENCE
        while not (value := self.evaluate(expression)):
            assert time.monotonic() < end, f"never: {expression}, at {self.evaluate('location.href')}"
            time.sleep(0.03)
        return value

    def sees(self, selector: str, words: str = "") -> None:
        """Wait until an element is visible."""
        self.wait(f"Boolean({FIND}({json.dumps(selector)}, {json.dumps(words)}))")

    def misses(self, selector: str) -> None:
        """Wait until no matching element is visible."""
        self.wait(f"!{FIND}({json.dumps(selector)}, '')")

    def count(self, selector: str) -> int:
        """Return the number of matching elements."""
        return int(self.evaluate(f"document.querySelectorAll({json.dumps(selector)}).length"))

    def count_is(self, selector: str, count: int) -> None:
        """Wait until there are this many matching elements."""
        self.wait(f"document.querySelectorAll({json.dumps(selector)}).length === {count}")

    def text(self, selector: str) -> str:
        """Return the text of an element."""
        return str(self.evaluate(f"document.querySelector({json.dumps(selector)}).textContent"))

    # -- doing ------------------------------------------------------------------------------------------------

    def click(self, selector: str, words: str = "", pointer: str = "mouse") -> None:
        """Wait until nothing covers an element, then click it."""
        x, y = self.wait(f"{POINT}({json.dumps([selector, words])})")
        moves = [{"type": "pointerMove", "x": x, "y": y, "duration": 0}]
        moves += [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")]
        self.perform([{"type": "pointer", "id": pointer, "parameters": {"pointerType": pointer}, "actions": moves}])

    def tap(self, selector: str, words: str = "") -> None:
        """Wait until nothing covers an element, then tap it with a finger."""
        self.click(selector, words, pointer="touch")

    def press(self, *keys: str) -> None:
        """Press keys one after another; each one is given as the name of a key or as a single character."""
        strokes = [KEYS.get(key, key) for key in keys]
        actions = [{"type": kind, "value": key} for key in strokes for kind in ("keyDown", "keyUp")]
        self.perform([{"type": "key", "id": "keyboard", "actions": actions}])

    def problems(self) -> list[str]:
        """Return the errors and warnings that this window's pages have recorded."""
        self.go(f"{self.site.address}/static/icon.svg")  # the pages have been left, and their last words are known, too
        return list(json.loads(self.evaluate('sessionStorage.getItem("problems")') or "[]"))


class Browser(ABC):
    """A running browser in which tests can open windows."""

    @abstractmethod
    def window(self, site: Site) -> Window:
        """Open a new window for a site."""

    @abstractmethod
    def stop(self) -> None:
        """End the browser."""
