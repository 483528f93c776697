"""Measure random games in all libraries, round after round, and print a table or JSON."""

import argparse
import json
import platform
import random
import statistics
import time
from typing import Any

from bench.contenders import Contender, Missing, contenders

BASES = ("hex 5x5", "tic-tac-toe")  # the OpenSpiel games with which all others are compared


def measure(entries: list[Contender], rounds: int, seconds: float) -> list[list[tuple[float, float]]]:
    """Measure the speed of the contenders, which take turns in every round.

    For each contender and round, return two rates: steps and games, both per second of processor time.
    """
    rates: list[list[tuple[float, float]]] = [[] for _ in entries]
    for number in range(rounds + 1):
        for entry, mine in zip(entries, rates, strict=True):
            rng = random.Random(number)
            steps = games = 0
            begin = time.process_time()  # unlike wall-clock time, processor time stops while other programs run
            while (spent := time.process_time() - begin) < seconds:
                for _ in range(10):
                    steps += entry.play(rng)
                games += 10
            if number:  # the first round only warms up
                mine.append((steps / spent, games / spent))
    return rates


def results(entries: list[Contender], rates: list[list[tuple[float, float]]]) -> list[dict[str, Any]]:
    """Return the medians over all rounds.

    A ratio compares two rates from the same round, because a temporary slowdown affects both rates alike.
    """
    bases = {
        entry.game: mine
        for entry, mine in zip(entries, rates, strict=True)
        if entry.library.startswith("OpenSpiel") and entry.game in BASES
    }
    rows = []
    for entry, mine in zip(entries, rates, strict=True):
        row: dict[str, Any] = {
            "library": entry.library,
            "game": entry.game,
            "steps_per_second": round(statistics.median(steps for steps, _ in mine)),
            "games_per_second": round(statistics.median(games for _, games in mine)),
            "ratio": {},
        }
        for game, base in bases.items():
            pairs = zip(mine, base, strict=True)
            row["ratio"][game] = round(statistics.median(ours[0] / theirs[0] for ours, theirs in pairs), 3)
        rows.append(row)
    return rows


def table(rows: list[dict[str, Any]], missing: list[Missing]) -> list[str]:
    """Return the results as readable text."""
    bases = list(rows[0]["ratio"])
    head = ["library", "game", "steps/s", "games/s", *(f"x OpenSpiel {game}" for game in bases)]
    body = [
        [
            row["library"],
            row["game"],
            f"{row['steps_per_second']:,}",
            f"{row['games_per_second']:,}",
            *(f"{row['ratio'][game]:.2f}" for game in bases),
        ]
        for row in rows
    ]
    widths = [max(len(line[at]) for line in [head, *body]) for at in range(len(head))]
    lines = []
    for line in [head, *body]:
        cells = [
            text.ljust(width) if at < 2 else text.rjust(width)
            for at, (text, width) in enumerate(zip(line, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines + [f"{entry.library}: {entry.why}" for entry in missing]


def main() -> None:
    """Read the options, measure, and print the results."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="rounds to take the median of (default 7)")
    parser.add_argument("--seconds", type=float, default=0.2, help="seconds for each contender and round (default 0.2)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    if options.rounds < 1 or not 0 < options.seconds <= 60:
        parser.error("--rounds is at least 1, and --seconds between 0 and 60")
    everyone = list(contenders())
    entries = [entry for entry in everyone if isinstance(entry, Contender)]
    missing = [entry for entry in everyone if isinstance(entry, Missing)]
    rows = results(entries, measure(entries, options.rounds, options.seconds))
    python = f"{platform.python_implementation()} {platform.python_version()}"
    if options.json:
        absent = {entry.library: entry.why for entry in missing}
        print(json.dumps({"python": python, "rounds": options.rounds, "results": rows, "missing": absent}, indent=2))
    else:
        print(f"{python}, {options.rounds} rounds of {options.seconds:g} s each, medians", "", sep="\n")
        print("\n".join(table(rows, missing)))


if __name__ == "__main__":
    main()
