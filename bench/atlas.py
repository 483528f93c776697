"""Write docs/atlas.md, its pictures and the server's atlas.json: who wins on every board, as far as time allows.

    python bench/atlas.py                   all five games, both adjacencies, ten minutes
    python bench/atlas.py --seconds 60      the same in a minute, with more boards left open

Boards that a theorem or a mirror decides take no time. The others are searched smallest first, each for a short time;
unsolved ones are tried again for longer, until the time is up.
"""

import argparse
import json
import time
from pathlib import Path

from gridlock.cli.commands.atlas import LEGEND, evidence, picture, table
from gridlock.cli.files import winner
from gridlock.core.grid import Adjacency, Grid, board_size
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.core.rules import RULE_BOOKS
from gridlock.engine.atlas import Entry, entry, sizes
from gridlock.engine.clock import Clock
from gridlock.engine.evidence import Verdict
from gridlock.web.operations.learning import ATLAS

FIRST_TRY, LONGER = 0.25, 4.0  # seconds for a board at first, and the factor for the next time

HEADER = """# Atlas: who wins on every board

For every game and both adjacencies: who wins from the start with perfect play, on all boards up to {largest}, and how
that is known. A board and its 90-degree rotation count as one, so every table is symmetric.

{legend}

- A **theorem** (matching) decides every board of `keepaway` and `chain`, however large. In `trails` on 1x2, neither
  player can move at all. The centre rule decides `scatter` with king adjacency on every board with three rows.
- A **mirror** strategy decides every board of `showdown`, and every board of `scatter` and `trails` with an even number
  of cells. [theory.md](theory.md) has the proofs.
- The rest is **searched**. A board marked `?` was not finished in the time given, so its winner is not known here.

`python bench/atlas.py --seconds {seconds:g}` writes this page;
`gridlock atlas GAME --up-to {largest} --time SECONDS` gives one game more time.
"""


def survey(seconds: float, largest: tuple[int, int]) -> dict[Variant, Entry]:
    """Return every board of every game, the quick ones first."""
    deadline = time.monotonic() + seconds
    boards = [
        Variant(book, Grid(*size, adjacency))
        for book in RULE_BOOKS.values()
        for adjacency in Adjacency
        for size in sizes(book, largest)
    ]
    found = {}
    left, limit = sorted(boards, key=lambda variant: variant.grid.size), FIRST_TRY
    while left and time.monotonic() < deadline:
        print(f"{len(left)} boards, {limit:g} s each", flush=True)
        for variant in left:
            found[variant] = entry(variant, Clock(max(0.0, min(limit, deadline - time.monotonic()))))
        left = [variant for variant in left if found[variant].verdict is Verdict.UNKNOWN]
        limit *= LONGER
    return {variant: found[variant] for variant in boards}


def chapter(book: RuleBook, found: dict[Variant, Entry], folder: Path, largest: tuple[int, int]) -> list[str]:
    """Return one game's section: pictures, tables and sums, with its own adjacency first."""
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
    """Return how many boards each player wins, how that is known, and which boards are unsolved."""
    kinds = ("theorem", "mirror", "search")
    known = [f"{sum(evidence(one) == kind for one in entries)} by {kind}" for kind in kinds]
    wins = {verdict: sum(one.verdict is verdict for one in entries) for verdict in Verdict}
    text = f"Of {len(entries)} boards the first player wins {wins[Verdict.WIN]} and the second {wins[Verdict.LOSS]}"
    text += f" ({', '.join(one for one in known if not one.startswith('0 '))})."
    still_open = [f"{one.rows}x{one.cols}" for one in entries if one.verdict is Verdict.UNKNOWN]
    return text + (f" Open: {', '.join(still_open)}." if still_open else " None is open.")


def data(found: dict[Variant, Entry], largest: tuple[int, int]) -> str:
    """Return the atlas for the server's page as JSON, with a line for each table."""
    tables = [
        {
            "game": book.name,
            "title": book.title,
            "adjacency": adjacency,
            "own": adjacency is book.adjacency,
            "boards": [
                {"rows": one.rows, "cols": one.cols, "winner": winner(one.verdict), "evidence": evidence(one)}
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
    options = parser.parse_args()
    found = survey(options.seconds, options.largest)
    folder = options.docs / "atlas"
    folder.mkdir(parents=True, exist_ok=True)
    header = HEADER.format(largest="{}x{}".format(*options.largest), legend=LEGEND, seconds=options.seconds)
    lines = [line for book in RULE_BOOKS.values() for line in chapter(book, found, folder, options.largest)]
    (options.docs / "atlas.md").write_text(header + "\n".join(lines).rstrip() + "\n", encoding="utf-8")
    options.data.write_text(data(found, options.largest), encoding="utf-8")


if __name__ == "__main__":
    main()
