"""The report on a run under load: the statistics, a human-readable summary, and the reasons for failure."""

import math
from typing import Any

GROWTH = 30.0  # megabytes that a server's memory may grow by under abuse
HONEST = 100.0  # milliseconds that 99 of 100 honest moves must not exceed
OPENING = 1000.0  # the same for openings: a connection, a handshake, and a game read from the database
KEPT_OUT = 10.0  # seconds within which a returning player must be back, whatever others do at the same address
QUESTIONS = 20.0  # questions per minute that a player may get from an opponent


def percentile(values: list[float], share: float) -> float | None:
    """Return a percentile, in milliseconds, of times given in seconds; None if there are no times."""
    if not values:
        return None
    ordered = sorted(values)
    return round(1000 * ordered[max(0, math.ceil(share * len(ordered)) - 1)], 1)


def spread(values: list[float]) -> dict[str, float | None]:
    """Return the median, the 99th percentile and the maximum of the times, in milliseconds."""
    return {"p50": percentile(values, 0.5), "p99": percentile(values, 0.99), "max": percentile(values, 1)}


def _times(values: dict[str, float | None]) -> str:
    return f"p50 {values['p50']} ms, p99 {values['p99']} ms, longest {values['max']} ms"


def unfair(noticed: dict[str, Any], seconds: float) -> list[str]:
    """Return sentences that describe how abusers harmed honest players; slow responses are left out."""
    found = []
    if refused := noticed["openings_refused"]:
        found.append(f"{sum(refused.values())} of {noticed['openings']} honest openings were refused: {refused}")
    if missing := noticed["challenges_missing"]:
        found.append(f"{missing} of {noticed['challenges_looked_for']} times, an honest challenge was not in the lobby")
    if lost := noticed["lost_by_claim"]:
        found.append(f"{len(lost)} of {noticed['absent']} honest games were lost by a claim: {', '.join(lost)}")
    if (out := noticed["kept_out_seconds"]) > KEPT_OUT:
        found.append(f"a player was kept out for {out} s; {KEPT_OUT:.0f} s are allowed")
    if (often := noticed["questions"] * 60 / max(60, seconds)) > QUESTIONS:
        found.append(f"a player was asked {often:.0f} times a minute; {QUESTIONS:.0f} times are allowed")
    return found


def faults(report: dict[str, Any]) -> list[str]:
    """Return the reasons why a run fails, as sentences."""
    found = [f"{count} x {what}" for what, count in report["errors"].items()]
    if wrong := report["lost_or_misplaced"]:
        found.append(f"{wrong} acknowledged moves are lost or misplaced")
    if not report["abusers"]:
        return found
    if (grown := report["server_memory_grown_mb"]) > GROWTH:
        found.append(f"the server's memory grew by {grown} MB; {GROWTH:.0f} MB are allowed")
    if report["tracebacks"] or report["error_lines"]:
        found.append(f"{report['error_lines']} error lines in the log, {report['tracebacks']} of them with a traceback")
    for what, name, most in (
        ("moves", "acknowledged_ms", HONEST),
        ("neighbours' moves", "neighbours_ms", HONEST),
        ("openings", "openings_ms", OPENING),
    ):
        p99 = report[name]["p99"]
        if p99 is None or p99 > most:
            found.append(f"99 of 100 honest {what} took up to {p99} ms; {most:.0f} ms are allowed")
    found += unfair(report["noticed"], report["seconds"])
    if missing := sum(report["analyses_unanswered"].values()):
        found.append(f"{missing} of {report['analyses_asked']} honest analyses were not answered")
    for name, kind in (report["abusers"] | report["scarce"]).items():
        found += [f"{name}: {fault}" for fault in kind["faults"]]
    return found


