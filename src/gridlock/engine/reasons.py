"""Explain why a move wins, with the first answer as an example."""

from gridlock.core.grid import Cell
from gridlock.engine.analysis import Analysis
from gridlock.engine.evidence import Proof, Verdict


def reason(analysis: Analysis) -> str:
    """Return the reason for the best move, with an example of the first answer."""
    example = "" if analysis.without_swap or not analysis.values else _example(analysis.proof)
    return f"{analysis.words()} {example}".rstrip()


def _example(proof: Proof) -> str:
    """Return an example of a mirror or a pairing: a move of the loser and the answer to it."""
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
    """Return the answer to each cell, for drawing, if the winner plays by pairs or by a mirror."""
    return {} if analysis.without_swap or not analysis.values else analysis.proof.partners
