"""Lessons and tips, and taking a lesson: the same on every surface.

Positions and sentences are data beside each rule book (`rules/*.toml`), with claims that the engine can check; a game
without such a file has none. A surface shows a lesson, hands over the pupil's move, and lays out what comes back.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from gridlock.core import rules
from gridlock.core.game import Game, Player
from gridlock.core.grid import Cell
from gridlock.core.notation import read_stored
from gridlock.core.replay import push_stored
from gridlock.core.rulebook import RuleBook
from gridlock.userdata import diary

THINKING = 1.0  # seconds to say whether a move keeps the win, and for each of the opponent's moves
TASKS = {
    "place": "Place on any cell that is open to you.",
    "win": "Find a move that wins.",
    "finish": "Find a move that wins, and play on until you have won.",
}


@dataclass(frozen=True)
class Claim:
    """What is said of a position: who wins, by which moves or how many of them, and what that rests on."""

    book: RuleBook
    board: str
    moves: str = ""
    outcome: str | None = None  # win or loss, for the player to move
    winning: tuple[str, ...] | None = None  # exactly these moves win
    wins: int | None = None  # so many moves win ...
    of: int | None = None  # ... of so many
    method: str | None = None  # rules, matching, mirror or search

    def game(self) -> Game:
        """The position as a game."""
        game = Game(rules.variant(self.book, self.board))
        for move in self.moves.split():
            push_stored(game, move)
        return game


@dataclass(frozen=True)
class Tip:
    """Advice of a document, and what the engine finds when it is put to the test."""

    tip: str
    finding: str
    claims: tuple[Claim, ...]


@dataclass(frozen=True)
class Lesson:
    """A position with a task: place anywhere that is open, find a winning move, or play the win to its end."""

    book: RuleBook
    number: int  # from 1
    title: str
    text: str
    board: str
    moves: str
    task: str
    answers: tuple[str, ...]  # all moves that solve it: those that are open, or those that win
    after: str  # what is to be learned
    claims: tuple[Claim, ...]  # the lesson's own, and what else its words say

    def game(self) -> Game:
        """The position as a game."""
        return self.claims[0].game()

    @property
    def cells(self) -> list[Cell]:
        """All first moves that are right."""
        variant = rules.variant(self.book, self.board)
        return [cell for answer in self.answers if (cell := read_stored(variant, answer)) is not None]

    @property
    def solution(self) -> str:
        """The answer, for a pupil who wants to see it."""
        return f"The answer: {' or '.join(self.answers)}. {self.after}"


class Attempt(NamedTuple):
    """What a pupil's legal move comes to."""

    right: bool
    done: bool  # whether that finishes the lesson
    moves: tuple[Cell, ...]  # to be made: none if it is wrong, otherwise the pupil's and the opponent's replies
    words: str


def attempt(lesson: Lesson, game: Game, cell: Cell, seconds: float = THINKING) -> Attempt:
    """Judge a legal move of the pupil's, and reply to it if the lesson continues."""
    judged = attempt_at_once(lesson, game, cell)
    if judged is not None:
        return judged
    if not _is_first(lesson, game) and not keeps_win(game, cell, seconds):
        return _wrong(game, cell)
    after = game.copy()
    after.push(cell)
    replies = _replies(after, game.turn, seconds)
    if after.outcome:
        return _done(lesson, cell, *replies)
    names = ", ".join(map(game.variant.name, replies))
    said = f" The opponent plays {names}." if names else ""
    return Attempt(True, False, (cell, *replies), f"Right.{said} Keep going.")


def attempt_at_once(lesson: Lesson, game: Game, cell: Cell) -> Attempt | None:
    """Judge a legal move where that needs no engine; None where it does."""
    if not _is_first(lesson, game):
        return None
    if cell not in lesson.cells:
        return _wrong(game, cell)
    return None if lesson.task == "finish" else _done(lesson, cell)


def keeps_win(game: Game, cell: Cell, seconds: float) -> bool:
    """Return whether a move keeps the win; where the engine cannot tell in time, it counts as right."""
    from gridlock.engine.clock import Clock
    from gridlock.engine.engine import engine_for
    from gridlock.engine.evidence import Verdict

    return engine_for(game.variant).verdict(game.position.after(cell), Clock(seconds)) is not Verdict.WIN


def _replies(game: Game, pupil: Player, seconds: float) -> list[Cell]:
    """Let the opponent move, as well as it can, until it is the pupil's turn again or the game is over."""
    from random import Random

    from gridlock.players import agents

    replies = []
    while not game.outcome and game.turn != pupil:
        replies.append(agents["perfect"](game, Random(len(game.moves)), seconds))
        game.push(replies[-1])
    return replies


def _is_first(lesson: Lesson, game: Game) -> bool:
    return len(game.moves) == len(lesson.moves.split())


def _wrong(game: Game, cell: Cell) -> Attempt:
    return Attempt(False, False, (), f"{game.variant.name(cell)} does not win. Try another cell.")


def _done(lesson: Lesson, *moves: Cell) -> Attempt:
    return Attempt(True, True, moves, f"Right! {lesson.after}")


def lessons(book: RuleBook) -> list[Lesson]:
    """The lessons of a game, in order."""
    return [_lesson(book, number, data) for number, data in enumerate(_file(book).get("lesson", []), 1)]


def first_open(course: list[Lesson]) -> Lesson:
    """Where a person continues: the first lesson that is not done, or the first of all."""
    done = diary.read().lessons.get(course[0].book.name, [])
    return next((lesson for lesson in course if lesson.number not in done), course[0])


def remember(lesson: Lesson) -> None:
    """Mark a lesson as done in the diary."""
    diary.write(lambda pages: pages.learned(lesson.book.name, lesson.number))


def tips(book: RuleBook) -> list[Tip]:
    """What the game's document advises, put to the test."""
    return [
        Tip(data["tip"], data["finding"], tuple(_claim(book, claim) for claim in data["claims"]))
        for data in _file(book).get("tip", [])
    ]


def _file(book: RuleBook) -> dict[str, Any]:
    if book.name not in rules.BUILT_IN:
        return {}
    import tomllib

    return tomllib.loads(Path(rules.__file__).with_name(f"{book.name}.toml").read_text(encoding="utf-8"))


def _lesson(book: RuleBook, number: int, data: dict[str, Any]) -> Lesson:
    board, moves, answers = data["board"], data.get("moves", ""), tuple(data["answers"])
    places = data["task"] == "place"  # then the claim is about what is open, and the test asks the rules
    own = Claim(book, board, moves, winning=None if places else answers, method=data.get("method"))
    return Lesson(
        book,
        number,
        data["title"],
        data["text"],
        board,
        moves,
        data["task"],
        answers,
        data["after"],
        (own, *(_claim(book, claim) for claim in data.get("claims", []))),
    )


def _claim(book: RuleBook, data: dict[str, Any]) -> Claim:
    winning = data.get("winning")
    return Claim(book, **{**data, "winning": None if winning is None else tuple(winning)})
