"""Make certificates, check them with both checkers, and print a table: python -m bench.certificates.

Give a game, a board and an adjacency to take one board.

By default it takes all the boards of docs/certificates.md, except the ones that take longer than some minutes (--slow).
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
    ("scatter", "5x7", "orthogonal"),
    ("showdown", "8x8", "king"),
    ("trails", "7x7", "orthogonal"),
    ("trails", "9x9", "orthogonal"),
]
SLOW = [("scatter", "5x9", "king"), ("scatter", "7x9", "king")]
SOURCE = Path(__file__).parents[1] / "docs/checker/check.c"


def row(game: str, board: str, adjacency: str, program: Path | None) -> str:
    """Make and check one certificate; return a row of the table."""
    began = time.process_time()
    text = Solver(variant(game, board, adjacency), clock=Clock(), memory=1 << 29).certificate() or ""
    made = time.process_time()
    proved = check(text.splitlines(keepends=True))
    checked = time.process_time()
    in_c = ""
    if program is not None:
        file = program.with_name("certificate")
        file.write_text(text)
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run([program, file], check=True, stdout=subprocess.DEVNULL)
        in_c = f"{resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before:.2f}"
    size, packed = len(text) / 1000, len(gzip.compress(text.encode())) / 1000
    winner = "second" if proved.wins is None else "first"
    what = f"| {game} {adjacency} {board} | {winner} | {proved.records:,} | {proved.slots:,} "
    return what + f"| {size:,.1f} | {packed:,.1f} | {made - began:.2f} | {checked - made:.2f} | {in_c} |"


def main(words: list[str]) -> None:
    """Print the table."""
    boards = [(words[0], words[1], words[2])] if len(words) == 3 else BOARDS + (SLOW if "--slow" in words else [])
    print("| board | winner | records | slots | kB | kB, gzip | made (s) | verify (s) | C (s) |")
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "check" if shutil.which("cc") else None
        if program is not None:
            subprocess.run(["cc", "-O2", "-o", program, SOURCE], check=True)
        for board in boards:
            print(row(*board, program), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
