"""Make the file of traps: positions that are won, but by no move in the hottest region.

    python -m bench.traps                   write src/gridlock/play/traps.txt (two minutes on one core)

The seeds are fixed, and limits count positions rather than seconds, so every machine writes the same file.
"""

from random import Random

from gridlock.engine.clock import MEBIBYTE, Clock
from gridlock.engine.engine import Engine
from gridlock.play.puzzle_making import DIGITS, HOT_LEVELS, SERIES_MOVES, TRAPS, attempt, books_with_puzzles, plan_for
from gridlock.play.puzzles import HARDEST, Kind, Puzzle

WANTED = 16  # traps of each difficulty
MEMORY = 64 * MEBIBYTE
GAMES = 1000  # on a board, before the next board


def made() -> list[str]:
    """Return the lines of the file, the easiest traps first."""
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
                if puzzle and len(found[puzzle.difficulty]) < WANTED:
                    found[puzzle.difficulty][_line(puzzle)] = None
    return [line for lines in found.values() for line in lines]


def _line(puzzle: Puzzle) -> str:
    """Return the difficulty, the board, the winning move and the moves of the game."""
    moves = "".join(DIGITS[move] for move in puzzle.game.moves)
    return f"{puzzle.difficulty} {puzzle.game.variant.grid} {DIGITS[puzzle.winning[0]]} {moves}"


if __name__ == "__main__":
    TRAPS.write_text("".join(f"{line}\n" for line in made()), encoding="ascii")
