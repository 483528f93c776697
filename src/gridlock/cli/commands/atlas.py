"""`gridlock atlas` shows who wins on every board; `gridlock rules --shapes` shows who wins every possible game."""

import textwrap
from dataclasses import asdict
from html import escape
from pathlib import Path

import click

from gridlock.cli.files import check_picture, print_json, solved, winner, write_picture
from gridlock.cli.options import (
    adjacency_option,
    check_workers,
    cluster_option,
    game_argument,
    json_option,
    memory_option,
    old_name,
    processes_option,
    time_option,
)
from gridlock.cli.terminal import Progress, ctrl_c_cancels, tell
from gridlock.core.errors import BadBoard
from gridlock.core.grid import Adjacency, Grid
from gridlock.core.notation import read_board
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.core.rules import RULE_BOOKS
from gridlock.core.shape import SHAPES, Follow, Shape
from gridlock.engine.atlas import Boards, Entry, entry, sizes
from gridlock.engine.clock import MEBIBYTE, Clock
from gridlock.engine.evidence import Method, Verdict
from gridlock.play.exits import Exit
from gridlock.units.ledger import Ledger
from gridlock.units.running import run_units

EVIDENCE = {
    **dict.fromkeys((Method.RULES, Method.MATCHING, Method.CENTRE), "theorem"),
    Method.MIRROR: "mirror",
    Method.SEARCH: "search",
}
SIGNS = {"theorem": "t", "mirror": "m", "search": "s", "open": " "}
LEGEND = "1: the first player wins, 2: the second. t: theorem, m: mirror, s: search. ?: open."


