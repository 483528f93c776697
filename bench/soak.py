"""Run `gridlock serve` for hours, with simulated attacks alongside honest games, and check it for resource leaks."""

import argparse
import asyncio
import json
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.load import SETTLING, prepare
from bench.load_abusers import KINDS, Gang
from bench.load_honest import Honest
from bench.load_players import Crowd
from bench.load_report import noticed, percentile, unfair
from bench.load_server import Failure, Server

WATCHED = {
    "memory": 10.0,
    "files": 300.0,
    "threads": 2.0,
    "tasks": 300.0,
}  # by how much each may grow, because abusers come and go
# How much more of each resource may be in use at the end than at the beginning. Within ten minutes, a server's
# memory grows by about 26 MB. The tables that remember clients and seats take up 3 MB each, and continue to fill for
# over an hour.
KEPT = {"memory": 40.0, "files": 20.0, "threads": 4.0, "tasks": 20.0}
WARMING = 10  # samples while a server warms up; in a shorter run, a quarter of all samples
ENDINGS = (signal.SIGINT, signal.SIGTERM)
Sample = dict[str, Any]


def slope(values: list[float]) -> float:
    """Return the least-squares slope of the values."""
    middle = (len(values) - 1) / 2
    mean = sum(values) / len(values)
    below = sum((place - middle) ** 2 for place in range(len(values)))
    return sum((place - middle) * (value - mean) for place, value in enumerate(values)) / below if below else 0.0


