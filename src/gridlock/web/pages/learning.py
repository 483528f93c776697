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
from gridlock.play.puzzle_making import books_with_puzzles, plan_for
from gridlock.play.puzzle_sources import EASY, daily_game
from gridlock.play.puzzles import HARDEST, Puzzle
from gridlock.play.thinking.process import Failed
from gridlock.web.pages.requests import ApiError, Json, answer, ask, client_of
from gridlock.web.referee import views
from gridlock.web.thinking.pool import FairPool, TryLater
from gridlock.web.thinking.questions import Composed, compose, compose_daily, confirm, teach, try_move
from gridlock.web.wire import findings, messages
from gridlock.web.wire.setups import book_of, game_of

ATLAS = Path(__file__).with_name("atlas.json")  # written by bench/atlas.py
FIRST_DAY = date(2020, 1, 1)
DAYS = 100  # daily puzzles that are cached
MAKING = 5.0  # seconds for a puzzle
TEACHING = 2 * THINKING  # seconds to judge a move in a lesson or a puzzle, and to reply
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
            day = day_of(asked["day"])
            return answer(_answer(await self._daily(request, day), day))
        difficulty = asked.get("difficulty", str(EASY))
        if difficulty not in map(str, range(1, HARDEST + 1)):
            raise ApiError(400, "malformed", f"difficulty must be a number from 1 to {HARDEST}.")
        book = named(asked["game"]) if "game" in asked else secrets.choice(books_with_puzzles())
        if book.shape is None:
            raise ApiError(422, "illegal", f"There are no puzzles for {book.title}.")
        plan, seed = plan_for(book, int(difficulty)), secrets.token_hex(8)
        made = await ask(request, self.analysts, compose, Game(plan.variant), MAKING, plan.difficulty, seed)
        return answer(_answer(made))

    async def open_puzzle(self, request: Request, wish: messages.PuzzleRequest) -> Json[findings.Puzzle]:
        """Open a position as a puzzle."""
        made = await ask(request, self.analysts, confirm, game_of(wish.setup), TEACHING)
        if isinstance(made, str):
            raise ApiError(422, "illegal", made)
        return answer(_answer(made))

    async def try_move(self, request: Request, wish: messages.Attempt) -> Json[findings.Tried]:
        """Judge a move in a puzzle and play the opponent's reply, or show the solution."""
        game = game_of(wish.setup)
        first, solver = len(game.moves), game.turn
        play_stored(game, wish.moves if wish.give_up else wish.moves[:-1])
        if game.turn != solver or (not wish.moves and not wish.give_up):
            raise ApiError(422, "illegal", "The last move must be the solver's.")
        if game.outcome or game.can_swap or game.swap_ahead:
            raise ApiError(422, "illegal", "There is nothing to solve in this position.")
        cell = None
        if not wish.give_up:
            after = game.copy()
            play_stored(after, wish.moves[-1:])
            cell = after.moves[-1]
        judged = await ask(request, self.analysts, try_move, game, TEACHING, cell, first)
        if isinstance(judged, str):
            raise ApiError(422, "illegal", judged)
        for move in (cell, judged.reply, *judged.refutation, *judged.line):
            if move is not None:
                game.push(move)
        return answer(
            findings.Tried.of(
                judged,
                position=views.position(game),
                refutation=list(judged.refutation),
                winning=list(judged.winning),
                line=list(judged.line),
            )
        )

    async def _daily(self, request: Request, day: date) -> Composed:
        """Return a daily puzzle, composed once for all clients, even if the first one disconnects."""
        if making := self._days.get(day):
            with suppress(TryLater, Failed):  # another client's failure is not this one's
                return await asyncio.shield(making)
        game = daily_game(day)
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


def day_of(text: str) -> date:
    """Return the date of a daily puzzle that there is by now."""
    try:
        day = date.fromisoformat(text[:20])
    except ValueError:
        raise ApiError(400, "malformed", "Write the date like this: 2026-11-15.") from None
    tomorrow = datetime.now(UTC).date() + timedelta(1)  # which has begun in some time zones
    if not FIRST_DAY <= day <= tomorrow:
        raise ApiError(422, "illegal", f"There is a daily puzzle for every date from {FIRST_DAY} to today.")
    return day


def _found(made: Composed) -> Puzzle:
    if made is None:
        raise ApiError(503, "busy", NONE, 1)
    return Puzzle(game_of(made[0]), *made[1:])


def _answer(made: Composed, day: date | None = None) -> findings.Puzzle:
    puzzle = _found(made)
    written = day.isoformat() if day else None
    return findings.Puzzle.of(puzzle, day=written, words=puzzle.question, position=views.position(puzzle.game))


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
