"""Check that a wheel contains the package's own files, its compiled kernels, and nothing else."""

import sys
import zipfile
from pathlib import Path, PurePosixPath

SOURCE = Path(__file__).parent.parent / "src"
MANUAL = "share/man/man1/gridlock.1"
# Build output, bytecode, and type declarations that only the JavaScript type checker reads.
LEFT_OUT = (".c", ".so", ".pyd", ".pyc", ".d.ts")


def own_files() -> set[str]:
    """Return the paths of the package's files and of its manual page, as installed."""
    files = (path for path in (SOURCE / "gridlock").rglob("*") if path.is_file())
    return {MANUAL} | {path.relative_to(SOURCE).as_posix() for path in files if not path.name.endswith(LEFT_OUT)}


def complaints(held: set[str], expected: set[str]) -> list[str]:
    """Return a sentence for each problem with a wheel's files."""
    compiled = {name for name in held if PurePosixPath(name).suffix in (".so", ".pyd")}
    kernels = {name.removesuffix(".py") for name in expected if name.endswith("_kernel.py")}
    kept = {name.partition(".data/data/")[2] or name for name in held - compiled if ".dist-info/" not in name}
    found = [f"{name} is missing" for name in sorted(expected - kept)]
    found += [f"{name} does not belong there" for name in sorted(kept - expected)]
    found += [f"{name} is not compiled" for name in sorted(kernels - {name.partition(".")[0] for name in compiled})]
    return found


def main() -> int:
    """Check the given wheel."""
    if len(sys.argv) != 2:
        print("usage: wheel.py WHEEL", file=sys.stderr)
        return 2
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        held = {name for name in wheel.namelist() if not name.endswith("/")}
    found = complaints(held, own_files())
    for words in found:
        print(f"{sys.argv[1]}: {words}", file=sys.stderr)
    print(f"{len(held)} files in the wheel, {len(found)} complaints")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
