"""Lessons, tips, and feedback on a learner's moves, shared by all user interfaces.

Lessons and tips are stored beside the rule books (`rules/*.toml`), with claims that the engine can check. Only built-in
games have lessons and tips.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from gridlock.core import rules
from gridlock.core.game import Game
from gridlock.core.grid import Cell
from gridlock.core.notation import push_stored, read_stored
from gridlock.core.rulebook import RuleBook
from gridlock.userdata import diary

THINKING = 1.0  # seconds to spend on judging a move, and on each of the opponent's moves
TASKS = {
    "place": "Choose any cell that is open to you.",
    "win": "Find a move that wins.",
    "finish": "Find a move that wins, and play on until you have won.",
}


@dataclass(frozen=True)
class Claim:
    """A statement about a position: who wins, which moves win (or how many do), and which method proves it."""

    book: RuleBook
    board: str
    moves: str = ""
    outcome: str | None = None  # win or loss, for the player to move
    winning: Sequence[str] | None = None  # exactly these moves win
    wins: int | None = None  # the number of winning moves
    of: int | None = None  # the number of legal moves
    method: str | None = None  # rules, matching, mirror or search

    def game(self) -> Game:
        """Return the position that the claim is about, as a game."""
        game = Game(rules.variant(self.book, self.board))
        for move in self.moves.split():
            push_stored(game, move)
        return game


@dataclass(frozen=True)
class Tip:
    """A piece of advice from a game's document, and the engine's findings about it."""

    tip: str
    finding: str
    claims: Sequence[Claim]


@dataclass(frozen=True)
class Lesson:
    """A position with a task: take an open cell, find a winning move, or play on and win."""

    book: RuleBook
    number: int  # from 1
    title: str
    text: str
    board: str
    task: str
    answers: Sequence[str]  # all moves that solve the lesson: the open cells, or the winning moves
    after: str  # what the lesson teaches
    claims: Sequence[Claim]  # claims about the lesson's position, then any other claims that its text makes
    moves: str = ""

    def game(self) -> Game:
        """Return the lesson's position as a game."""
        return self.claims[0].game()

    @property
    def cells(self) -> list[Cell]:
        """All correct first moves."""
        variant = rules.variant(self.book, self.board)
        return [cell for answer in self.answers if (cell := read_stored(variant, answer)) is not None]

    @property
    def solution(self) -> str:
        """The answer, shown to a learner who asks for it."""
        return f"The answer is {' or '.join(self.answers)}. {self.after}"


class Attempt(NamedTuple):
    """The assessment of a learner's legal move."""

    right: bool
    done: bool  # whether the move finishes the lesson
    moves: tuple[Cell, ...]  # the moves to play on the board: none if wrong, otherwise the move and the replies
    words: str


def attempt(lesson: Lesson, game: Game, cell: Cell, seconds: float = THINKING) -> Attempt:
    """Judge a learner's legal move, and reply with perfect play if the lesson continues."""
    judged = attempt_at_once(lesson, game, cell)
    if judged is not None:
        return judged
    if not _is_first(lesson, game) and not keeps_win(game, cell, seconds):
        return _wrong(game, cell)
    from random import Random

    from gridlock.players import agents

    after, replies = game.copy(), []
    after.push(cell)
    while not after.outcome and after.turn != game.turn:
        replies.append(agents["perfect"](after, Random(len(after.moves)), seconds))
        after.push(replies[-1])
    if after.outcome:
        return _done(lesson, cell, *replies)
    names = ", ".join(map(game.variant.name, replies))
    said = f" The opponent plays {names}." if names else ""
    return Attempt(True, False, (cell, *replies), f"Right.{said} Keep going.")


def attempt_at_once(lesson: Lesson, game: Game, cell: Cell) -> Attempt | None:
    """Judge a legal move if that is possible without the engine; otherwise return None."""
    if not _is_first(lesson, game):
        return None
    if cell not in lesson.cells:
        return _wrong(game, cell)
    return None if lesson.task == "finish" else _done(lesson, cell)


def keeps_win(game: Game, cell: Cell, seconds: float) -> bool:
    """Return whether a move keeps the win; a move that the engine cannot refute in time is assumed to keep it."""
    from gridlock.engine.clock import Clock
    from gridlock.engine.engine import engine_for
    from gridlock.engine.evidence import Verdict

    return engine_for(game.variant).verdict(game.position.after(cell), Clock(seconds)) is not Verdict.WIN


def _is_first(lesson: Lesson, game: Game) -> bool:
    return len(game.moves) == len(lesson.moves.split())


def _wrong(game: Game, cell: Cell) -> Attempt:
    return Attempt(False, False, (), f"{game.variant.name(cell)} does not win. Try another cell.")


def _done(lesson: Lesson, *moves: Cell) -> Attempt:
    return Attempt(True, True, moves, f"Right! {lesson.after}")


def lessons(book: RuleBook) -> list[Lesson]:
    """Return a game's lessons, in order."""
    return [_lesson(book, number, data) for number, data in enumerate(_file(book).get("lesson", []), 1)]


def first_open(course: list[Lesson]) -> Lesson:
    """Return the first unfinished lesson, or the very first lesson if all lessons are finished."""
    done = diary.read().lessons.get(course[0].book.name, [])
    return next((lesson for lesson in course if lesson.number not in done), course[0])


def remember(lesson: Lesson) -> None:
    """Record a finished lesson in the user's progress file (`diary.json`)."""
    diary.write(lambda pages: pages.with_lesson(lesson.book.name, lesson.number))


def tips(book: RuleBook) -> list[Tip]:
    """Return the tips from the document that describes a game, and the engine's findings about each tip."""
    return [Tip(**{**data, "claims": _claims(book, data)}) for data in _file(book).get("tip", [])]


def _file(book: RuleBook) -> dict[str, Any]:
    if book.name not in rules.BUILT_IN:
        return {}
    import tomllib

    return tomllib.loads(Path(rules.__file__).with_name(f"{book.name}.toml").read_text(encoding="utf-8"))


def _lesson(book: RuleBook, number: int, data: dict[str, Any]) -> Lesson:
    winning = None if data["task"] == "place" else data["answers"]  # the answers to "place" are just the open cells
    own = Claim(book, data["board"], data.get("moves", ""), winning=winning, method=data.pop("method", None))
    return Lesson(book, number, **{**data, "claims": [own, *_claims(book, data)]})


def _claims(book: RuleBook, data: dict[str, Any]) -> list[Claim]:
    return [Claim(book, **claim) for claim in data.get("claims", [])]
