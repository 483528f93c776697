"""Proofs by search, and the lines of play that show them."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import ClassVar

from gridlock.core.grid import Cell
from gridlock.engine.evidence import Method, Proof, Verdict, wins_at_once

LONGEST_LINE = 16  # moves of a line that are worth reading


@dataclass(frozen=True, kw_only=True)
class Searched(Proof):
    """Everything that matters was tried."""

    method: ClassVar[Method] = Method.SEARCH
    moves: tuple[Cell, ...] = ()  # those that were found to win
    distances: dict[Cell, int] = field(default_factory=dict)  # plies to the end, negative where a move loses
    shown: tuple[Cell, ...] = ()  # a line of play

    @property
    def winning(self) -> tuple[Cell, ...]:
        """The moves that were found to win."""
        return self.moves

    @property
    def line(self) -> tuple[Cell, ...]:
        """How the game could continue."""
        return self.shown

    def with_line(self, find: Callable[[], tuple[Cell, ...]]) -> "Searched":
        """The same with a line of play, unless the best move wins at once."""
        if self.best is None or wins_at_once(self.variant, self.position, self.best):
            return self
        return replace(self, shown=find())

    def reason(self, cell: Cell) -> str:
        """What was found, and the line if there is one."""
        if self.verdict is Verdict.WIN:
            text, most, distance = f"{self.variant.name(cell)} wins", "", self.distances.get(cell)
        else:
            text, most = "Every move loses", "at most "
            distance = min(self.distances.values()) if self.distances else None
        text += ", as a search shows" if distance is None else f" ({most}{until_stuck(abs(distance))})"
        line = self.shown[:1] == (cell,) or (self.shown and self.verdict is Verdict.LOSS)
        return f"{text}: for instance {self.line_words()}" if line else f"{text}."

    def line_words(self) -> str:
        """The line in words, each move with the marker that makes it, as far as it is worth reading."""
        end, words = self.position, []
        for cell in self.shown:
            words.append(f"{self.variant.book.mark(end.turn)} {self.variant.name(cell)}")
            end = end.after(cell)
        whole = len(self.shown) <= LONGEST_LINE and not self.variant.legal(end)
        return ", ".join(words[:LONGEST_LINE]) + ("." if whole else " ...")

    def answer(self, move: Cell) -> Cell | None:
        """The reply of the line, if it begins with the move (in a won position, goes on with it)."""
        at = 0 if self.verdict is Verdict.LOSS else 1
        return self.shown[at + 1] if len(self.shown) > at + 1 and self.shown[at] == move else None

    def refutation(self, _move: Cell) -> str:
        """The line, if there is one."""
        return f": for instance {self.line_words()}" if self.shown else ", as a search shows."


def until_stuck(distance: int) -> str:
    """What a distance counts; where sides pass, the winner may still place tokens after that."""
    return f"{distance} move{'s' * (distance != 1)} until the loser is stuck"
