"""The files of the engine for browsers: Pyodide, msgspec and this package."""

import io
import json
import tarfile

import msgspec

from gridlock import __version__
from gridlock.web.static_site.archive import archive

# Of Pyodide, only what a browser loads; the lock file also lists packages, which are not needed.
PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK = "pyodide-lock.json"


def engine_files(pyodide: bytes, msgspec_wheel: bytes) -> dict[str, bytes]:
    """Return the files by their names; Pyodide is npm's archive."""
    made = {"gridlock.zip": archive(), "msgspec.whl": msgspec_wheel}
    with tarfile.open(fileobj=io.BytesIO(pyodide)) as packed:
        for name in (*PYODIDE_FILES, LOCK):
            file = packed.extractfile(f"package/{name}")
            assert file is not None  # the hash was right
            made[name] = file.read()
    made[LOCK] = msgspec.json.encode({**json.loads(made[LOCK]), "packages": {}})
    sizes = {name: len(content) for name, content in made.items()}
    return {**made, "engine.json": msgspec.json.encode({"version": __version__, "files": sizes})}
