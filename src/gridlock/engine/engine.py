"""One analysis from three kinds of proof: matching, mirror and search."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from gridlock.core.game import Game
from gridlock.core.grid import Cell
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.engine.analysis import Analysis, MoveValue, combine, with_swap
from gridlock.engine.clock import MEBIBYTE, Clock
from gridlock.engine.distances import Distances
from gridlock.engine.evidence import Judge, Proof, Unproved, Verdict
from gridlock.engine.kernels.interface import Tick
from gridlock.engine.lines import LONGEST_LINE, Searched
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

    def prove(self, position: Position, tick: Tick) -> Proof | None:
        """Who wins, and why, without any search: from the rules, a matching or a mirror."""
        if not self.variant.legal(position):
            if not self.search.stays_stuck(position, tick):
                return None
            return Proof(variant=self.variant, position=position, verdict=Verdict.LOSS)
        return next((proof for judge in self.theory if (proof := judge.judge(position, tick))), None)

    def judge(self, position: Position, tick: Tick) -> Proof:
        """Who wins, and why, by a search if nothing quicker tells."""
        proof = self.prove(position, tick) or self.search.judge(position, tick)
        return proof or Unproved(variant=self.variant, position=position, tried=self._tried(self.search.failure))

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
        return verdicts | dict(self.decide(position, [cell for cell in cells if cell not in winning], clock))

    def decide(self, position: Position, cells: Iterable[Cell], clock: Clock) -> Iterator[tuple[Cell, Verdict]]:
        """What moves are worth, each as soon as it is known; those that cannot be decided in time are left out.

        Every move gets a moment, then each of the rest four times as long: what was proved meanwhile helps.
        """
        left, share = list(cells), FIRST_LOOK
        while left:
            undecided: list[Cell] = []
            for cell in left:
                if clock.over:
                    return
                with clock.at_most(share):
                    verdict = self.verdict(position.after(cell), clock).opposite
                    if verdict is Verdict.UNKNOWN and clock.over:  # otherwise more time would not help
                        undecided.append(cell)
                if verdict is not Verdict.UNKNOWN:
                    yield cell, verdict
            left, share = undecided, share * 4

    def _proofs(self, analysis: Analysis, proof: Proof | None, distances: dict[Cell, int]) -> tuple[Proof, ...]:
        """What an analysis rests on, the strongest first, with the move that it shows."""
        if analysis.verdict is Verdict.UNKNOWN:
            losing = sum(move.verdict is Verdict.LOSS for move in analysis.values)
            return (
                Unproved(
                    variant=self.variant,
                    position=analysis.position,
                    best=_shown(analysis),
                    tried=self._tried(self._what_was_searched(analysis)),
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

    def _tried(self, searched: str) -> str:
        """Why nothing is proved: what theory says, if there is any for the game, and what became of the search."""
        return ", and ".join([*(judge.failure for judge in self.theory), searched])

    def _what_was_searched(self, analysis: Analysis) -> str:
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
        with clock.at_most(LONGEST_LOOK):
            shown = replace(proof, best=cell).with_line(lambda: self._line(analysis, cell, clock))
        others = tuple(one for one in analysis.proofs if one is not proof)
        return replace(analysis, proofs=(shown, *others), seconds=clock.seconds)

    def _line(self, analysis: Analysis, first: Cell, clock: Clock) -> tuple[Cell, ...]:
        """How the game can continue: the winner's moves are proved, and with distances both play best to the end."""
        line, position = [first], analysis.position.after(first)
        values = (analysis.without_swap or analysis).values
        counted = any(move.cell == first and move.distance is not None for move in values)
        winners = (
            0 if analysis.proof.verdict is Verdict.WIN else 1
        )  # whether the winner makes the even or the odd moves
        while self.variant.legal(position) and (counted or len(line) < LONGEST_LINE):
            with clock.at_most(None if counted else FIRST_LOOK):
                distances = self.distances.of_moves(position, clock)
            if distances:
                winning = [cell for cell in distances if distances[cell] > 0]
                cell: Cell | None = min(winning or distances, key=lambda cell: distances[cell])
            else:
                cell = None if counted else self._likely(position, len(line) % 2 == winners, clock)
            if cell is None:
                break
            line.append(cell)
            position = position.after(cell)
        if self.variant.legal(position):  # not played to the end: then it breaks off with a move of the winner's
            line = line[: len(line) - (len(line) - 1 - winners) % 2]
            return tuple(line) if len(line) > 1 else ()
        return tuple(line)

    def _likely(self, position: Position, wins: bool, clock: Clock) -> Cell | None:
        """A move that is proved to win, or else one that leaves the opponent little room; none if the time is up."""
        legal = self.variant.legal

        def room(cell: Cell) -> int:
            after = position.after(cell)
            return legal(after).bit_count() - legal(after.passed()).bit_count()

        order = sorted(self.variant.legal_cells(position), key=room)
        if not wins:
            return order[0]
        return next((cell for cell, verdict in self.decide(position, order, clock) if verdict is Verdict.WIN), None)


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
