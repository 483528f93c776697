"""Tests that the GPU search program for Scatter agrees with brute force and with the engine.

The program is compiled as plain C++ here, which needs no GPU: the same code then runs on one lane instead of 32.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from test_col_kernel import at_random, bits, exchanged, mover_wins, never, search_for, touching

from gridlock.engine.kernels import col_kernel

SOURCE = Path(__file__).parents[2] / "bench/gpu/scatter.cu"
COMPILER = shutil.which("c++")
EVERY = "REPLY CENTRE DOMINANCE REGIONS BLOCKS"

pytestmark = [pytest.mark.slow, pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")]
adjacencies = pytest.mark.parametrize("king", [True, False], ids=["king", "orthogonal"])
Sets = tuple[int, int]  # the cells open to the player to move and those open to the opponent, as bits


class Program:
    """The GPU program, compiled as plain C++ for one board, with some techniques switched off."""

    def __init__(self, folder: Path, board: str, king: bool, block: str = "2x3", *options: str, off: str = "") -> None:
        rows, cols = board.split("x")
        block_rows, block_cols = block.split("x")
        self.size, self.file = int(rows) * int(cols), folder / f"scatter-{board}"
        sizes = [f"-DROWS={rows}", f"-DCOLS={cols}", f"-DBLOCK_ROWS={block_rows}", f"-DBLOCK_COLS={block_cols}"]
        switches = [f"-DKING={king:d}", *options, *(f"-D{name}=0" for name in off.split())]
        checks = ["-Wall", "-Wextra", "-Werror"]
        command = [str(COMPILER), "-O1", "-std=c++17", *checks, *sizes, *switches, "-x", "c++", str(SOURCE)]
        subprocess.run([*command, "-o", str(self.file)], check=True)

    def run(self, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run([self.file, *words], input=given, capture_output=True, text=True, timeout=300)

    def assert_agrees(self, positions: list[Sets], wins: list[bool], gigabytes: str = "0.01") -> None:
        """Check which positions the player to move wins; a failure shows the positions with wrong answers."""
        lines = [drawn(p, q, self.size) for p, q in positions]
        done = self.run("check", gigabytes, given="".join(f"{line}\n" for line in lines))
        assert done.returncode == 0, done.stderr
        answers = zip(lines, done.stdout.split(), wins, strict=True)
        assert not [line for line, found, won in answers if found != "01"[won]]


def drawn(p: int, q: int, size: int) -> str:
    return "".join("#mob"[(p >> cell & 1) + 2 * (q >> cell & 1)] for cell in range(size))


def played(rows: int, cols: int, king: bool, moves: tuple[int, int], count: int, seed: int) -> list[Sets]:
    """Return positions after random moves; the number of moves is also random, between two limits."""
    cells = [divmod(cell, cols) for cell in range(rows * cols)]
    zones = [sum(1 << i for i, other in enumerate(cells) if touching(cell, other, king)) for cell in cells]
    dice, found = random.Random(seed), []
    for _ in range(count):
        p = q = (1 << rows * cols) - 1
        for _ in range(dice.randint(*moves)):
            if not (choices := [cell for cell in range(rows * cols) if p >> cell & 1]):
                break
            cell = dice.choice(choices)
            p, q = q & ~(1 << cell), p & ~zones[cell]
        found.append((p, q))
    return found


@adjacencies
@pytest.mark.parametrize(
    ("board", "block", "options", "off"),
    [
        ("3x3", "2x3", (), ""),
        ("3x3", "3x2", ("-DWIDE",), "REPLY"),
        ("3x3", "2x2", (), "REGIONS BLOCKS"),
        ("2x5", "2x3", (), "CENTRE"),
        ("5x2", "2x2", ("-DWIDE",), "DOMINANCE"),
        ("1x9", "1x3", (), "BLOCKS"),
        ("3x4", "2x3", (), EVERY),
        ("4x4", "2x4", (), "REGIONS"),
        ("4x4", "1x2", (), "CENTRE BLOCKS"),
        ("3x5", "3x3", (), ""),
        ("5x3", "3x2", ("-DWIDE",), "REGIONS"),
        ("2x8", "2x3", (), "BLOCKS DOMINANCE"),
    ],
)
def test_random_positions_of_small_boards(
    tmp_path: Path, board: str, king: bool, block: str, options: tuple[str, ...], off: str
) -> None:
    """The small table has room for only 28 results, so that new results replace others."""
    rows, cols = map(int, board.split("x"))
    count = 1500 if rows * cols < 12 else 100
    pairs = [*at_random(rows, cols, count, seed=rows + cols), *exchanged(rows, cols, count // 5, seed=rows + cols)]
    positions, wins = [(bits(p, cols), bits(q, cols)) for p, q in pairs], [mover_wins(p, q, king) for p, q in pairs]
    assert 0.2 * len(wins) < sum(wins) < 0.8 * len(wins)
    program = Program(tmp_path, board, king, block, *options, off=off)
    for gigabytes in ("0.01", "0.000001"):
        program.assert_agrees(positions, wins, gigabytes)


@pytest.mark.parametrize(
    ("board", "king", "moves", "block", "options", "off"),
    [
        ("5x5", True, (1, 6), "2x4", (), "REPLY"),
        ("5x5", False, (2, 6), "3x3", (), "CENTRE"),
        ("4x6", True, (1, 6), "2x3", (), "REGIONS"),
        ("4x6", False, (3, 8), "2x4", ("-DWIDE",), "BLOCKS"),
        ("6x4", False, (3, 8), "3x2", (), EVERY),
        ("5x7", True, (2, 8), "3x3", ("-DWIDE",), "DOMINANCE"),
        ("5x7", False, (5, 12), "3x3", (), ""),
        ("9x9", True, (11, 24), "3x3", ("-DWIDE",), ""),  # only a GPU has solved this board
        ("9x9", True, (12, 24), "2x4", ("-DWIDE",), "REGIONS BLOCKS"),
        ("5x11", False, (11, 24), "3x3", (), ""),  # only a GPU has solved this board
        ("11x5", False, (13, 24), "4x2", ("-DWIDE",), "DOMINANCE"),
    ],
)
def test_random_positions_of_larger_boards(
    tmp_path: Path, board: str, king: bool, moves: tuple[int, int], block: str, options: tuple[str, ...], off: str
) -> None:
    rows, cols = map(int, board.split("x"))
    search = search_for(rows, cols, king, 1 << 26, col_kernel.ALL)
    positions = played(rows, cols, king, moves, 300, seed=6)
    wins = [bool(search.solve(*position, never)) for position in positions]
    assert 90 < sum(wins) < 210
    Program(tmp_path, board, king, block, *options, off=off).assert_agrees(positions, wins)


@pytest.mark.parametrize(
    ("board", "king", "block", "winner"),
    [
        ("1x1", True, "1x1", "first"),
        ("4x4", False, "2x3", "second"),
        ("5x5", False, "2x4", "second"),
        ("3x7", False, "2x3", "second"),
        ("3x9", False, "3x3", "second"),
        ("5x7", False, "3x3", "second"),
        ("5x7", True, "2x3", "second"),
        ("7x5", True, "3x3", "second"),
        ("7x7", True, "3x3", "second"),
    ],
)
def test_whole_boards(tmp_path: Path, board: str, king: bool, block: str, winner: str) -> None:
    """The program finds the winner with one search, and with many that take turns and share what they prove."""
    program = Program(tmp_path, board, king, block)
    for words in ((), ("1", "3"), ("64", "3"), ("64", "200")):
        done = program.run("60", "0.1", *words)
        name = f"{board} \\({'king' if king else 'orthogonal'}\\)"
        assert re.fullmatch(rf"The {winner} player wins on {name}: \d+ positions, \d+\.\d s\.\n", done.stdout), done
        assert done.returncode == 0


def test_a_search_stops_when_its_time_is_up(tmp_path: Path) -> None:
    done = Program(tmp_path, "9x9", True, "2x3", "-DWIDE").run("0.2", "0.1", "64", "100")
    assert done.stdout.startswith("The winner is not known on 9x9 (king): ")
    assert done.returncode == 5


def test_wrong_input(tmp_path: Path) -> None:
    program = Program(tmp_path, "3x3", True)
    for words in ((), ("1",), ("soon", "1"), ("0", "1"), ("1", "1", "1", "1", "1"), ("check",)):
        done = program.run(*words)
        assert (done.returncode, done.stderr[:6]) == (2, "usage:")
    for line in ("bbbbbbbb", "bbbbbbbbbb", "bbbbxbbbb", "BBBBBBBBB", ""):
        done = program.run("check", "0.01", given=f"bmo#bmo#b\n{line}\n")
        assert (done.returncode, done.stderr) == (2, f"This is not a position: {line}\n")
