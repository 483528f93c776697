"""`gridlock puzzle`: solve puzzles in series, against the clock, from your own position, or for a given date."""

import time
from contextlib import suppress
from datetime import date
from pathlib import Path

import click

from gridlock.cli import options
from gridlock.cli.files import load_game, played, print_json, shared, spots
from gridlock.cli.line.advice import partners_board, regions_lines, values_board
from gridlock.cli.line.prompt import ask_answer
from gridlock.cli.terminal import Progress, Terminal
from gridlock.core import rules
from gridlock.core.errors import BadGame
from gridlock.core.game import Game
from gridlock.core.grid import Cell
from gridlock.core.rulebook import RuleBook
from gridlock.drawing.text import numbered_board
from gridlock.engine.analysis import partners, reason
from gridlock.param_types import WholeNumber
from gridlock.play.advice import legend, values_of
from gridlock.play.exits import Exit
from gridlock.play.puzzle_sources import EASY, MAKING, Daily, Series, no_puzzles, puzzle_of
from gridlock.play.puzzles import (
    HARDEST,
    JUDGING,
    MISTAKES,
    Kind,
    Puzzle,
    Solving,
    explanation,
    puzzles_from,
)
from gridlock.play.region_puzzles import give_up, judge, open_puzzle, report_on

MINUTE = 60.0  # seconds in a minute
LONGEST_RUN = 60  # minutes, the limit for --run
KINDS = "win: find the winning moves; hottest: find the hottest region; trap: win where the hottest region loses."
ASKED = "Enter your move (row and column), or type 'show' or 'quit': "
ASKED_REGION = "Enter a move in that region (row and column), or type 'show' or 'quit': "
TOO_MANY = (
    f"That was mistake {MISTAKES + 1}, so the puzzle won't count as solved. Keep trying for practice, "
    "or type 'show' for the answer."
)


def _day(_ctx: click.Context, _param: click.Parameter, value: str | None) -> date | None:
    """Return the date given on the command line."""
    try:
        return None if value is None else date.fromisoformat(value)
    except ValueError:
        raise click.BadParameter(f"'{value[:40] if value else ''}' is not a date such as 2026-11-15.") from None


@click.command(
    epilog="Examples: gridlock puzzle --today, gridlock puzzle showdown --difficulty 4, gridlock puzzle --kind trap"
)
@options.game_argument(required=False)
@click.option(
    "--today", is_flag=True, help="The daily puzzle: the same for everyone, and only your first result counts."
)
@click.option(
    "--day", metavar="YYYY-MM-DD", callback=_day, help="The daily puzzle for another date; the result does not count."
)
@click.option(
    "--position", metavar="LINE", help="Your own puzzle: a one-line position, or a file that contains a game."
)
@click.option("--from", "reference", metavar="GAME", help="Make puzzles from the mistakes in a saved game or a file.")
@click.option(
    "--run",
    "minutes",
    type=WholeNumber(1, LONGEST_RUN),
    metavar="MINUTES",
    help="Solve as many puzzles as you can in this many minutes.",
)
@options.seed_option("A random seed, for reproducible puzzles.")
@click.option(
    "--difficulty", type=WholeNumber(1, HARDEST), default=EASY, show_default=True, help="From 1, the easiest, to 5."
)
@click.option(
    "--kind", type=click.Choice([kind.value for kind in Kind]), default=Kind.WIN.value, show_default=True, help=KINDS
)
@options.board_options
@options.time_option("Seconds to spend on making a puzzle.", MAKING)
@options.memory_option
@click.option("--json", "as_json", is_flag=True, help="Print one puzzle and its solution as JSON.")
def puzzle(
    game: RuleBook | None,
    today: bool,
    day: date | None,
    position: str | None,
    reference: str | None,
    minutes: int | None,
    seed: int,
    difficulty: int,
    kind: str,
    board: str | None,
    adjacency: str | None,
    seconds: float,
    memory: int,
    as_json: bool,
) -> None:
    """Find a winning move at every step until the opponent is stuck. Without GAME, puzzles rotate through all games.

    The opponent holds out as long as possible. After a wrong move, you see why it loses and can try again; after
    more than two wrong moves, the puzzle does not count as solved. Two streaks are recorded: puzzles solved in a row,
    and consecutive days on which you solved the daily puzzle. The options --board (up to 128 cells) and --adjacency
    need a GAME; without these options, puzzles use boards that suit the game.

    With --kind hottest or --kind trap, you get puzzles about regions, which are parts of the board that do not affect
    each other. The hottest region is the one in which moving first gains the most.
    """
    terminal, memory = Terminal(), memory << 20
    chosen = {"--today": today, "--day": day, "--position": position, "--from": reference}
    sources = [name for name, value in chosen.items() if value]
    if len(sources) > 1:
        raise click.UsageError(f"{sources[0]} and {sources[1]} cannot be used together.")
    if sources:
        ignored = ("today", "day", "position", "reference", *(["as_json"] if not reference else []))
        ignored += ("kind",) if position else ()
        if given := options.given_options(*ignored):
            raise click.UsageError(f"{sources[0]} fixes the puzzle: leave out {', '.join(given)}.")
        if reference:
            _practise(load_game(reference, None), terminal)
        elif position:
            _one(None, open_puzzle(_own(position), Kind(kind)), as_json, terminal)
        else:
            date_of = day or date.today()
            _one(Daily(date_of, date_of == date.today()), puzzle_of(date_of), as_json, terminal)
        return
    if game is None and (board or adjacency):
        raise click.UsageError("--board and --adjacency need a GAME.")
    if game is None:
        rules.load_packages()
    series = Series(game, difficulty, board, adjacency, seed, Kind(kind))
    try:
        if as_json:
            print_json(_facts(_make(series, seconds, memory)))
        elif minutes:
            _run(series, minutes, seconds, memory, terminal)
        else:
            while True:
                terminal.say(*_solve(_make(series, seconds, memory), series, terminal), "")
    except BadGame as error:
        raise click.UsageError(str(error)) from None
    except EOFError:
        terminal.say("", "Come back soon.")


