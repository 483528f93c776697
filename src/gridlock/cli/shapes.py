"""All shapes: every game that the four properties allow, and who wins it on small boards."""

import textwrap
from dataclasses import asdict

from gridlock.cli.facts import print_json, solved, winner
from gridlock.cli.progress import Progress, ctrl_c_cancels
from gridlock.cli.terminal import tell
from gridlock.core.grid import Adjacency, Grid
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.core.rules import RULE_BOOKS
from gridlock.core.shape import SHAPES, Follow, Shape
from gridlock.engine.clock import MEBIBYTE, Clock
from gridlock.engine.evidence import Method, Verdict
from gridlock.engine.solve import Entry, entry
from gridlock.play.exits import Exit

SIDES = (3, 4, 5, 6)  # of the boards
MEMORY = 64 * MEBIBYTE  # for one board's tables
NEXT_MOVE = {
    (None, False): "anywhere",
    (Follow.NEAR, False): "near the last marker",
    (Follow.AWAY, False): "away from the last",
    (Follow.NEAR, True): "own pawn, a step",
    (Follow.AWAY, True): "own pawn, a leap",
}
CLOSES = {
    (False, False): "nothing",
    (False, True): "to the opponent",
    (True, False): "to its owner",
    (True, True): "to both",
}
LEGEND = "1, 2: the winner on a square board of that size. ?: not solved in time."
WIDTH = 80


Survey = dict[Shape, dict[tuple[Adjacency, int], Entry]]  # by shape, adjacency and side


def blank_survey() -> Survey:
    """Return a survey in which no winner is known yet."""
    boards = [(adjacency, side) for adjacency in Adjacency for side in SIDES]
    return {
        shape: {board: Entry(board[1], board[1], Verdict.UNKNOWN, Method.SEARCH) for board in boards}
        for shape in SHAPES
    }


def show_shapes(seconds: float, as_json: bool) -> int:
    """Print the table, and return the exit code."""
    survey, interrupted = _survey(seconds)
    if as_json:
        print_json(_facts(survey))
    else:
        tell(*table(survey))
    if interrupted:
        tell("Interrupted: this is what is known so far.", err=True)
    return Exit.INTERRUPTED if interrupted else Exit.DONE


def _survey(seconds: float) -> tuple[Survey, bool]:
    """Solve every shape on every board, the small boards first, and return whether Ctrl-C stopped it."""
    boards = [(side, adjacency, shape) for side in SIDES for adjacency in Adjacency for shape in SHAPES]
    survey = blank_survey()
    with Progress("Solving shapes") as progress, ctrl_c_cancels():
        clock = Clock(seconds)
        for number, (side, adjacency, shape) in enumerate(boards):
            if clock.stopped:
                break
            progress.tell(f"{number} of {len(boards)} boards")
            clock.restart(seconds)
            variant = Variant(RuleBook(title="Nameless", shape=shape), Grid(side, side, adjacency))
            survey[shape][adjacency, side] = entry(variant, clock, MEMORY)
    return survey, clock.stopped


def _known(shape: Shape) -> list[RuleBook]:
    """Return the named games of a shape."""
    return [book for book in RULE_BOOKS.values() if book.shape == shape]


def table(survey: Survey) -> list[str]:
    """Return a row for each shape: its properties in words, the winners with either adjacency, and its games."""
    first, second = max(map(len, NEXT_MOVE.values())) + 2, max(map(len, CLOSES.values())) + 2
    digits = 2 * len(SIDES)
    left = f"{'Next move':{first}}{'Closes cells':{second}}"
    sides = "".join(f"{side:<2}" for side in SIDES)
    lines = [f"{left}{'king':{digits + 1}}orthogonal", f"{'':{first}}{'around it':{second}}{sides} {sides}  Known as"]
    for shape, boards in survey.items():
        winners = " ".join(
            "".join(f"{winner(boards[adjacency, side].verdict) or '?':<2}" for side in SIDES) for adjacency in Adjacency
        )
        words = f"{NEXT_MOVE[shape.follows, shape.pawn]:{first}}{CLOSES[shape.closes_own, shape.closes_other]:{second}}"
        names = [f"{book.name} ({book.adjacency})" for book in _known(shape)]
        row = f"{words}{winners}  "
        shown = [line for name in names for line in textwrap.wrap(name, WIDTH - len(row))] or [""]
        lines += [f"{row if not number else ' ' * len(row)}{name}".rstrip() for number, name in enumerate(shown)]
    return [*lines, LEGEND]


def _facts(survey: Survey) -> dict[str, object]:
    return {
        "shapes": [
            {
                **asdict(shape),
                "games": [{"game": book.name, "adjacency": str(book.adjacency)} for book in _known(shape)],
                "boards": [{"adjacency": str(adjacency), **solved(one)} for (adjacency, _), one in boards.items()],
            }
            for shape, boards in survey.items()
        ]
    }
