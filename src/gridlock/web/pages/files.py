"""Compress pages and static files once and give them ETags; compress other responses when they are sent."""

import gzip
import hashlib
import json
import re
import time
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Scope

STATIC = Path(__file__).parents[1] / "static"
PARTS = Path(__file__).with_name("parts")  # fragments that several pages share
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".gif": "image/gif",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
}
# The content types of the engine's files. Browsers compile WebAssembly during the download only if its content type is
# correct.
ENGINE_KINDS = {
    ".mjs": KINDS[".js"],
    ".wasm": "application/wasm",
    ".json": "application/json",
    ".zip": "application/zip",
    ".bin": "application/octet-stream",
}
_SPARE = b'<meta name="gridlock-spare-engine" content="engine/">\n'  # tells a page that it can work without the server
_COMPRESSED = (KINDS[".gif"], KINDS[".png"], KINDS[".woff2"])
# Whole-line comments are stripped, because they make up a fifth of a page's size.
_COMMENTS = {
    ".js": re.compile(rb"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL),
    ".css": re.compile(rb"^/\*(?:(?!\*/).)*\*/\n", re.MULTILINE | re.DOTALL),
}
SMALL = 1000  # a body with fewer bytes is not worth compressing
LEVEL = 5  # the compression level for other responses: most of the gain, in a fraction of the time
_TEXTS = ("application/json", "image/svg+xml", "text/")
_MODULE = re.compile(rb'<script type="module" src="/static/([a-z0-9-]+\.js)">')
_IMPORT = re.compile(rb'(?:from|^import) "\./([a-z0-9-]+\.js)"', re.MULTILINE)
_INCLUDED = re.compile(r"<!-- (\w+) -->\n")
_PATH = re.compile(r"[a-z0-9-]+(/[a-z0-9-]+)?\.[a-z0-9]+")


class File(NamedTuple):
    """A file ready to be sent."""

    body: bytes
    gzipped: bytes | None  # None if compression would not make the body smaller
    tag: str
    kind: str


def gzipped(body: bytes, level: int = 9) -> bytes | None:
    """Compress a body; return None if that is not worthwhile."""
    less = gzip.compress(body, level, mtime=0) if len(body) >= SMALL else body
    return less if len(less) < len(body) else None


def file_of(body: bytes, kind: str) -> File:
    """Return a file with the given contents."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
    return File(body, None if kind in _COMPRESSED else gzipped(body), tag, kind)


@lru_cache(maxsize=256)
def _read(path: Path, *_changed: int) -> File:
    body = whole_page(path) if path.suffix == ".html" else path.read_bytes()
    if path.suffix in _COMMENTS:
        body = _COMMENTS[path.suffix].sub(b"", body)
    return file_of(body, KINDS[path.suffix])


def whole_page(path: Path) -> bytes:
    """Return a complete page, including its head and navigation.

    A page's file contains the tags for its head, one per line, then an empty line, then the body. A one-word comment is
    replaced by the head tags with that name (such as meta) or by the file with that name in PARTS. A file that starts
    with a doctype is already complete.
    """
    text = path.read_text(encoding="utf-8")
    if text.startswith("<!doctype"):
        return text.encode()
    own, _, body = text.partition("\n\n")
    tags = {tag: re.findall(rf"<{tag}\b.*\n", own + "\n") for tag in ("title", "meta", "link", "script")}

    def included(comment: re.Match[str]) -> str:
        name = comment[1]
        if name in tags:
            return "".join(tags[name])
        return _INCLUDED.sub(included, (PARTS / f"{name}.html").read_text(encoding="utf-8"))

    page = _INCLUDED.sub(included, f"<!-- head -->\n{body}</body>\n</html>\n")
    here = "/" if path.stem == "index" else f"/{path.stem}"
    return page.replace(f'<a href="{here}"', f'<a href="{here}" aria-current="page"', 1).encode()


def static(name: str) -> File | None:
    """Return the static file with this name; the file is read again whenever it has changed."""
    path = STATIC / name
    if not _PATH.fullmatch(name) or path.suffix not in KINDS or not path.is_file():
        return None
    made_of = [path, *PARTS.iterdir()] if path.suffix == ".html" else [path]
    return _read(path, *(one.stat().st_mtime_ns for one in made_of))


def page(name: str) -> File:
    """Return a page that preloads all its modules, so that the browser need not discover them one by one."""
    file = static(name)
    assert file is not None  # the package contains them all
    return _with_modules(file)


@lru_cache(maxsize=64)
def _with_modules(file: File) -> File:
    loaded = [one.decode() for one in _MODULE.findall(file.body)]  # preloading these makes Firefox warn
    needed = dict.fromkeys(loaded)
    for module in (waiting := list(needed)):
        found = static(module)
        fresh = [one.decode() for one in _IMPORT.findall(found.body if found else b"") if one.decode() not in needed]
        needed |= dict.fromkeys(fresh)
        waiting += fresh
    links = "".join(f'<link rel="modulepreload" href="/static/{one}">\n' for one in needed if one not in loaded)
    return file_of(file.body.replace(b"</head>", links.encode() + b"</head>", 1), file.kind)


def engine_file(name: str, body: bytes) -> File:
    """Compress one of the browser engine's files; all of them together (7 MB) take about a second."""
    return file_of(body, ENGINE_KINDS[Path(name).suffix])


@lru_cache(maxsize=64)
def with_spare_engine(file: File) -> File:
    """Return a copy of a page; the copy can run the engine in the browser when the server cannot be reached."""
    return file_of(file.body.replace(b"</head>", _SPARE + b"</head>", 1), file.kind)


def service_worker(pages: list[str], engine: Mapping[str, File] = MappingProxyType({})) -> File:
    """Return the service worker, which caches pages for offline use; its code changes whenever any file changes."""
    tags = tuple((f"engine/{name}", file.tag) for name, file in engine.items())
    return _service_worker(tuple(pages), tags, int(time.monotonic()))


@lru_cache(maxsize=1)
def _service_worker(pages: tuple[str, ...], engine: tuple[tuple[str, str], ...], _second: int) -> File:
    """Return the service worker, which is cached for up to a second.

    Without the cache, every request would check all files, which would take several milliseconds.
    """
    names = sorted(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file())
    parts = {name: file for name in names if (file := static(name))}
    tags = "".join(f"{name}{tag}" for name, tag in [*((name, file.tag) for name, file in parts.items()), *engine])
    version = hashlib.sha256(tags.encode()).hexdigest()[:12]
    loaded = [
        f"static/{name}" for name in parts if name.endswith((".js", ".css", ".svg", ".woff2")) and "/" not in name
    ]
    loaded += [name for name in parts if name.startswith("pictures/")]
    relative = [page.removeprefix("/") or "./" for page in pages]
    text = parts["service-worker.js"].body.decode().replace('"unknown"', json.dumps(version), 1)
    text = text.replace("PARTS = []", f"PARTS = {json.dumps([*relative, *loaded, *dict(engine)])}", 1)
    return file_of(text.encode(), KINDS[".js"])


def takes_gzip(accepted: str) -> bool:
    """Return whether an Accept-Encoding header allows gzip."""
    return bool(re.search(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))", accepted))


def response(request: Request, file: File, headers: dict[str, str] | None = None, status: int = 200) -> Response:
    """Return a response that contains a file, or status 304 if the browser's copy is current.

    Browsers check with the server before they use a stored copy, so no page mixes files from different versions.
    """
    headers = {"Cache-Control": "no-cache", "ETag": file.tag, "Vary": "Accept-Encoding", **(headers or {})}
    known = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    if status == 200 and file.tag in known:
        return Response(status_code=304, headers=headers)
    body = file.body
    if file.gzipped is not None and takes_gzip(request.headers.get("accept-encoding", "")):
        body, headers["Content-Encoding"] = file.gzipped, "gzip"
    return Response(body, status, headers, file.kind)


def compressed(scope: Scope, start: Message, body: Message) -> Message:
    """Return a response's body, compressed if that is safe and worthwhile; adjust the response's headers to match.

    A compressed response's length reveals something about its content, so an attacker who can place their own text next
    to a secret could guess the secret. A response is not compressed if it, or its request, may contain a token.
    """
    asked, headers = Headers(scope=scope), MutableHeaders(scope=start)
    secret = "authorization" in asked or (scope["method"] == "POST" and scope["path"].startswith("/api/games"))
    if secret or not takes_gzip(asked.get("accept-encoding", "")):
        return body
    whole = not body.get("more_body") and "content-encoding" not in headers
    if not whole or not headers.get("content-type", "").startswith(_TEXTS):
        return body
    less = gzipped(body.get("body", b""), LEVEL)
    if less is None:
        return body
    headers["Content-Encoding"] = "gzip"
    headers["Content-Length"] = str(len(less))
    headers.add_vary_header("Accept-Encoding")
    return {**body, "body": less}
