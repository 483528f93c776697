"""`gridlock match` and `gridlock tournament`: let programs play each other, and print a table of results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gridlock.arena.crosstable import crosstable
from gridlock.arena.crosstable_text import as_text
from gridlock.arena.folder import opened, title
from gridlock.arena.plan import (
    LONGEST_TIME,
    MOST_GAMES,
    BadPlan,
    Format,
    Plan,
    named_entrants,
    read_clock,
)
from gridlock.arena.plan_file import PlanFile
from gridlock.arena.referee import Conditions
from gridlock.arena.sprt import Model, Sprt, report
from gridlock.arena.tally import tally
from gridlock.arena.tournament import Tournament
from gridlock.cli.files import print_json, setup
from gridlock.cli.options import (
    AgentsCommand,
    board_options,
    cluster_option,
    complete_game,
    complete_player,
    find_book,
    given_options,
    json_option,
    model_option,
    read_agent,
)
from gridlock.cli.terminal import Progress, Terminal, ctrl_c_cancels, tell
from gridlock.core import rules
from gridlock.core.errors import GridLockError
from gridlock.core.rulebook import RuleBook
from gridlock.drawing.text import visible
from gridlock.param_types import Seconds, WholeNumber
from gridlock.play.exits import Exit
from gridlock.players import agents

USUAL = Conditions()
processes_option = click.option(
    "--processes", type=WholeNumber(1, 1024), default=None, help="Games played in parallel. [default: 1]"
)
resume_option = click.option("--resume", is_flag=True, help="Resume an interrupted run in the --out folder.")


@click.command(
    cls=AgentsCommand,
    epilog="Examples: gridlock match easy medium --games 200 --game showdown --board 7x7, "
    'gridlock match "process:./my-bot --fast" hard --time 1 --processes 4 --out my-match',
)
@click.argument("a", metavar="A", callback=read_agent, shell_complete=complete_player)
@click.argument("b", metavar="B", callback=read_agent, shell_complete=complete_player)
@click.option(
    "--games", type=WholeNumber(2, MOST_GAMES), default=100, show_default=True, help="An even number of games."
)
@click.option(
    "--game",
    default=rules.FIRST,
    show_default=True,
    callback=lambda _ctx, _param, value: find_book(value, "--game"),
    shell_complete=complete_game,
    help="The game's name or file.",
)
@board_options
@click.option(
    "--time",
    "seconds",
    type=Seconds(0, LONGEST_TIME),
    default=USUAL.seconds,
    show_default=True,
    help="The time limit per move, in seconds.",
)
@click.option(
    "--clock", metavar="S+S", help="Instead of --time: seconds for a game, and seconds added per move, such as 10+0.1."
)
@click.option("--swap", is_flag=True, help="Apply the swap rule, and use one-move openings.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed for the openings and all random moves.")
@click.option(
    "--sprt",
    type=float,
    nargs=2,
    metavar="ELO0 ELO1",
    help="Stop as soon as a sequential test decides between these Elo differences.",
)
@model_option("With --sprt: whether its bounds are in normalised Elo or in the usual logistic Elo.")
@click.option(
    "--adjudicate",
    type=WholeNumber(0, 100_000),
    metavar="N",
    help="Once N moves have been played after the opening, end a game as soon as the engine proves who wins.",
)
@click.option(
    "--judge/--no-judge",
    default=None,
    help="Have the engine judge all moves, or none. [default: only moves that are quick to judge]",
)
@processes_option
@cluster_option
@click.option("--out", type=click.Path(file_okay=False), help="Write games, results and tables to this folder.")
@resume_option
@json_option
def match(
    a: str,
    b: str,
    games: int,
    game: RuleBook,
    board: str | None,
    adjacency: str | None,
    seconds: float,
    clock: str | None,
    swap: bool,
    seed: int,
    sprt: tuple[float, float] | None,
    model: str,
    adjudicate: int | None,
    judge: bool | None,
    processes: int | None,
    cluster: str | None,
    out: str | None,
    resume: bool,
    as_json: bool,
) -> int:
    """Play a match between two agents, A and B, and print the result.

    Each game is played twice, with the sides exchanged, from an opening in which the winner is known but most moves
    lose. A player that fails, plays an illegal move or takes too long loses the game. With the same command
    and seed, deterministic agents play the same games. With --out, you can stop a match at any time and
    continue it with --resume.
    """
    ctx = click.get_current_context()
    if clock and ctx.get_parameter_source("seconds") is click.core.ParameterSource.COMMANDLINE:
        raise click.UsageError("--time and --clock exclude each other.")
    if resume and out is None:
        raise click.UsageError("--resume needs --out, the folder of the match.")
    if sprt is None and "--model" in given_options():
        raise click.UsageError("--model needs --sprt, the bounds of the test.")
    if games % 2:
        raise click.BadParameter("give an even number: each opening is played twice.", param_hint="'--games'")
    conditions = Conditions(seconds, _clock(clock), USUAL.margin, swap, adjudicate, judge)
    plan = Plan(
        entrants=named_entrants((a, b)),
        variants=(rules.variant(game, board, adjacency),),
        games=games,
        seed=seed,
        conditions=conditions,
        sprt=_sprt(sprt, model),
    )
    _check_workers(processes, cluster)
    return _run(plan, processes or 1, cluster, out, resume, as_json)


@click.command(epilog="Example: gridlock tournament plan.toml --out my-tournament")
@click.argument("plan", metavar="PLAN", type=click.Path(dir_okay=False, path_type=Path))
@processes_option
@cluster_option
@click.option(
    "--out", type=click.Path(file_okay=False), help="Write everything to this folder. [default: the plan's name]"
)
@resume_option
@json_option
def tournament(
    plan: Path, processes: int | None, cluster: str | None, out: str | None, resume: bool, as_json: bool
) -> int:
    """Play the tournament described in a plan file: agents, boards and format.

    \b
    format = "round-robin"              # or gauntlet, swiss, ladder
    agents = ["easy", "medium", "./my.py:agent"]
    games = 100                         # per match and board
    time = 0.1                          # seconds per move
    [[boards]]
    game = "showdown"
    board = "7x7"

    See docs/tournaments.md for all keys. You can stop a tournament at any time, even by killing the process, and
    continue it with --resume, which plays only the missing games.
    """
    read, in_plan = PlanFile(plan).read()
    for entrant in read.entrants:
        _check_agent(plan, entrant.agent)
    _check_workers(processes, cluster)
    return _run(read, processes or in_plan, cluster, out or plan.stem, resume, as_json)


def _clock(text: str | None) -> tuple[float, float] | None:
    try:
        return read_clock(text) if text else None
    except BadPlan as error:
        raise click.BadParameter(str(error), param_hint="'--clock'") from None


def _sprt(bounds: tuple[float, float] | None, model: str) -> Sprt | None:
    try:
        return Sprt(*bounds, model=Model(model)) if bounds else None
    except GridLockError as error:
        raise click.BadParameter(str(error), param_hint="'--sprt'") from None


def _check_agent(plan: Path, agent: str) -> None:
    """Reject an agent that does not exist, before any game is played."""
    try:
        agents.check(agent)
    except Exception as error:
        raise BadPlan(f"{plan}: agents: {error}") from None


def _check_workers(processes: int | None, cluster: str | None) -> None:
    if processes is not None and cluster is not None:
        raise click.UsageError("--processes and --cluster cannot be combined: the cluster has its own processes.")


def _run(plan: Plan, processes: int, cluster: str | None, out: str | None, resume: bool, as_json: bool) -> int:
    """Play the games of a plan, showing a progress line, and print the result."""
    from gridlock.engine.clock import cancellation

    folder = None if out is None else Path(out)
    with opened(plan, folder, resume) as played, Progress("Playing") as progress, ctrl_c_cancels():
        question = cancellation.question
        complete = played.run(
            processes,
            cluster,
            progress=lambda: progress.tell(_progress(played)),
            stopped=lambda: cancellation.includes(question),
        )
    print_json(_facts(played, complete, out)) if as_json else tell(*_lines(played))
    if not complete:
        done = f"Interrupted after {played.finished:,} of {played.total:,} games."
        later = "To be able to resume a run later, start it with --out FOLDER."
        again = "Run the same command with --resume to continue." if out else later
        tell(f"{done} {again}", err=True)
        return Exit.INTERRUPTED
    if folder is not None:
        tell(f"Wrote the games, results and tables to {visible(str(folder))}.", err=True)
    return Exit.LIMIT if plan.sprt and not played.decided else Exit.DONE


def _progress(played: Tournament) -> str:
    words = f"{played.finished:,} of {played.total:,} games"
    if len(played.plan.entrants) == 2:
        a, b = (entrant.name for entrant in played.plan.entrants)
        words += f", {visible(a)} {played.points[a]} : {played.points[b]} {visible(b)}"
    else:
        words += "".join(f", {visible(name)} {points}" for name, points in played.points.most_common(3))
    reading = played.test.read() if played.test else None
    return f"{words}, {reading}" if reading else words


def _lines(played: Tournament) -> list[str]:
    """Return the cross-table and any other results that the tournament format adds."""
    games, plan = played.games(), played.plan
    lines = as_text(crosstable(games, title(plan, games)), Terminal().columns or 100)
    lines += played.notes()
    if plan.format is Format.LADDER:
        lines.append(f"The ladder, from the top: {', '.join(map(visible, played.ladder()))}.")
    if plan.sprt:
        a, b = (entrant.name for entrant in plan.entrants)
        lines += report(plan.sprt, tally(games, a, b))
    return lines


def _facts(played: Tournament, complete: bool, out: str | None) -> dict[str, Any]:
    games, plan = played.games(), played.plan
    table = crosstable(games)
    reading = played.test.read() if played.test else None
    return {
        "format": str(plan.format),
        "boards": [setup(variant) for variant in plan.variants],
        "seed": plan.seed,
        "games": len(games),
        "complete": complete,
        "ratings": [
            {
                "name": line.name,
                "elo": line.rating.elo,
                "margin": line.rating.margin,
                "won": line.total.won,
                "lost": line.total.lost,
                "kept": line.kept,
                "blunders": line.blunders,
                "regret": line.regret,
                "forfeits": sum(line.forfeits.values()),
            }
            for line in table.lines
        ],
        "ladder": played.ladder() if plan.format is Format.LADDER else None,
        "sprt": reading and {**reading._asdict(), "decision": reading.decision},
        "notes": played.notes(),
        "out": out,
    }
