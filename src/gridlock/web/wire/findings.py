"""Answers from the engine: analyses, hints and reviews."""

from typing import Annotated

from msgspec import Meta

from gridlock.engine.evidence import Method, Verdict
from gridlock.web.wire.answers import Cell, Count, Part, Position
from gridlock.web.wire.messages import Player


class MoveValue(Part):
    """The value of a move."""

    cell: Cell
    verdict: Verdict
    distance: Count | None


class Findings(Part):
    """The winner of a position, the winning moves, and the evidence."""

    verdict: Verdict
    words: str
    explanation: str
    method: Method
    winning: list[Cell]
    moves: list[MoveValue]
    distance: Count | None
    swap: Verdict | None
    swap_words: str
    countable: bool
    pairing: list[tuple[Cell, Cell]]
    mirror: list[tuple[Cell, Cell]]
    line: list[Cell]
    positions: Count
    seconds: float


class Analysis(Part):
    """A position and its analysis."""

    position: Position
    analysis: Findings


class Hint(Part):
    """A hint in steps: whether the position is won, where to play, which move, and why."""

    verdict: Verdict
    opinion: str
    where: str
    region: list[Cell]
    naming: str
    move: Cell | None
    swap: bool
    reason: str
    pairing: list[tuple[Cell, Cell]]
    mirror: list[tuple[Cell, Cell]]


class Reviewed(Part):
    """A player of a reviewed game."""

    name: str
    mark: str


class Step(Part):
    """A player's action, and who was winning before and after it."""

    ply: Count
    kind: Annotated[str, Meta(pattern="^(move|swap|resign|time|left)$")]
    player: Player
    mark: str
    who: str
    cell: Cell | None
    text: str
    before: Player | None
    after: Player | None
    mistake: bool
    better: list[Cell]
    better_swap: bool
    words: str
    holds: str  # what would have kept the win, in one sentence; empty unless the step was a mistake


class Review(Part):
    """The review of a game: where it was won and lost."""

    players: tuple[Reviewed, Reviewed]
    start: Player | None
    steps: list[Step]
    summary: str
