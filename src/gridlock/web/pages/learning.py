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
from gridlock.core.movetext import read_stored
from gridlock.core.replay import play_stored
from gridlock.core.rulebook import RuleBook
from gridlock.core.rules import RULE_BOOKS, named, variant
from gridlock.engine.evidence import Verdict
from gridlock.play import daily
from gridlock.play.lessons import TASKS, Lesson, lessons
from gridlock.play.puzzles import level_for
from gridlock.web.pages.api import Api
from gridlock.web.pages.requests import ApiError, Json, answer, client_of
from gridlock.web.referee import views
from gridlock.web.thinking.questions import Analyse, Choice, Compose, Composed, Move, OfTheDay
from gridlock.web.wire import findings, messages, teaching
from gridlock.web.wire.setups import game_of, setup_to_keep

ATLAS = Path(__file__).with_name("atlas.json")  # written by bench/atlas.py
FIRST_DAY = date(2020, 1, 1)
DAYS = 100  # that are kept
MAKING = 5.0  # seconds for a puzzle
TEACHING = 1.0  # seconds for the opponent in a lesson, and for saying whether a move keeps the win
NONE = "No puzzle was found in time. Try again."


class Learning:
    """The endpoints for those who want to get better."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self._days: OrderedDict[date, asyncio.Task[Composed]] = OrderedDict()

    # -- puzzles ----------------------------------------------------------------------------------------------

    async def puzzle(self, request: Request) -> Json[teaching.Puzzle]:
        """The puzzle of a day, or a new one."""
        asked = request.query_params
        if "day" in asked:
            if len(asked) > 1:
                raise ApiError(400, "malformed", "The puzzle of a day is what it is: ask for nothing but the day.")
            day = _day(asked["day"])
            return answer(_told(await self._of_the_day(request, day), daily.is_hard(day), day))
        hard = asked.get("hard", "0")
        if hard not in ("0", "1"):
            raise ApiError(400, "malformed", "hard is 0 or 1.")
        book = named(asked["game"]) if "game" in asked else secrets.choice(_puzzling())
        if book.shape is None:
            raise ApiError(422, "illegal", f"There are no puzzles of {book.title}.")
        board = Game(variant(book, level_for(book.shape, hard == "1").board))
        question = Compose(setup_to_keep(board), MAKING, hard == "1", secrets.token_hex(8))
        made = await self.api.ask(request, self.api.analysts, question, Composed)
        return answer(_told(made, hard == "1", None))

    async def game_of_the_day(self, request: Request, day: str) -> Game:
        """The position of the puzzle of a day."""
        made = await self._of_the_day(request, _day(day))
        if made.setup is None:
            raise ApiError(503, "busy", NONE, 1)
        return game_of(made.setup)

    async def _of_the_day(self, request: Request, day: date) -> Composed:
        """The puzzle of a day, made once for all who ask, whoever of them stays."""
        if making := self._days.get(day):
            with suppress(ApiError):  # somebody else's failure: nobody has to answer for it
                return await asyncio.shield(making)
        question = OfTheDay(setup_to_keep(Game(daily.plan(day)[0])), MAKING, day)
        making = asyncio.create_task(self.api.worked_out(client_of(request), self.api.analysts, question, Composed))
        self._days[day] = making
        making.add_done_callback(lambda done: self._keep(day, done))
        return await asyncio.shield(making)

    def _keep(self, day: date, made: "asyncio.Task[Composed]") -> None:
        if (made.cancelled() or made.exception()) and self._days.get(day) is made:
            del self._days[day]
        while len(self._days) > DAYS:
            self._days.popitem(last=False)

    # -- lessons ----------------------------------------------------------------------------------------------

    async def courses(self, _request: Request) -> Json[teaching.Courses]:
        """Which games there are lessons of."""
        return answer(
            teaching.Courses(
                [
                    teaching.Course(book.name, book.title, book.summary, [one.title for one in _course(book)])
                    for book in RULE_BOOKS.values()
                    if _course(book)
                ]
            )
        )

    async def lessons(self, request: Request) -> Json[teaching.Lessons]:
        """The lessons of a game."""
        book = named(str(request.path_params["game"]))
        if not _course(book):
            raise ApiError(404, "not-found", f"There are no lessons of {book.title}.")
        return answer(teaching.Lessons(book.name, book.title, [_lesson(one) for one in _course(book)]))

    async def teach(self, request: Request, wish: messages.Try) -> Json[teaching.Taught]:
        """Make a move in a lesson: whether it is right, and what the opponent answers."""
        course = _course(named(wish.game))
        if wish.lesson > len(course):
            raise ApiError(404, "not-found", "There is no such lesson.")
        lesson = course[wish.lesson - 1]
        before, game = _played(lesson, wish.moves[:-1]), _played(lesson, wish.moves)
        if len(wish.moves) == 1:
            right = lesson.solves(game.moves[-1])
        else:
            right = await self._keeps_winning(request, game)
        if not right:
            words = f"{wish.moves[-1]} does not win. Try another cell, or let it be shown to you."
            return answer(teaching.Taught(False, False, words, views.position(before)))
        if lesson.task == "finish":
            replies = await self._replies(request, game, before.turn)
            if not game.outcome:
                said = f"The opponent plays {', '.join(replies)}. Go on." if replies else "Go on."
                return answer(teaching.Taught(True, False, f"Right. {said}", views.position(game)))
        return answer(teaching.Taught(True, True, f"Right! {lesson.after}", views.position(game)))

    async def _keeps_winning(self, request: Request, game: Game) -> bool:
        """Whether a win is kept; where nobody knows, it is let pass."""
        if game.outcome:
            return True  # it was the pupil's move
        question = Analyse(setup_to_keep(game), TEACHING)
        found = await self.api.ask(request, self.api.analysts, question, findings.Findings)
        return found.verdict is not Verdict.WIN

    async def _replies(self, request: Request, game: Game, pupil: int) -> list[str]:
        """Let the opponent move until it is the pupil's turn again."""
        replies = []
        while not game.outcome and game.turn != pupil:
            question = Move(setup_to_keep(game), TEACHING, "perfect")
            move = (await self.api.ask(request, self.api.analysts, question, Choice)).move
            game.push(move)
            replies.append(game.variant.name(move))
        return replies

    # -- the atlas --------------------------------------------------------------------------------------------

    async def atlas(self, _request: Request) -> Json[teaching.Atlas]:
        """Who wins on every board."""
        return answer(_atlas())


