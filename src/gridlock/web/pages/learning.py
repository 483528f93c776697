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
from gridlock.core.notation import play_stored
from gridlock.core.rulebook import RuleBook
from gridlock.core.rules import RULE_BOOKS, named
from gridlock.play.lessons import TASKS, THINKING, Lesson, attempt_at_once, lessons
from gridlock.play.puzzle_sources import is_hard, plan_of
from gridlock.play.puzzles import books_with_puzzles, plan_for, question
from gridlock.play.thinking.process import Failed
from gridlock.web.pages.requests import ApiError, Json, answer, ask, client_of
from gridlock.web.referee import views
from gridlock.web.thinking.pool import FairPool, TryLater
from gridlock.web.thinking.questions import Composed, compose, compose_daily, teach
from gridlock.web.wire import findings, messages
from gridlock.web.wire.setups import book_of, game_of

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

    async def puzzle(self, request: Request) -> Json[findings.Puzzle]:
        """Return the daily puzzle of a date, or a new puzzle."""
        asked = request.query_params
        if "day" in asked:
            if len(asked) > 1:
                raise ApiError(400, "malformed", "The daily puzzle is fixed: give the date and no other options.")
            day = _day(asked["day"])
            return answer(_answer(await self._daily(request, day), is_hard(day), day))
        hard = asked.get("hard", "0")
        if hard not in ("0", "1"):
            raise ApiError(400, "malformed", "hard must be 0 or 1.")
        book = named(asked["game"]) if "game" in asked else secrets.choice(books_with_puzzles())
        if book.shape is None:
            raise ApiError(422, "illegal", f"There are no puzzles for {book.title}.")
        board = Game(plan_for(book, hard == "1").variant)
        made = await ask(request, self.analysts, compose, board, MAKING, hard == "1", secrets.token_hex(8))
        return answer(_answer(made, hard == "1", None))

    async def daily_game(self, request: Request, day: str) -> Game:
        """Return the position of a daily puzzle."""
        return _found(await self._daily(request, _day(day)))[0]

    async def _daily(self, request: Request, day: date) -> Composed:
        """Return a daily puzzle, composed once for all clients, even if the first one disconnects."""
        if making := self._days.get(day):
            with suppress(TryLater, Failed):  # another client's failure is not this one's
                return await asyncio.shield(making)
        game = Game(plan_of(day)[0])
        making = asyncio.create_task(self.analysts.ask(client_of(request), compose_daily, game, MAKING, day))
        self._days[day] = making
        making.add_done_callback(lambda done: self._tidy(day, done))
        return await asyncio.shield(making)

    def _tidy(self, day: date, made: "asyncio.Task[Composed]") -> None:
        """Forget a puzzle that could not be composed, and the oldest ones if there are too many."""
        if (made.cancelled() or made.exception()) and self._days.get(day) is made:
            del self._days[day]
        while len(self._days) > DAYS:
            self._days.popitem(last=False)

    async def courses(self, _request: Request) -> Json[findings.Courses]:
        """List the games with lessons."""
        courses = [
            findings.Course(book.name, book.title, book.summary, [lesson.title for lesson in _course(book)])
            for book in RULE_BOOKS.values()
            if _course(book)
        ]
        return answer(findings.Courses(courses))

    async def lessons(self, request: Request) -> Json[findings.Lessons]:
        """Return a game's lessons."""
        book = book_of(str(request.path_params["game"]))
        if not _course(book):
            raise ApiError(404, "not-found", f"There are no lessons for {book.title}.")
        lessons = [
            findings.Lesson.of(one, task=TASKS[one.task], position=views.position(one.game()), answers=one.cells)
            for one in _course(book)
        ]
        return answer(findings.Lessons(book.name, book.title, lessons))

    async def teach(self, request: Request, wish: messages.Try) -> Json[findings.Taught]:
        """Judge a move in a lesson, and play the opponent's reply."""
        course = _course(book_of(wish.game))
        if wish.lesson > len(course):
            raise ApiError(404, "not-found", "There is no such lesson.")
        lesson = course[wish.lesson - 1]
        game, cell = _played(lesson, wish.moves[:-1]), _played(lesson, wish.moves).moves[-1]
        judged = attempt_at_once(lesson, game, cell)
        if judged is None:
            judged = await ask(request, self.analysts, teach, game, TEACHING, wish.lesson, cell)
        for move in judged.moves:
            game.push(move)
        return answer(findings.Taught(judged.right, judged.done, judged.words, views.position(game)))

    async def atlas(self, _request: Request) -> Json[findings.Atlas]:
        """Return the winner on every board."""
        return answer(_atlas())


def _day(text: str) -> date:
    try:
        day = date.fromisoformat(text[:20])
    except ValueError:
        raise ApiError(400, "malformed", "Write the date like this: 2026-11-15.") from None
    tomorrow = datetime.now(UTC).date() + timedelta(1)  # which has begun in some time zones
    if not FIRST_DAY <= day <= tomorrow:
        raise ApiError(422, "illegal", f"There is a daily puzzle for every date from {FIRST_DAY} to today.")
    return day


def _found(made: Composed) -> tuple[Game, findings.Findings, list[findings.PuzzleReply]]:
    if made is None:
        raise ApiError(503, "busy", NONE, 1)
    return game_of(made[0]), *made[1:]


def _answer(made: Composed, hard: bool, day: date | None) -> findings.Puzzle:
    game, found, replies = _found(made)
    words = question(game, len(found.moves))
    written = day.isoformat() if day else None
    return findings.Puzzle(written, hard, game.variant.book.summary, words, views.position(game), found, replies)


@lru_cache(maxsize=64)
def _course(book: RuleBook) -> tuple[Lesson, ...]:
    return tuple(lessons(book))


def _played(lesson: Lesson, moves: list[str]) -> Game:
    """Return a lesson's game after some more moves."""
    game = lesson.game()
    play_stored(game, moves)
    return game


@lru_cache(maxsize=1)
def _atlas() -> findings.Atlas:
    return msgspec.json.decode(ATLAS.read_bytes(), type=findings.Atlas)
