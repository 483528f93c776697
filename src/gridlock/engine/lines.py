"""Proofs by search, and the lines of play that show them."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import ClassVar

from gridlock.core.grid import Cell
from gridlock.engine.evidence import Method, Proof, Verdict, wins_at_once

LONGEST_LINE = 16  # moves of a line that are printed


@dataclass(frozen=True, kw_only=True)
class Searched(Proof):
    """A proof by exhaustive search."""

    method: ClassVar[Method] = Method.SEARCH
    moves: tuple[Cell, ...] = ()  # the winning ones
    distances: dict[Cell, int] = field(default_factory=dict)  # plies to the end, negative if a move loses
    shown: tuple[Cell, ...] = ()  # a line of play

    @property
    def winning(self) -> tuple[Cell, ...]:
        """The moves that the search found to win."""
        return self.moves

    @property
    def line(self) -> tuple[Cell, ...]:
        """A possible continuation of the game."""
        return self.shown

    def with_line(self, find: Callable[[], tuple[Cell, ...]]) -> "Searched":
        """Return the proof with a line of play, unless the best move wins immediately."""
        if self.best is None or wins_at_once(self.variant, self.position, self.best):
            return self
        return replace(self, shown=find())

    def reason(self, cell: Cell) -> str:
        """Return the result of the search, and the line if there is one."""
        if self.verdict is Verdict.WIN:
            text, when, distance = f"{self.variant.name(cell)} wins", "in", self.distances.get(cell)
        else:
            text, when = "Every move loses", "within"
            distance = min(self.distances.values()) if self.distances else None
        text += ", as a search shows" if distance is None else f" ({when} {moves_to_end(abs(distance))})"
        line = self.shown[:1] == (cell,) or (self.shown and self.verdict is Verdict.LOSS)
        return f"{text}: for instance {self.line_words()}" if line else f"{text}."

    def line_words(self) -> str:
        """Return the line in words, each move with its marker, up to LONGEST_LINE moves."""
        end, words = self.position, []
        for cell in self.shown:
            words.append(f"{self.variant.book.mark(end.turn)} {self.variant.name(cell)}")
            end = end.after(cell)
        whole = len(self.shown) <= LONGEST_LINE and not self.variant.legal(end)
        return ", ".join(words[:LONGEST_LINE]) + ("." if whole else " ...")

    def answer(self, move: Cell) -> Cell | None:
        """Return the line's reply to a move, if the move begins the line (in a won position, comes second)."""
        at = 0 if self.verdict is Verdict.LOSS else 1
        return self.shown[at + 1] if len(self.shown) > at + 1 and self.shown[at] == move else None

    def refutation(self, _move: Cell) -> str:
        """Return the line, if there is one."""
        return f": for instance {self.line_words()}" if self.shown else ", as a search shows."


def moves_to_end(distance: int) -> str:
    """Return a distance in words: the moves until the loser is stuck, since passes change nothing after that."""
    return f"{distance} move{'s' * (distance != 1)}"
