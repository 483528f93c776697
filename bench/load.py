"""Put one `gridlock serve` process under load, with many simultaneous games and, optionally, abusers.

The server, the players and the abusers share the first two available cores, and use only loopback addresses.
"""

import argparse
import asyncio
import gc
import json
import os
import resource
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.load_abusers import KINDS, Gang
from bench.load_disk import Disk
from bench.load_honest import Honest
from bench.load_players import Crowd
from bench.load_report import faults, spread, table
from bench.load_scarce import few_files, unread_log
from bench.load_server import Failure, Server

CORES = 2
SETTLING = 3.0  # seconds for a server to clean up after abusers


async def measure(server: Server, options: argparse.Namespace) -> dict[str, Any]:
    """Play games, with or without abusive clients; then restart the server and check that no move is lost."""
    crowd = Crowd(server, options.seed)
    begin = time.perf_counter()
    await crowd.gather(options.games)
    opened = time.perf_counter() - begin
    honest = Honest(server, options.seed) if options.abusers else None
    prey = await honest.begin(options.seconds) if honest else {}
    vital = server.vital()
    gang = await Gang.gather(server, options.seconds, options.only, prey) if options.abusers else None
    gc.collect()
    gc.freeze()  # so that garbage collection here is not mistaken for a slow server
    before, waited, own, begin = server.cpu(), server.kept_waiting(), time.process_time(), time.perf_counter()
    with Disk(server.home) as disk:
        await crowd.play(options.rate, options.seconds)
    played = time.perf_counter() - begin
    cpu, waited, own = server.cpu() - before, server.kept_waiting() - waited, time.process_time() - own
    abuse: dict[str, Any] = {"kinds": {}, "cores": 0.0}
    if gang and honest:
        await honest.end()
        abuse = await gang.report()
        await asyncio.sleep(SETTLING)
    then = server.vital()
    crowd.part()
    if honest:
        await honest.part()
    begin = time.perf_counter()
    code = await asyncio.to_thread(server.stop)
    stopped = time.perf_counter() - begin
    if code:
        crowd.errors[f"the server ended with {code}"] += 1
    server.start()
    wrong = await crowd.check()
    if honest:
        wrong += await honest.check()
        crowd.errors += honest.errors
    server.stop()
    acknowledged = sum(len(pair.acknowledged) for pair in crowd.pairs)
    neighbours, analyses, openings = honest.take() if honest else ([], [], [])
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
        "disk_ms": spread(disk.took),
        "server_cpu_ms_per_move": round(1000 * cpu / max(1, acknowledged), 2),
        "server_waited_ms_per_move": round(1000 * waited / max(1, acknowledged), 2),
        "server_cores": round(cpu / played, 2),
        "clients_cores": round(own / played, 2),
        "server_memory_mb": round(then.peak, 1),
        "server_memory_begin_mb": round(vital.memory, 1),
        "server_memory_end_mb": round(then.memory, 1),
        "server_memory_grown_mb": round(then.memory - vital.memory, 1),
        "server_files": [vital.files, then.files],
        "server_threads": [vital.threads, then.threads],
        "server_tasks": [vital.tasks, then.tasks],
        "database_mb": round(then.database, 1),
        "opening_seconds": round(opened, 1),
        "stopping_seconds": round(stopped, 1),
        "errors": {what: count for what, count in crowd.errors.items() if count},
        "log_lines": server.log.lines,
        "error_lines": server.log.errors,
        "tracebacks": server.log.tracebacks,
        "lost_or_misplaced": wrong,
        "neighbours_ms": spread(neighbours),
        "neighbours_moves": len(neighbours),
        "analyses_asked": honest.analysts.asked if honest else 0,
        "analyses_unanswered": dict(honest.analysts.unanswered) if honest else {},
        "analyses_ms": spread(analyses),
        "openings_ms": spread(openings),
        "noticed": honest.noticed() if honest else {},
        "abusers_cores": abuse["cores"],
        "abusers": abuse["kinds"],
        "scarce": {},
    }


async def scarcity() -> dict[str, Any]:
    """Check a server with few file descriptors, and a server whose log is not read."""
    return {"few files": await few_files(), "unread log": await unread_log()}


def arguments() -> argparse.Namespace:
    """Return the command-line options, after checking that they are within their limits."""
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    parser.add_argument("--games", type=int, help="games at once, 1 to 5000 (default 1000; with abusers 200)")
    parser.add_argument("--rate", type=float, help="moves a second, up to 2000 (default 200; with abusers 40)")
    parser.add_argument("--seconds", type=float, help="seconds of play, 1 to 600 (default 30; with abusers 90)")
    parser.add_argument("--abusers", action="store_true", help="all kinds of abusers beside the games")
    parser.add_argument("--only", action="append", choices=KINDS, metavar="KIND", help="abusers of this kind alone")
    parser.add_argument("--database", metavar="URL", help="an empty PostgreSQL database (default: a new SQLite file)")
    parser.add_argument("--seed", type=int, default=1, help="for the choice of moves (default 1)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    options.scarce = options.abusers and not options.only
    options.abusers = options.abusers or bool(options.only)
    options.only = options.only or list(KINDS)
    for name, plain, abused in (("games", 1000, 200), ("rate", 200.0, 40.0), ("seconds", 30.0, 90.0)):
        if getattr(options, name) is None:
            setattr(options, name, abused if options.abusers else plain)
    if not (1 <= options.games <= 5000 and 0 < options.rate <= 2000 and 1 <= options.seconds <= 600):
        parser.error("a number is out of bounds; see --help")
    return options


def prepare() -> None:
    """Use only two cores, raise the limit on open files, and make SIGTERM shut everything down cleanly."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the server always ends
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])  # inherited by the processes started here
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def main() -> int:
    """Read the options, measure, and print the results; return 1 if anything went wrong."""
    options = arguments()
    prepare()
    with tempfile.TemporaryDirectory(prefix="gridlock-load-") as home:
        server = Server(Path(home), options.database)
        try:
            server.start()
            report = asyncio.run(measure(server, options))
        except Failure as failure:
            print(failure, file=sys.stderr)
            return 1
        except KeyboardInterrupt:
            print("Interrupted, so there is nothing to report.", file=sys.stderr)
            return 130
        finally:
            server.close()
    if options.scarce:
        report["scarce"] = asyncio.run(scarcity())
    report["faults"] = faults(report)
    print(json.dumps(report, indent=2) if options.json else "\n".join(table(report)))
    for line in [*server.log.complaints[:20], *(f"fault: {fault}" for fault in report["faults"])]:
        print(line[:1000], file=sys.stderr)
    return 1 if report["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
