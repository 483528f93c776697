"""Proofs by search, and the lines of play that show them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

from gridlock.core.grid import Cell
from gridlock.core.position import Position
from gridlock.engine.clock import Clock
from gridlock.engine.evidence import Method, Proof, Verdict

if TYPE_CHECKING:
    from gridlock.engine.engine import Engine

LONGEST_LINE = 16  # moves of a line that are worth reading
GLIMPSE = 0.02  # seconds for a first look at each move of a line


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
        """How the game could go on."""
        return self.shown

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


def until_stuck(distance: int) -> str:
    """What a distance counts; where sides pass, the winner may still place tokens after that."""
    return f"{distance} move{'s' * (distance != 1)} until the loser is stuck"


def find_line(engine: Engine, proof: Searched, first: Cell, clock: Clock) -> Searched:
    """A proof with a line that begins with a move."""
    return replace(proof, shown=_line(engine, proof, first, first in proof.distances, clock))


def _line(engine: Engine, proof: Searched, first: Cell, counted: bool, clock: Clock) -> tuple[Cell, ...]:
    """How the game can go on: the winner's moves are proved, and with distances the best play of both to the end."""
    line, position = [first], proof.position.after(first)
    winners = 0 if proof.verdict is Verdict.WIN else 1  # whether the winner's moves are the even ones or the odd ones
    while engine.variant.legal(position) and (counted or len(line) < LONGEST_LINE):
        with clock.at_most(None if counted else GLIMPSE):
            distances = engine.distances.of_moves(position, clock)
        if distances:
            winning = [cell for cell in distances if distances[cell] > 0]
            cell: Cell | None = min(winning or distances, key=lambda cell: distances[cell])
        else:
            cell = None if counted else _likely(engine, position, len(line) % 2 == winners, clock)
        if cell is None:
            break
        line.append(cell)
        position = position.after(cell)
    if engine.variant.legal(position):  # not played to the end: then it breaks off with a move of the winner's
        line = line[: len(line) - (len(line) - 1 - winners) % 2]
        return tuple(line) if len(line) > 1 else ()
    return tuple(line)


def _likely(engine: Engine, position: Position, wins: bool, clock: Clock) -> Cell | None:
    """A move that is proved to win, or else one that leaves the opponent little room; none if the time is up."""
    legal = engine.variant.legal

    def room(cell: Cell) -> int:
        after = position.after(cell)
        return legal(after).bit_count() - legal(after.passed()).bit_count()

    order = sorted(engine.variant.legal_cells(position), key=room)
    share = GLIMPSE
    while wins and not clock.over:
        for cell in order:
            with clock.at_most(share):
                if engine.verdict(position.after(cell), clock) is Verdict.LOSS:
                    return cell
        share *= 4
    return None if wins else order[0]
