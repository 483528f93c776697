"""`gridlock puzzle`: find the only winning move."""

from datetime import date

import click

from gridlock.cli.facts import played, print_json, spots
from gridlock.cli.line.prompt import ask_answer
from gridlock.cli.options import board_options, game_argument, given_options, memory_option, seed_option, time_option
from gridlock.cli.progress import Progress
from gridlock.cli.terminal import Terminal, tell
from gridlock.core import rules
from gridlock.core.errors import BadGame
from gridlock.core.rulebook import RuleBook
from gridlock.engine.analysis import Analysis
from gridlock.engine.reasons import partners
from gridlock.play.advice import legend, values_of
from gridlock.play.daily import puzzle_of
from gridlock.play.exits import Exit
from gridlock.play.puzzle_sources import MAKING, Daily, Series
from gridlock.play.puzzles import Puzzle, refutation
from gridlock.play.value_board import partners_board, position_board, values_board


def _day(_ctx: click.Context, _param: click.Parameter, value: str | None) -> date | None:
    """Return the date."""
    try:
        return None if value is None else date.fromisoformat(value)
    except ValueError:
        raise click.BadParameter(f"'{value[:40] if value else ''}' is not a date such as 2026-11-15.") from None


@click.command(epilog="Examples: gridlock puzzle --today, gridlock puzzle showdown --hard")
@game_argument(required=False)
@click.option(
    "--today", is_flag=True, help="The daily puzzle: the same for everyone, and only your first answer counts."
)
@click.option("--day", metavar="YYYY-MM-DD", callback=_day, help="The daily puzzle of another date; it does not count.")
@seed_option("A random seed, to get the same puzzles again.")
@click.option("--hard", is_flag=True, help="Larger boards and no quick wins.")
@board_options
@time_option("Seconds to spend on making a puzzle.", MAKING)
@memory_option
@click.option("--json", "as_json", is_flag=True, help="Print one puzzle and its answer as JSON.")
def puzzle(
    game: RuleBook | None,
    today: bool,
    day: date | None,
    seed: int,
    hard: bool,
    board: str | None,
    adjacency: str | None,
    seconds: float,
    memory: int,
    as_json: bool,
) -> int:
    """Find the only winning move. Without GAME, the puzzles come from all games in turn.

    Your streak is recorded, and so are the days in a row on which you solved the daily puzzle. --board (up to 128
    cells) and --adjacency need a GAME; without them, puzzles use boards that suit the game.
    """
    if today or day:
        if given := sorted(given_options() - {"today", "day", "as_json"}):
            raise click.UsageError(f"the daily puzzle is fixed: leave out {', '.join(given)}.")
        return _of_the_day(day or date.today(), counts=today or day == date.today(), as_json=as_json)
    if game is None and (board or adjacency):
        raise click.UsageError("--board and --adjacency need a GAME.")
    if game is None:
        rules.load_packages()
    series = Series(game, hard, board, adjacency, seed)
    try:
        if as_json:
            print_json(_facts(_make(series, seconds, memory << 20)))
        else:
            _play(series, seconds, memory << 20)
    except BadGame as error:
        raise click.UsageError(str(error)) from None
    except _NoPuzzle as error:
        tell(f"gridlock puzzle: {error}", err=True)
        return Exit.LIMIT
    return Exit.DONE


def _of_the_day(day: date, counts: bool, as_json: bool) -> int:
    """Ask for the answer to a daily puzzle; only the first answer counts."""
    daily, made = Daily(day, counts), puzzle_of(day)
    if as_json:
        print_json({"day": day.isoformat(), **_facts(made)})
        return Exit.DONE
    terminal = Terminal()
    terminal.say(daily.title)
    try:
        right = _ask(made, terminal)
    except EOFError:
        terminal.say("", "You can still solve it until midnight." if counts else "Come back soon.")
        return Exit.DONE
    terminal.say(*filter(None, [daily.answered(right)]))
    return Exit.DONE


class _NoPuzzle(Exception):
    """No puzzle could be made."""


def _make(series: Series, seconds: float, memory: int) -> Puzzle:
    """Make the next puzzle."""
    plan, seed = series.next()
    with Progress("Making a puzzle") as progress:
        made = plan.make(seed, seconds, memory, progress)
    if made is None:
        grid = plan.variant.grid
        raise _NoPuzzle(
            f"no puzzle was found for {plan.variant.book.name} on {grid} ({grid.adjacency}). "
            "Try another board or more --time."
        )
    return made


def _play(series: Series, seconds: float, memory: int) -> None:
    """Ask for the answers, and count the streak."""
    terminal = Terminal()
    try:
        while True:
            terminal.say(series.answered(_ask(_make(series, seconds, memory), terminal)), "")
    except EOFError:
        terminal.say("", "Come back soon.")


def _facts(puzzle: Puzzle) -> dict[str, object]:
    game, analysis = puzzle
    return {
        **played(game),
        "winning": spots(game.variant, analysis.winning),
        "distance": analysis.distance,
        "explanation": analysis.words(),
    }


def _ask(puzzle: Puzzle, terminal: Terminal) -> bool:
    """Show one puzzle, read the answer, and show why it is right or wrong."""
    game, analysis = puzzle
    book = game.variant.book
    terminal.say(f"{book.title} on {game.variant.grid}. {book.summary}", "")
    terminal.say(*position_board(game.variant, game.position, game.moves[-1] if terminal.colour else None), "")
    terminal.say(puzzle.question)
    cell = ask_answer(game, "Your move (row and column, show or quit): ", terminal)
    refuting = None if cell in (None, puzzle.answer) else refutation(game, cell)
    values = values_of(analysis)
    terminal.say(*values_board(game.variant, game.position, values, terminal.colour))
    terminal.say(legend(game.variant, game.position, values), *_drawn(analysis, terminal))
    terminal.say(puzzle.verdict(cell, refuting))
    return cell == puzzle.answer


def _drawn(analysis: Analysis, terminal: Terminal) -> list[str]:
    """Draw the pairs or the mirror by which the answer wins, if there are any and they fit the window."""
    drawn = partners_board(analysis.variant, analysis.position, partners(analysis), analysis.proof.best)
    return ["", *drawn] if drawn and terminal.fits(drawn[1:]) else []
