"""One analysis from three kinds of evidence: matching, mirror and search."""

from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache
from typing import Any

from gridlock.engine.analysis import Analysis, Method, MoveValue, Verdict
from gridlock.engine.clock import MEBIBYTE, Clock
from gridlock.engine.explain import explain
from gridlock.engine.kernels.interface import distances
from gridlock.engine.mirror import losing_mirror, mirror_moves
from gridlock.engine.search import KERNEL_CELLS, Search, Tick, memory_for
from gridlock.grid import Cell, cells_of
from gridlock.position import Position
from gridlock.rulebook import Variant

GEOGRAPHY = ("keepaway", "chain")  # decided by matching at every position
QUICK, PATIENT = 0.2, 1.0  # seconds for counting distances, before and after everything else
Progress = Callable[[int, float], None]


class Engine:
    """Knows who wins one game on one board, and remembers what it has found out."""

    def __init__(self, variant: Variant, memory: int = 256 * MEBIBYTE, mirrors: bool = True) -> None:
        self.variant = variant
        self.memory = memory
        self.search = Search(variant, memory // 4 * 3, mirrors)  # the rest is for counting distances

    @cached_property
    def geography(self) -> Any:
        """The matching solver, for the two games it decides."""
        from gridlock.engine.matching import Geography

        return Geography(self.variant.grid.near, self.variant.book.name == "keepaway")

    @cached_property
    def exact(self) -> Any:
        """The search that also counts distances, for the games and boards it knows (otherwise None)."""
        shape, grid = self.variant.shape, self.variant.grid
        if shape is None or grid.size > KERNEL_CELLS:
            return None
        return distances(shape, grid, memory_for(grid.size, self.memory // 4))

    # -- one position -----------------------------------------------------------------------------------------

    def verdict(self, position: Position, tick: Tick) -> tuple[Verdict, Method]:
        """Whether the player to move wins, and how that is known."""
        verdict, method = self.by_proof(position)
        return (verdict, method) if verdict is not Verdict.UNKNOWN else (self.by_search(position, tick), Method.SEARCH)

    def by_proof(self, position: Position) -> tuple[Verdict, Method]:
        """The same without any search: from the rules, a matching or a mirror."""
        if not self.variant.legal(position):
            return Verdict.LOSS, Method.RULES
        if self.variant.book.name in GEOGRAPHY:
            return (Verdict.WIN if self.winning_by_matching(position) else Verdict.LOSS), Method.MATCHING
        if losing_mirror(self.variant, position):
            return Verdict.LOSS, Method.MIRROR
        if next(mirror_moves(self.variant, position), None):
            return Verdict.WIN, Method.MIRROR
        return Verdict.UNKNOWN, Method.MIRROR

    def by_search(self, position: Position, tick: Tick) -> Verdict:
        """The same by search alone; keepaway and chain are searched by the kernel that counts distances."""
        if self.variant.book.name not in GEOGRAPHY or self.exact is None:
            return self.search.solve(position, tick)
        mine, theirs, my_head, their_head, _ = position
        score = self.exact.solve(mine, theirs, _or_none(my_head), _or_none(their_head), -1, 1, tick)
        return Verdict.UNKNOWN if score == 0 else Verdict.WIN if score > 0 else Verdict.LOSS

    @property
    def nodes(self) -> int:
        """How many positions have been searched."""
        exact = self.__dict__.get("exact")  # if it was ever needed
        return self.search.nodes + (int(exact.nodes) if exact else 0)

    def winning_by_matching(self, position: Position) -> list[Cell]:
        """Every winning move of keepaway or chain."""
        empty = self.variant.grid.cells & ~position.taken
        return cells_of(self.geography.winning_moves(empty, position.their_head))

    # -- every move of a position -----------------------------------------------------------------------------

    def analyse(self, position: Position, seconds: float | None = None, progress: Progress | None = None) -> Analysis:
        """Win or loss of every legal move, with the evidence in words, and distances where they can be counted."""
        return explain(self, self.weigh(position, seconds, progress))

    def weigh(self, position: Position, seconds: float | None = None, progress: Progress | None = None) -> Analysis:
        """The same without the words."""
        before = self.nodes

        def tell(_nodes: int, elapsed: float) -> None:
            if progress:
                progress(self.nodes - before, elapsed)

        return self.weigh_by(position, Clock(seconds, tell))

    def weigh_by(self, position: Position, clock: Clock) -> Analysis:
        """The same by a clock that somebody else may stop."""
        before = self.nodes
        cells = self.variant.legal_cells(position)
        distances = self.distances(position, clock, QUICK)
        method, verdicts = self._verdicts(position, cells, clock, distances)
        if not distances:
            distances = self.distances(position, clock, PATIENT)
        verdict = combine(verdicts.values())
        moves = tuple(MoveValue(cell, verdicts[cell], abs(distances[cell]) if distances else None) for cell in cells)
        return Analysis(
            self.variant,
            position,
            verdict,
            moves,
            method,
            positions=self.nodes - before,
            seconds=clock.seconds,
        )

    def _verdicts(
        self, position: Position, cells: list[Cell], clock: Clock, distances: dict[Cell, int]
    ) -> tuple[Method, dict[Cell, Verdict]]:
        """What each move is worth, as far as the time allows, and the best evidence there is for it."""
        if not cells:
            return Method.RULES, {}
        if self.variant.book.name in GEOGRAPHY:
            winning = set(self.winning_by_matching(position))
            return Method.MATCHING, {cell: Verdict.WIN if cell in winning else Verdict.LOSS for cell in cells}
        if losing_mirror(self.variant, position):
            return Method.MIRROR, dict.fromkeys(cells, Verdict.LOSS)
        verdicts = {cell: _known(distances.get(cell)) for cell in cells}
        method = Method.SEARCH
        for cell, _ in mirror_moves(self.variant, position):
            method, verdicts[cell] = Method.MIRROR, Verdict.WIN
        left = [cell for cell in cells if verdicts[cell] is Verdict.UNKNOWN]
        share = 0.02  # every open move gets a little time, then more: what was proved meanwhile helps the rest
        while left:
            undecided = []
            for cell in left:
                if clock.expired:
                    break
                clock.slice(share)
                child, _ = self.verdict(position.after(cell), clock)
                verdicts[cell] = opposite(child)
                if child is Verdict.UNKNOWN and clock.over:  # otherwise more time would not help
                    undecided.append(cell)
            clock.slice(None)
            left = undecided
            share *= 4
        return method, verdicts

    def distances(self, position: Position, clock: Clock, seconds: float | None) -> dict[Cell, int]:
        """For every move, the plies until the loser is stuck, negative where the move loses; nothing if too long."""
        if self.exact is None:
            return {}
        mine, theirs, my_head, their_head, _ = position
        clock.slice(seconds)
        scores = self.exact.all_moves(mine, theirs, _or_none(my_head), _or_none(their_head), clock)
        clock.slice(None)
        if scores is None:
            return {}
        return {cell: 1000 - score if score > 0 else -1000 - score for cell, score in scores}


def _known(distance: int | None) -> Verdict:
    """An exact distance is a proof."""
    return Verdict.UNKNOWN if distance is None else Verdict.WIN if distance > 0 else Verdict.LOSS


def _or_none(head: Cell | None) -> int:
    return -1 if head is None else head


def opposite(verdict: Verdict) -> Verdict:
    """A verdict seen from the other side."""
    return {Verdict.WIN: Verdict.LOSS, Verdict.LOSS: Verdict.WIN, Verdict.UNKNOWN: Verdict.UNKNOWN}[verdict]


def combine(verdicts: Iterable[Verdict]) -> Verdict:
    """A position is won if some move wins, lost if every move loses."""
    found = set(verdicts)
    if Verdict.WIN in found:
        return Verdict.WIN
    return Verdict.UNKNOWN if Verdict.UNKNOWN in found else Verdict.LOSS


@lru_cache(maxsize=4)
def engine_for(variant: Variant, memory: int = 256 * MEBIBYTE) -> Engine:
    """The engine of a game on a board, kept so that it need not find out twice."""
    return Engine(variant, memory)


def analyse(
    variant: Variant,
    position: Position,
    seconds: float | None = None,
    memory: int = 256 * MEBIBYTE,
    progress: Progress | None = None,
) -> Analysis:
    """Who wins a position, by which moves, and why."""
    return engine_for(variant, memory).analyse(position, seconds, progress)
