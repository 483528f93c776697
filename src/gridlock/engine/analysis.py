"""The answer to "who wins, by which moves, and why?"."""

from dataclasses import dataclass, field
from enum import StrEnum

from gridlock.grid import Cell
from gridlock.position import Position
from gridlock.rulebook import Variant


class Verdict(StrEnum):
    """How a position or a move turns out for the player to move, if nobody errs."""

    WIN = "win"
    LOSS = "loss"
    UNKNOWN = "unknown"


class Method(StrEnum):
    """What a verdict rests on."""

    RULES = "rules"  # the game is over, or nothing can change any more
    MATCHING = "matching"
    MIRROR = "mirror"
    SEARCH = "search"


@dataclass(frozen=True)
class MoveValue:
    """What one move is worth, and the plies until the loser is stuck, where they could be counted."""

    cell: Cell
    verdict: Verdict
    distance: int | None = None


@dataclass(frozen=True)
class Analysis:
    """Everything found out about a position."""

    variant: Variant
    position: Position
    verdict: Verdict
    moves: tuple[MoveValue, ...]  # every legal move, in row order
    method: Method
    explanation: str = ""
    pairing: dict[Cell, Cell] = field(default_factory=dict)  # matching: the winner answers a cell with its partner
    line: tuple[Cell, ...] = ()  # a win at once, or search: how the game could go on
    positions: int = 0  # how many were searched
    seconds: float = 0.0

    @property
    def winning(self) -> list[Cell]:
        """The moves that win, in row order."""
        return [move.cell for move in self.moves if move.verdict is Verdict.WIN]

    @property
    def distance(self) -> int | None:
        """Plies until the loser is stuck, the winner hurrying and the loser delaying."""
        if not self.moves:
            return 0
        known = [move.distance for move in self.moves if move.verdict is self.verdict]
        if self.verdict is Verdict.UNKNOWN or None in known:
            return None
        distances = [distance for distance in known if distance is not None]
        return min(distances) if self.verdict is Verdict.WIN else max(distances)
