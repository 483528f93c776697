"""Write docs/atlas.md, its pictures and the server's atlas.json: the winners on as many boards as time allows.

    python bench/atlas.py                   all five games, both adjacencies, ten minutes
    python bench/atlas.py --seconds 60      the same in a minute, with more boards left undecided

Boards decided by a theorem or a mirror strategy take no time. The other boards are searched, smallest first, each for
a short time. If the search does not decide a board, a recorded result (hard_boards.toml) or a result from an earlier
run is used. Boards that are still undecided are searched again for longer, until the time is up. With --fresh, the
results of earlier runs are ignored.
"""

import argparse
import json
import time
from pathlib import Path
from textwrap import fill
from typing import Any

from gridlock.cli.commands.atlas import EVIDENCE, LEGEND, evidence, longest, picture, table
from gridlock.cli.files import winner
from gridlock.core.grid import Adjacency, Grid, board_size
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.core.rules import RULE_BOOKS
from gridlock.engine.atlas import Entry, entry, recorded, sizes
from gridlock.engine.clock import Clock
from gridlock.engine.evidence import Verdict
from gridlock.engine.hard_boards import HardBoard, Run, hard_board, hard_boards
from gridlock.web.operations.learning import ATLAS

Known = dict[tuple[str, str, int, int], dict[str, Any]]  # the results of an earlier run

FIRST_TRY, LONGER = 0.25, 4.0  # seconds for the first search of a board, and the factor for each further search

HEADER = """# Atlas: who wins on every board

This page says who wins from the start with perfect play, and how we know, for every game, both adjacencies and all
boards up to {largest}. A board and its 90-degree rotation count as one, so every table is symmetric.

{legend}

- A **theorem** (about matchings) decides every `keepaway` and `chain` board, however large. In `trails` on 1x2, neither
  player can move at all. The centre rule decides `scatter` with king adjacency on three rows and
  any odd number of columns.
- A **mirror** strategy decides every board of `showdown`, and every board of `scatter` and `trails` with an even number
  of cells. See [theory.md](theory.md) for the proofs.
- All other boards are **searched**. [The last section](#boards-that-took-long) lists the hardest boards, each with the
  command that repeats its search. A board marked `?` is open, which means that its winner is not known. The last
  section also says which open boards were searched for more than a minute, and how far each search got.

`python bench/atlas.py --seconds {seconds:g}` writes this page. To spend up to ten hours on each unsolved board of one
game, run `gridlock atlas GAME --up-to {largest} --time 36000 --memory 4096 --checkpoint FILE`. If the command is
interrupted, run it again to resume.
"""

HARD = """
## Boards that took long

Most searches in this section took more than a minute, so their results are stored with the program. `gridlock atlas`
uses the stored results; `gridlock atlas --no-recorded` repeats the searches. Unless the table names a GPU, the times
are processor times on one core. The [notes on each game](engine/README.md) explain the techniques. {confirmed}

| game | board | winner | techniques off | positions | seconds |
|---|---|---|---|---|---|
{decided}
{winning}
These commands repeat the runs in the same order:

{commands}
"""
TRIED = """
These runs were stopped before they found an answer. The table shows how many positions each run searched:

| game | board | techniques off | positions | seconds |
|---|---|---|---|---|
{tried}
"""
UNTRIED = "The other open boards have been searched for a minute at most: {untried}."
FORMAT = """
The results are in `src/gridlock/engine/hard_boards.toml`, whose first lines describe its format. To add a result,
run `gridlock solve GAME --board ROWSxCOLS --adjacency KIND --memory MIB --checkpoint FILE`. To confirm the result, run
the command again with `--without NAME` and another checkpoint file. A test checks that every command in the file is
valid.
"""


def earlier(variant: Variant, known: Known, least: int) -> Entry | None:
    """Return the known result for a board, or None.

    If there is no recorded result, use the result of an earlier run, provided that the run took at least `least`
    seconds.
    """
    size = (variant.grid.rows, variant.grid.cols)
    if one := recorded(variant.book, variant.grid.adjacency, size):
        return one
    board = known.get((variant.book.name, variant.grid.adjacency, *size))
    if board is None or board["evidence"] == "open" or board["seconds"] < least:
        return None
    method = next(method for method, evidence in reversed(EVIDENCE.items()) if evidence == board["evidence"])
    return Entry(*size, Verdict.of(board["winner"] == 1), method, seconds=board["seconds"])


