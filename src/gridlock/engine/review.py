"""A finished game looked at again: where it was won, and where it was thrown away."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from gridlock.engine.analysis import Verdict
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine
from gridlock.game import SWAP, Game
from gridlock.grid import Cell
from gridlock.position import Position, Side


class Step(NamedTuple):
    """One move of the game, and who was winning before and after it (None: not found out)."""

    ply: int
    side: Side
    cell: Cell
    before: Side | None
    after: Side | None
    better: tuple[Cell, ...]  # what would have held, if the move threw a win away

    @property
    def mistake(self) -> bool:
        """Whether the mover had a won game, and no longer has."""
        return self.before == self.side and self.after == 3 - self.side


def review(
    engine: Engine, game: Game, seconds: float, progress: Callable[[int, float], None] | None = None
) -> Iterator[Step]:
    """Look at every move in turn, giving each position so many seconds."""

    def winner(position: Position) -> Side | None:
        if engine.variant.must_pass(position):  # the side that still has a cell placed last, and wins
            return 3 - position.turn
        verdict, _ = engine.verdict(position, Clock(seconds, progress))
        return {Verdict.WIN: position.turn, Verdict.LOSS: 3 - position.turn, Verdict.UNKNOWN: None}[verdict]

    before = winner(game.positions[0])
    for ply, cell in enumerate(game.moves, 1):
        if cell == SWAP:  # the position stays; only the players change sides
            continue
        position = game.positions[ply - 1]
        if engine.variant.must_pass(position):
            position = position.passed()
        after = winner(game.positions[ply])
        step = Step(ply, position.turn, cell, before, after, ())
        if step.mistake:
            step = step._replace(better=tuple(engine.analyse(position, seconds, progress).winning))
        yield step
        before = after
