"""`gridlock learn` and `gridlock puzzle`: positions to play, in lessons and in puzzles."""

from datetime import date

import click

from gridlock.cli import options
from gridlock.cli.files import played, print_json, shared, spots
from gridlock.cli.line import screen
from gridlock.cli.line.advice import partners_board, values_board
from gridlock.cli.line.prompt import ask_answer
from gridlock.cli.terminal import Progress, Terminal, tell
from gridlock.core import rules
from gridlock.core.errors import BadGame
from gridlock.core.game import Game
from gridlock.core.rulebook import RuleBook
from gridlock.drawing.text import Marks, full_board, numbered_board
from gridlock.engine.analysis import partners
from gridlock.param_types import WholeNumber
from gridlock.play.advice import legend, values_of
from gridlock.play.exits import Exit
from gridlock.play.lessons import TASKS, Lesson, attempt, first_open, lessons, remember
from gridlock.play.puzzle_sources import MAKING, Daily, Series, puzzle_of
from gridlock.play.puzzles import Puzzle, refutation
from gridlock.userdata import diary


@click.command(epilog="Examples: gridlock learn showdown, gridlock learn chain --lesson 3")
@options.game_argument(required=False)
@click.option("--lesson", "number", type=WholeNumber(1), metavar="N", help="Start with this lesson.")
@options.json_option
def learn(game: RuleBook | None, number: int | None, as_json: bool) -> None:
    """Learn GAME, from its rules to a winning strategy, in a few positions. Without GAME, list all lessons.

    The course starts where you stopped last time. Type a row and a column, show for the answer, or quit.
    """
    if game is None:
        _list(as_json)
        return
    course = lessons(game)
    if not course:
        raise click.UsageError(f"there are no lessons for {game.name}. 'gridlock learn' lists all lessons.")
    if number is not None and number > len(course):
        raise click.BadParameter(
            f"there is no lesson {number}: {game.name} has {len(course)} lessons.", param_hint="'--lesson'"
        )
    if as_json:
        print_json({"lessons": [_facts(lesson) for lesson in course[(number or 1) - 1 :]]})
        return
    _teach(course[(number or first_open(course).number) - 1 :], len(course), Terminal())


def _list(as_json: bool) -> None:
    """Print all lessons, and mark those that are done."""
    courses = [(book, course) for book in rules.RULE_BOOKS.values() if (course := lessons(book))]
    if as_json:
        print_json({"lessons": [_facts(lesson) for _, course in courses for lesson in course]})
        return
    done = diary.read().lessons
    for book, course in courses:
        tell(f"{book.name}: {book.summary}")
        for lesson in course:
            tell(f"  {lesson.number}  {lesson.title}{'  (done)' * (lesson.number in done.get(book.name, []))}")
    tell("Start with: gridlock learn showdown")


def _facts(lesson: Lesson) -> dict[str, object]:
    return {
        "lesson": lesson.number,
        "title": lesson.title,
        "text": lesson.text,
        "task": lesson.task,
        **played(lesson.game()),
        "answers": [list(map(int, answer.split(","))) for answer in lesson.answers],
        "after": lesson.after,
    }


def _teach(course: list[Lesson], total: int, terminal: Terminal) -> None:
    """Go through the lessons in turn."""
    if terminal.interactive:
        terminal.say(screen.legend(course[0].game().variant, terminal))
    try:
        for lesson in course:
            terminal.say("", f"Lesson {lesson.number} of {total}: {lesson.title}", "", lesson.text, TASKS[lesson.task])
            _take(lesson, terminal)
        terminal.say("", f"That was the last lesson. Now try: gridlock play {course[-1].book.name} --player2 medium")
    except EOFError:
        terminal.say("", "Your progress is saved. Come back soon.")


def _take(lesson: Lesson, terminal: Terminal) -> None:
    """Let the pupil find the answer; a lesson whose answer was shown does not count as done."""
    game = lesson.game()
    mark = lesson.book.marks[game.position.turn - 1]
    begun = done = False
    while not done:
        _show(game, terminal)
        cell = ask_answer(game, f"You are {mark}. Your move (or show, quit): ", terminal)
        if cell is None:
            terminal.say(lesson.after if begun else lesson.solution)
            return
        judged = attempt(lesson, game, cell)
        for move in judged.moves:
            game.push(move)
        begun, done = begun or judged.right, judged.done
        if done:
            _show(game, terminal)
        terminal.say(judged.words)
    remember(lesson)


