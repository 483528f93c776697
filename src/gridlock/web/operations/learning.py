"""Operations on puzzles, lessons and the atlas, which shows the winner on every board."""

import secrets
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from pathlib import Path

import msgspec

from gridlock.core.game import Game
from gridlock.core.notation import play_stored
from gridlock.core.rulebook import RuleBook
from gridlock.core.rules import RULE_BOOKS, named
from gridlock.play.lessons import TASKS, THINKING, Lesson, attempt_at_once
from gridlock.play.lessons import lessons as lessons_of
from gridlock.play.puzzle_making import books_with_puzzles, plan_for
from gridlock.play.puzzle_sources import EASY
from gridlock.play.puzzles import HARDEST, Kind, Puzzle
from gridlock.web.operations.ask import Ask
from gridlock.web.referee import views
from gridlock.web.thinking import questions
from gridlock.web.thinking.questions import Composed
from gridlock.web.wire import findings, messages
from gridlock.web.wire.bodies import ApiError
from gridlock.web.wire.setups import book_of, game_of

ATLAS = Path(__file__).with_name("atlas.json")  # written by bench/atlas.py
FIRST_DAY = date(2020, 1, 1)
MAKING = 5.0  # seconds for a puzzle
TEACHING = 2 * THINKING  # seconds to judge a move in a lesson or a puzzle, and to reply
NONE = "No puzzle was found in time. Try again."


async def puzzle(ask: Ask, asked: Mapping[str, str], daily: Callable[[date], Awaitable[Composed]]) -> findings.Puzzle:
    """Return a new puzzle or, if a date is given, that date's puzzle, which `daily` composes."""
    if "day" in asked:
        if len(asked) > 1:
            raise ApiError(400, "malformed", "The daily puzzle is fixed: give the date and no other options.")
        day = day_of(asked["day"])
        return _answer(await daily(day), day)
    difficulty = asked.get("difficulty", str(EASY))
    if difficulty not in map(str, range(1, HARDEST + 1)):
        raise ApiError(400, "malformed", f"difficulty must be a number from 1 to {HARDEST}.")
    if asked.get("kind", Kind.WIN) not in list(Kind):
        raise ApiError(400, "malformed", f"kind must be one of {', '.join(Kind)}.")
    kind = Kind(asked.get("kind", Kind.WIN))
    book = named(asked["game"]) if "game" in asked else secrets.choice(books_with_puzzles(kind))
    if book not in books_with_puzzles(kind):
        which = "" if kind is Kind.WIN else " of this kind"
        raise ApiError(422, "illegal", f"There are no puzzles{which} for {book.title}.")
    plan, seed = plan_for(book, int(difficulty), kind=kind), secrets.token_hex(8)
    return _answer(await ask(questions.compose, Game(plan.variant), MAKING, plan.difficulty, seed, kind))


async def open_puzzle(ask: Ask, wish: messages.PuzzleRequest) -> findings.Puzzle:
    """Open a position as a puzzle."""
    made = await ask(questions.confirm, game_of(wish.setup), TEACHING, Kind(wish.kind))
    if isinstance(made, str):
        raise ApiError(422, "illegal", made)
    return _answer(made)


async def try_move(ask: Ask, wish: messages.Attempt) -> findings.Tried:
    """Judge a move in a puzzle and play the opponent's reply, or show the solution."""
    game = game_of(wish.setup)
    first, solver = len(game.moves), game.turn
    play_stored(game, wish.moves if wish.give_up else wish.moves[:-1])
    if not wish.moves and not wish.give_up:
        raise ApiError(422, "illegal", "There is no move to judge.")
    if game.turn != solver:
        raise ApiError(422, "illegal", "It isn't the puzzle solver's turn.")
    if game.outcome or game.can_swap or game.swap_ahead:
        raise ApiError(422, "illegal", "There is nothing to solve in this position.")
    cell = None
    if not wish.give_up:
        after = game.copy()
        play_stored(after, wish.moves[-1:])
        cell = after.moves[-1]
    judged = await ask(questions.try_move, game, TEACHING, cell, first, Kind(wish.kind))
    if isinstance(judged, str):
        raise ApiError(422, "illegal", judged)
    for move in judged.moves(cell):
        game.push(move)
    return findings.Tried.of(
        judged,
        position=views.position(game),
        refutation=list(judged.refutation),
        winning=list(judged.winning),
        line=list(judged.line),
    )


def courses() -> findings.Courses:
    """List the games that have lessons."""
    return findings.Courses(
        [
            findings.Course(book.name, book.title, book.summary, [lesson.title for lesson in _course(book)])
            for book in RULE_BOOKS.values()
            if _course(book)
        ]
    )


def lessons(name: str) -> findings.Lessons:
    """Return a game's lessons."""
    book = book_of(name)
    if not _course(book):
        raise ApiError(404, "not-found", f"There are no lessons for {book.title}.")
    course = [
        findings.Lesson.of(one, task=TASKS[one.task], position=views.position(one.game()), answers=one.cells)
        for one in _course(book)
    ]
    return findings.Lessons(book.name, book.title, course)


async def teach(ask: Ask, wish: messages.Try) -> findings.Taught:
    """Judge a move in a lesson, and play the opponent's reply."""
    course = _course(book_of(wish.game))
    if wish.lesson > len(course):
        raise ApiError(404, "not-found", "There is no such lesson.")
    lesson = course[wish.lesson - 1]
    game, cell = _played(lesson, wish.moves[:-1]), _played(lesson, wish.moves).moves[-1]
    judged = attempt_at_once(lesson, game, cell)
    if judged is None:
        judged = await ask(questions.teach, game, TEACHING, wish.lesson, cell)
    for move in judged.moves:
        game.push(move)
    return findings.Taught(judged.right, judged.done, judged.words, views.position(game))


@lru_cache(maxsize=1)
def atlas() -> findings.Atlas:
    """Return the atlas: the winner on each board, where known."""
    return msgspec.json.decode(ATLAS.read_bytes(), type=findings.Atlas)


def day_of(text: str) -> date:
    """Parse a date, and reject it if it has no daily puzzle."""
    try:
        day = date.fromisoformat(text[:20])
    except ValueError:
        raise ApiError(400, "malformed", "Write the date like this: 2026-11-15.") from None
    tomorrow = datetime.now(UTC).date() + timedelta(1)  # tomorrow has already begun in some time zones
    if not FIRST_DAY <= day <= tomorrow:
        raise ApiError(422, "illegal", f"There is a daily puzzle for every date from {FIRST_DAY} to today.")
    return day


def _answer(made: Composed, day: date | None = None) -> findings.Puzzle:
    if made is None:
        raise ApiError(503, "busy", NONE, 1)
    puzzle = Puzzle(game_of(made[0]), *made[1:])
    written = day.isoformat() if day else None
    return findings.Puzzle.of(puzzle, day=written, words=puzzle.question, position=views.position(puzzle.game))


@lru_cache(maxsize=64)
def _course(book: RuleBook) -> tuple[Lesson, ...]:
    return tuple(lessons_of(book))


def _played(lesson: Lesson, moves: list[str]) -> Game:
    """Return a lesson's game after the given moves."""
    game = lesson.game()
    play_stored(game, moves)
    return game
