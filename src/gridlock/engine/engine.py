"""Combine three kinds of proof (matching, mirror and search) into one analysis."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from gridlock.core.game import Game
from gridlock.core.grid import Cell
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.engine.analysis import Analysis, MoveValue, combine, with_swap
from gridlock.engine.clock import MEBIBYTE, Clock
from gridlock.engine.evidence import LONGEST_LINE, Judge, Proof, Searched, Unproved, Verdict
from gridlock.engine.kernels.interface import Tick
from gridlock.engine.search import DEEPEST, Distances, Search

FIRST_LOOK = 0.02  # seconds for each move in the first round
MOMENT = 0.05  # seconds for counting distances that the caller did not ask for
TABLES = 256 * MEBIBYTE  # table memory of a cached engine; a worker with a memory limit sets less
LONGEST_LOOK = 1.0  # seconds to find a line of play


class Engine:
    """The solver for one game on one board; it remembers what it has proved."""

    def __init__(
        self, variant: Variant, memory: int = 256 * MEBIBYTE, mirrors: bool = True, without: Sequence[str] = ()
    ) -> None:
        self.variant = variant
        self.memory = memory
        self.distances = Distances(variant, memory // 4)
        self.search = Search(variant, memory // 4 * 3, self.distances, mirrors, without)
        self.theory: list[Judge] = []  # judges that need no search: a matching decides every position, mirrors some
        if variant.shape is not None and variant.shape.geography:
            from gridlock.engine.matching import Matching

            self.theory = [Matching(variant)]
        elif variant.shape is not None:
            from gridlock.engine.mirror import Mirrors

            self.theory = [Mirrors(variant, variant.shape)]

    @property
    def nodes(self) -> int:
        """The number of positions searched so far."""
        return self.search.nodes + self.distances.nodes

    # -- one position -----------------------------------------------------------------------------------------

    def prove(self, position: Position, tick: Tick) -> Proof | None:
        """Use the rules, a matching or a mirror, but no search, to prove who wins; return None if that fails."""
        if not self.variant.legal(position):
            if not self.search.stays_stuck(position, tick):
                return None
            return Proof(variant=self.variant, position=position, verdict=Verdict.LOSS)
        return next((proof for judge in self.theory if (proof := judge.judge(position, tick))), None)

    def judge(self, position: Position, tick: Tick) -> Proof:
        """Prove who wins, searching only if nothing quicker decides the position."""
        proof = self.prove(position, tick) or self.search.judge(position, tick)
        return proof or Unproved(variant=self.variant, position=position, tried=self._tried(self.search.failure))

    def verdict(self, position: Position, clock: Clock) -> Verdict:
        """Return only the verdict for the player to move, and not the proof."""
        return self.judge(position, clock).verdict

    # -- every move of a position -----------------------------------------------------------------------------

    def analyse(self, game: Game, clock: Clock, counting: float | None = MOMENT) -> Analysis:
        """Evaluate every move of a game, taking the swap rule into account, and explain the best move.

        Computing distances takes up to `counting` seconds, or as long as the clock allows if `counting` is None.
        """
        return with_swap(game, self.explained(self.weigh(game.position, clock, counting), clock))

    def weigh_game(self, game: Game, clock: Clock, counting: float | None = MOMENT) -> Analysis:
        """Evaluate every move in a game's current position as analyse() does, but without a line of play."""
        return with_swap(game, self.weigh(game.position, clock, counting))

    def weigh(self, position: Position, clock: Clock, counting: float | None = MOMENT) -> Analysis:
        """Evaluate every move in a position, ignoring the swap rule."""
        before = self.nodes
        cells = self.variant.legal_cells(position)
        proof = self.prove(position, clock)
        verdicts = self._verdicts(position, cells, proof, clock)
        distances: dict[Cell, int] = {}
        if cells:
            with clock.at_most(counting):
                distances = self.distances.of_moves(position, clock)
        verdicts |= {cell: Verdict.of(distance > 0) for cell, distance in distances.items()}  # exact, so proved
        verdict = combine(verdicts.values()) if cells or proof else Verdict.UNKNOWN
        values = tuple(MoveValue(cell, verdicts[cell], abs(distances[cell]) if distances else None) for cell in cells)
        analysis = Analysis(self.variant, position, verdict, values, (), self.nodes - before, clock.seconds)
        return replace(analysis, proofs=self._proofs(analysis, proof, distances))

    def _verdicts(
        self, position: Position, cells: list[Cell], proof: Proof | None, clock: Clock
    ) -> dict[Cell, Verdict]:
        """Return the verdict on each move, as far as time allows."""
        winning = set(proof.winning) if proof else set()
        if proof and proof.complete:
            return {cell: Verdict.of(cell in winning) for cell in cells}
        verdicts = {cell: Verdict.WIN if cell in winning else Verdict.UNKNOWN for cell in cells}
        return verdicts | dict(self.decide(position, [cell for cell in cells if cell not in winning], clock))

    def decide(self, position: Position, cells: Iterable[Cell], clock: Clock) -> Iterator[tuple[Cell, Verdict]]:
        """Yield the verdict on each move as soon as it is known, leaving out moves that cannot be decided in time.

        First, every move is searched briefly. Undecided moves are then searched repeatedly, and each round allows
        four times as much time as the previous one. Each new search is faster, because it can use the positions that
        earlier searches have proved.
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
        """Return the proofs in an analysis, strongest first, each with the move to show."""
        best = _shown(analysis)
        if analysis.verdict is Verdict.UNKNOWN:
            unproved = Unproved(
                variant=self.variant,
                position=analysis.position,
                best=best,
                tried=self._tried(self._search_failure(analysis)),
                losing=sum(move.verdict is Verdict.LOSS for move in analysis.values),
                moves=len(analysis.values),
            )
            return (unproved,)
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
        """Explain why there is no proof: why no matching or mirror applies, and why the search failed."""
        return ", and ".join([*(judge.failure for judge in self.theory), searched])

    def _search_failure(self, analysis: Analysis) -> str:
        """Return the reason why the search did not decide the analysed position."""
        if analysis.positions:
            took = f"{analysis.seconds:.1f}" if analysis.seconds >= 1 else f"{max(analysis.seconds, 0.01):.2f}"
            return f"searching {analysis.positions:,} positions in {took} s did not settle it"
        if (self.variant.grid.cells & ~analysis.position.taken).bit_count() > DEEPEST:
            return "there are too many empty cells for a search"
        return "there was no time for a search"

    def explained(self, analysis: Analysis, clock: Clock, cell: Cell | None = None) -> Analysis:
        """Return an analysis in which the proof for a move (by default, the best move) precedes all other proofs.

        Add a line of play to a proof by exhaustive search, unless the move wins immediately.
        """
        cell = analysis.proof.best if cell is None else cell
        if cell is None:
            return analysis
        proof = analysis.proof_of(cell)
        with clock.at_most(LONGEST_LOOK):
            shown = replace(proof, best=cell).with_line(lambda: self._line(analysis, cell, clock))
        others = tuple(one for one in analysis.proofs if one is not proof)
        return replace(analysis, proofs=(shown, *others), seconds=clock.seconds)

    def best_line(self, analysis: Analysis, clock: Clock) -> tuple[Cell, ...]:
        """Return an analysis's line of play.

        If the analysis has no line, return a line of perfect play, provided that the distances to the end of the game
        are known and no swap is possible.
        """
        best = analysis.proof.best
        if analysis.line or best is None or analysis.distance is None or analysis.without_swap or analysis.swap:
            return analysis.line
        with clock.at_most(LONGEST_LOOK):
            return self._line(analysis, best, clock)

    def _line(self, analysis: Analysis, first: Cell, clock: Clock) -> tuple[Cell, ...]:
        """Find a line of play in which each of the winner's moves is proved to win.

        If the distances to the end of the game are known, the line shows perfect play by both sides.
        """
        line, position = [first], analysis.position.after(first)
        values = (analysis.without_swap or analysis).values
        counted = any(move.cell == first and move.distance is not None for move in values)
        winners = 0 if analysis.proof.verdict is Verdict.WIN else 1  # the winner makes the even or the odd moves
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
        if self.variant.legal(position):  # an unfinished line ends with a move of the winner
            line = line[: len(line) - (len(line) - 1 - winners) % 2]
            return tuple(line) if len(line) > 1 else ()
        return tuple(line)

    def _likely(self, position: Position, wins: bool, clock: Clock) -> Cell | None:
        """Return the next move in a line of play.

        For the winner, return a move that is proved to win, or None if there is no time for a proof. For the loser,
        return the move after which the opponent's lead in legal moves is smallest.
        """
        legal = self.variant.legal

        def room(cell: Cell) -> int:
            after = position.after(cell)
            return legal(after).bit_count() - legal(after.passed()).bit_count()

        order = sorted(self.variant.legal_cells(position), key=room)
        if not wins:
            return order[0]
        return next((cell for cell, verdict in self.decide(position, order, clock) if verdict is Verdict.WIN), None)


def _shown(analysis: Analysis) -> Cell | None:
    """Return the move to show: the quickest win, else an undecided move, else the slowest loss."""

    def rank(move: MoveValue) -> tuple[int, int]:
        order = (Verdict.WIN, Verdict.UNKNOWN, Verdict.LOSS).index(move.verdict)
        distance = move.distance or 0
        return order, distance if move.verdict is Verdict.WIN else -distance

    return min(analysis.values, key=rank).cell if analysis.values else None


@lru_cache(maxsize=4)
def engine_for(variant: Variant) -> Engine:
    """Return the cached engine for a game on a board; the engine remembers what it has proved."""
    return Engine(variant, TABLES)
