"""The third-party files that the site needs: Pyodide (Python for browsers) from npm, and msgspec from PyPI.

The msgspec wheel is built for Pyodide. Versions are pinned, and the files' hashes are verified. npm and pip download
from their configured registries.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from gridlock.core.errors import GridLockError
from gridlock.core.files import write_safely
from gridlock.userdata.folder import cache_folder


class DownloadFailed(GridLockError):
    """A file that the site needs is not available."""


@dataclass(frozen=True)
class Download:
    """A file to download."""

    name: str
    sha256: str
    program: str  # npm or pip, which downloads the file
    arguments: tuple[str, ...]

    @property
    def command(self) -> list[str]:
        """The command that downloads the file into the current folder."""
        if self.program == "pip":
            return [sys.executable, "-m", "pip", *self.arguments]
        found = shutil.which(self.program)
        if found is None:
            raise DownloadFailed(f"{self.program} isn't installed, and it must fetch {self.name}. {INSTEAD}")
        return [found, *self.arguments]

    def fetch(self, folder: Path) -> bytes:
        """Return the contents of the file `name` in the given folder, after downloading the file if necessary."""
        path = folder / self.name
        if not path.is_file():
            folder.mkdir(parents=True, exist_ok=True)
            write_safely(path, self._checked(self._download(), f"What {self.program} has fetched as {self.name}"))
        return self._checked(path.read_bytes(), str(path))

    def _download(self) -> bytes:
        with TemporaryDirectory() as folder:
            own = {**os.environ, "PIP_CONSTRAINT": ""}  # a user's constraints may pin another version
            done = subprocess.run(self.command, cwd=folder, env=own, capture_output=True, text=True, errors="replace")
            path = Path(folder, self.name)
            if done.returncode or not path.is_file():
                lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
                why = lines[-1][:200] if lines else "it said nothing"
                raise DownloadFailed(f"{self.program} could not fetch {self.name} ({why}). {INSTEAD}")
            return path.read_bytes()

    def _checked(self, content: bytes, what: str) -> bytes:
        if hashlib.sha256(content).hexdigest() != self.sha256:
            raise DownloadFailed(f"{what} isn't the file that this version of GridLock was tested with.")
        return content


INSTEAD = "You can also download the file yourself, put it in a folder, and specify the folder with --downloads."
PYODIDE = Download(
    "pyodide-314.0.7.tgz",
    "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0",
    "npm",
    ("pack", "pyodide@314.0.7", "--ignore-scripts"),
)
MSGSPEC = Download(
    "msgspec-0.22.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl",
    "a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022",
    "pip",
    (
        *("download", "msgspec==0.22.0", "--no-deps", "--only-binary=:all:", "--disable-pip-version-check"),
        *("--platform=pyemscripten_2026_0_wasm32", "--python-version=3.14", "--implementation=cp", "--abi=cp314"),
    ),
)


def fetched(folder: Path | None) -> tuple[bytes, bytes]:
    """Return the Pyodide and msgspec archives from a folder (default: the cache), downloading any that are missing."""
    cache = folder or cache_folder()
    for one in (PYODIDE, MSGSPEC):
        if not (cache / one.name).exists() and sys.stderr.isatty():
            click.echo(f"Fetching {one.name} with {one.program}…", err=True)
        one.fetch(cache)
    return PYODIDE.fetch(cache), MSGSPEC.fetch(cache)