def _own(position: str) -> Game:
    """Load a game from a file, or start a game from a position that is given as one line of text."""
    with suppress(OSError, ValueError):  # a position may not be a valid file name
        if Path(position).is_file():
            return load_game(position, None)
    return Game.from_text(position)


def _one(source: Daily | None, made: Puzzle, as_json: bool, terminal: Terminal) -> None:
    """Ask the player to solve one puzzle, or print the puzzle as JSON."""
    if as_json:
        print_json({**({"day": source.day.isoformat()} if source else {}), **_facts(made)})
        return
    terminal.say(*([source.title] if source else []))
    try:
        terminal.say(*_solve(made, source, terminal))
        if source and (lines := source.shared()):
            terminal.say("", "To share your result:", *shared(lines))
    except EOFError:
        terminal.say("", "You have until midnight to solve it." if source and source.counts else "Come back soon.")


def _practise(game: Game, terminal: Terminal) -> None:
    """Turn the mistakes in a game into puzzles, and ask the player to solve them."""
    with Progress("Looking for mistakes"):
        found = puzzles_from(game, JUDGING)
        none = "" if found else no_puzzles(game, JUDGING)
    if not found:
        terminal.say(none)
    with suppress(EOFError):
        for number, made in enumerate(found, 1):
            terminal.say(f"Puzzle {number} of {len(found)} from this game.")
            terminal.say(*_solve(made, None, terminal), "")


class NoneMade(click.ClickException):
    """The error raised when no puzzle could be made."""

    exit_code = Exit.LIMIT


def _make(series: Series, seconds: float, memory: int) -> Puzzle:
    """Make the next puzzle."""
    plan, seed = series.next()
    with Progress("Making a puzzle") as progress:
        made = plan.make(seed, seconds, memory, progress)
    if made is None:
        where = f"{plan.variant.book.name} on {plan.variant.grid} ({plan.variant.grid.adjacency})"
        raise NoneMade(f"no puzzle was found for {where}. Try another board or a longer --time.")
    return made


def _facts(puzzle: Puzzle) -> dict[str, object]:
    found, solved = explanation(puzzle.game), give_up(puzzle.game, puzzle.kind)
    if puzzle.kind is Kind.HOTTEST:
        answer: dict[str, object] = {"hottest": spots(puzzle.game.variant, puzzle.winning)}
        return {
            **played(puzzle.game),
            "kind": puzzle.kind,
            "difficulty": puzzle.difficulty,
            **answer,
            "explanation": solved.words,
        }
    return {
        **played(puzzle.game),
        "kind": puzzle.kind,
        "difficulty": puzzle.difficulty,
        "winning": spots(puzzle.game.variant, puzzle.winning),
        "distance": found.distance,
        "explanation": found.words(),
        "line": spots(puzzle.game.variant, solved.line),
    }