@click.command(
    context_settings=old_name("threads", "processes"),
    epilog="Example: gridlock atlas showdown --up-to 7x7 --svg atlas.svg",
)
@game_argument()
@adjacency_option
@click.option("--up-to", "largest", metavar="ROWSxCOLS", default="6x6", show_default=True, help="The largest board.")
@time_option("The time limit per board, in seconds.", 5.0)
@memory_option
@processes_option
@cluster_option
@click.option(
    "--checkpoint",
    type=click.Path(dir_okay=False),
    help="Save progress to this file and to files next to it, and resume from them.",
)
@click.option(
    "--recorded/--no-recorded",
    default=True,
    show_default=True,
    help="Use the recorded results for boards that would take minutes or longer to search.",
)
@click.option("--svg", type=click.Path(dir_okay=False), help="Save the atlas to this SVG file (- for standard output).")
@json_option
def atlas(
    game: RuleBook,
    adjacency: str | None,
    largest: str,
    seconds: float,
    memory: int,
    processes: int,
    cluster: str | None,
    checkpoint: str | None,
    recorded: bool,
    svg: str | None,
    as_json: bool,
) -> int:
    """Show who wins GAME on every board up to a given size, and how this is known.

    A board and its 90-degree rotation count as one. Ctrl-C stops the run and leaves the remaining boards
    unsolved; with --checkpoint, the same command resumes the run. With another --time, it continues the searches of
    unsolved boards, so you can give them hours: gridlock atlas GAME --time 36000 --memory 4096 --checkpoint FILE. On a
    cluster, unfinished searches start again from the beginning.
    """
    touching = Adjacency(adjacency) if adjacency else game.adjacency
    try:
        size = read_board(largest)
        Variant(game, Grid(*size, touching))
    except BadBoard as error:
        raise click.UsageError(f"--up-to: {error}") from None
    if checkpoint == "":
        raise click.BadParameter("the file name is empty.", param_hint="'--checkpoint'")
    check_workers(processes, cluster)
    check_picture(svg, as_json)
    path = Path(checkpoint) if checkpoint else None
    boards = Boards(game, touching, seconds, memory * MEBIBYTE // processes, None if cluster else path, recorded)
    with Ledger(path, boards.task) as ledger:
        complete = _survey(boards, size, ledger, processes, cluster)
    entries = boards.entries(sizes(game, size), ledger)
    if as_json:
        print_json(
            {"game": game.name, "adjacency": str(touching), "boards": [{**solved(one), **cost(one)} for one in entries]}
        )
    elif svg != "-":
        tell(*table(entries, size), LEGEND, *longest(entries))
    if not complete:
        missing = " No picture was written." if svg else ""
        again = f" Run the same command again to resume from {checkpoint}." if checkpoint else ""
        finished = len(entries) - len(boards.units(sizes(game, size), ledger))
        tell(f"Interrupted: {finished} of {len(entries)} boards are finished.{missing}{again}", err=True)
        return Exit.INTERRUPTED
    if svg:
        write_picture(svg, picture(entries, f"{game.title}: who wins, {touching} adjacency", size))
    return Exit.DONE


def _survey(boards: Boards, largest: tuple[int, int], ledger: Ledger, processes: int, cluster: str | None) -> bool:
    """Solve every board, up to the largest, that is not yet in the ledger; return False if stopped by Ctrl-C."""
    name, units = boards.book.name, boards.units(sizes(boards.book, largest), ledger)
    alone = processes == 1 and cluster is None
    with Progress(f"Atlas of {name}") as progress, ctrl_c_cancels():
        clock = Clock()

        def finished(_key: str, _result: object) -> None:
            if not alone:
                progress.tell(f"{sum(key in ledger.done for key in units)} of {len(units)} boards")

        def heard(key: str, report: tuple[int, float]) -> None:
            if alone:
                progress.what = f"Atlas of {name}, {units[key][0]}x{units[key][1]}"
                progress(*report)

        return run_units(
            boards.solve,
            units,
            ledger,
            processes=0 if alone else processes,
            cluster=cluster,
            finished=finished,
            stopped=lambda: clock.stopped,
            heard=heard,
        )


def evidence(one: Entry) -> str:
    """Return how a board's winner was determined (`theorem`, `mirror` or `search`), or `open` if it is unknown."""
    return "open" if one.verdict is Verdict.UNKNOWN else EVIDENCE[one.method]


def cost(one: Entry) -> dict[str, object]:
    """Return the cost of searching a board, and whether the result had already been recorded."""
    return {"positions": one.positions, "seconds": round(one.seconds, 3), "recorded": one.recorded}


def longest(entries: list[Entry]) -> list[str]:
    """Return a line listing the boards that took a second or more to solve, or no line if there are none."""
    known = [one for one in entries if one.verdict is not Verdict.UNKNOWN]
    slow = sorted((one for one in known if one.seconds >= 1), key=lambda one: -one.seconds)
    said = [f"{duration(one.seconds)} for {one.rows}x{one.cols}{_source(one)}" for one in slow]
    rest = "Solved boards that are not listed here took less than 1 s each."
    return [f"Processor time: {', '.join(said)}. {rest}"] if said else []


def _source(one: Entry) -> str:
    """Return a note if a result was recorded earlier, and otherwise an empty string.

    The note names the machine if the search used more than one core.
    """
    if not one.recorded:
        return ""
    return f" (recorded earlier, on {one.machine})" if one.machine else " (recorded earlier)"


def duration(seconds: float) -> str:
    """Return a duration with its unit, such as 47 s, 3 min or 2.5 h."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def _result(one: Entry) -> str:
    """Return a board's winner followed by a letter that stands for the evidence (for example, 1m)."""
    return f"{winner(one.verdict) or '?'}{SIGNS[evidence(one)]}"


def table(entries: list[Entry], largest: tuple[int, int]) -> list[str]:
    """Return the atlas as a text table, with a line for each number of rows and a column for each number of columns."""
    found = {(one.rows, one.cols): _result(one) for one in entries}
    rows, cols = largest
    lines = ["   " + "".join(f"{col:>4}" for col in range(1, cols + 1))]
    for row in range(1, rows + 1):
        cells = [found.get((row, col)) or found.get((col, row), "") for col in range(1, cols + 1)]
        lines.append(f"{row:>3}" + "".join(f"{cell:>4}" for cell in cells).rstrip())
    return lines


_INKS = {Verdict.WIN: "#fff"}  # the text colour on dark squares
_FILLS = {Verdict.WIN: "#1f6f8b", Verdict.LOSS: "#f2c48d", Verdict.UNKNOWN: "url(#open)"}


def picture(entries: list[Entry], title: str, largest: tuple[int, int]) -> str:
    """Draw the atlas as an SVG picture with one square per board size.

    A square is dark if the first player wins, light if the second player wins, and hatched if the winner is unknown.
    """
    step, left, top = 44, 44, 76
    rows, cols = largest
    width, height = max(420, left + step * cols + 20), top + step * rows + 56
    counts = {verdict: sum(one.verdict is verdict for one in entries) for verdict in Verdict}
    words = (
        f"The first player wins on {counts[Verdict.WIN]} boards, the second on {counts[Verdict.LOSS]}; "
        f"open: {counts[Verdict.UNKNOWN]}."
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        'font-family="system-ui, sans-serif" font-size="13" fill="#20242b">',
        f"<title>{escape(title)}</title><desc>{escape(words)}</desc>",
        '<defs><pattern id="open" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<rect width="6" height="6" fill="#fff"/><path d="M0 0V6" stroke="#d3d6db" stroke-width="2"/></pattern></defs>',
        f'<rect width="{width}" height="{height}" rx="10" fill="#fbfaf7"/>',
        f'<text x="20" y="30" font-size="16" font-weight="600">{escape(title)}</text>',
    ]
    parts += [
        f'<text x="{left + step * (col - 0.5):g}" y="{top - 10}" text-anchor="middle">{col}</text>'
        for col in range(1, cols + 1)
    ]
    parts += [
        f'<text x="{left - 12}" y="{top + step * (row - 0.5) + 5:g}" text-anchor="end">{row}</text>'
        for row in range(1, rows + 1)
    ]
    for one in entries:
        for row, col in sorted({(one.rows, one.cols), (one.cols, one.rows)}):
            if row <= rows and col <= cols:
                x, y, ink = left + step * (col - 1), top + step * (row - 1), _INKS.get(one.verdict, "#20242b")
                parts.append(
                    f'<rect x="{x + 2}" y="{y + 2}" width="{step - 4}" height="{step - 4}" rx="6" '
                    f'fill="{_FILLS[one.verdict]}"/><text x="{x + step // 2}" y="{y + step // 2 + 5}" '
                    f'text-anchor="middle" fill="{ink}">{_result(one).strip()}</text>'
                )
    legend = "1, 2: who wins. t theorem, m mirror, s search, ? open."
    parts.append(f'<text x="20" y="{height - 20}" fill="#5b616b">{legend}</text></svg>')
    return "\n".join(parts) + "\n"


# -- all shapes --------------------------------------------------------------------------------------------------------

SIDES = (3, 4, 5, 6)  # the sides of the square boards
MEMORY = 64 * MEBIBYTE  # for the search tables of one board
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
SHAPES_LEGEND = "1, 2: the winner on a square board of that size. ?: not solved in time."
WIDTH = 80
Survey = dict[Shape, dict[tuple[Adjacency, int], Entry]]  # results by shape, adjacency and side


def blank_survey() -> Survey:
    """Return a survey in which no winner is known yet."""
    boards = [(adjacency, side) for adjacency in Adjacency for side in SIDES]
    return {
        shape: {board: Entry(board[1], board[1], Verdict.UNKNOWN, Method.SEARCH) for board in boards}
        for shape in SHAPES
    }


def show_shapes(seconds: float, as_json: bool) -> int:
    """Print the table of shapes, and return the exit code."""
    survey, interrupted = _survey_shapes(seconds)
    if as_json:
        shapes = [
            {
                **asdict(shape),
                "games": [{"game": book.name, "adjacency": str(book.adjacency)} for book in _known(shape)],
                "boards": [{"adjacency": str(adjacency), **solved(one)} for (adjacency, _), one in boards.items()],
            }
            for shape, boards in survey.items()
        ]
        print_json({"shapes": shapes})
    else:
        tell(*shapes_table(survey))
    if interrupted:
        tell("Interrupted: this is what is known so far.", err=True)
    return Exit.INTERRUPTED if interrupted else Exit.DONE


def _survey_shapes(seconds: float) -> tuple[Survey, bool]:
    """Solve a game of each shape on every board, small boards first; return the survey, and whether Ctrl-C ended it."""
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
    """Return the built-in and registered games that have this shape."""
    return [book for book in RULE_BOOKS.values() if book.shape == shape]


def shapes_table(survey: Survey) -> list[str]:
    """Return a table with a row for each combination of marker properties: who wins, and which games have them."""
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
    return [*lines, SHAPES_LEGEND]
