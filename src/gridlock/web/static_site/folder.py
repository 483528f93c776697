"""The site as files: the server's pages with relative links, API answers that never change, and the engine.

Every page is in the root folder, so the same relative links work on all pages, wherever the site is published.
"""

import json
import re
from pathlib import Path

import msgspec

from gridlock.core.errors import GridLockError
from gridlock.core.rules import RULE_BOOKS
from gridlock.web.app import PAGES
from gridlock.web.operations import games, learning, positions
from gridlock.web.pages import files
from gridlock.web.static_site.engine import digest_of, engine_files
from gridlock.web.wire.answers import Position
from gridlock.web.wire.messages import Setup, Source

ENGINE = "engine/"
LIST = "site.json"  # the names of all files; a folder with this list is a site, so its files may be replaced
MARK = f'<meta name="gridlock-engine" content="{ENGINE}">\n'.encode()  # tells the page that there is no server
# A web host serves 404.html for any address that does not exist, so relative links in 404.html would break. A script in
# 404.html therefore looks for the site's root in the parent folders.
_FIND_ROOT = b"""<script type="module">
const parts = location.pathname.split("/").slice(0, -1);
for (let root = ""; parts.length && !root; parts.pop()) {
  const folder = `${parts.join("/")}/`;
  const found = await fetch(`${folder}site.json`).then((answer) => answer.json(), () => []).catch(() => []);
  if (found.includes?.("404.html")) root = folder;
  for (const name of root ? ["href", "src"] : []) {
    for (const one of document.querySelectorAll(`:is(link, a, img)[${name}]`)) {
      one.setAttribute(name, root + one.getAttribute(name).replace(/^\\.\\//, ""));
    }
  }
}
</script>
"""
_LINK = re.compile(rb'\b(href|src)="/([^"?#]*)')
_UNCACHED = ("embed.html", "404.html")
Files = dict[str, bytes]


def site(pyodide: bytes, msgspec_wheel: bytes) -> Files:
    """Return all files of the site, keyed by path; `pyodide` is the content of Pyodide's npm archive."""
    made = _static() | _pages() | _answers()
    made |= {f"{ENGINE}{name}": content for name, content in engine_files(pyodide, msgspec_wheel).items()}
    made["service-worker.js"] = _service_worker(made)
    return {LIST: msgspec.json.encode(sorted(made)), **made}


def write_site(folder: Path, made: Files) -> None:
    """Write the site into a folder, replacing any earlier version; other files in the folder are left alone."""
    old = written(folder)
    for name in old - set(made):
        path = folder / name
        if path.resolve().is_relative_to(folder.resolve()):
            path.unlink(missing_ok=True)
    for name, content in made.items():  # the list is written first, so that a partly written site can be replaced
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def written(folder: Path) -> set[str]:
    """Return the names of the files that an earlier version of the site left in a folder.

    Reject a folder that is neither empty nor a site.
    """
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return set()
    try:
        return set(msgspec.json.decode((folder / LIST).read_bytes(), type=list[str]))
    except (OSError, msgspec.MsgspecError):
        raise GridLockError(f"{folder} isn't empty, and it isn't a GridLock site. Choose an empty folder.") from None


def relative(page: bytes) -> bytes:
    """Return a page whose links are relative to the root."""

    def link(found: re.Match[bytes]) -> bytes:
        path = found[2].decode()
        if f"/{path}" in PAGES:
            path = PAGES[f"/{path}"] if path else "./"
        return found[1] + b'="' + path.encode()

    return _LINK.sub(link, page)


def _pages() -> Files:
    named = {name: files.page(name).body for name in PAGES.values()} | {"404.html": files.page("missing.html").body}
    made = {name: relative(body).replace(b"</head>", MARK + b"</head>", 1) for name, body in named.items()}
    return made | {"404.html": made["404.html"].replace(b"</body>", _FIND_ROOT + b"</body>", 1)}


def _static() -> Files:
    """Return the files that pages load; each picture is stored twice, under static/pictures/ and under pictures/."""
    made = {}
    for path in sorted(files.STATIC.rglob("*")):
        name = path.relative_to(files.STATIC).as_posix()
        if path.suffix != ".html" and name != "service-worker.js" and (file := files.static(name)):
            made[f"static/{name}"] = _manifest(file.body) if path.suffix == ".webmanifest" else file.body
    pictures = {
        name.removeprefix("static/"): body for name, body in made.items() if name.startswith("static/pictures/")
    }
    return made | pictures


def _manifest(body: bytes) -> bytes:
    """Return the web app manifest, with URLs relative to the manifest's own URL."""
    data = json.loads(body)
    del data["id"]  # the default is the start page, which distinguishes sites on the same host
    data["start_url"] = data["scope"] = "../"
    for icon in data["icons"]:
        icon["src"] = icon["src"].removeprefix("/static/")
    for shortcut in data["shortcuts"]:
        shortcut["url"] = f"../{PAGES[shortcut['url']]}"
    return json.dumps(data, indent=2).encode()


def _answers() -> Files:
    """Return the API responses that never change, so that pages can show them without waiting for the engine."""
    answers: dict[str, object] = {"games": games.catalogue(""), "atlas": learning.atlas()}
    answers["lessons"] = learning.courses()
    answers |= {f"lessons/{course.game}": learning.lessons(course.game) for course in learning.courses().courses}
    answers["boards"] = _boards()
    return {f"api/{name}.json": msgspec.json.encode(one) for name, one in answers.items()}


def _boards() -> list[Position]:
    """Return every game's empty default board, which pages can draw without the engine.

    Each board has four setups (with or without the swap rule, and with either player moving first). The default
    comes first.
    """
    rules = [(swap, starts) for swap in (False, True) for starts in (1, 2)]
    setups = [Setup(name, swap=swap, starts=starts) for name in RULE_BOOKS for swap, starts in rules]
    return [positions.position(Source(setup)) for setup in setups]


def _service_worker(made: Files) -> bytes:
    """Return the service worker, which stores everything that the pages may need offline."""
    parts = ["./" if name == "index.html" else name for name in made if name not in _UNCACHED]
    script = files.static("service-worker.js")
    assert script is not None  # the package contains it
    text = script.body.decode().replace('"unknown"', json.dumps(digest_of(made)), 1)
    return text.replace("PARTS = []", f"PARTS = {json.dumps(parts)}", 1).encode()
