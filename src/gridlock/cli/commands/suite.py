"""`gridlock suite`: score a solver on positions with known winners, or make such positions."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gridlock.cli.files import print_json
from gridlock.cli.options import (
    complete_game,
    complete_player,
    find_book,
    given_options,
    json_option,
    processes_option,
    read_agent,
    time_option,
)
from gridlock.cli.terminal import Progress, ctrl_c_cancels, tell
from gridlock.core.errors import BadRecord
from gridlock.core.rules import BUILT_IN, RULE_BOOKS
from gridlock.drawing.text import visible
from gridlock.engine.clock import cancellation
from gridlock.param_types import WholeNumber
from gridlock.play.exits import Exit

if TYPE_CHECKING:
    from gridlock.arena.suite.problems import Suite
    from gridlock.arena.suite.scoring import Run

USUAL_TIME = 10.0
USUAL_COUNT = 500
POWERS = (3, 9)  # the lowest and highest --power, as powers of ten
MOST_SHOWN = 20  # wrong answers to print


def _read_grades(_ctx: click.Context, _param: click.Parameter, text: str | None) -> range | None:
    if text is None:
        return None
    found = re.fullmatch(r"([0-9]{1,2})(?:-([0-9]{1,2}))?", text.strip())
    first, last = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
    if first > last:
        raise click.BadParameter(f"'{visible(text, 40)}' is not a grade or a range of grades, such as 3 or 0-4.")
    return range(first, last + 1)


@click.command(
    epilog='Examples: gridlock suite --engine "ugi:./my-solver" --time 5 --out answers.txt, '
    'gridlock suite --engine "ugi:gridlock engine" --game trails --grades 0-3, '
    "gridlock suite --compare old-answers.txt answers.txt, gridlock suite --make mine.txt --seed 2"
)
@click.option(
    "--engine",
    metavar="AGENT",
    callback=lambda ctx, param, value: None if value is None else read_agent(ctx, param, value),
    shell_complete=complete_player,
    help="Score a program (ugi:./my-solver, process:./my-bot), a Python function (./my.py:agent) or an agent.",
)
@click.option(
    "--game",
    "games",
    multiple=True,
    callback=lambda _ctx, _param, values: [find_book(value, "--game").name for value in values],
    shell_complete=complete_game,
    help="Use only this game's problems; repeatable. [default: the five built-in games]",
)
@click.option("--grades", metavar="N-M", callback=_read_grades, help="Use only these grades, such as 0-4.")
@click.option(
    "--count", type=WholeNumber(1, 100_000), help="Maximum number of problems per game (default with --make: 500)."
)
@click.option("--open", "is_open", is_flag=True, help="Also ask the engine about open problems (winner unknown).")
@time_option("The time limit per answer, in seconds.", USUAL_TIME)
@processes_option
@click.option("--out", type=click.Path(dir_okay=False), help="Write the answers to this file, and resume from it.")
@click.option(
    "--unsolved", type=click.Path(dir_okay=False), help="Write the unsolved problems to this file, for use with --file."
)
@click.option(
    "--compare",
    type=click.Path(dir_okay=False),
    nargs=2,
    metavar="OLD NEW",
    help="Compare two runs, using the files written by --out.",
)
@click.option("--file", type=click.Path(dir_okay=False), help="Use the suite in this file. [default: GridLock's own]")
@click.option("--list", "is_list", is_flag=True, help="Print the problems, one per line.")
@click.option("--make", type=click.Path(dir_okay=False), help="Make a new suite, and write it to this file.")
@click.option(
    "--seed",
    type=WholeNumber(0),
    default=1,
    show_default=True,
    help="With --make: the random seed for the problems.",
)
@click.option(
    "--power",
    type=WholeNumber(*POWERS),
    default=5,
    show_default=True,
    help="With --make: search up to 10^POWER positions per problem; harder problems remain open.",
)
@json_option
def suite(
    engine: str | None,
    games: list[str],
    grades: range | None,
    count: int | None,
    is_open: bool,
    seconds: float,
    processes: int,
    out: str | None,
    unsolved: str | None,
    compare: tuple[str, str] | None,
    file: str | None,
    is_list: bool,
    make: str | None,
    seed: int,
    power: int,
    as_json: bool,
) -> int:
    """Score a solver on a suite of positions: does it know who wins, and which moves win?

    Without options, show the suite's contents. Each position is graded by how many positions our search needs to decide
    it: grade 3 means 1,000 to 9,999. Positions that our search does not decide are open problems. In each
    position that the player to move can win, the solver is asked for a move. An engine that answers UGI's "query value
    movetime MS" is also asked who wins. See docs/suite.md.
    """
    _check(engine, make, compare, is_list, as_json)
    if compare is not None:
        return _compare(Path(compare[0]), Path(compare[1]), as_json)
    if make is not None:
        return _make(Path(make), games, count or USUAL_COUNT, power, seed, processes)
    from gridlock.arena.suite.problems import read_suite
    from gridlock.arena.suite.report import contents

    whole = read_suite(None if file is None else Path(file))
    asks = engine is not None and not is_open
    problems = whole.part(games or whole.games, whole.grades if grades is None else grades, count, not asks)
    if not problems:
        raise click.UsageError("the suite has no such problems.")
    if is_list:
        tell(*(problem.line for problem in problems))
        return Exit.DONE
    if engine is None:
        if as_json:
            raise click.UsageError("--json needs --engine or --compare; --list prints the problems for programs.")
        tell(*contents(whole, problems))
        return Exit.DONE
    from gridlock.arena.suite.scoring import Run

    left = None if unsolved is None else _suite_file(Path(unsolved))
    with closing(Run(engine, problems, seconds, Path(out) if out else None)) as run:
        code = _score(run, engine, processes, out, as_json)
        if left is not None:
            _keep_unsolved(left, run, whole)
        return code


def _check(engine: str | None, make: str | None, compare: tuple[str, str] | None, is_list: bool, as_json: bool) -> None:
    """Reject options that cannot be combined."""
    if compare is not None:
        others = given_options("compare", "as_json")
        if others:
            raise click.UsageError(f"--compare cannot be combined with {others[0]}.")
    if make is not None:
        others = given_options("make", "games", "count", "seed", "power", "processes")
        if others:
            raise click.UsageError(f"--make cannot be combined with {others[0]}.")
    elif chosen := [name for name in given_options() if name in ("--seed", "--power")]:
        raise click.UsageError(f"{chosen[0]} needs --make.")
    if is_list and (engine is not None or as_json):
        raise click.UsageError("--list cannot be combined with --engine or --json.")
    if engine is None and (alone := [name for name in given_options() if name in ("--out", "--unsolved")]):
        raise click.UsageError(f"{alone[0]} needs --engine.")


def _suite_file(path: Path) -> Path:
    """Return the path at which to write a suite; reject an existing file that is not a suite."""
    from gridlock.arena.suite.problems import read_suite

    if path.exists():
        try:
            read_suite(path)
        except BadRecord:
            raise click.BadParameter(
                f"{path} already exists and is not a suite. Choose another name.", param_hint="'--unsolved'"
            ) from None
    return path


def _keep_unsolved(path: Path, run: Run, whole: Suite) -> None:
    """Write a new suite with the problems that the engine failed to solve."""
    from gridlock.arena.suite.problems import Suite, write_suite

    left = tuple(one.problem for one in run.answers() if one.scored and not one.solved)
    write_suite(path, Suite(left, whole.made))
    tell(f"{len(left):,} unsolved problem{'s' * (len(left) != 1)} in {path}.", err=True)


def _compare(old: Path, new: Path, as_json: bool) -> int:
    from gridlock.arena.suite.comparison import Comparison
    from gridlock.arena.suite.scoring import read_answers

    found = Comparison(read_answers(old), read_answers(new))
    if as_json:
        print_json(found.facts())
    else:
        tell(*found.lines())
    return Exit.DONE


def _score(run: Run, engine: str, processes: int, out: str | None, as_json: bool) -> int:
    from gridlock.arena.suite.report import facts, result, wrong_lines

    total = len(run.problems)
    with Progress("Asking") as progress, ctrl_c_cancels():
        question = cancellation.question
        complete = run.ask(
            processes,
            lambda: cancellation.includes(question),
            lambda count, solved: progress.tell(f"{count:,} of {total:,} problems, {solved:,} solved"),
        )
    answers = run.answers()
    if as_json:
        print_json(facts(engine, run.seconds, answers, complete))
    else:
        wrong = wrong_lines(answers)
        more = len(wrong) - MOST_SHOWN
        shown = [*wrong[:MOST_SHOWN], *([f"and {more} more; --json lists all."] if more > 0 else [])]
        tell(*result(engine, run.seconds, answers), *(["", *shown] if shown else []))
    if not complete:
        later = "To be able to resume a run later, start it with --out FILE."
        again = "Run the same command again to continue." if out else later
        tell(f"Interrupted after {len(answers):,} of {total:,} problems. {again}", err=True)
        return Exit.INTERRUPTED
    asked = [one for one in answers if one.asked_winner or one.asked_move]
    is_broken = asked and all(one.failure and not one.late for one in asked)
    return Exit.AGENT if is_broken else Exit.DONE


def _make(path: Path, games: list[str], count: int, power: int, seed: int, processes: int) -> int:
    """Make a suite, or resume an interrupted run, and write the file once the suite is complete."""
    from gridlock.arena.suite.making import make
    from gridlock.arena.suite.problems import write_suite

    if path.exists():
        raise click.BadParameter(f"there is already a file {path}. Choose another name.", param_hint="'--make'")
    draft = path.with_name(f"{path.name}.part")
    games = games or [name for name in RULE_BOOKS if name in BUILT_IN]
    with Progress("Suite") as progress, ctrl_c_cancels():
        question = cancellation.question
        made = make(
            games,
            count,
            10**power,
            seed,
            ledger=draft,
            processes=processes,
            stopped=lambda: cancellation.includes(question),
            report=progress.tell,
        )
    if made is None:
        tell("Interrupted. Run the same command again to continue.", err=True)
        return Exit.INTERRUPTED
    write_suite(path, made)
    draft.unlink()
    tell(f"{len(made.problems):,} problems in {path}.")
    if len(made.problems) < count * len(games):
        tell(
            f"{count * len(games):,} problems were requested, but playing more games yielded hardly any new problems.",
            err=True,
        )
    return Exit.DONE
