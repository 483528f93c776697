"""The files that make up the browser engine: Pyodide, msgspec and this package."""

import hashlib
import io
import json
import tarfile

import msgspec

from gridlock import __version__
from gridlock.web.pages import files
from gridlock.web.static_site.archive import archive

# The parts of Pyodide that a browser loads. Pyodide's lock file becomes part of engine.json, with an empty list of
# packages.
PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK = "pyodide-lock.json"
START = "engine-python.js"  # starts Python; a snapshot of Python's memory is valid for one version of all these files
PACKAGES = "packages.bin"  # an archive, named so that no host declares it as compressed


def engine_files(pyodide: bytes, msgspec_wheel: bytes) -> dict[str, bytes]:
    """Return the engine's files, keyed by name, given Pyodide's npm archive and the msgspec wheel."""
    with tarfile.open(fileobj=io.BytesIO(pyodide)) as packed:
        made = {name: _read(packed, name) for name in PYODIDE_FILES}
        lock = {**json.loads(_read(packed, LOCK)), "packages": {}}
    made[PACKAGES] = archive(msgspec_wheel)
    script = files.static(START)
    assert script is not None  # the package contains it
    sizes = {name: len(content) for name, content in made.items()}
    listed = {"digest": digest_of({**made, START: script.body}), "files": sizes, "lock": lock}
    return {**made, "engine.json": msgspec.json.encode({"version": __version__, **listed})}


def _read(packed: tarfile.TarFile, name: str) -> bytes:
    file = packed.extractfile(f"package/{name}")
    assert file is not None  # the archive's hash was verified
    return file.read()


def digest_of(made: dict[str, bytes]) -> str:
    """Return a digest of the names and contents of the given files."""
    digest = hashlib.sha256()
    for name, content in sorted(made.items()):
        digest.update(name.encode() + b"\0" + hashlib.sha256(content).digest())
    return digest.hexdigest()[:12]
