"""`gridlock atlas`: who wins on every board."""

from html import escape

import click

from gridlock.cli.facts import print_json, solved, winner
from gridlock.cli.files import check_picture, write_picture
from gridlock.cli.options import adjacency_option, game_argument, json_option, memory_option, time_option
from gridlock.cli.progress import Progress, ctrl_c_cancels
from gridlock.cli.terminal import tell
from gridlock.core.errors import BadBoard
from gridlock.core.grid import Adjacency, Grid
from gridlock.core.notation import read_board
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.engine.clock import Clock
from gridlock.engine.evidence import Method, Verdict
from gridlock.engine.solve import Entry, entry, sizes
from gridlock.play.exits import Exit

EVIDENCE = {Method.RULES: "theorem", Method.MATCHING: "theorem", Method.MIRROR: "mirror", Method.SEARCH: "search"}
SIGNS = {"theorem": "t", "mirror": "m", "search": "s", "open": " "}
LEGEND = "1: the first player wins, 2: the second. t: theorem, m: mirror, s: search. ?: open."


@click.command(epilog="Example: gridlock atlas showdown --up-to 7x7 --svg atlas.svg")
@game_argument()
@adjacency_option
@click.option("--up-to", "largest", metavar="ROWSxCOLS", default="6x6", show_default=True, help="The largest board.")
@time_option("Seconds per board.", 5.0)
@memory_option
@click.option("--svg", type=click.Path(dir_okay=False), help="Draw the atlas to this SVG file (- for standard output).")
@json_option
def atlas(
    game: RuleBook, adjacency: str | None, largest: str, seconds: float, memory: int, svg: str | None, as_json: bool
) -> int:
    """Show who wins GAME on every board up to a size, and how this is known.

    A board and its 90-degree rotation count as one. Ctrl-C stops and leaves the remaining boards open.
    """
    touching = Adjacency(adjacency) if adjacency else game.adjacency
    try:
        size = read_board(largest)
        Variant(game, Grid(*size, touching))
    except BadBoard as error:
        raise click.UsageError(f"--up-to: {error}") from None
    check_picture(svg, as_json)
    entries, finished = _survey(game, touching, size, seconds, memory << 20)
    interrupted = finished < len(entries)
    if as_json:
        print_json({"game": game.name, "adjacency": str(touching), "boards": [solved(one) for one in entries]})
    elif svg != "-":
        tell(*table(entries, size), LEGEND)
    if interrupted:
        missing = " No picture was written." if svg else ""
        tell(f"Interrupted: {finished} of {len(entries)} boards are finished.{missing}", err=True)
        return Exit.INTERRUPTED
    if svg:
        write_picture(svg, picture(entries, f"{game.title}: who wins, {touching} adjacency", size))
    return Exit.DONE


def _survey(
    book: RuleBook, adjacency: Adjacency, largest: tuple[int, int], seconds: float, memory: int
) -> tuple[list[Entry], int]:
    """Solve every board up to the largest, and count those finished before Ctrl-C."""
    entries, finished = [], 0
    with Progress("") as progress, ctrl_c_cancels():
        clock = Clock(seconds, progress)
        for rows, cols in sizes(book, largest):
            progress.what = f"Atlas of {book.name}, {rows}x{cols}"
            clock.restart(seconds)
            entries.append(entry(Variant(book, Grid(rows, cols, adjacency)), clock, memory))
            finished += not clock.stopped
    return entries, finished


def evidence(one: Entry) -> str:
    """Return how the winner of a board is known; if no player can move at all, the rules count as a theorem."""
    return "open" if one.verdict is Verdict.UNKNOWN else EVIDENCE[one.method]


def _result(one: Entry) -> str:
    """Return the winner and the sign of the evidence, such as 1m."""
    return f"{winner(one.verdict) or '?'}{SIGNS[evidence(one)]}"


def table(entries: list[Entry], largest: tuple[int, int]) -> list[str]:
    """Return the atlas as text: a row for each number of rows, a column for each number of columns."""
    found = {(one.rows, one.cols): _result(one) for one in entries}
    rows, cols = largest
    lines = ["   " + "".join(f"{col:>4}" for col in range(1, cols + 1))]
    for row in range(1, rows + 1):
        cells = [found.get((row, col)) or found.get((col, row), "") for col in range(1, cols + 1)]
        lines.append(f"{row:>3}" + "".join(f"{cell:>4}" for cell in cells).rstrip())
    return lines


_INKS = {Verdict.WIN: "#fff"}  # on dark squares
_FILLS = {Verdict.WIN: "#1f6f8b", Verdict.LOSS: "#f2c48d", Verdict.UNKNOWN: "url(#open)"}


def picture(entries: list[Entry], title: str, largest: tuple[int, int]) -> str:
    """Draw the atlas as SVG: dark squares for the first player, light ones for the second, hatched ones are open."""
    step, left, top = 44, 44, 76
    rows, cols = largest
    width, height = max(420, left + step * cols + 20), top + step * rows + 56
    counts = {verdict: sum(one.verdict is verdict for one in entries) for verdict in Verdict}
    words = (
        f"First player wins on {counts[Verdict.WIN]} boards, second on {counts[Verdict.LOSS]}, "
        f"{counts[Verdict.UNKNOWN]} are open."
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
