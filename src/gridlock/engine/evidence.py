"""Proofs of a verdict: each knows the winning moves, its reason in words, and the answer to any move."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Protocol

from gridlock.core.grid import Cell
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.engine.kernels.interface import Tick


class Verdict(StrEnum):
    """How a position or a move turns out for the player to move, if nobody errs."""

    WIN = "win"
    LOSS = "loss"
    UNKNOWN = "unknown"

    @property
    def opposite(self) -> "Verdict":
        """The same seen from the other side."""
        return {Verdict.WIN: Verdict.LOSS, Verdict.LOSS: Verdict.WIN}.get(self, self)


class Method(StrEnum):
    """The kinds of evidence."""

    RULES = "rules"  # the game is over, or nothing can change any more
    MATCHING = "matching"
    MIRROR = "mirror"
    SEARCH = "search"


@dataclass(frozen=True, kw_only=True)
class Proof:
    """Why a position is won or lost; this one knows only what the rules say of its last moves."""

    variant: Variant
    position: Position
    verdict: Verdict
    best: Cell | None = None  # the move to show: one that wins or, in a lost position, makes winning hardest
    method: ClassVar[Method] = Method.RULES
    partner: ClassVar[str] = ""  # what to call the cell that answers a move, if every move has its own

    @property
    def complete(self) -> bool:
        """Whether the winning moves it knows are all there are."""
        return self.verdict is Verdict.LOSS

    @property
    def winning(self) -> tuple[Cell, ...]:
        """The winning moves it knows, in row order."""
        return ()

    @property
    def pairing(self) -> dict[Cell, Cell]:
        """Which cells are partners, if the winner plays by pairs."""
        return {}

    @property
    def partners(self) -> dict[Cell, Cell]:
        """Which cell answers which, if that can be drawn on the board."""
        return self.pairing

    @property
    def line(self) -> tuple[Cell, ...]:
        """How the game could continue, once with_line() has been asked for it."""
        return ()

    def with_line(self, _find: Callable[[], tuple[Cell, ...]]) -> "Proof":
        """The same proof with a line of play; the line is looked for only if nothing else explains the best move."""
        return self

    def knows(self, cell: Cell) -> bool:
        """Whether it can say what there is to say about a move."""
        return self.verdict is not Verdict.WIN or cell in self.winning

    def words(self, cell: Cell | None = None) -> str:
        """The reason for a move (the best one, unless another is named), in words a player follows."""
        cell = self.best if cell is None else cell
        if cell is None:
            return "There is no move left: the player to move has lost."
        if at_once := wins_at_once(self.variant, self.position, cell):
            return f"{self.variant.name(cell)} wins: {at_once}."
        return self.reason(cell)

    def reason(self, cell: Cell) -> str:
        """The same for a move that does not end the game."""
        return f"{self.variant.name(cell)} decides nothing that is known."

    def answer(self, _move: Cell) -> Cell | None:
        """How the winner answers a move of the loser's: in a lost position now, in a won one after the best move."""
        return None

    def refutation(self, _move: Cell) -> str:
        """How to answer a move in a lost position: the end of a sentence that says it loses."""
        return "."


@dataclass(frozen=True, kw_only=True)
class Unproved(Proof):
    """No answer yet, and what was tried for it."""

    method: ClassVar[Method] = Method.SEARCH
    verdict: Verdict = Verdict.UNKNOWN
    tried: str  # why each attempt failed
    losing: int = 0  # moves that are known to lose
    moves: int = 0

    def words(self, _cell: Cell | None = None) -> str:
        """Why there is no answer."""
        some = f" {self.losing} of {self.moves} moves {'is' if self.losing == 1 else 'are'} known to lose."
        return f"Not found out who wins: {self.tried}.{some if self.losing else ''}"


class Judge(Protocol):
    """Something that can decide positions of one game on one board: by matching, by a mirror, by searching."""

    failure: ClassVar[str]  # what to say where it finds no proof

    def judge(self, position: Position, tick: Tick, /) -> Proof | None:
        """The proof that a position is won or lost, or None if it finds none before `tick` asks it to stop."""


def wins_at_once(variant: Variant, position: Position, cell: Cell) -> str:
    """How a move ends the matter on the spot, if it does."""
    if variant.legal(position.after(cell)):
        return ""
    if variant.book.passes and not variant.legal(position.passed()):
        return "the opponent has no move left"
    return "it leaves the opponent no move"