def read(data: Path) -> Known:
    """Return the results of an earlier run, read from its data file."""
    tables = json.loads(data.read_text(encoding="utf-8"))["tables"] if data.exists() else []
    return {
        (table["game"], table["adjacency"], board["rows"], board["cols"]): {"seconds": 0, **board}
        for table in tables
        for board in table["boards"]
    }


def survey(seconds: float, largest: tuple[int, int], known: Known) -> dict[Variant, Entry]:
    """Return the results for every board of every game, solving the quick boards first."""
    deadline = time.monotonic() + seconds
    boards = [
        Variant(book, Grid(*size, adjacency))
        for book in RULE_BOOKS.values()
        for adjacency in Adjacency
        for size in sizes(book, largest)
    ]
    found: dict[Variant, Entry] = {}
    left, limit = sorted(boards, key=lambda variant: variant.grid.size), FIRST_TRY
    while left and time.monotonic() < deadline:
        print(f"{len(left)} boards, {limit:g} s each", flush=True)
        for variant in left:
            rest = limit if limit == FIRST_TRY else max(0.0, min(limit, deadline - time.monotonic()))
            found[variant] = entry(variant, Clock(rest))
        left = [variant for variant in left if found[variant].verdict is Verdict.UNKNOWN]
        if limit == FIRST_TRY:
            found |= {variant: one for variant in left if (one := earlier(variant, known, 1))}
            left = [variant for variant in left if found[variant].verdict is Verdict.UNKNOWN]
        limit *= LONGER
    found |= {variant: one for variant in left if (one := earlier(variant, known, 0))}
    return {variant: found[variant] for variant in boards}


def chapter(book: RuleBook, found: dict[Variant, Entry], folder: Path, largest: tuple[int, int]) -> list[str]:
    """Return one game's section: pictures, tables and totals, with the game's default adjacency first."""
    lines = [f"\n## {book.title} (`{book.name}`)\n"]
    for adjacency in sorted(Adjacency, key=lambda kind: kind is not book.adjacency):
        entries = [
            one for variant, one in found.items() if variant.book is book and variant.grid.adjacency is adjacency
        ]
        title = f"{book.title}: who wins, {adjacency} adjacency"
        name = f"{book.name}-{adjacency}.svg"
        (folder / name).write_text(picture(entries, title, largest), encoding="utf-8")
        own = ", the game's own" if adjacency is book.adjacency else ""
        lines += [
            f"### {str(adjacency).capitalize()} adjacency{own}\n",
            f"![{title}](atlas/{name})\n",
            summary(entries),
        ]
        lines += ["\n```", *table(entries, largest), "```\n"]
    return lines


def summary(entries: list[Entry]) -> str:
    """Return how many boards each player wins, how many each method has solved, and which boards are unsolved."""
    kinds = ("theorem", "mirror", "search")
    known = [f"{sum(evidence(one) == kind for one in entries)} ({kind})" for kind in kinds]
    wins = {verdict: sum(one.verdict is verdict for one in entries) for verdict in Verdict}
    text = (
        f"Of the {len(entries)} boards, the first player wins on {wins[Verdict.WIN]}, "
        f"and the second player on {wins[Verdict.LOSS]}."
    )
    text += f" Boards solved, by method of proof: {', '.join(one for one in known if not one.startswith('0 '))}."
    still_open = [f"{one.rows}x{one.cols}" for one in entries if one.verdict is Verdict.UNKNOWN]
    text += f" Open boards: {', '.join(still_open)}." if still_open else " No board is open."
    return "\n\n".join([text, *longest(entries)])