def _show(game: Game, terminal: Terminal) -> None:
    marks = Marks(game.last_cell, game.legal, 0, terminal.colour) if terminal.interactive else None
    terminal.say("", *full_board(game.variant, game.position, marks), "")


def _day(_ctx: click.Context, _param: click.Parameter, value: str | None) -> date | None:
    """Return the date."""
    try:
        return None if value is None else date.fromisoformat(value)
    except ValueError:
        raise click.BadParameter(f"'{value[:40] if value else ''}' is not a date such as 2026-11-15.") from None


@click.command(epilog="Examples: gridlock puzzle --today, gridlock puzzle showdown --hard")
@options.game_argument(required=False)
@click.option(
    "--today", is_flag=True, help="The daily puzzle: the same for everyone, and only your first answer counts."
)
@click.option("--day", metavar="YYYY-MM-DD", callback=_day, help="The daily puzzle of another date; it does not count.")
@options.seed_option("A random seed, to get the same puzzles again.")
@click.option("--hard", is_flag=True, help="Larger boards and no quick wins.")
@options.board_options
@options.time_option("Seconds to spend on making a puzzle.", MAKING)
@options.memory_option
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
) -> None:
    """Find the only winning move. Without GAME, the puzzles come from all games in turn.

    Your streak is recorded, and so are the days in a row on which you solved the daily puzzle. --board (up to 128
    cells) and --adjacency need a GAME; without them, puzzles use boards that suit the game.
    """
    if today and day:
        raise click.UsageError("--today and --day cannot be used together.")
    terminal, memory = Terminal(), memory << 20
    if today or day:
        if given := options.given_options("today", "day", "as_json"):
            raise click.UsageError(f"the daily puzzle is fixed: leave out {', '.join(given)}.")
        date_of = day or date.today()
        _of_the_day(date_of, date_of == date.today(), None if as_json else terminal)
        return
    if game is None and (board or adjacency):
        raise click.UsageError("--board and --adjacency need a GAME.")
    if game is None:
        rules.load_packages()
    series = Series(game, hard, board, adjacency, seed)
    try:
        if as_json:
            print_json(_puzzle_facts(_make(series, seconds, memory)))
            return
        while True:
            terminal.say(series.answered(_ask(_make(series, seconds, memory), terminal)), "")
    except BadGame as error:
        raise click.UsageError(str(error)) from None
    except EOFError:
        terminal.say("", "Come back soon.")


def _of_the_day(day: date, counts: bool, terminal: Terminal | None) -> None:
    """Ask for the answer to a daily puzzle, of which only the first counts; without a terminal, print JSON."""
    daily, made = Daily(day, counts), puzzle_of(day)
    if terminal is None:
        print_json({"day": day.isoformat(), **_puzzle_facts(made)})
        return
    terminal.say(daily.title)
    try:
        terminal.say(*filter(None, [daily.answered(_ask(made, terminal))]))
        if lines := daily.shared():
            terminal.say("", "To share your result:", *shared(lines))
    except EOFError:
        terminal.say("", "You can still solve it until midnight." if counts else "Come back soon.")


class NoPuzzle(click.ClickException):
    """No puzzle could be made."""

    exit_code = Exit.LIMIT


def _make(series: Series, seconds: float, memory: int) -> Puzzle:
    """Make the next puzzle."""
    plan, seed = series.next()
    with Progress("Making a puzzle") as progress:
        made = plan.make(seed, seconds, memory, progress)
    if made is None:
        where = f"{plan.variant.book.name} on {plan.variant.grid} ({plan.variant.grid.adjacency})"
        raise NoPuzzle(f"no puzzle was found for {where}. Try another board or more --time.")
    return made


def _puzzle_facts(puzzle: Puzzle) -> dict[str, object]:
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
    last = {game.moves[-1]: "1;7"} if terminal.colour else {}  # in reverse colours
    terminal.say(*numbered_board(game.variant, game.position, {}, ".", last), "")
    terminal.say(puzzle.question)
    cell = ask_answer(game, "Your move (row and column, show or quit): ", terminal)
    refuting = None if cell in (None, puzzle.answer) else refutation(game, cell)
    values = values_of(analysis)
    terminal.say(*values_board(game.variant, game.position, values, terminal.colour))
    terminal.say(legend(game.variant, game.position, values))
    drawn = partners_board(game.variant, game.position, partners(analysis), analysis.proof.best)
    if drawn and terminal.fits(drawn[1:]):
        terminal.say("", *drawn)
    terminal.say(puzzle.verdict(cell, refuting))
    return cell == puzzle.answer
