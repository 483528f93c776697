"""Tests that the GPU search program for Trails agrees with brute force and with the engine.

The program is compiled as plain C++ here, which needs no GPU: the same code then runs on one lane instead of 32.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from test_tron_kernel import middle_positions, never, search_for, small_positions, start_of

from gridlock.engine.kernels import tron_kernel

SOURCE = Path(__file__).parents[2] / "bench/gpu/trails.cu"
COMPILER = shutil.which("c++")

pytestmark = [pytest.mark.slow, pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")]
Numbers = tuple[int, int, int]  # the free cells as bits, the mover's cell, the other pawn's cell


class Program:
    """The GPU program, compiled as plain C++ for one board size."""

    def __init__(self, folder: Path, rows: int, cols: int, king: bool, *options: str) -> None:
        self.size, self.file = rows * cols, folder / f"trails-{rows}-{cols}-{king:d}{''.join(options)}"
        board = [f"-DROWS={rows}", f"-DCOLS={cols}", f"-DKING={king:d}", *options]
        warnings = ["-Wall", "-Wextra", "-Werror"]
        command = [
            str(COMPILER),
            "-O0",
            "-std=c++17",
            *warnings,
            "-x",
            "c++",
            *board,
            str(SOURCE),
            "-o",
            str(self.file),
        ]
        subprocess.run(command, check=True)

    def run(self, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run([self.file, *words], input=given, capture_output=True, text=True, timeout=300)

    def wins(self, positions: list[Numbers]) -> list[bool]:
        """Return, for each position, whether the player to move wins."""
        boards = ["".join(".#"[not free >> cell & 1] for cell in range(self.size)) for free, _, _ in positions]
        lines = [f"{board} {me} {them}\n" for board, (_, me, them) in zip(boards, positions, strict=True)]
        done = self.run("check", "0.01", given="".join(lines))
        assert done.returncode == 0, done.stderr
        return [line == "1" for line in done.stdout.split()]


@pytest.mark.parametrize(
    ("king", "options"),
    [(False, ()), (True, ("-DWALL=0",)), (True, ("-DLOOK=1",)), (False, ("-DLOOK=99", "-DWIDE"))],
)
def test_every_position_of_a_small_board(tmp_path: Path, king: bool, options: tuple[str, ...]) -> None:
    positions, wins = zip(*small_positions(3, 3, king), strict=True)
    assert Program(tmp_path, 3, 3, king, *options).wins(list(positions)) == list(wins)


def test_random_positions_of_middling_boards(tmp_path: Path) -> None:
    boards = [(5, 5, False), (5, 5, True), (4, 5, True)]
    found = [one for one in middle_positions(seed=4, count=400) if one[:3] in boards]
    for board in boards:
        positions = [one[3] for one in found if one[:3] == board]
        assert Program(tmp_path, *board).wins(positions) == [one[4] for one in found if one[:3] == board]


def test_random_positions_of_a_board_that_only_a_gpu_has_solved(tmp_path: Path) -> None:
    dice, positions = random.Random(5), []
    search = search_for(7, 9, True, 1 << 26, tron_kernel.ALL)
    while len(positions) < 300:
        free, me, them = start_of(7, 9)
        for _ in range(dice.randint(24, 40)):
            if not (moves := search.moves(free, me, them)):
                break
            cell = dice.choice(moves)
            free, me, them = free & ~(1 << cell), them, cell
        positions.append((free, me, them))
    wins = [bool(search.solve(*position, never)) for position in positions]
    assert 30 < sum(wins) < 270
    assert Program(tmp_path, 7, 9, True).wins(positions) == wins


@pytest.mark.parametrize(
    ("rows", "cols", "king", "winner"),
    [(3, 3, True, "first"), (4, 4, True, "second"), (5, 7, False, "first"), (5, 5, True, "first")],
)
def test_whole_boards(tmp_path: Path, rows: int, cols: int, king: bool, winner: str) -> None:
    """The program finds the winner of a whole board, even if the work limit for each search is very low.

    If a search reaches the limit, the program instead searches the position after each move.
    """
    program = Program(tmp_path, rows, cols, king)
    for budget in ("5", "2000"):
        done = program.run("60", "0.1", "64", budget)
        assert re.match(f"The {winner} player wins on {rows}x{cols} ", done.stdout), done
        assert done.returncode == 0


def test_a_search_stops_when_its_time_is_up(tmp_path: Path) -> None:
    done = Program(tmp_path, 7, 9, True).run("0.2", "0.1", "64", "100")
    assert done.stdout.startswith("The winner is not known on 7x9 (king): ")
    assert done.returncode == 5


def test_wrong_input(tmp_path: Path) -> None:
    program = Program(tmp_path, 3, 3, True)
    assert program.run().returncode == program.run("soon", "1").returncode == 2
    for line in ("........", "......... 0 9", "x........ 0 1", "......... 0 1"):
        done = program.run("check", "0.01", given=line + "\n")
        assert (done.returncode, done.stderr) == (2, f"This is not a position: {line}\n")