def hard(found: dict[Variant, Entry]) -> str:
    """Return the section about boards that are hard to solve or still unsolved."""
    decided = [one for one in hard_boards() if one.winner]
    runs = [(one, run) for one in decided for run in one.runs if not run.stopped]
    rows = [_row(one, run, f"{('first', 'second')[(one.winner or 1) - 1]} | ") for one, run in runs]
    winning = [
        f"- `{one.game}` {_name(one)}: {' '.join(f'{row},{col}' for row, col in one.winning)}"
        for one in decided
        if one.winning
    ]
    text = HARD.format(
        confirmed=_confirmed(decided),
        decided="\n".join(rows),
        winning="\n".join(["\nEvery winning first move, as row and column:\n", *winning, ""] if winning else []),
        commands="\n".join(f"- `{run.command}`" for _, run in runs),
    )
    tried = [_row(one, run) for one in hard_boards() for run in one.runs if run.stopped]
    still_open = [variant for variant, one in found.items() if one.verdict is Verdict.UNKNOWN]
    untried = [
        f"`{variant.book.name}` {variant.grid.adjacency} {variant.grid}"
        for variant in still_open
        if not hard_board(variant.book.name, variant.grid.rows, variant.grid.cols, variant.grid.adjacency)
    ]
    text += TRIED.format(tried="\n".join(tried)) if tried else ""
    text += f"\n{fill(UNTRIED.format(untried=', '.join(untried)), 120)}\n" if untried else ""
    return text + FORMAT


def _confirmed(decided: list[HardBoard]) -> str:
    """Return a sentence that says which winners have been confirmed by a second run."""
    once = [f"`{one.game}` {_name(one)}" for one in decided if not one.confirmed]
    text = "Each winner is confirmed by a second run with different techniques"
    return f"{text}, except on {' and '.join(once)}, which only one run has decided." if once else f"{text}."


def _name(one: HardBoard) -> str:
    return f"{one.adjacency} {one.rows}x{one.cols}"


def _row(one: HardBoard, run: Run, winner: str = "") -> str:
    off = ", ".join(f"`{name}`" for name in run.without) or "none"
    where = f" on {run.machine}" if run.machine else ""
    return f"| `{one.game}` | {_name(one)} | {winner}{off} | {run.positions:,} | {run.seconds:,}{where} |"


def data(found: dict[Variant, Entry], largest: tuple[int, int]) -> str:
    """Return the atlas for the server's page as JSON, with each table on one line."""
    tables = [
        {
            "game": book.name,
            "title": book.title,
            "adjacency": adjacency,
            "own": adjacency is book.adjacency,
            "boards": [
                {
                    "rows": one.rows,
                    "cols": one.cols,
                    "winner": winner(one.verdict),
                    "evidence": evidence(one),
                    "seconds": round(one.seconds),
                }
                for variant, one in found.items()
                if variant.book is book and variant.grid.adjacency is adjacency
            ],
        }
        for book in RULE_BOOKS.values()
        for adjacency in sorted(Adjacency, key=lambda kind: kind is not book.adjacency)
    ]
    lines = ",\n".join(json.dumps(one, separators=(",", ":")) for one in tables)
    return f'{{"side":{max(largest)},"tables":[\n{lines}\n]}}\n'


def main() -> None:
    """Compute the atlas and write its files."""
    parser = argparse.ArgumentParser(description="Write docs/atlas.md, docs/atlas/*.svg and atlas.json.")
    parser.add_argument("--seconds", type=float, default=600.0, help="how long to take (default: 600)")
    parser.add_argument("--largest", type=board_size, default=(11, 11), help="the largest board (default: 11x11)")
    parser.add_argument("--docs", type=Path, default=Path(__file__).parent.parent / "docs", help="where to write")
    parser.add_argument("--data", type=Path, default=ATLAS, help="the file that the server reads")
    parser.add_argument("--fresh", action="store_true", help="search boards that an earlier page decided again")
    options = parser.parse_args()
    found = survey(options.seconds, options.largest, {} if options.fresh else read(options.data))
    folder = options.docs / "atlas"
    folder.mkdir(parents=True, exist_ok=True)
    header = HEADER.format(largest="{}x{}".format(*options.largest), legend=LEGEND, seconds=options.seconds)
    lines = [line for book in RULE_BOOKS.values() for line in chapter(book, found, folder, options.largest)]
    (options.docs / "atlas.md").write_text(header + "\n".join(lines).rstrip() + "\n\n" + hard(found), encoding="utf-8")
    options.data.write_text(data(found, options.largest), encoding="utf-8")


if __name__ == "__main__":
    main()
