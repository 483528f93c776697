"""Proofs of a verdict: each provides the winning moves, a reason in words, and the answer to any move."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Protocol

from gridlock.core.grid import Cell
from gridlock.core.outcome import Player
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.engine.kernels.interface import Tick


class Verdict(StrEnum):
    """The outcome of a position or a move for the player to move, with perfect play."""

    WIN = "win"
    LOSS = "loss"
    UNKNOWN = "unknown"

    @property
    def opposite(self) -> "Verdict":
        """The verdict from the other player's perspective."""
        return {Verdict.WIN: Verdict.LOSS, Verdict.LOSS: Verdict.WIN}.get(self, self)

    @staticmethod
    def of(wins: bool) -> "Verdict":
        """Return the verdict of a position that is known to be won or lost."""
        return Verdict.WIN if wins else Verdict.LOSS

    def winner(self, mover: Player) -> Player | None:
        """Return the player who wins if `mover` is to move, or None if that is unknown."""
        return None if self is Verdict.UNKNOWN else mover if self is Verdict.WIN else 3 - mover


class Method(StrEnum):
    """The kinds of evidence."""

    RULES = "rules"  # the game is over, or nothing can change any more
    MATCHING = "matching"
    MIRROR = "mirror"
    SEARCH = "search"


@dataclass(frozen=True, kw_only=True)
class Proof:
    """Why a position is won or lost; this base class covers positions that the rules alone decide."""

    variant: Variant
    position: Position
    verdict: Verdict
    best: Cell | None = None  # the move to show: one that wins or, in a lost position, makes winning hardest
    method: ClassVar[Method] = Method.RULES
    partner: ClassVar[str] = ""  # what to call the cell that answers a move, if every move has its own

    @property
    def complete(self) -> bool:
        """Whether `winning` lists every winning move."""
        return self.verdict is Verdict.LOSS

    @property
    def winning(self) -> tuple[Cell, ...]:
        """The known winning moves, in row order."""
        return ()

    @property
    def pairing(self) -> dict[Cell, Cell]:
        """Each cell's partner, if the winner plays by pairs."""
        return {}

    @property
    def partners(self) -> dict[Cell, Cell]:
        """The answer to each cell, if the pairs can be drawn on the board."""
        return self.pairing

    @property
    def line(self) -> tuple[Cell, ...]:
        """A possible continuation of the game, once with_line() has added it."""
        return ()

    def with_line(self, _find: Callable[[], tuple[Cell, ...]]) -> "Proof":
        """Return the proof with a line of play, which is computed only if nothing else explains the best move."""
        return self

    def knows(self, cell: Cell) -> bool:
        """Return whether the proof covers a move."""
        return self.verdict is not Verdict.WIN or cell in self.winning

    def words(self, cell: Cell | None = None) -> str:
        """Return the reason for a move (by default the best one) in words for players."""
        cell = self.best if cell is None else cell
        if cell is None:
            return "There is no move left: the player to move has lost."
        if at_once := wins_at_once(self.variant, self.position, cell):
            return f"{self.variant.name(cell)} wins: {at_once}."
        return self.reason(cell)

    def reason(self, cell: Cell) -> str:
        """Return the reason for a move that does not end the game."""
        return f"It is not known whether {self.variant.name(cell)} wins."

    def answer(self, _move: Cell) -> Cell | None:
        """Return the winner's answer to a move of the loser: now in a lost position, else after the best move."""
        return None

    def refutation(self, _move: Cell) -> str:
        """Return the end of a sentence that says a move loses: how the opponent answers it."""
        return "."


@dataclass(frozen=True, kw_only=True)
class Unproved(Proof):
    """No verdict, and why each attempt failed."""

    method: ClassVar[Method] = Method.SEARCH
    verdict: Verdict = Verdict.UNKNOWN
    tried: str
    losing: int = 0  # moves that are known to lose
    moves: int = 0

    def words(self, _cell: Cell | None = None) -> str:
        """Return why there is no verdict."""
        some = f" {self.losing} of {self.moves} moves {'is' if self.losing == 1 else 'are'} known to lose."
        return f"The winner is not known: {self.tried}.{some if self.losing else ''}"


class Judge(Protocol):
    """A method that decides positions of one game on one board: matching, mirrors or search."""

    failure: ClassVar[str]  # the explanation if it finds no proof

    def judge(self, position: Position, tick: Tick, /) -> Proof | None:
        """Return a proof that a position is won or lost, or None if none is found before `tick` says to stop."""


def wins_at_once(variant: Variant, position: Position, cell: Cell) -> str:
    """Return how a move wins immediately, or an empty string if it does not."""
    if variant.legal(position.after(cell)):
        return ""
    if variant.book.passes and not variant.legal(position.passed()):
        return "the opponent has no move left"
    return "it leaves the opponent no move"
