"""The site that `gridlock site` writes, served from a folder by Python's own web server."""

import json
import os
import re
import subprocess
import sys
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from browser_visitor import Site
from browser_windows import WATCH
from platformdirs import user_cache_path
from playwright.sync_api import Page

from gridlock.web.offline.engine import Engine
from gridlock.web.offline.games import Games
from gridlock.web.static_site.downloads import MSGSPEC, PYODIDE, fetched
from gridlock.web.static_site.folder import site, write_site

DOWNLOADS = Path(os.environ.get("GRIDLOCK_DOWNLOADS") or user_cache_path("gridlock", appauthor=False))
PREFIX = "some/folder"
# The snapshot of Python's memory that a page's engine has stored, and its key; null if there is none yet.
SNAPSHOT = """async () => {
  const cache = await caches.open("engine-snapshots");
  const [key] = await cache.keys();
  if (!key) return null;
  const bytes = new Uint8Array(await (await cache.match(key)).arrayBuffer());
  return [key.url, Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")];
}"""
RESTORE = 'async (key) => (await caches.open("engine-snapshots")).put(key, await fetch("../snapshot"))'


def need_downloads() -> Path:
    """Return the folder that contains the browser engine's files; skip the test if a file is missing."""
    missing = [one.name for one in (PYODIDE, MSGSPEC) if not (DOWNLOADS / one.name).is_file()]
    if missing:
        pytest.skip(f"{' and '.join(missing)} not in {DOWNLOADS} ('gridlock site' downloads them)")
    return DOWNLOADS


class StaticSite(Site):
    """A static site under a path prefix, without a game server; its pages record their errors and warnings."""

    online = False

    def __init__(self, folder: Path) -> None:
        self.kept: dict[str, str] = {}
        super().__init__(folder)

    def start(self) -> None:
        """Write the site, and serve its files."""
        made = site(*fetched(need_downloads()))
        made["static/theme.js"] = WATCH.encode() + made["static/theme.js"]
        made["a/missing/page.html"] = made["404.html"]
        write_site(self.folder / PREFIX, made)
        self.serve()

    def serve(self) -> None:
        """Serve the files on the previous port or, the first time, on any free port."""
        command = [sys.executable, "-u", "-m", "http.server", str(self.port), "--bind", "127.0.0.1"]
        with (self.folder / "log").open("w") as log:
            self.process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=log, text=True)
        assert self.process.stdout
        line = self.process.stdout.readline()  # Serving HTTP on 127.0.0.1 port 38211 (http://127.0.0.1:38211/) ...
        self.port = int(line.split(" port ")[1].split()[0])
        self.address = f"http://127.0.0.1:{self.port}/{PREFIX}"

    def url(self, path: str) -> str:
        """Return the address of a page; on a static site, every page is an HTML file."""
        return self.address + re.sub(r"^/\w+", r"\g<0>.html", path)

    def save_snapshot(self, page: Page) -> str:
        """Store a snapshot of the engine among the site's files, and return the key under which browsers store it."""
        page.goto(self.url("/analyse"))
        while not (found := page.evaluate(SNAPSHOT)):
            page.wait_for_timeout(100)
        key, content = found
        (self.folder / PREFIX / "snapshot").write_bytes(content.encode("latin-1"))
        return str(key)

    def ask(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Return the answer that the browser's engine would give, computed in this process."""
        answer: dict[str, Any] = json.loads(self._engine.ask("POST", path, json.dumps(body)).body)
        return answer

    def puzzle(self, day: str) -> dict[str, Any]:
        """Return the daily puzzle."""
        answer: dict[str, Any] = json.loads(self._engine.ask("GET", f"/api/puzzle?day={day}").body)
        return answer

    @cached_property
    def _engine(self) -> Engine:
        return Engine(Games(self))  # type: ignore[arg-type]  # it needs no more of a page than this

    def keep(self, key: str, value: str) -> None:
        """Add a game to the entries for the browser's local storage."""
        self.kept[f"gridlock.engine.{key}"] = value