def table(report: dict[str, Any]) -> list[str]:
    """Return the report as readable text."""
    lines = [
        f"{report['games']} games at once ({report['games_played']} in all), {report['seconds']} s, "
        f"{report['cores']} cores",
        f"moves acknowledged      {report['moves_acknowledged']} ({report['moves_a_second']} a second)",
        f"acknowledged after      {_times(report['acknowledged_ms'])}",
        f"seen by opponent after  {_times(report['seen_by_opponent_ms'])}",
        f"sent late by            {_times(report['sent_late_ms'])}",
        f"disk alone              {_times(report['disk_ms'])} (a file beside the database, synced)",
        f"server CPU per move     {report['server_cpu_ms_per_move']} ms "
        f"(cores busy: server {report['server_cores']}, players {report['clients_cores']}, "
        f"abusers {report['abusers_cores']})",
        f"waited for a core       {report['server_waited_ms_per_move']} ms per move (because of other work)",
        f"server memory           {report['server_memory_mb']} MB at most; {report['server_memory_begin_mb']} MB at "
        f"the beginning, {report['server_memory_end_mb']} MB at the end ({report['server_memory_grown_mb']:+} MB)",
        *(
            f"{'server ' + what:<24}{before} at the beginning, {after} at the end"
            for what in ("files", "threads", "tasks")
            for before, after in [report[f"server_{what}"]]
        ),
        f"database                {report['database_mb']} MB",
        f"opening, stopping       {report['opening_seconds']} s, {report['stopping_seconds']} s",
        f"errors                  {report['errors'] or 0}",
        f"log                     {report['log_lines']} lines, {report['error_lines']} errors, "
        f"{report['tracebacks']} with a traceback",
        f"lost or misplaced       {report['lost_or_misplaced']} of {report['moves_acknowledged']} moves",
    ]
    if report["abusers"]:
        answered = report["analyses_asked"] - sum(report["analyses_unanswered"].values())
        lines += [
            f"neighbours of a flood   {_times(report['neighbours_ms'])} ({report['neighbours_moves']} moves)",
            f"honest analyses         {answered} of {report['analyses_asked']} answered; "
            f"{_times(report['analyses_ms'])}; {report['analyses_unanswered'] or 'none refused'}",
            f"honest openings         {_times(report['openings_ms'])}",
            *noticed(report["noticed"]),
            "",
            "abusers           opened  closed    left refused  longest  allowed  at once  games  told",
            *(_line(name, kind) for name, kind in report["abusers"].items()),
        ]
    for name, facts in report["scarce"].items():
        lines.append(f"{name:<24}" + ", ".join(f"{what} {value}" for what, value in facts.items() if what != "faults"))
    return lines


def noticed(found: dict[str, Any]) -> list[str]:
    """Return lines that describe how the abusers affected honest players."""
    return [
        f"openings refused        {sum(found['openings_refused'].values())} of {found['openings']}; "
        f"{found['openings_slow']} slower than {OPENING:.0f} ms",
        f"challenges missing      {found['challenges_missing']} of {found['challenges_looked_for']} looks at the "
        f"lobby; {found['challenges_taken']} taken by abusers, who had up to {found['challenges_of_abusers']} listed",
        f"games lost by claim     {len(found['lost_by_claim'])} of {found['absent']}; players were away for up to "
        f"{found['absent_seconds']} s",
        f"coming back refused     {found['returns_refused']} of {found['returns']} times; kept out for "
        f"{found['kept_out_seconds']} s at most",
        f"nagged player           {found['questions']} questions, {found['presences']} presence messages",
    ]


def _line(name: str, kind: dict[str, Any]) -> str:
    told = ", ".join(f"{what} {count}" for what, count in sorted(kind["told"].items()))
    allowed = "-" if kind["allowed"] is None else f"{kind['allowed']} s"
    return (
        f"{name:<16} {kind['opened']:7} {kind['closed']:7} {kind['left']:7} {kind['refused']:7} "
        f"{kind['longest']:6} s {allowed:>8} {kind['most']:8} {kind['games']:6}  {told}"
    ).rstrip()
