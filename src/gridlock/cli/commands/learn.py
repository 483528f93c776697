"""`gridlock learn`: lessons with positions to play."""

import click

from gridlock.cli import options
from gridlock.cli.files import played, print_json
from gridlock.cli.line import screen
from gridlock.cli.line.prompt import ask_answer
from gridlock.cli.terminal import Terminal, tell
from gridlock.core import rules
from gridlock.core.game import Game
from gridlock.core.rulebook import RuleBook
from gridlock.drawing.text import Marks, full_board
from gridlock.param_types import WholeNumber
from gridlock.play.lessons import TASKS, Lesson, attempt, first_open, lessons, remember
from gridlock.userdata import diary


@click.command(epilog="Examples: gridlock learn showdown, gridlock learn chain --lesson 3")
@options.game_argument(required=False)
@click.option("--lesson", "number", type=WholeNumber(1), metavar="N", help="Start with this lesson.")
@options.json_option
def learn(game: RuleBook | None, number: int | None, as_json: bool) -> None:
    """Learn GAME, from its rules to a winning strategy, by playing a few positions. Without GAME, list all lessons.

    The course starts where you left off. Type a row and a column, 'show' to see the answer, or 'quit' to stop.
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
    """Print all lessons, marking those that are done."""
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
    """Let the player work through a lesson; if the player asks for the answer, the lesson is not marked as done."""
    game = lesson.game()
    mark = lesson.book.marks[game.position.turn - 1]
    begun = done = False
    while not done:
        _show(game, terminal)
        cell = ask_answer(game, f"You are {mark}. Enter your move, or type 'show' or 'quit': ", terminal)
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
