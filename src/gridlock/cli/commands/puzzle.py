"""`gridlock puzzle`: find the only winning move."""

from collections.abc import Iterator
from datetime import date
from itertools import cycle
from typing import TYPE_CHECKING

import click

from gridlock.cli.exits import Exit
from gridlock.cli.facts import played, print_json, spots
from gridlock.cli.options import board_options, complete_game, known_game, memory_option, seed_option, time_option
from gridlock.cli.progress import Progress
from gridlock.cli.terminal import Terminal, tell
from gridlock.core import rules
from gridlock.core.errors import UnreadableMove
from gridlock.core.game import Game
from gridlock.core.grid import Cell
from gridlock.core.notation import read_turn
from gridlock.core.position import Position
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.engine.analysis import Analysis
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine
from gridlock.engine.kernels.interface import CELLS
from gridlock.engine.reasons import partners, reason
from gridlock.play.advice import legend, values_of
from gridlock.play.puzzles import Level, level_for, make_puzzle
from gridlock.play.value_board import partners_board, position_board, values_board
from gridlock.userdata import diary

if TYPE_CHECKING:
    from random import Random


def _day(_ctx: click.Context, _param: click.Parameter, value: str | None) -> date | None:
    """A date."""
    try:
        return None if value is None else date.fromisoformat(value)
    except ValueError:
        raise click.BadParameter(f"'{value[:40] if value else ''}' is not a date such as 2026-11-15.") from None


