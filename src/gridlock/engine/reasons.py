"""Why a move wins, as a person follows it: who plays what, and the first answer as an example."""

from gridlock.core.grid import Cell
from gridlock.engine.analysis import Analysis
from gridlock.engine.evidence import Proof, Verdict


def reason(analysis: Analysis) -> str:
    """The reason for the best move, and how the first answer goes."""
    example = "" if analysis.without_swap or not analysis.values else _example(analysis.proof)
    return f"{analysis.words()} {example}".rstrip()


def _example(proof: Proof) -> str:
    """What a mirror or a pairing means here: a move of the loser's, and the answer to it."""
    best = proof.best
    if best is None or not proof.partner:
        return ""
    wins, name, mark = proof.verdict is Verdict.WIN, proof.variant.name, proof.variant.book.mark
    position = proof.position.after(best) if wins else proof.position
    loser, winner = mark(position.turn), mark(3 - position.turn)
    for move in proof.variant.legal_cells(position):
        answer = proof.answer(move)
        if answer is not None:
            begins = f"{winner} plays {name(best)}; if {loser} then" if wins else f"if {loser}"
            return f"For instance: {begins} plays {name(move)}, {winner} answers with {proof.partner}, {name(answer)}."
    return ""


def partners(analysis: Analysis) -> dict[Cell, Cell]:
    """Which cell answers which, if the winner plays by pairs or by a mirror: what there is to draw."""
    return {} if analysis.without_swap or not analysis.values else analysis.proof.partners
