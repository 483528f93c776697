"""A search limited by depth or number of positions, which finds the same move on every machine.

The search uses matchings and mirrors where they apply, looks further and further ahead until its limit is reached, and
uses random games to choose between moves that are otherwise equal.
"""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from gridlock.core.grid import Cell, cells_of
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.engine.choice import GAMES, estimate
from gridlock.engine.clock import Clock
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Verdict

DEEPEST = 200  # plies, because Python limits the depth of recursion
SEED = 0  # the seed of the random games
OFTEN = 256  # positions between two checks of the clock


class Found(NamedTuple):
    """The best move after a search to some depth."""

    depth: int
    positions: int  # the number searched so far
    cell: Cell
    verdict: Verdict


def deepen(
    engine: Engine, position: Position, clock: Clock, depth: int | None = None, positions: int | None = None
) -> Iterator[Found]:
    """Yield the best move at depth 0, 1, 2 and so on, until the position is decided or a limit is reached."""
    variant = engine.variant
    promise = estimate(engine, position, GAMES, Random(SEED))
    order = sorted(variant.legal_cells(position), key=lambda cell: -promise.get(cell, -1))
    proof = engine.prove(position, clock)
    if proof is not None and proof.verdict is Verdict.WIN:
        winning = set(proof.winning) if proof.complete or proof.best is None else {proof.best}
        yield Found(0, 0, next(cell for cell in order if cell in winning), Verdict.WIN)
        return
    known = Verdict.UNKNOWN if proof is None else proof.verdict
    yield Found(0, 0, order[0], known)
    search = _Search(variant, clock, positions)
    for plies in range(1, min(DEEPEST if depth is None else depth, DEEPEST) + 1):
        lost = set()
        for cell in order:
            verdict = search.verdict(position.after(cell), plies - 1).opposite
            if search.stopped:
                break
            if verdict is Verdict.WIN:
                yield Found(plies, search.positions, cell, verdict)
                return
            if verdict is Verdict.LOSS:
                lost.add(cell)
        left = [cell for cell in order if cell not in lost]
        if not left:
            yield Found(plies, search.positions, order[0], Verdict.LOSS)
            return
        order = left
        if lost or not search.stopped:
            yield Found(plies - search.stopped, search.positions, order[0], known)
        if search.stopped:
            return


class _Search:
    """A plain search that counts the positions it searches."""

    def __init__(self, variant: Variant, clock: Clock, limit: int | None) -> None:
        self.positions = 0
        self.stopped = False
        self._variant, self._clock, self._limit = variant, clock, limit

    def verdict(self, position: Position, plies: int) -> Verdict:
        """Return the verdict for the player to move, or UNKNOWN if the game is not decided within `plies` plies."""
        if self.positions == self._limit or (self.positions % OFTEN == 0 and self._clock(self.positions)):
            self.stopped = True
        if self.stopped:
            return Verdict.UNKNOWN
        self.positions += 1
        legal = self._variant.legal(position)
        if not legal:
            return Verdict.LOSS
        if plies == 0:
            return Verdict.UNKNOWN
        verdict = Verdict.LOSS
        for cell in cells_of(legal):
            after = self.verdict(position.after(cell), plies - 1)
            if after is Verdict.LOSS:
                return Verdict.WIN
            if after is Verdict.UNKNOWN:
                verdict = Verdict.UNKNOWN
        return verdict
