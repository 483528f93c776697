"""Lessons and tips: positions and sentences beside each rule book, with claims that the engine can check.

They are data (`rules/*.toml`) and know nothing of a terminal or a page; a game without such a file has none.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gridlock.core import rules
from gridlock.core.game import Game
from gridlock.core.grid import Cell
from gridlock.core.movetext import read_stored
from gridlock.core.replay import push_stored
from gridlock.core.rulebook import RuleBook

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

    def solves(self, cell: Cell | None) -> bool:
        """Whether a first move is right."""
        variant = rules.variant(self.book, self.board)
        return cell is not None and cell in [read_stored(variant, answer) for answer in self.answers]


def lessons(book: RuleBook) -> list[Lesson]:
    """The lessons of a game, in order."""
    return [_lesson(book, number, data) for number, data in enumerate(_file(book).get("lesson", []), 1)]


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