def _day(text: str) -> date:
    try:
        day = date.fromisoformat(text[:20])
    except ValueError:
        raise ApiError(400, "malformed", "A day is written like 2026-11-15.") from None
    tomorrow = datetime.now(UTC).date() + timedelta(1)  # somewhere it has begun
    if not FIRST_DAY <= day <= tomorrow:
        raise ApiError(422, "illegal", f"There is a puzzle for every day from {FIRST_DAY} until today.")
    return day


def _puzzling() -> list[RuleBook]:
    return [book for book in RULE_BOOKS.values() if book.shape]


def _told(made: Composed, hard: bool, day: date | None) -> teaching.Puzzle:
    if made.setup is None or made.findings is None:
        raise ApiError(503, "busy", NONE, 1)
    game = game_of(made.setup)
    book, turn = game.variant.book, game.position.turn
    mark, other = book.mark(turn), book.mark(3 - turn)
    last = f" {other}'s last move: {game.variant.name(game.moves[-1])}." if game.moves else ""
    words = f"{mark} is to move.{last} Only one of {len(made.findings.moves)} moves wins. Which?"
    written = day.isoformat() if day else None
    return teaching.Puzzle(written, hard, book.summary, words, views.position(game), made.findings)


@lru_cache(maxsize=64)
def _course(book: RuleBook) -> tuple[Lesson, ...]:
    return tuple(lessons(book))


def _lesson(lesson: Lesson) -> teaching.Lesson:
    cells = [read_stored(variant(lesson.book, lesson.board), one) for one in lesson.answers]
    return teaching.Lesson(
        lesson.number,
        lesson.title,
        lesson.text,
        TASKS[lesson.task],
        views.position(lesson.game()),
        [cell for cell in cells if cell is not None],
        lesson.after,
    )


def _played(lesson: Lesson, moves: list[str]) -> Game:
    """The position of a lesson after so many more moves."""
    game = lesson.game()
    play_stored(game, moves)
    return game


@lru_cache(maxsize=1)
def _atlas() -> teaching.Atlas:
    return msgspec.json.decode(ATLAS.read_bytes(), type=teaching.Atlas)
