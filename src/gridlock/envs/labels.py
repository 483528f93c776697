"""The exact value of every move in a solved position, as arrays for training and evaluation."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import NamedTuple

from gridlock.core import rules
from gridlock.core.errors import BadBoard, BadGame
from gridlock.core.grid import Cell
from gridlock.core.position import Position
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.engine.clock import MEBIBYTE, Clock
from gridlock.engine.engine import engine_for
from gridlock.engine.evidence import Verdict
from gridlock.engine.search import Distances
from gridlock.envs import needs

with needs("batch"):
    import numpy as np
    from numpy.typing import NDArray

MOST_CELLS = 128  # the largest board on which the engine counts distances
UNCOUNTED = 1 << 14  # the distance of a move whose value is known but whose distance could not be counted in time


class Label(NamedTuple):
    """The values of a position and its moves, from the perspective of the side to move."""

    value: int  # 1 if the side to move wins with perfect play, -1 if it loses
    distance: int  # moves until the loser is stuck with the fastest win and the longest defence; 0 if not counted
    values: NDArray[np.int8]  # for every action, 1 if it wins, -1 if it loses, and 0 if it is illegal
    distances: NDArray[np.int16]  # for every action, the moves until the loser is stuck, including the action; or 0


class Judgement(NamedTuple):
    """The value of a move that was made."""

    value: int  # 1 if the player who made the move wins with perfect play, otherwise -1
    distance: int  # moves until the loser is stuck, including this move; 0 if not counted
    kept: bool  # whether the move kept the player's result: false only if it lost a win
    regret: int  # the best move's value minus this move's value: 0 or 2


class Labels:
    """Labels for the positions of one game on one board; results are cached."""

    def __init__(
        self,
        game: str | Path | RuleBook | Variant,
        board: str | None = None,
        adjacency: str | None = None,
        *,
        memory: int = 64 * MEBIBYTE,
    ) -> None:
        variant = rules.chosen(game, board, adjacency)
        if variant.shape is None:
            raise BadGame(f"Labels are not available for {variant.book.name}, which has its own rule functions.")
        if variant.grid.size > MOST_CELLS:
            raise BadBoard(f"{variant.grid} is too large for labels: the limit is {MOST_CELLS} cells.")
        self.variant = variant
        self.memory = memory
        self._distances = Distances(variant, memory)

    def scores(self, position: Position, seconds: float | None = None) -> dict[Cell, int]:
        """Return the distance for every move; the distance is negative if the move loses.

        If half of the time is not enough to count the distances, the other half is spent on finding only the values,
        and the distances are then UNCOUNTED. If there is not enough time to find the values, return an empty dict.
        """
        found = self._distances.of_moves(position, Clock(None if seconds is None else seconds / 2))
        if found or seconds is None:
            return found
        values = engine_for(self.variant).weigh(position, Clock(seconds / 2), 0).values
        if any(move.verdict is Verdict.UNKNOWN for move in values):
            return {}
        return {move.cell: UNCOUNTED if move.verdict is Verdict.WIN else -UNCOUNTED for move in values}

    def of(self, position: Position, seconds: float | None = None) -> Label | None:
        """Return the label of a position that has legal moves, or None if its values cannot be computed in time."""
        found = self.scores(position, seconds)
        return self.label(found) if found else None

    def label(self, scores: dict[Cell, int]) -> Label:
        """Return the label of a position, given the scores of its moves."""
        size = self.variant.grid.size
        values, distances = np.zeros(size, np.int8), np.zeros(size, np.int16)
        cells = list(scores)
        numbers = np.fromiter(scores.values(), np.int16, len(cells))
        values[cells] = np.sign(numbers)
        distances[cells] = np.abs(numbers) % UNCOUNTED
        best = best_of(scores)
        return Label(1 if best > 0 else -1, abs(best) % UNCOUNTED, values, distances)

    def __reduce__(self) -> tuple[object, ...]:
        return partial(Labels, memory=self.memory), (self.variant,)  # a copy has an empty cache


def best_of(scores: dict[Cell, int]) -> int:
    """Return the score of the best move: the quickest win, or else the longest loss."""
    wins = [score for score in scores.values() if score > 0]
    return min(wins) if wins else min(scores.values())


def judged(scores: dict[Cell, int], cell: Cell) -> Judgement:
    """Judge a move, given the scores of all moves in the position where it was made."""
    score, won = scores[cell], best_of(scores) > 0
    return Judgement(
        1 if score > 0 else -1, abs(score) % UNCOUNTED, not won or score > 0, 2 if won and score < 0 else 0
    )
