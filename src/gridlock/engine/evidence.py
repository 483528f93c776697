"""Proofs of a verdict: each provides the winning moves, a reason in words, and a reply to any move."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import ClassVar, Protocol

from gridlock.core.grid import Cell
from gridlock.core.outcome import Player
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.engine.kernels.interface import Tick

LONGEST_LINE = 16  # the number of moves that are printed from a line of play


class Verdict(StrEnum):
    """The verdict on a position or a move: whether the player to move wins with perfect play."""

    WIN = "win"
    LOSS = "loss"
    UNKNOWN = "unknown"

    @property
    def opposite(self) -> "Verdict":
        """The verdict from the other player's perspective."""
        return {Verdict.WIN: Verdict.LOSS, Verdict.LOSS: Verdict.WIN}.get(self, self)

    @staticmethod
    def of(wins: bool) -> "Verdict":
        """Return WIN if the player to move wins, otherwise LOSS."""
        return Verdict.WIN if wins else Verdict.LOSS

    def winner(self, mover: Player) -> Player | None:
        """Return the player who wins if `mover` is to move, or None if the winner is unknown."""
        return None if self is Verdict.UNKNOWN else mover if self is Verdict.WIN else 3 - mover


class Method(StrEnum):
    """The kinds of evidence."""

    RULES = "rules"  # the game is over, or nothing can change any more
    MATCHING = "matching"
    MIRROR = "mirror"
    SEARCH = "search"
    CENTRE = "centre"  # a mirror, and a reply to a move on the cell that is its own image

    @property
    def mirrors(self) -> bool:
        """Whether the winner answers moves with their mirror images."""
        return self in (Method.MIRROR, Method.CENTRE)


@dataclass(frozen=True, kw_only=True)
class Proof:
    """The reason why a position is won or lost; this base class covers positions that the rules alone decide."""

    variant: Variant
    position: Position
    verdict: Verdict
    best: Cell | None = None  # the move to show: one that wins or, in a lost position, makes winning hardest
    line: tuple[Cell, ...] = ()  # a possible continuation of the game, once with_line() has added it
    method: ClassVar[Method] = Method.RULES
    partner: ClassVar[str] = ""  # what to call the cell of the reply, if every move has its own reply

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
        """Each cell's partner, if the winner's strategy is a pairing of cells."""
        return {}

    @property
    def partners(self) -> dict[Cell, Cell]:
        """The winner's reply to a move on each cell; empty unless the proof is a pairing or a mirror."""
        return self.pairing

    def with_line(self, _find: Callable[[], tuple[Cell, ...]]) -> "Proof":
        """Return the proof, with a line of play added if nothing else explains the best move."""
        return self

    def knows(self, cell: Cell) -> bool:
        """Return whether the proof covers a move."""
        return self.verdict is not Verdict.WIN or cell in self.winning

    def words(self, cell: Cell | None = None) -> str:
        """Return a sentence that tells players whether a move (by default, the best move) wins, and why."""
        cell = self.best if cell is None else cell
        if cell is None:
            return "There is no move left: the player to move has lost."
        if at_once := wins_at_once(self.variant, self.position, cell):
            return f"{self.variant.name(cell)} wins: {at_once}."
        return self.reason(cell)

    def reason(self, cell: Cell) -> str:
        """Return a sentence that says whether a move wins, and why; the move must not be one that ends the game."""
        return f"It is not known whether {self.variant.name(cell)} wins."

    def answer(self, _move: Cell) -> Cell | None:
        """Return the winner's reply to a move by the loser, or None if no reply is known.

        If it is the winner's turn, the loser's move is a reply to the winner's best move.
        """
        return None

    def refutation(self, _move: Cell) -> str:
        """Return the end of a sentence about a losing move: the part that says how the opponent answers the move."""
        return "."


@dataclass(frozen=True, kw_only=True)
class Searched(Proof):
    """A proof by exhaustive search."""

    method: ClassVar[Method] = Method.SEARCH
    moves: tuple[Cell, ...] = ()  # the winning moves
    distances: dict[Cell, int] = field(default_factory=dict)  # plies to the end, negative if a move loses

    @property
    def winning(self) -> tuple[Cell, ...]:
        """The winning moves that the search found."""
        return self.moves

    def with_line(self, find: Callable[[], tuple[Cell, ...]]) -> "Searched":
        """Return the proof; add a line of play unless the best move wins immediately."""
        if self.best is None or wins_at_once(self.variant, self.position, self.best):
            return self
        return replace(self, line=find())

    def reason(self, cell: Cell) -> str:
        """Return the result of the search and, if one is known, a line of play."""
        if self.verdict is Verdict.WIN:
            text, when, distance = f"{self.variant.name(cell)} wins", "in", self.distances.get(cell)
        else:
            text, when = "Every move loses", "within"
            distance = min(self.distances.values()) if self.distances else None
        plural = "" if distance in (1, -1) else "s"
        text += ", as a search shows" if distance is None else f" ({when} {abs(distance)} move{plural})"
        fits = self.line[:1] == (cell,) or (self.line and self.verdict is Verdict.LOSS)
        return f"{text}: for instance {self.line_words()}" if fits else f"{text}."

    def line_words(self) -> str:
        """Return the line of play in words, each move with its marker, up to LONGEST_LINE moves."""
        end, words = self.position, []
        for cell in self.line:
            words.append(f"{self.variant.book.mark(end.turn)} {self.variant.name(cell)}")
            end = end.after(cell)
        whole = len(self.line) <= LONGEST_LINE and not self.variant.legal(end)
        return ", ".join(words[:LONGEST_LINE]) + ("." if whole else " ...")

    def answer(self, move: Cell) -> Cell | None:
        """Return the winner's reply if this move is the loser's first in the line of play; otherwise, return None."""
        at = 0 if self.verdict is Verdict.LOSS else 1
        return self.line[at + 1] if len(self.line) > at + 1 and self.line[at] == move else None

    def refutation(self, _move: Cell) -> str:
        """Return the end of a sentence about a losing move: a line of play, or the words "as a search shows"."""
        return f": for instance {self.line_words()}" if self.line else ", as a search shows."


@dataclass(frozen=True, kw_only=True)
class Unproved(Proof):
    """An unknown verdict, and why every method failed to decide the position."""

    method: ClassVar[Method] = Method.SEARCH
    verdict: Verdict = Verdict.UNKNOWN
    tried: str
    losing: int = 0  # moves that are known to lose
    moves: int = 0

    def words(self, _cell: Cell | None = None) -> str:
        """Return the reason why there is no verdict."""
        some = f" {self.losing} of {self.moves} moves {'is' if self.losing == 1 else 'are'} known to lose."
        return f"The winner is not known: {self.tried}.{some if self.losing else ''}"


class Judge(Protocol):
    """A method that decides positions of one game on one board: matching, mirrors or search."""

    failure: ClassVar[str]  # the explanation if the judge finds no proof

    def judge(self, position: Position, tick: Tick, /) -> Proof | None:
        """Return a proof that a position is won or lost, or None if no proof is found before `tick` says to stop."""


def wins_at_once(variant: Variant, position: Position, cell: Cell) -> str:
    """Return a phrase that says how a move wins immediately, or an empty string if it does not win immediately."""
    if variant.legal(position.after(cell)):
        return ""
    if variant.book.passes and not variant.legal(position.passed()):
        return "the opponent has no move left"
    return "it leaves the opponent no move"
