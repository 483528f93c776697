"""The answer to "who wins, by which moves, and why?"."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from gridlock.core.game import Game, Player
from gridlock.core.grid import Cell
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.engine.evidence import Method, Proof, Verdict, wins_at_once

NO_FIRST_WIN = "No first move wins: the other player takes it over if it does, and plays on if it loses."


@dataclass(frozen=True)
class MoveValue:
    """What one move is worth, and the plies until the loser is stuck, where they could be counted."""

    cell: Cell
    verdict: Verdict
    distance: int | None = None


@dataclass(frozen=True)
class Analysis:
    """Everything found out about a position, and with the swap rule about the choice to swap."""

    variant: Variant
    position: Position
    verdict: Verdict  # for the player to move, swapping counted in
    values: tuple[MoveValue, ...]  # every legal move, in row order
    proofs: tuple[Proof, ...]  # what the verdict on the moves rests on, the strongest first
    positions: int = 0  # how many were searched
    seconds: float = 0.0
    swap: Verdict | None = None  # what swapping is worth, where it is possible
    without_swap: "Analysis | None" = None  # before a first move that can be taken over: the same if it could not

    @property
    def proof(self) -> Proof:
        """The strongest evidence."""
        return self.proofs[0]

    @property
    def method(self) -> Method:
        """The kind of that evidence."""
        return Method.RULES if self.without_swap else self.proof.method

    @property
    def best(self) -> Cell | None:
        """The move to show: one that wins, or else the best try; None where only swapping wins, or nothing is left."""
        return None if self.swap is Verdict.WIN else self.proof.best

    @property
    def winning(self) -> list[Cell]:
        """The moves that win, in row order."""
        return [move.cell for move in self.values if move.verdict is Verdict.WIN]

    def value_of(self, cell: Cell) -> Verdict:
        """What a legal move is worth."""
        return next(move.verdict for move in self.values if move.cell == cell)

    @property
    def distance(self) -> int | None:
        """Plies until the loser is stuck, the winner hurrying and the loser delaying."""
        if not self.values:
            return 0
        if self.without_swap or self.swap is Verdict.WIN:
            return None
        known = [move.distance for move in self.values if move.verdict is self.verdict]
        if self.verdict is Verdict.UNKNOWN or None in known:
            return None
        distances = [distance for distance in known if distance is not None]
        return min(distances) if self.verdict is Verdict.WIN else max(distances)

    def proof_of(self, cell: Cell | None = None) -> Proof:
        """The strongest evidence that knows about a move (the best one, unless another is named)."""
        cell = self.proof.best if cell is None else cell
        return next((proof for proof in self.proofs if cell is None or proof.knows(cell)), self.proofs[-1])

    def words(self, cell: Cell | None = None) -> str:
        """The reason for a move (the best one, unless another is named), in words a player follows."""
        if self.without_swap:
            return NO_FIRST_WIN
        if self.swap is Verdict.WIN and not self.values:
            return "Swapping wins: whoever has to answer the first move has no move."
        reason = self.proof_of(cell).words(cell)
        if cell is None and self.swap is Verdict.WIN:
            return f"Swapping wins, since no move does. {reason}"
        if cell is None and self.swap is Verdict.UNKNOWN:
            return f"Either swapping wins or a move does. {reason}"
        return reason

    @property
    def pairing(self) -> dict[Cell, Cell]:
        """Which cells are partners, if the winner plays by pairs."""
        return {} if self.without_swap else self.proof.pairing

    @property
    def line(self) -> tuple[Cell, ...]:
        """How the game could go on: a win at once, or as a search shows."""
        best = self.proof.best
        if self.without_swap or self.swap is Verdict.WIN or best is None:
            return ()
        return (best,) if wins_at_once(self.variant, self.position, best) else self.proof_of().line


def combine(verdicts: Iterable[Verdict]) -> Verdict:
    """A position is won if some move wins, lost if every move loses."""
    found = set(verdicts)
    if Verdict.WIN in found:
        return Verdict.WIN
    return Verdict.UNKNOWN if Verdict.UNKNOWN in found else Verdict.LOSS


# -- the swap rule, decided here and nowhere else --------------------------------------------------------------------


def with_swap(game: Game, analysis: Analysis) -> Analysis:
    """What an analysis of a game's position means to its players, who may still have a swap before them.

    Whatever the first move is, the other player has the better of swapping and playing on: so no first move wins, and
    who may swap wins, by one or the other.
    """
    if game.can_swap:
        return replace(analysis, verdict=Verdict.WIN, swap=analysis.verdict.opposite)
    if game.swap_ahead:
        values = tuple(MoveValue(move.cell, Verdict.LOSS) for move in analysis.values)
        return replace(analysis, verdict=Verdict.LOSS, values=values, without_swap=analysis)
    return analysis


def winner_by_swap(game: Game) -> Player | None:
    """Who wins because a swap is still to come, or can be made now; None where the position decides."""
    return 3 - game.starts if game.swap and len(game.moves) < 2 else None
