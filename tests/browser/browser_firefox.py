"""Firefox, driven through WebDriver BiDi."""

import json
import os
import re
import shutil
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from browser_visitor import Site
from browser_windows import PATIENCE, Browser, Window
from websockets.sync.client import connect

# With these settings, Firefox contacts only the tested site and shows no first-run page.
SETTINGS = {
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.safebrowsing.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "dom.ipc.processPrelaunch.enabled": False,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "http://127.0.0.1:9",
}

# Firefox logs this error when a user leaves a page before a service worker has delivered the page or one of its files.
# For pages, but not for other files, the message lacks the URL. A test still fails if the service worker cannot provide
# a page or an engine that the test needs.
ABANDONED = re.compile(
    r"Failed to load .(|http\S+/engine/pyodide\S*\.mjs|http\S+/api/\w+\.json).\. "
    r"A ServiceWorker intercepted the request and encountered an unexpected error\."
)


class Firefox(Browser):
    """Firefox, headless."""

    def __init__(self, folder: Path) -> None:
        found = next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)
        if found is None:
            pytest.skip("no Firefox is installed (Debian: apt-get install firefox-esr)")
        lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in SETTINGS.items())
        (folder / "user.js").write_text("\n".join(lines))
        self.log: list[str] = []
        self._number = 0
        self._closing = ExitStack()
        command = [found, "--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port", "0"]
        with (folder / "log").open("w") as log:
            self._process = subprocess.Popen(
                command, stdout=log, stderr=log, env=os.environ | {"HOME": str(folder), "MOZ_HEADLESS": "1"}
            )
        try:
            self._socket = self._closing.enter_context(connect(self._address(folder), max_size=None))
            self.ask("session.new", capabilities={})
            self.ask("session.subscribe", events=["log.entryAdded"])
        except BaseException:
            self.stop()
            raise

    def _address(self, folder: Path) -> str:
        """Return the address on which Firefox listens, read from a file in its profile."""
        told = folder / "WebDriverBiDiServer.json"
        end = time.monotonic() + PATIENCE
        while not told.exists() or not told.read_text().endswith("}"):
            assert time.monotonic() < end, f"Firefox does not start: {(folder / 'log').read_text()[-2000:]}"
            time.sleep(0.05)
        place = json.loads(told.read_text())
        return f"ws://{place['ws_host']}:{place['ws_port']}/session"

    def ask(self, method: str, **params: Any) -> Any:
        """Run a command, and return its result."""
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": params}))
        while (answer := json.loads(self._socket.recv(timeout=2 * PATIENCE))).get("id") != self._number:
            if answer.get("method") == "log.entryAdded":
                self._hear(answer["params"])
        assert answer["type"] == "success", f"{method}: {answer}"
        return answer["result"]

    def _hear(self, entry: dict[str, Any]) -> None:
        if entry["level"] in ("error", "warn") and not ABANDONED.fullmatch(entry["text"] or ""):
            self.log.append(f"{entry['level']}: {entry['text']}")

    def window(self, site: Site) -> Window:
        """A new tab."""
        return FirefoxWindow(self, site, self.ask("browsingContext.create", type="tab")["context"])

    def stop(self) -> None:
        """End it."""
        self._closing.close()
        self._process.terminate()
        self._process.wait(20)


class FirefoxWindow(Window):
    """A Firefox tab."""

    def __init__(self, browser: Firefox, site: Site, context: str) -> None:
        self.site = site
        self._browser = browser
        self._context = context

    def go(self, address: str) -> None:
        """Load an address."""
        self._browser.ask("browsingContext.navigate", context=self._context, url=address, wait="interactive")

    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression."""
        told = self._browser.ask(
            "script.evaluate",
            expression=f"JSON.stringify([({expression})])",
            target={"context": self._context},
            awaitPromise=False,
        )
        assert told["type"] == "success", f"{expression}: {told.get('exceptionDetails')}"
        return json.loads(told["result"]["value"])[0]

    def perform(self, actions: list[dict[str, Any]]) -> None:
        """Use the mouse, a finger or the keyboard."""
        self._browser.ask("browsingContext.activate", context=self._context)
        self._browser.ask("input.performActions", context=self._context, actions=actions)

    def resize(self, width: int, height: int) -> None:
        """Set the page's width and height."""
        size = {"width": width, "height": height}
        self._browser.ask("browsingContext.setViewport", context=self._context, viewport=size)
        self.wait(f"innerWidth === {width}")

    def problems(self) -> list[str]:
        """Return the recorded errors and warnings, including those logged by Firefox itself."""
        return [*super().problems(), *self._browser.log]

    def close(self) -> None:
        """Close the window."""
        self._browser.log.clear()
        self._browser.ask("browsingContext.close", context=self._context)
