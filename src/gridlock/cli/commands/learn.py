"""`gridlock learn`: a game in a few short lessons, each a position to play."""

import click

from gridlock.cli.facts import played, print_json
from gridlock.cli.line.announce import legend
from gridlock.cli.options import WholeNumber, complete_game, json_option, known_game
from gridlock.cli.terminal import Terminal, tell
from gridlock.core.errors import UnreadableMove
from gridlock.core.game import Game
from gridlock.core.grid import Cell
from gridlock.core.notation import read_turn
from gridlock.core.rulebook import RuleBook
from gridlock.core.rules import RULE_BOOKS
from gridlock.drawing.text import Marks, full_board
from gridlock.play.lessons import TASKS, Lesson, lessons
from gridlock.userdata import diary

THINKING = 1.0  # seconds for the opponent, and for saying what a move is worth


class _Enough(Exception):
    """No more lessons now."""


@click.command(epilog="Examples: gridlock learn showdown, gridlock learn chain --lesson 3")
@click.argument("game", metavar="[GAME]", required=False, callback=known_game, shell_complete=complete_game)
@click.option("--lesson", "number", type=WholeNumber(1), metavar="N", help="Begin with this one.")
@json_option
def learn(game: RuleBook | None, number: int | None, as_json: bool) -> None:
    """Learn GAME, from its rule to the strategy that wins, in a few positions; without GAME, list the lessons.

    It begins where you stopped the last time. Type a row and a column, show for the answer, skip for the next lesson,
    or quit.
    """
    if game is None:
        _list(as_json)
        return
    course = lessons(game)
    if not course:
        raise click.UsageError(f"there are no lessons for {game.name}. 'gridlock learn' lists those there are.")
    if number is not None and number > len(course):
        raise click.BadParameter(f"{number} is too much: there are {len(course)} lessons.", param_hint="'--lesson'")
    if as_json:
        print_json({"lessons": [_facts(lesson) for lesson in course[(number or 1) - 1 :]]})
        return
    done = diary.read().lessons.get(game.name, [])
    open_ones = [lesson.number for lesson in course if lesson.number not in done]
    _teach(course[(number or (open_ones or [1])[0]) - 1 :], len(course), Terminal())


def _list(as_json: bool) -> None:
    """All lessons, and which of them are done."""
    courses = [(book, course) for book in RULE_BOOKS.values() if (course := lessons(book))]
    if as_json:
        print_json({"lessons": [_facts(lesson) for _, course in courses for lesson in course]})
        return
    done = diary.read().lessons
    for book, course in courses:
        tell(f"{book.name}: {book.summary}")
        for lesson in course:
            tell(f"  {lesson.number}  {lesson.title}{'  (done)' * (lesson.number in done.get(book.name, []))}")
    tell("To begin: gridlock learn showdown")


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
    """One lesson after another."""
    if terminal.interactive:
        terminal.say(legend(course[0].game().variant, terminal))
    try:
        for lesson in course:
            terminal.say("", f"Lesson {lesson.number} of {total}: {lesson.title}", "", lesson.text, TASKS[lesson.task])
            if _solve(lesson, terminal):
                diary.write(lambda pages, one=lesson: pages.learned(one.book.name, one.number))  # type: ignore[misc]
            terminal.say(lesson.after)
        terminal.say("", f"That was the last lesson. Now try: gridlock play {course[-1].book.name} --player2 medium")
    except (EOFError, _Enough):
        terminal.say("", "Come back soon: the lessons you have done are remembered.")


def _solve(lesson: Lesson, terminal: Terminal) -> bool:
    """Let somebody find the answer; False if they had to be shown."""
    game = lesson.game()
    pupil = game.turn
    first = True
    while not game.outcome:
        _show(game, terminal)
        cell = _ask(game, terminal)
        if cell is None:
            if first:
                terminal.say(f"The answer: {' or '.join(lesson.answers)}.")
            return False
        right = lesson.solves(cell) if first else _wins(game, cell)
        if not right:
            terminal.say(f"{game.variant.name(cell)} does not win. Try another cell, or type show.")
            continue
        first = False
        game.push(cell)
        if lesson.task != "finish" or game.outcome:
            _show(game, terminal)
            terminal.say("Right!")
            return True
        terminal.say("Right. The opponent answers.")
        _reply(game, pupil, terminal)
    return True


def _wins(game: Game, cell: Cell) -> bool:
    """Whether a later move keeps the win; where nobody knows, it is let pass."""
    from gridlock.engine.clock import Clock
    from gridlock.engine.engine import engine_for
    from gridlock.engine.evidence import Verdict

    engine = engine_for(game.variant)
    return engine.verdict(game.position.after(cell), Clock(THINKING)) is not Verdict.WIN


def _reply(game: Game, pupil: int, terminal: Terminal) -> None:
    """Let the opponent move, as well as it can, until it is the pupil's turn again or the game is over."""
    from random import Random

    from gridlock.players import agents

    while not game.outcome and game.turn != pupil:
        mark = game.mark_of(game.turn)
        move = agents["perfect"](game, Random(len(game.moves)), THINKING)
        game.push(move)
        terminal.say(f"{mark} plays {game.variant.name(move)}.")


def _show(game: Game, terminal: Terminal) -> None:
    marks = Marks(game.last_cell, game.legal, 0, terminal.colour) if terminal.interactive else None
    terminal.say("", *full_board(game.variant, game.position, marks), "")


def _ask(game: Game, terminal: Terminal) -> Cell | None:
    """A legal move, or None from somebody who wants to be shown."""
    variant, position = game.variant, game.position
    mark = variant.book.mark(position.turn)
    while True:
        text = terminal.ask(f"You are {mark}. Your move (or show, quit): ", ["show", "skip", "quit"]).strip()
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
