"""Make the file of traps: won positions in which no move in the hottest region wins.

A trap is shown rotated or reflected at random, so only traps that are equally difficult in every orientation are kept.

    python -m bench.traps                   write src/gridlock/play/traps.txt (two minutes on one core)

The seeds are fixed, and limits count positions rather than seconds, so every machine writes the same file.
"""

from random import Random

from gridlock.engine.clock import MEBIBYTE, Clock
from gridlock.engine.engine import Engine, engine_for
from gridlock.engine.mirror import symmetries
from gridlock.play.puzzle_making import (
    DIGITS,
    HOT_LEVELS,
    SERIES_MOVES,
    TRAPS,
    attempt,
    books_with_puzzles,
    plan_for,
    trap_image,
)
from gridlock.play.puzzles import HARDEST, Kind, Puzzle, solution

WANTED = 16  # traps of each difficulty
MEMORY = 64 * MEBIBYTE
GAMES = 1000  # games on a board before the next board


def made() -> list[str]:
    """Return the lines of the file, easiest traps first."""
    (book,) = books_with_puzzles(Kind.TRAP)
    variants = [plan_for(book, difficulty, kind=Kind.TRAP).variant for difficulty in (1, 2, HARDEST)]
    boards = [
        (level, Engine(one, MEMORY), Random(level.board)) for level, one in zip(HOT_LEVELS, variants, strict=True)
    ]
    found: dict[int, dict[str, None]] = {difficulty: {} for difficulty in range(1, HARDEST + 1)}
    while any(len(lines) < WANTED for lines in found.values()):
        for level, engine, rng in boards:
            for _ in range(GAMES):
                puzzle = attempt(engine, rng, level, SERIES_MOVES, Clock(), Kind.TRAP)
                if puzzle and len(found[puzzle.difficulty]) < WANTED and difficulties(puzzle) == {puzzle.difficulty}:
                    found[puzzle.difficulty][_line(puzzle)] = None
    return [line for lines in found.values() for line in lines]


def difficulties(puzzle: Puzzle) -> set[int]:
    """Return the set of difficulty ratings that a trap has in its various orientations.

    A trap's difficulty rating can depend on its orientation, because ties are broken by row order.
    """
    variant = puzzle.game.variant
    winning, moves = _written(puzzle)
    found = set()
    for image in symmetries(variant.grid):
        turned = trap_image(variant, image, winning, moves, puzzle.difficulty)
        solved = solution(engine_for(variant), turned.game.position, Clock())
        assert solved, "nothing stops the search"
        found.add(solved.difficulty)
    return found


def _written(puzzle: Puzzle) -> tuple[str, str]:
    """Return the winning move and the moves of the game, with one digit per move."""
    return DIGITS[puzzle.winning[0]], "".join(DIGITS[move] for move in puzzle.game.moves)


def _line(puzzle: Puzzle) -> str:
    """Return a trap's line in the file: the difficulty, the board, the winning move and the moves of the game."""
    return " ".join((str(puzzle.difficulty), str(puzzle.game.variant.grid), *_written(puzzle)))


if __name__ == "__main__":
    TRAPS.write_text("".join(f"{line}\n" for line in made()), encoding="ascii")