def growing(samples: list[Sample]) -> list[str]:
    """Return the resources whose use has grown too much since the server warmed up."""
    steady = samples[min(WARMING, len(samples) // 4) :]
    if len(steady) < 3:
        return []
    third = len(steady) // 3
    found = []
    for what, allowed in WATCHED.items():
        values = [float(sample[what]) for sample in steady]
        trend = slope(values) * (len(values) - 1)
        step = (
            1.5 * (sum(values[-third:]) - sum(values[:third])) / third
        )  # the centres of the first and the last third are two thirds of the time apart
        if min(trend, step) > allowed:
            found.append(f"{what} grew by {trend:.1f}; {allowed:.0f} are allowed")
    return found


class Watch:
    """Measurements taken at regular intervals during a run, and appended to a file."""

    def __init__(self, server: Server, crowd: Crowd, honest: Honest, place: Path) -> None:
        self.server = server
        self.crowd = crowd
        self.honest = honest
        self.place = place
        self.samples: list[Sample] = []
        self._begin = time.monotonic()
        self._seen = 0

    @property
    def seconds(self) -> float:
        """The time since the measurements began, in seconds."""
        return time.monotonic() - self._begin

    async def keep(self, every: float) -> None:
        """Sample until cancelled."""
        while True:
            await asyncio.sleep(every)
            await self.sample()

    async def sample(self) -> None:
        """Take one sample."""
        vital = await asyncio.to_thread(self.server.vital)
        moves = self.crowd.latencies[self._seen :]
        self._seen += len(moves)
        neighbours, analyses, openings = self.honest.take()
        log, analysts = self.server.log, self.honest.analysts
        sample = {
            "minute": round(self.seconds / 60, 1),
            **{name: round(value, 2) for name, value in vital._asdict().items()},
            "moves": len(moves),
            **_tail("", moves),
            **_tail("neighbours_", neighbours),
            **_tail("analyses_", analyses),
            **_tail("openings_", openings),
            "noticed": self.honest.noticed(),
            "analyses_asked": analysts.asked,
            "analyses_unanswered": analysts.unanswered.total(),
            "errors": self.crowd.errors.total() + self.honest.errors.total(),
            "log_lines": log.lines,
            "error_lines": log.errors,
        }
        self.samples.append(sample)
        with self.place.open("a") as file:
            file.write(json.dumps(sample) + "\n")
        if sys.stderr.isatty():
            print(line(sample), file=sys.stderr)


def _tail(prefix: str, values: list[float]) -> dict[str, float | None]:
    return {f"{prefix}p50": percentile(values, 0.5), f"{prefix}p99": percentile(values, 0.99)} | {
        f"{prefix}max": percentile(values, 1)
    }


HEAD = (
    "minute  memory MB  files  threads  tasks  database MB  moves   p50   p99   max ms  "
    "neighbours p99  analyses p99  openings p99"
)


def line(sample: Sample) -> str:
    """Return a sample as readable text."""
    names = ("p50", "p99", "max", "neighbours_p99", "analyses_p99", "openings_p99")
    times = ("-" if sample[name] is None else f"{sample[name]:.0f}" for name in names)
    p50, p99, longest, neighbours, analyses, openings = times
    return (
        f"{sample['minute']:6}  {sample['memory']:9.1f}  {sample['files']:5}  {sample['threads']:7}  "
        f"{sample['tasks']:5}  {sample['database']:11.1f}  {sample['moves']:5} {p50:>5} {p99:>5} {longest:>8}  "
        f"{neighbours:>14}  {analyses:>12}  {openings:>12}"
    )


def table(samples: list[Sample]) -> list[str]:
    """Return the lines of a report about the whole run.

    The report shows some samples, the averages for the first and the last hour, and how much the use of each resource
    grew per hour.
    """
    step = max(1, len(samples) // 12)
    shown = [*samples[::step], samples[-1]] if (len(samples) - 1) % step else samples[::step]
    lines = [HEAD, *map(line, shown), ""]
    steady = samples[min(WARMING, len(samples) // 4) :]
    hours = max(1e-9, (samples[-1]["minute"] - samples[0]["minute"]) / 60 / max(1, len(samples) - 1))
    for name, part in (("first hour", samples[:60]), ("last hour", samples[-60:])):
        means = (f"{what} {sum(sample[what] for sample in part) / len(part):.1f}" for what in WATCHED)
        worst = max((sample["p99"] or 0.0 for sample in part), default=0.0)
        lines.append(f"{name:<12}mean {', '.join(means)}; worst p99 of a minute {worst:.0f} ms")
    for what in WATCHED:
        lines.append(f"{what:<12}{slope([float(sample[what]) for sample in steady]) / hours:+.2f} an hour")
    return lines


async def soak(
    server: Server, options: argparse.Namespace
) -> tuple[list[Sample], dict[str, Any], dict[str, Any], list[str]]:
    """Run the honest and the abusive clients until the time is up or a signal arrives.

    Return the samples, the results for each kind of abusive client, the effects on honest players, and all faults.
    """
    seconds = options.minutes * 60
    crowd, honest = Crowd(server, options.seed), Honest(server, options.seed)
    await crowd.gather(options.games)
    prey = await honest.begin(seconds)
    before = server.vital()
    gang = await Gang.gather(server, seconds, list(KINDS), prey)

    loop = asyncio.get_running_loop()

    def cut() -> None:
        crowd.cut_short = True
        gang.end()
        for ending in ENDINGS:  # a second signal ends everything at once
            loop.remove_signal_handler(ending)
            signal.signal(ending, signal.default_int_handler)

    for ending in ENDINGS:
        loop.add_signal_handler(ending, cut)
    watch = Watch(server, crowd, honest, options.out)
    watching = asyncio.create_task(watch.keep(options.every))
    await crowd.play(options.rate, seconds)
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)
    await watch.sample()
    gang.end()
    await honest.end()
    abuse = (await gang.report())["kinds"]
    await asyncio.sleep(SETTLING)
    after = server.vital()
    crowd.part()
    await honest.part()
    await asyncio.to_thread(server.stop)
    server.start()
    wrong = await crowd.check() + await honest.check()
    server.stop()
    errors = crowd.errors + honest.errors
    faults = [*growing(watch.samples), *(f"{count} x {what}" for what, count in errors.items())]
    for what, most in KEPT.items():
        if (left := getattr(after, what) - getattr(before, what)) > most:
            faults.append(f"{left:.0f} more {what} at the end than at the beginning; {most:.0f} are allowed")
    if wrong:
        faults.append(f"{wrong} acknowledged moves are lost or misplaced")
    if server.log.errors:
        faults.append(f"{server.log.errors} error lines in the log")
    if missing := honest.analysts.unanswered:
        faults.append(
            f"{missing.total()} of {honest.analysts.asked} honest analyses were not answered: {dict(missing)}"
        )
    found = honest.noticed()
    faults += unfair(found, watch.seconds)
    faults += [f"{name}: {fault}" for name, kind in abuse.items() for fault in kind["faults"]]
    return watch.samples, abuse, found, faults


def main() -> int:
    """Read the options, run the soak test, and print the results; return 1 if there were any faults."""
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=120, help="how long (default 120); a signal ends it early")
    parser.add_argument("--every", type=float, default=60, help="seconds between samples (default 60)")
    parser.add_argument("--games", type=int, default=200, help="honest games at once (default 200)")
    parser.add_argument("--rate", type=float, default=40, help="their moves a second (default 40)")
    parser.add_argument("--database", metavar="URL", help="an empty PostgreSQL database (default: a new SQLite file)")
    parser.add_argument("--out", type=Path, default=Path("soak.jsonl"), help="where samples go (default soak.jsonl)")
    parser.add_argument("--seed", type=int, default=1, help="for the choice of moves (default 1)")
    options = parser.parse_args()
    prepare()
    options.out.write_text("")
    with tempfile.TemporaryDirectory(prefix="gridlock-soak-") as home:
        server = Server(Path(home), options.database)
        try:
            server.start()
            samples, abuse, found, faults = asyncio.run(soak(server, options))
        except Failure as failure:
            print(failure, file=sys.stderr)
            return 1
        except KeyboardInterrupt:
            print("Interrupted, so there is nothing to report.", file=sys.stderr)
            return 130
        finally:
            server.close()
    print("\n".join([*table(samples), "", *noticed(found)]))
    print("\nabusers: " + ", ".join(f"{name} {kind['opened']}" for name, kind in abuse.items()))
    for text in [*server.log.complaints[:20], *(f"fault: {fault}" for fault in faults)]:
        print(text[:1000], file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