# -- solving ---------------------------------------------------------------------------------------------------------


def _solve(puzzle: Puzzle, source: Series | Daily | None, terminal: Terminal) -> list[str]:
    """Let the player solve a puzzle, then explain it; return the lines that describe the result."""
    solving, counted = Solving(puzzle), None
    _show_question(puzzle, terminal)
    while not solving.over:
        cell = ask_answer(solving.game, _asked(solving.puzzle), terminal)
        right = _judge(solving, cell, terminal)
        if solving.solved is not None and counted is None:
            counted = source.finished(solving) if source else ""
            if not solving.over:
                terminal.say(TOO_MANY)
        if not solving.over:
            terminal.say(*([] if right else ["Try again."]))
            _board(solving.game, terminal)
    _explain(puzzle, terminal)
    return [counted] if counted else []


def _asked(puzzle: Puzzle) -> str:
    return ASKED_REGION if puzzle.kind is Kind.HOTTEST else ASKED


def _judge(solving: Solving, cell: Cell | None, terminal: Terminal) -> bool:
    """Judge a move or show the solution, on the board and in words; return whether the move was right."""
    game = solving.game.copy()
    kind = solving.puzzle.kind
    judged = give_up(game, kind) if cell is None else judge(game, cell, kind)
    solving.note(cell, judged)
    line = judged.refutation or judged.line
    for move in judged._replace(reply=None).moves(cell):
        game.push(move)
    if line or (judged.done and judged.played):
        _board(game, terminal)
    said = f" ({' '.join(map(game.variant.name, line))})" if len(line) > 1 else ""
    terminal.say(judged.words + said)
    return judged.right


def _run(series: Series, minutes: int, seconds: float, memory: int, terminal: Terminal) -> None:
    """Count the puzzles that the player solves in the given number of minutes.

    A wrong move ends a puzzle. The results are not saved.
    """
    end, solved, tried = time.monotonic() + minutes * MINUTE, 0, 0
    terminal.say(f"You have {minutes} minute{'s' * (minutes > 1)}. A wrong move ends a puzzle.", "")
    with suppress(EOFError):
        while True:
            solving, right = Solving(_make(series, seconds, memory)), True
            _show_question(solving.puzzle, terminal)
            while right and not solving.over:
                cell = ask_answer(solving.game, _asked(solving.puzzle), terminal)
                if time.monotonic() >= end:
                    terminal.say("Time is up.")
                    raise EOFError
                right = _judge(solving, cell, terminal)
                if right and not solving.over:
                    _board(solving.game, terminal)
            tried, solved = tried + 1, solved + bool(solving.solved)
            terminal.say(f"Solved so far: {solved} of {tried}.", "")
    terminal.say("", f"You solved {solved} of {tried}.")


def _show_question(puzzle: Puzzle, terminal: Terminal) -> None:
    game = puzzle.game
    terminal.say(f"{game.variant.book.title} on {game.variant.grid}. {puzzle.rule} {puzzle.grade}.")
    _board(game, terminal)
    terminal.say(puzzle.question)


def _board(game: Game, terminal: Terminal) -> None:
    last = {game.last_cell: "1;7"} if terminal.colour and game.last_cell is not None else {}  # in reverse colours
    terminal.say("", *numbered_board(game.variant, game.position, {}, ".", last), "")


def _explain(puzzle: Puzzle, terminal: Terminal) -> None:
    """Show the value of every first move, and why the best one wins.

    For a puzzle about regions, show the regions and their values instead of the moves.
    """
    if puzzle.kind is not Kind.WIN:
        terminal.say("", *regions_lines(puzzle.game, report_on(puzzle.game), terminal))
        return
    game, found = puzzle.game, explanation(puzzle.game)
    values = values_of(found)
    terminal.say("", "The first move:")
    terminal.say(*values_board(game.variant, game.position, values, terminal.colour))
    terminal.say(legend(game.variant, game.position, values))
    drawn = partners_board(game.variant, game.position, partners(found), found.proof.best)
    if drawn and terminal.fits(drawn[1:]):
        terminal.say("", *drawn)
    terminal.say(reason(found))
