"""Make certificates, check them with all three checkers, and print a table (python -m bench.certificates).

To measure one board, give the game, the board and the adjacency. To check a certificate, give the file that 'gridlock
solve --certificate' wrote. By default, all boards in docs/certificates.md are measured, except those that take minutes.
With --slow, all boards in docs/certificates.md are measured.
"""

import gzip
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from gridlock.certificates.checker import check
from gridlock.core.rules import variant
from gridlock.engine.clock import Clock
from gridlock.engine.solve import Solver

BOARDS = [
    *(("scatter", f"3x{cols}", "king") for cols in range(3, 18, 2)),
    ("scatter", "5x5", "king"),
    ("scatter", "7x7", "king"),
    ("scatter", "5x9", "king"),
    ("scatter", "5x7", "orthogonal"),
    ("showdown", "8x8", "king"),
    ("trails", "7x7", "orthogonal"),
    ("trails", "9x9", "orthogonal"),
]
SLOW = [("scatter", "7x9", "king")]
ROOT = Path(__file__).parents[1]


def made(game: str, board: str, adjacency: str, file: Path) -> str:
    """Write a certificate to a file; return the processor time it took."""
    began = time.process_time()
    lines = Solver(variant(game, board, adjacency), clock=Clock(), memory=1 << 29).certificate()
    assert lines is not None  # because there is no time limit
    with file.open("w") as out:
        out.writelines(lines)
    return f"{time.process_time() - began:.2f}"


def timed(*command: str | Path) -> str:
    """Run a checker, which must accept the certificate; return the processor time it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return f"{after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime:.2f}"


def row(name: str, seconds: str, file: Path, program: Path) -> str:
    """Check a certificate; return a row of the table."""
    began = time.process_time()
    with file.open() as lines:
        proved = check(lines)
    checked = f"{time.process_time() - began:.2f}"
    in_c = timed(program, file) if program.exists() else ""
    on_page = timed("node", ROOT / "bench/check_certificate.js", file) if shutil.which("node") else ""
    content = file.read_bytes()
    size, packed = len(content) / 1000, len(gzip.compress(content)) / 1000
    winner = "second" if proved.wins is None else "first"
    what = f"| {name} | {winner} | {proved.records:,} | {proved.slots:,} | {size:,.1f} | {packed:,.1f} "
    return what + f"| {seconds} | {checked} | {in_c} | {on_page} |"


def main(words: list[str]) -> None:
    """Print the table."""
    boards = [(words[0], words[1], words[2])] if len(words) == 3 else BOARDS + (SLOW if "--slow" in words else [])
    print("| board | winner | records | slots | kB | kB, gzip | made (s) | verify (s) | C (s) | page (s) |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        program, file = Path(folder) / "check", Path(folder) / "certificate"
        if shutil.which("cc"):
            subprocess.run(["cc", "-O2", "-o", program, ROOT / "docs/checker/check.c"], check=True)
        if len(words) == 1 and words[0] != "--slow":
            content = Path(words[0]).read_bytes()
            file.write_bytes(gzip.decompress(content) if words[0].endswith(".gz") else content)
            print(row(Path(words[0]).name, "", file, program))
            return
        for game, board, adjacency in boards:
            seconds = made(game, board, adjacency, file)
            print(row(f"{game} {adjacency} {board}", seconds, file, program), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
