"""Put one `gridlock serve` under load: many games at once, and abusers beside them.

The server, the players and the abusers share the first two of the cores that there are, on loopback addresses only.
"""

import argparse
import asyncio
import gc
import json
import math
import os
import resource
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.load_abusers import Gang
from bench.load_players import Crowd
from bench.load_server import Failure, Server

CORES = 2


def percentile(values: list[float], share: float) -> float | None:
    """The value, in milliseconds, that so large a share of the values does not exceed."""
    if not values:
        return None
    ordered = sorted(values)
    return round(1000 * ordered[max(0, math.ceil(share * len(ordered)) - 1)], 1)


def spread(values: list[float]) -> dict[str, float | None]:
    """What is reported of many times."""
    return {"p50": percentile(values, 0.5), "p99": percentile(values, 0.99), "max": percentile(values, 1)}


async def measure(server: Server, options: argparse.Namespace) -> dict[str, Any]:
    """Play, with or without abusers, then start the server anew and read all games back."""
    crowd = Crowd(server, options.seed)
    begin = time.perf_counter()
    await crowd.gather(options.games)
    opened = time.perf_counter() - begin
    gang = await Gang.gather(server, options.seconds) if options.abusers else None
    gc.collect()
    gc.freeze()  # so that tidying up on this side is not taken for slowness of the other
    before, waited, own, begin = server.cpu(), server.kept_waiting(), time.process_time(), time.perf_counter()
    await crowd.play(options.rate, options.seconds)
    played = time.perf_counter() - begin
    cpu, waited, own = server.cpu() - before, server.kept_waiting() - waited, time.process_time() - own
    abuse = await gang.report() if gang else None
    memory = server.memory()
    crowd.part()
    begin = time.perf_counter()
    code = await asyncio.to_thread(server.stop)
    stopped = time.perf_counter() - begin
    if code:
        crowd.errors[f"the server ended with {code}"] += 1
    server.start()
    wrong = await crowd.check()
    server.stop()
    acknowledged = sum(len(pair.acknowledged) for pair in crowd.pairs)
    return {
        "games": options.games,
        "games_played": len(crowd.pairs),
        "cores": len(os.sched_getaffinity(0)),
        "seconds": round(played, 1),
        "moves_acknowledged": acknowledged,
        "moves_a_second": round(acknowledged / played, 1),
        "acknowledged_ms": spread(crowd.latencies),
        "seen_by_opponent_ms": spread(crowd.seen),
        "sent_late_ms": spread(crowd.late),
        "server_cpu_ms_per_move": round(1000 * cpu / max(1, acknowledged), 2),
        "server_waited_ms_per_move": round(1000 * waited / max(1, acknowledged), 2),
        "server_cores": round(cpu / played, 2),
        "clients_cores": round(own / played, 2),
        "server_memory_mb": round(memory, 1),
        "opening_seconds": round(opened, 1),
        "stopping_seconds": round(stopped, 1),
        "errors": {what: count for what, count in crowd.errors.items() if count},
        "complaints": len(server.complaints()),
        "lost_or_misplaced": wrong,
        "abusers": abuse,
    }


def table(report: dict[str, Any]) -> list[str]:
    """The report for people."""

    def times(name: str) -> str:
        values = report[name]
        return f"p50 {values['p50']} ms, p99 {values['p99']} ms, longest {values['max']} ms"

    lines = [
        f"{report['games']} games at once ({report['games_played']} in all), {report['seconds']} s, "
        f"{report['cores']} cores",
        f"moves acknowledged      {report['moves_acknowledged']} ({report['moves_a_second']} a second)",
        f"acknowledged after      {times('acknowledged_ms')}",
        f"seen by opponent after  {times('seen_by_opponent_ms')}",
        f"sent late by            {times('sent_late_ms')}",
        f"server CPU per move     {report['server_cpu_ms_per_move']} ms "
        f"(cores busy: server {report['server_cores']}, players {report['clients_cores']})",
        f"waited for a core       {report['server_waited_ms_per_move']} ms per move (because of other work)",
        f"server memory           {report['server_memory_mb']} MB at most",
        f"opening, stopping       {report['opening_seconds']} s, {report['stopping_seconds']} s",
        f"errors                  {report['errors'] or 0}",
        f"complaints in the log   {report['complaints']}",
        f"lost or misplaced       {report['lost_or_misplaced']} of {report['moves_acknowledged']} moves",
    ]
    for name, kind in (report["abusers"] or {}).items():
        if kind["allowed"] is None:
            fate = f"{kind['answers'] / report['seconds']:.0f} answers a second"
        else:
            fate = f"closed after at most {kind['longest']} s (allowed {kind['allowed']} s), {kind['overdue']} overdue"
        lines.append(f"abusers, {name:<15}{kind['opened']} connections, {kind['closed']} closed; {fate}")
    return lines


def arguments() -> argparse.Namespace:
    """The options, within bounds."""
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    parser.add_argument("--games", type=int, help="games at once, 1 to 5000 (default 1000; with abusers 200)")
    parser.add_argument("--rate", type=float, help="moves a second, up to 2000 (default 200; with abusers 40)")
    parser.add_argument("--seconds", type=float, help="seconds of play, 1 to 600 (default 30; with abusers 60)")
    parser.add_argument("--abusers", action="store_true", help="half-open, slow, unreading and flooding clients too")
    parser.add_argument("--database", metavar="URL", help="an empty PostgreSQL database (default: a new SQLite file)")
    parser.add_argument("--seed", type=int, default=1, help="for the choice of moves (default 1)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    for name, plain, abused in (("games", 1000, 200), ("rate", 200.0, 40.0), ("seconds", 30.0, 60.0)):
        if getattr(options, name) is None:
            setattr(options, name, abused if options.abusers else plain)
    if not (1 <= options.games <= 5000 and 0 < options.rate <= 2000 and 1 <= options.seconds <= 600):
        parser.error("a number is out of bounds; see --help")
    return options


def main() -> int:
    """Read the options, measure, print; 1 if anything went wrong."""
    options = arguments()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the server is ended in any case
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])  # the processes started here inherit it
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory(prefix="gridlock-load-") as home:
        server = Server(Path(home), options.database)
        try:
            server.start()
            report = asyncio.run(measure(server, options))
            complaints = server.complaints()
        except Failure as failure:
            print(failure, file=sys.stderr)
            return 1
        finally:
            server.close()
    print(json.dumps(report, indent=2) if options.json else "\n".join(table(report)))
    for line in complaints[:20]:
        print(line, file=sys.stderr)
    overdue = sum(kind["overdue"] for kind in (report["abusers"] or {}).values())
    return 1 if report["errors"] or report["lost_or_misplaced"] or overdue else 0


if __name__ == "__main__":
    sys.exit(main())
