"""Puzzles, lessons and the atlas over HTTP (see docs/protocol.md)."""

import asyncio
import secrets
from collections import OrderedDict
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from pathlib import Path

import msgspec
from starlette.requests import Request

from gridlock.core.game import Game
from gridlock.core.replay import play_stored
from gridlock.core.rulebook import RuleBook
from gridlock.core.rules import RULE_BOOKS, named
from gridlock.play.lessons import TASKS, THINKING, Attempt, Lesson, attempt_at_once, lessons
from gridlock.play.puzzle_sources import is_hard, plan_of
from gridlock.play.puzzles import books_with_puzzles, plan_for, question
from gridlock.web.pages.requests import ApiError, Json, answer, ask, ask_for, client_of
from gridlock.web.referee import views
from gridlock.web.thinking.pool import FairPool
from gridlock.web.thinking.questions import Compose, Composed, Daily, Teach
from gridlock.web.wire import messages, teaching
from gridlock.web.wire.setups import game_of, setup_to_keep

ATLAS = Path(__file__).with_name("atlas.json")  # written by bench/atlas.py
FIRST_DAY = date(2020, 1, 1)
DAYS = 100  # daily puzzles that are cached
MAKING = 5.0  # seconds for a puzzle
TEACHING = 2 * THINKING  # seconds to judge a move in a lesson, and to reply
NONE = "No puzzle was found in time. Try again."


class Learning:
    """The endpoints for puzzles, lessons and the atlas."""

    def __init__(self, analysts: FairPool) -> None:
        self.analysts = analysts
        self._days: OrderedDict[date, asyncio.Task[Composed]] = OrderedDict()

    # -- puzzles ----------------------------------------------------------------------------------------------

    async def puzzle(self, request: Request) -> Json[teaching.Puzzle]:
        """Return the daily puzzle of a date, or a new puzzle."""
        asked = request.query_params
        if "day" in asked:
            if len(asked) > 1:
                raise ApiError(400, "malformed", "The daily puzzle is fixed: give the date and no other options.")
            day = _day(asked["day"])
            return answer(_answer(await self._daily(request, day), is_hard(day), day))
        hard = asked.get("hard", "0")
        if hard not in ("0", "1"):
            raise ApiError(400, "malformed", "hard is 0 or 1.")
        book = named(asked["game"]) if "game" in asked else secrets.choice(books_with_puzzles())
        if book.shape is None:
            raise ApiError(422, "illegal", f"There are no puzzles of {book.title}.")
        board = Game(plan_for(book, hard == "1").variant)
        question = Compose(setup_to_keep(board), MAKING, hard == "1", secrets.token_hex(8))
        made = await ask(request, self.analysts, question, Composed)
        return answer(_answer(made, hard == "1", None))

    async def daily_game(self, request: Request, day: str) -> Game:
        """Return the position of a daily puzzle."""
        return _game(await self._daily(request, _day(day)))

    async def _daily(self, request: Request, day: date) -> Composed:
        """Return a daily puzzle, composed once for all clients, even if the first one disconnects."""
        if making := self._days.get(day):
            with suppress(ApiError):  # another client's failure is not this one's
                return await asyncio.shield(making)
        question = Daily(setup_to_keep(Game(plan_of(day)[0])), MAKING, day)
        making = asyncio.create_task(ask_for(client_of(request), self.analysts, question, Composed))
        self._days[day] = making
        making.add_done_callback(lambda done: self._tidy(day, done))
        return await asyncio.shield(making)

    def _tidy(self, day: date, made: "asyncio.Task[Composed]") -> None:
        """Forget a puzzle that could not be composed, and the oldest ones if there are too many."""
        if (made.cancelled() or made.exception()) and self._days.get(day) is made:
            del self._days[day]
        while len(self._days) > DAYS:
            self._days.popitem(last=False)

    # -- lessons ----------------------------------------------------------------------------------------------

    async def courses(self, _request: Request) -> Json[teaching.Courses]:
        """List the games with lessons."""
        courses = [
            teaching.Course(book.name, book.title, book.summary, [lesson.title for lesson in _course(book)])
            for book in RULE_BOOKS.values()
            if _course(book)
        ]
        return answer(teaching.Courses(courses))

    async def lessons(self, request: Request) -> Json[teaching.Lessons]:
        """Return a game's lessons."""
        book = named(str(request.path_params["game"]))
        if not _course(book):
            raise ApiError(404, "not-found", f"There are no lessons of {book.title}.")
        return answer(teaching.Lessons(book.name, book.title, [_lesson(one) for one in _course(book)]))

    async def teach(self, request: Request, wish: messages.Try) -> Json[teaching.Taught]:
        """Judge a move in a lesson, and play the opponent's reply."""
        course = _course(named(wish.game))
        if wish.lesson > len(course):
            raise ApiError(404, "not-found", "There is no such lesson.")
        lesson = course[wish.lesson - 1]
        game, cell = _played(lesson, wish.moves[:-1]), _played(lesson, wish.moves).moves[-1]
        judged = attempt_at_once(lesson, game, cell)
        if judged is None:
            question = Teach(setup_to_keep(game), TEACHING, wish.lesson, cell)
            judged = await ask(request, self.analysts, question, Attempt)
        for move in judged.moves:
            game.push(move)
        return answer(teaching.Taught(judged.right, judged.done, judged.words, views.position(game)))

    # -- the atlas --------------------------------------------------------------------------------------------

    async def atlas(self, _request: Request) -> Json[teaching.Atlas]:
        """Return the winner on every board."""
        return answer(_atlas())


def _day(text: str) -> date:
    try:
        day = date.fromisoformat(text[:20])
    except ValueError:
        raise ApiError(400, "malformed", "A day is written like 2026-11-15.") from None
    tomorrow = datetime.now(UTC).date() + timedelta(1)  # which has begun in some time zones
    if not FIRST_DAY <= day <= tomorrow:
        raise ApiError(422, "illegal", f"There is a puzzle for every day from {FIRST_DAY} until today.")
    return day


def _game(made: Composed) -> Game:
    if made.setup is None:
        raise ApiError(503, "busy", NONE, 1)
    return game_of(made.setup)


def _answer(made: Composed, hard: bool, day: date | None) -> teaching.Puzzle:
    game = _game(made)
    assert made.findings is not None  # which come with the setup
    words = question(game, len(made.findings.moves))
    written = day.isoformat() if day else None
    return teaching.Puzzle(written, hard, game.variant.book.summary, words, views.position(game), made.findings)


@lru_cache(maxsize=64)
def _course(book: RuleBook) -> tuple[Lesson, ...]:
    return tuple(lessons(book))


def _lesson(lesson: Lesson) -> teaching.Lesson:
    return teaching.Lesson(
        lesson.number,
        lesson.title,
        lesson.text,
        TASKS[lesson.task],
        views.position(lesson.game()),
        lesson.cells,
        lesson.after,
    )


def _played(lesson: Lesson, moves: list[str]) -> Game:
    """Return a lesson's game after some more moves."""
    game = lesson.game()
    play_stored(game, moves)
    return game


@lru_cache(maxsize=1)
def _atlas() -> teaching.Atlas:
    return msgspec.json.decode(ATLAS.read_bytes(), type=teaching.Atlas)
