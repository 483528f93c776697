"""Pages and what they load: compressed once, and known by a tag that changes when they do."""

import gzip
import hashlib
import json
import re
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

STATIC = Path(__file__).parents[1] / "static"
PARTS = Path(__file__).with_name("parts")  # of pages: what several of them have in common
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
SMALL = 1000  # bytes that are not worth compressing
_MODULE = re.compile(rb'<script type="module" src="/static/([a-z0-9-]+\.js)">')
_IMPORT = re.compile(rb'(?:from|^import) "\./([a-z0-9-]+\.js)"', re.MULTILINE)
_INCLUDED = re.compile(r"<!-- (\w+) -->\n")
_PATH = re.compile(r"[a-z0-9-]+(/[a-z0-9-]+)?\.[a-z]+")


class File(NamedTuple):
    """A file as it is sent."""

    body: bytes
    packed: bytes | None  # the same by gzip, where that is less
    tag: str
    kind: str


def packed(body: bytes, level: int = 9) -> bytes | None:
    """A text by gzip, if that is worth it."""
    less = gzip.compress(body, level, mtime=0) if len(body) >= SMALL else body
    return less if len(less) < len(body) else None


def file_of(body: bytes, kind: str) -> File:
    """What is sent of a body."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
    return File(body, None if kind == KINDS[".png"] else packed(body), tag, kind)


@lru_cache(maxsize=256)
def _read(path: Path, *_changed: int) -> File:
    body = whole_page(path) if path.suffix == ".html" else path.read_bytes()
    return file_of(body, KINDS[path.suffix])


def whole_page(path: Path) -> bytes:
    """A page with its head and navigation around it.

    Its file has what goes into the head, a line for each tag, then an empty line and what is in the body. A comment
    of one word stands for the tags of that name, or for the part of that name. One that has a doctype is whole.
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
    link = rf'<a (class="button round" )?href="{here}"'
    return re.sub(link, r'\g<0> aria-current="page"', page, count=1).encode()


def static(name: str) -> File | None:
    """A file of the page by its name; it is read anew when it has changed."""
    path = STATIC / name
    if not _PATH.fullmatch(name) or path.suffix not in KINDS or not path.is_file():
        return None
    made_of = [path, *PARTS.iterdir()] if path.suffix == ".html" else [path]
    return _read(path, *(one.stat().st_mtime_ns for one in made_of))


def page(name: str) -> File:
    """A page that names all modules it needs: a browser else finds them one behind the other, each after a journey."""
    file = static(name)
    assert file is not None  # the package has them all
    return _with_modules(file)


@lru_cache(maxsize=64)
def _with_modules(file: File) -> File:
    loaded = [one.decode() for one in _MODULE.findall(file.body)]  # to be named again would be an error in Firefox
    needed = dict.fromkeys(loaded)
    for module in (waiting := list(needed)):
        found = static(module)
        fresh = [one.decode() for one in _IMPORT.findall(found.body if found else b"") if one.decode() not in needed]
        needed |= dict.fromkeys(fresh)
        waiting += fresh
    links = "".join(
        f'<link rel="modulepreload" href="/static/{module}">\n' for module in needed if module not in loaded
    )
    return file_of(file.body.replace(b"</head>", links.encode() + b"</head>", 1), file.kind)


def service_worker(pages: list[str]) -> File:
    """The worker that keeps the pages for those without a network; it changes whenever any part of them does."""
    names = sorted(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file())
    parts = {name: file for name in names if (file := static(name))}
    tags = "".join(f"{name}{file.tag}" for name, file in parts.items())
    version = hashlib.sha256(tags.encode()).hexdigest()[:12]
    loaded = [f"/static/{name}" for name in parts if name.endswith((".js", ".css", ".svg")) and "/" not in name]
    text = parts["service-worker.js"].body.decode()
    text = text.replace('"unknown"', json.dumps(version), 1).replace(
        "PARTS = []", f"PARTS = {json.dumps([*pages, *loaded])}", 1
    )
    return file_of(text.encode(), KINDS[".js"])


def takes_gzip(accepted: str) -> bool:
    """Whether a client says that it reads gzip."""
    return bool(re.search(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))", accepted))


def sent(request: Request, file: File, headers: dict[str, str] | None = None, status: int = 200) -> Response:
    """A file, or that it has not changed; browsers ask each time, so that the parts of a page are of one version."""
    told = {"Cache-Control": "no-cache", "ETag": file.tag, "Vary": "Accept-Encoding", **(headers or {})}
    known = [one.strip().removeprefix("W/") for one in request.headers.get("if-none-match", "").split(",")]
    if status == 200 and file.tag in known:
        return Response(status_code=304, headers=told)
    body = file.body
    if file.packed is not None and takes_gzip(request.headers.get("accept-encoding", "")):
        body, told["Content-Encoding"] = file.packed, "gzip"
    return Response(body, status, told, file.kind)
