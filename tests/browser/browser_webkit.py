"""WebKit for GTK: its MiniBrowser on a virtual display, driven through WebDriver."""

import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from browser_visitor import Site
from browser_windows import PATIENCE, Browser, Window

SCREEN = "2000x1300x24"
# Without this style, MiniBrowser's toolbar would keep windows from being as narrow as a phone.
STYLE = "* { font-size: 2px; min-width: 0; padding: 0; margin: 0; border: 0; -gtk-icon-transform: scale(0.1); }"


class WebKit(Browser):
    """WebKit's MiniBrowser, on its own virtual display."""

    def __init__(self, folder: Path) -> None:
        program = next(Path("/usr").glob("lib*/**/webkit2gtk-4.*/MiniBrowser"), None)
        if not (program and shutil.which("WebKitWebDriver") and shutil.which("Xvfb")):
            pytest.skip("no WebKit is installed (Debian: apt-get install webkit2gtk-driver xvfb)")
        (folder / "gtk-3.0").mkdir()
        (folder / "gtk-3.0" / "gtk.css").write_text(STYLE)
        self._log = (folder / "log").open("w")
        self._running: list[subprocess.Popen[bytes]] = []
        self._current = ""
        try:
            environment = {
                "DISPLAY": self._screen(),
                "HOME": str(folder),
                "XDG_CONFIG_HOME": str(folder),
                "GDK_BACKEND": "x11",
                "GTK_A11Y": "none",
                "NO_AT_BRIDGE": "1",
                "LIBGL_ALWAYS_SOFTWARE": "1",
            }
            port = _free_port()
            self._start(["WebKitWebDriver", f"--port={port}"], environment)
            self._address = f"http://127.0.0.1:{port}"
            _until_open(port)
            options = {"binary": str(program), "args": ["--automation"]}
            wishes = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
            made = self._request("POST", "/session", {"capabilities": wishes})
            self._session = f"/session/{made['sessionId']}"
            self._first = str(self.ask("GET", "/window"))  # never closed: the browser would end with it
        except BaseException:
            self.stop()
            raise

    def _start(self, command: list[str], environment: dict[str, str], **options: Any) -> None:
        started = subprocess.Popen(command, stdout=self._log, stderr=self._log, env=os.environ | environment, **options)
        self._running.append(started)

    def _screen(self) -> str:
        """Start a virtual display on the first free display number."""
        ours, its = os.pipe()
        self._start(["Xvfb", "-displayfd", str(its), "-screen", "0", SCREEN, "-nolisten", "tcp"], {}, pass_fds=[its])
        os.close(its)
        with os.fdopen(ours) as told:
            return f":{told.readline().strip()}"

    def _request(self, method: str, path: str, body: dict[str, Any] | None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(self._address + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(asked, timeout=2 * PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path} {body}: {error.read().decode()[:1000]}") from None

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None, window: str = "") -> Any:
        """Run a command in a window, and return its result."""
        if window and window != self._current:
            self._request("POST", f"{self._session}/window", {"handle": window})
            self._current = window
        return self._request(method, self._session + path, body)

    def window(self, site: Site) -> Window:
        """A new window."""
        handle = self.ask("POST", "/window/new", {"type": "window"}, self._first)["handle"]
        return WebKitWindow(self, site, handle)

    def stop(self) -> None:
        """End it."""
        if hasattr(self, "_session"):
            self._request("DELETE", self._session, None)
        for process in reversed(self._running):
            process.terminate()
            process.wait(20)
        self._log.close()


class WebKitWindow(Window):
    """A WebKit window."""

    def __init__(self, browser: WebKit, site: Site, handle: str) -> None:
        self.site = site
        self._browser = browser
        self._handle = handle

    def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        return self._browser.ask(method, path, body, self._handle)

    def go(self, address: str) -> None:
        """Load an address."""
        self._ask("POST", "/url", {"url": address})

    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression."""
        script = f"return JSON.stringify([({expression})])"
        return json.loads(self._ask("POST", "/execute/sync", {"script": script, "args": []}))[0]

    def perform(self, actions: list[dict[str, Any]]) -> None:
        """Use the mouse, a finger or the keyboard."""
        self._ask("POST", "/actions", {"actions": actions})

    def resize(self, width: int, height: int) -> None:
        """Set the page's width and height; the window is taller than the page by the height of its toolbar."""
        bar = self.evaluate("outerHeight - innerHeight")
        self._ask("POST", "/window/rect", {"width": width, "height": height + bar})
        self.wait(f"innerWidth === {width}")

    def close(self) -> None:
        """Close the window."""
        self._ask("DELETE", "/window")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def _until_open(port: int) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            assert time.monotonic() < end, "WebKitWebDriver does not start"
            time.sleep(0.05)
