"""One analysis from three kinds of evidence: matching, mirror and search."""

from dataclasses import replace
from functools import lru_cache

from gridlock.core.game import Game
from gridlock.core.grid import Cell
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.engine.analysis import Analysis, MoveValue, combine, with_swap
from gridlock.engine.clock import MEBIBYTE, Clock
from gridlock.engine.distances import Distances
from gridlock.engine.evidence import Judge, Proof, Unproved, Verdict, wins_at_once
from gridlock.engine.kernels.interface import Tick
from gridlock.engine.lines import Searched, find_line
from gridlock.engine.search import DEEPEST, Search

FIRST_LOOK = 0.02  # seconds that every move gets before any gets more
MOMENT = 0.05  # seconds that counting distances may take where nobody asked for them
TABLES = 256 * MEBIBYTE  # for the tables of an engine that is kept; a worker with a memory limit sets less
LONGEST_LOOK = 1.0  # seconds to find a line that shows how the game could go on


class Engine:
    """Knows who wins one game on one board, and remembers what it has found out."""

    def __init__(self, variant: Variant, memory: int = 256 * MEBIBYTE, mirrors: bool = True) -> None:
        self.variant = variant
        self.memory = memory
        self.distances = Distances(variant, memory // 4)
        self.search = Search(variant, memory // 4 * 3, self.distances, mirrors)
        self.theory = _theory(variant)

    @property
    def nodes(self) -> int:
        """How many positions have been searched."""
        return self.search.nodes + self.distances.nodes

    # -- one position -----------------------------------------------------------------------------------------

    def prove(self, position: Position, clock: Clock) -> Proof | None:
        """Who wins, and why, without any search: from the rules, a matching or a mirror."""
        if not self.variant.legal(position):
            if not self.search.stays_stuck(position, clock):
                return None
            return Proof(variant=self.variant, position=position, verdict=Verdict.LOSS)
        return next((proof for judge in self.theory if (proof := judge.judge(position, clock))), None)

    def judge(self, position: Position, clock: Clock, tick: Tick | None = None) -> Proof:
        """Who wins, and why, by a search if nothing quicker tells (`tick` may be asked in the clock's place)."""
        proof = self.prove(position, clock)
        if proof is not None:
            return proof
        verdict = self.search.verdict(position, tick or clock)
        kind = Unproved if verdict is Verdict.UNKNOWN else Searched
        return kind(variant=self.variant, position=position, verdict=verdict)

    def verdict(self, position: Position, clock: Clock) -> Verdict:
        """Only who wins."""
        return self.judge(position, clock).verdict

    # -- every move of a position -----------------------------------------------------------------------------

    def analyse(self, game: Game, clock: Clock, counting: float | None = MOMENT) -> Analysis:
        """What every move of a game is worth to its players, with the reason in words.

        Distances are counted afterwards, for so many seconds (None: for as long as the clock allows).
        """
        return with_swap(game, self.explained(self.weigh(game.position, clock, counting), clock))

    def weigh_game(self, game: Game, clock: Clock, counting: float | None = MOMENT) -> Analysis:
        """The same without a line that shows how it goes on."""
        return with_swap(game, self.weigh(game.position, clock, counting))

    def weigh(self, position: Position, clock: Clock, counting: float | None = MOMENT) -> Analysis:
        """The same of a bare position, the swap rule left aside."""
        before = self.nodes
        cells = self.variant.legal_cells(position)
        proof = self.prove(position, clock)
        verdicts = self._verdicts(position, cells, proof, clock)
        distances: dict[Cell, int] = {}
        if cells:
            with clock.at_most(counting):
                distances = self.distances.of_moves(position, clock)
        verdicts |= {cell: _known(distance) for cell, distance in distances.items()}
        verdict = combine(verdicts.values()) if cells or proof else Verdict.UNKNOWN
        values = tuple(MoveValue(cell, verdicts[cell], abs(distances[cell]) if distances else None) for cell in cells)
        analysis = Analysis(self.variant, position, verdict, values, (), self.nodes - before, clock.seconds)
        return replace(analysis, proofs=self._proofs(analysis, proof, distances))

    def _verdicts(
        self, position: Position, cells: list[Cell], proof: Proof | None, clock: Clock
    ) -> dict[Cell, Verdict]:
        """What each move is worth, as far as the time allows."""
        winning = set(proof.winning) if proof else set()
        if proof and proof.complete:
            return {cell: Verdict.WIN if cell in winning else Verdict.LOSS for cell in cells}
        verdicts = {cell: Verdict.WIN if cell in winning else Verdict.UNKNOWN for cell in cells}
        left = [cell for cell in cells if verdicts[cell] is Verdict.UNKNOWN]
        share = FIRST_LOOK  # every open move gets a little time, then more: what was proved meanwhile helps the rest
        while left:
            undecided = []
            for cell in left:
                if clock.expired:
                    break
                with clock.at_most(share):
                    verdicts[cell] = self.verdict(position.after(cell), clock).opposite
                    if verdicts[cell] is Verdict.UNKNOWN and clock.over:  # otherwise more time would not help
                        undecided.append(cell)
            left = undecided
            share *= 4
        return verdicts

    def _proofs(self, analysis: Analysis, proof: Proof | None, distances: dict[Cell, int]) -> tuple[Proof, ...]:
        """What an analysis rests on, the strongest first, with the move that it shows."""
        if analysis.verdict is Verdict.UNKNOWN:
            losing = sum(move.verdict is Verdict.LOSS for move in analysis.values)
            return (
                Unproved(
                    variant=self.variant,
                    position=analysis.position,
                    verdict=Verdict.UNKNOWN,
                    best=_shown(analysis),
                    tried=self._what_was_tried(analysis),
                    losing=losing,
                    moves=len(analysis.values),
                ),
            )
        best = _shown(analysis)
        searched = Searched(
            variant=self.variant,
            position=analysis.position,
            verdict=analysis.verdict,
            best=best,
            moves=tuple(analysis.winning),
            distances=distances,
        )
        if proof is None:
            return (searched,)
        at_once = analysis.distance == 1 and analysis.verdict is Verdict.WIN
        return replace(proof, best=best if proof.complete or at_once else proof.best), searched

    def _what_was_tried(self, analysis: Analysis) -> str:
        if analysis.positions:
            took = f"{analysis.seconds:.1f}" if analysis.seconds >= 1 else f"{max(analysis.seconds, 0.01):.2f}"
            return f"a search of {analysis.positions:,} positions did not finish in {took} s"
        if (self.variant.grid.cells & ~analysis.position.taken).bit_count() > DEEPEST:
            return "there is too much room left for a search"
        return "there was no time for a search"

    def explained(self, analysis: Analysis, clock: Clock, cell: Cell | None = None) -> Analysis:
        """The same about a move (the best one, unless another is named), with a line if that rests on a search."""
        cell = analysis.proof.best if cell is None else cell
        if cell is None:
            return analysis
        proof = analysis.proof_of(cell)
        shown = replace(proof, best=cell)
        if isinstance(shown, Searched) and not wins_at_once(self.variant, analysis.position, cell):
            with clock.at_most(LONGEST_LOOK):
                shown = find_line(self, shown, cell, clock)
        others = tuple(one for one in analysis.proofs if one is not proof)
        return replace(analysis, proofs=(shown, *others), seconds=clock.seconds)


def _theory(variant: Variant) -> list[Judge]:
    """What decides positions of a game at once: a matching every one, a mirror some."""
    shape = variant.shape
    if shape is None:
        return []
    if shape.geography:
        from gridlock.engine.matching import Matching

        return [Matching(variant)]
    from gridlock.engine.mirror import Mirrors

    return [Mirrors(variant, shape)]


def _known(distance: int) -> Verdict:
    """An exact distance is a proof."""
    return Verdict.WIN if distance > 0 else Verdict.LOSS


def _shown(analysis: Analysis) -> Cell | None:
    """The move to show: the quickest win, or the longest loss, or one not known."""
    if not analysis.values:
        return None

    def rank(index: int) -> tuple[int, int]:
        move = analysis.values[index]
        order = (Verdict.WIN, Verdict.UNKNOWN, Verdict.LOSS).index(move.verdict)
        distance = move.distance or 0
        return order, distance if move.verdict is Verdict.WIN else -distance

    return analysis.values[min(range(len(analysis.values)), key=rank)].cell


@lru_cache(maxsize=4)
def engine_for(variant: Variant) -> Engine:
    """The engine of a game on a board, kept so that it need not find out twice."""
    return Engine(variant, TABLES)
