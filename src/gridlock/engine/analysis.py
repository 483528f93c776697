"""Analyses of positions: who wins, by which moves, and why."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from gridlock.core.game import Game, Player
from gridlock.core.grid import Cell
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.engine.evidence import Method, Proof, Verdict, wins_at_once

NO_FIRST_WIN = "No first move wins: the other player swaps if the move is good, and plays on if it is bad."


@dataclass(frozen=True)
class MoveValue:
    """The value of one move and, if known, the number of plies until the loser is stuck."""

    cell: Cell
    verdict: Verdict
    distance: int | None = None


@dataclass(frozen=True)
class Analysis:
    """Everything known about a position and, under the swap rule, about swapping."""

    variant: Variant
    position: Position
    verdict: Verdict  # for the player to move, taking swapping into account
    values: tuple[MoveValue, ...]  # every legal move, in row order
    proofs: tuple[Proof, ...]  # proofs of the verdict on the moves, strongest first
    positions: int = 0  # the number of positions searched
    seconds: float = 0.0
    swap: Verdict | None = None  # the value of swapping, if it is possible
    without_swap: "Analysis | None" = None  # if the first move can be swapped, the analysis ignoring the swap rule

    @property
    def proof(self) -> Proof:
        """The strongest proof."""
        return self.proofs[0]

    @property
    def method(self) -> Method:
        """The method used in the strongest proof."""
        return Method.RULES if self.without_swap else self.proof.method

    @property
    def best(self) -> Cell | None:
        """The move to show: a winning move, or else the best try; None if no move is left or the player should swap."""
        return None if self.swap is Verdict.WIN else self.proof.best

    @property
    def winning(self) -> list[Cell]:
        """The moves that win, in row order."""
        return [move.cell for move in self.values if move.verdict is Verdict.WIN]

    def value_of(self, cell: Cell) -> Verdict:
        """Return the value of a legal move."""
        return next(move.verdict for move in self.values if move.cell == cell)

    @property
    def distance(self) -> int | None:
        """Plies until the loser is stuck, if the winner plays the fastest win and the loser the longest defence."""
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
        """Return the strongest proof that covers a move (by default, the best move)."""
        cell = self.proof.best if cell is None else cell
        return next((proof for proof in self.proofs if cell is None or proof.knows(cell)), self.proofs[-1])

    def words(self, cell: Cell | None = None) -> str:
        """Return the reason for a move (by default, the best move), worded for players."""
        if self.without_swap and self.values:
            return NO_FIRST_WIN
        if self.swap is Verdict.WIN and not self.values:
            return "Swapping wins the game, because the first move leaves no legal reply."
        reason = self.proof_of(cell).words(cell)
        if cell is None and self.swap is Verdict.WIN:
            return f"Only swapping wins. {reason}"
        if cell is None and self.swap is Verdict.UNKNOWN:
            return f"The player to move wins, either by swapping or by making a move. {reason}"
        return reason

    @property
    def pairing(self) -> dict[Cell, Cell]:
        """Each cell's partner, if the winner's strategy is a pairing of cells."""
        return {} if self.without_swap else self.proof.pairing

    @property
    def line(self) -> tuple[Cell, ...]:
        """A possible continuation: an immediate win, or the line that a search found."""
        best = self.proof.best
        if self.without_swap or self.swap is Verdict.WIN or best is None:
            return ()
        return (best,) if wins_at_once(self.variant, self.position, best) else self.proof_of().line


def combine(verdicts: Iterable[Verdict]) -> Verdict:
    """Return a position's verdict, given the verdicts on its moves: won if any move wins, lost if all moves lose."""
    found = set(verdicts)
    if Verdict.WIN in found:
        return Verdict.WIN
    return Verdict.UNKNOWN if Verdict.UNKNOWN in found else Verdict.LOSS


# -- the reason with an example --------------------------------------------------------------------------------------


def reason(analysis: Analysis) -> str:
    """Return the reason for the best move, with an example if the reason is a mirror or a pairing."""
    example = "" if analysis.without_swap or not analysis.values else _example(analysis.proof)
    return f"{analysis.words()} {example}".rstrip()


def _example(proof: Proof) -> str:
    """Return an example of how a mirror or a pairing works: a move by the loser, and the winner's answer."""
    best = proof.best
    if best is None or not proof.partner:
        return ""
    wins, name, mark = proof.verdict is Verdict.WIN, proof.variant.name, proof.variant.book.mark
    position = proof.position.after(best) if wins else proof.position
    loser, winner = mark(position.turn), mark(3 - position.turn)
    for move in proof.variant.legal_cells(position):
        answer = proof.answer(move)
        if answer is not None and proof.answer(answer) in (
            move,
            None,
        ):  # not the answer to a cell that is its own image
            begins = f"{winner} plays {name(best)}; if {loser} then" if wins else f"if {loser}"
            return f"For instance: {begins} plays {name(move)}, {winner} answers with {proof.partner}, {name(answer)}."
    return ""


def partners(analysis: Analysis) -> dict[Cell, Cell]:
    """Map the loser's moves to the winner's answers, so that a board can show them.

    The map is empty unless the winner's strategy is a pairing or a mirror.
    """
    return {} if analysis.without_swap or not analysis.values else analysis.proof.partners


# -- the swap rule, handled only here --------------------------------------------------------------------------------


def with_swap(game: Game, analysis: Analysis) -> Analysis:
    """Adapt the analysis of a game's position to the swap rule.

    Whatever the first move is, the other player chooses the better of swapping and playing on. So no first move wins,
    and the player who may swap wins, by swapping or by playing on.
    """
    if game.can_swap:
        return replace(analysis, verdict=Verdict.WIN, swap=analysis.verdict.opposite)
    if game.swap_ahead:
        values = tuple(MoveValue(move.cell, Verdict.LOSS) for move in analysis.values)
        return replace(analysis, verdict=Verdict.LOSS, values=values, without_swap=analysis)
    return analysis


def winner_by_swap(game: Game) -> Player | None:
    """If a swap is possible now or later, return the player who wins because of the swap rule; otherwise None."""
    return 3 - game.starts if game.swap and len(game.moves) < 2 else None
