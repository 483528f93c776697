"""The part of this package that runs in a browser, as one archive; kernels are not compiled there."""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[2]
FOLDERS = (
    *("core", "drawing", "engine", "play", "players", "units", "userdata", "values"),
    *("web/offline", "web/operations", "web/referee", "web/wire"),
)
FILES = (
    *("__init__.py", "__init__.pyi", "web/__init__.py", "web/net/__init__.py", "web/net/limits.py"),
    *("web/thinking/__init__.py", "web/thinking/questions.py"),
)
ENDINGS = (".py", ".toml", ".txt", ".json")
_ONE_DATE = (1980, 1, 1, 0, 0, 0)  # so that the same files always make the same archive


def archive() -> bytes:
    """Return the archive."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as file:
        for path in sorted(_paths()):
            entry = zipfile.ZipInfo(path.relative_to(PACKAGE.parent).as_posix(), _ONE_DATE)
            file.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    return written.getvalue()


def _paths() -> Iterator[Path]:
    yield from (PACKAGE / name for name in FILES)
    for folder in FOLDERS:
        yield from (path for path in (PACKAGE / folder).rglob("*") if path.suffix in ENDINGS)