@click.command(epilog="Examples: gridlock puzzle --today, gridlock puzzle showdown --hard")
@click.argument("game", metavar="[GAME]", required=False, callback=known_game, shell_complete=complete_game)
@click.option("--today", is_flag=True, help="The puzzle of the day: the same for everybody, and one answer counts.")
@click.option("--day", metavar="YYYY-MM-DD", callback=_day, help="The puzzle of another day; it counts for nothing.")
@seed_option("Make the same puzzles again.")
@click.option("--hard", is_flag=True, help="Larger boards, and no quick wins.")
@board_options
@time_option("Seconds for making a puzzle.", 20.0)
@memory_option
@click.option("--json", "as_json", is_flag=True, help="Print one puzzle with its answer as JSON.")
@click.pass_context
def puzzle(
    ctx: click.Context,
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
    """Positions with exactly one winning move: find it. Without GAME, of all games in turn.

    Your streak is kept; so are the days in a row on which you solved the puzzle of the day.
    --board (of up to 128 cells) and --adjacency are for one GAME; without them, each has boards that make good puzzles.
    """
    from random import Random

    if today or day:
        if given := sorted({name for name in ctx.params if _is_typed(ctx, name)} - {"today", "day", "as_json"}):
            raise click.UsageError(f"the puzzle of a day is what it is: leave out {', '.join(given)}.")
        return _of_the_day(day or date.today(), counts=today or day == date.today(), as_json=as_json)
    if game is None and (board or adjacency):
        raise click.UsageError("--board and --adjacency are for one game: name it.")
    if game is None:
        rules.load_packages()
    books = [game] if game else [book for book in rules.RULE_BOOKS.values() if book.shape]
    levels = [_level(book, hard, board, adjacency) for book in books]
    puzzles = _puzzles(levels, Random(seed), seconds, memory << 20)
    try:
        if as_json:
            _, made, analysis = next(puzzles)
            print_json(_facts(made, analysis))
        else:
            _play(puzzles, Terminal())
    except _NoPuzzle as error:
        tell(f"gridlock puzzle: {error}", err=True)
        return Exit.LIMIT
    return Exit.DONE


def _is_typed(ctx: click.Context, name: str) -> bool:
    return ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


def _of_the_day(day: date, counts: bool, as_json: bool) -> int:
    """Ask for the answer to the puzzle of a day; the first one counts, if any does."""
    from gridlock.play.daily import puzzle_of

    engine, made, analysis = puzzle_of(day)
    if as_json:
        print_json({"day": day.isoformat(), **_facts(made, analysis)})
        return Exit.DONE
    terminal = Terminal()
    before = diary.read().days.get(day.isoformat()) if counts else None
    terminal.say(f"The puzzle of {day.isoformat()}.")
    if before is not None:
        terminal.say(f"You have {'solved it' if before else 'tried it'} already; this time it is for practice.")
    try:
        right = _ask(engine, made, analysis, terminal)
    except (EOFError, _Enough):
        terminal.say("", "It waits for you until midnight." if counts else "Come back soon.")
        return Exit.DONE
    if counts:
        kept = diary.write(lambda pages: pages.answered_on(day, right))
        days = kept.days_in_a_row(day)
        terminal.say(f"Days in a row: {days}." if days else "Days in a row: none yet. There is a new one tomorrow.")
    return Exit.DONE


def _level(book: RuleBook, hard: bool, board: str | None, adjacency: str | None) -> tuple[Variant, Level]:
    """What puzzles of a game are made of, on its usual board or another."""
    if book.shape is None:
        raise click.UsageError(
            f"there are no puzzles for {book.name}: only shapes can be counted out, and it has none."
        )
    level = level_for(book.shape, hard)
    variant = rules.variant(book, board or level.board, adjacency)
    if variant.grid.size > CELLS:
        raise click.UsageError(f"puzzles are made on boards of up to {CELLS} cells.")
    return variant, level.on(variant.grid.rows, variant.grid.cols) if board else level


class _NoPuzzle(Exception):
    """None could be made."""


def _puzzles(
    levels: list[tuple[Variant, Level]], rng: "Random", seconds: float, memory: int
) -> Iterator[tuple[Engine, Game, Analysis]]:
    """One puzzle after another, of all these games in turn."""
    engines = [(Engine(variant, memory), level) for variant, level in levels]
    for engine, level in cycle(engines):
        progress = Progress("Making a puzzle")
        try:
            made = make_puzzle(engine, rng, level, Clock(seconds, progress))
        finally:
            progress.done()
        if made is None:
            grid = engine.variant.grid
            raise _NoPuzzle(
                f"no puzzle was found for {engine.variant.book.name} on {grid} ({grid.adjacency}). "
                "Another board, or more --time, may have one."
            )
        yield engine, *made


def _play(puzzles: Iterator[tuple[Engine, Game, Analysis]], terminal: Terminal) -> None:
    """Ask for the answers, and count the streak, which goes on where it stood the last time."""
    try:
        for engine, made, analysis in puzzles:
            right = _ask(engine, made, analysis, terminal)
            kept = diary.write(lambda pages, right=right: pages.answered(right))  # type: ignore[misc]
            terminal.say(f"Streak: {kept.streak}{f' (your best: {kept.best})' if kept.best > kept.streak else ''}.", "")
    except (EOFError, _Enough):
        terminal.say("", "Come back soon.")


def _facts(game: Game, analysis: Analysis) -> dict[str, object]:
    return {
        **played(game),
        "winning": spots(game.variant, analysis.winning),
        "distance": analysis.distance,
        "explanation": analysis.words(),
    }


class _Enough(Exception):
    """No more puzzles."""


def _ask(engine: Engine, game: Game, analysis: Analysis, terminal: Terminal) -> bool:
    """Show one puzzle, read the answer, and show why it is right or wrong."""
    book, position = engine.variant.book, game.position
    mark, other = book.marks[position.turn - 1], book.marks[2 - position.turn]
    name = engine.variant.name
    terminal.say(f"{book.title} on {engine.variant.grid}. {book.summary}", "")
    terminal.say(*position_board(engine.variant, position, game.moves[-1] if terminal.colour else None), "")
    terminal.say(f"{other}'s last move: {name(game.moves[-1])}.")
    terminal.say(f"{mark} is to move. Only one of {len(analysis.values)} moves wins.")
    cell = _answer(engine.variant, position, terminal)
    right = [cell] == analysis.winning
    values = values_of(analysis)
    lines = [
        *values_board(engine.variant, position, values, terminal.colour),
        legend(engine.variant, position, values),
        *_drawn(analysis, terminal),
    ]
    if right:
        lines.append(f"Right! {reason(analysis)}")
    elif cell is None:
        lines.append(f"The answer is {name(analysis.winning[0])}. {reason(analysis)}")
    else:
        answer = engine.weigh(position.after(cell), Clock(2.0)).best
        against = f"{name(answer)} refutes it" if answer is not None else "it is refuted"
        lines += [f"No: after {name(cell)}, {against}.", reason(analysis)]
    terminal.say(*lines)
    return right


def _drawn(analysis: Analysis, terminal: Terminal) -> list[str]:
    """The pairs or the mirror by which the answer wins, if it wins so."""
    drawn = partners_board(analysis.variant, analysis.position, partners(analysis), analysis.proof.best)
    return ["", *drawn] if drawn and terminal.fits(drawn[1:]) else []


def _answer(variant: Variant, position: Position, terminal: Terminal) -> Cell | None:
    """A legal move, or None from somebody who gives up."""
    while True:
        text = terminal.ask("Your move (row and column, show or quit): ", ["show", "skip", "quit"]).strip()
        if text.lower() in ("quit", "q", "exit"):
            raise _Enough
        if text.lower() in ("show", "skip"):
            return None
        try:
            cell = read_turn(text, variant, position)
        except UnreadableMove as error:
            terminal.say(f"{error}; show, for the answer; or quit.")
            continue
        refusal = variant.refusal(position, cell)
        if refusal is None and cell is not None:
            return cell
        terminal.say(f"The cell is {refusal.words if refusal else 'not there'}. Try again.")
