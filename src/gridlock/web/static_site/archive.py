"""The Python packages that run in a browser, as one archive: msgspec, and this package without compiled kernels."""

import gzip
import io
import tarfile
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
WHEEL_ENDINGS = (".py", ".so")


def archive(msgspec_wheel: bytes) -> bytes:
    """Return the archive, a compressed tar file; the same files always produce the same archive."""
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.USTAR_FORMAT) as file:
        for name, content in sorted((package() | _modules(msgspec_wheel)).items()):
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            file.addfile(entry, io.BytesIO(content))
    return gzip.compress(written.getvalue(), mtime=0)


def package() -> dict[str, bytes]:
    """Return the files in this package that a browser needs, keyed by path."""
    return {path.relative_to(PACKAGE.parent).as_posix(): path.read_bytes() for path in _paths()}


def _paths() -> Iterator[Path]:
    yield from (PACKAGE / name for name in FILES)
    for folder in FOLDERS:
        yield from (path for path in (PACKAGE / folder).rglob("*") if path.suffix in ENDINGS)


def _modules(wheel: bytes) -> dict[str, bytes]:
    """Return a wheel's modules, keyed by path."""
    with zipfile.ZipFile(io.BytesIO(wheel)) as file:
        return {name: file.read(name) for name in file.namelist() if name.endswith(WHEEL_ENDINGS)}
