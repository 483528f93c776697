"""Why a move wins, as a person follows it: who plays what, and the first answer as an example."""

from gridlock.core.grid import Cell, cells_of
from gridlock.engine.analysis import Analysis
from gridlock.engine.evidence import Proof, Verdict
from gridlock.engine.matching import Paired
from gridlock.engine.mirror import Mirrored


def reason(analysis: Analysis) -> str:
    """The reason for the best move, and how the first answer goes."""
    example = "" if analysis.without_swap or not analysis.values else _example(analysis.proof)
    return f"{analysis.words()} {example}".rstrip()


def _example(proof: Proof) -> str:
    """What a mirror or a pairing means here: a move of the loser's, and the answer to it."""
    best = proof.best
    if best is None or not isinstance(proof, Mirrored | Paired):
        return ""
    wins = proof.verdict is Verdict.WIN
    mover, other = _marks(proof)
    loser, winner = (other, mover) if wins else (mover, other)
    position = proof.position.after(best) if wins else proof.position
    for move in proof.variant.legal_cells(position):
        answer = proof.answer(move)
        if answer is not None:
            name = proof.variant.name
            partner = "its partner" if isinstance(proof, Paired) else "its image"
            begins = f"{winner} plays {name(best)}; if {loser} then" if wins else f"if {loser}"
            return f"For instance: {begins} plays {name(move)}, {winner} answers with {partner}, {name(answer)}."
    return ""


def _marks(proof: Proof) -> tuple[str, str]:
    """The marker of the side to move, and the other one."""
    book, turn = proof.variant.book, proof.position.turn
    return book.mark(turn), book.mark(3 - turn)


def partners(analysis: Analysis) -> dict[Cell, Cell]:
    """Which cell answers which, if the winner plays by pairs or by a mirror: what there is to draw."""
    if analysis.without_swap or not analysis.values:
        return {}
    proof = analysis.proof
    if not isinstance(proof, Mirrored) or proof.best is None:
        return analysis.pairing
    position = proof.position.after(proof.best) if proof.verdict is Verdict.WIN else proof.position
    shape = proof.variant.shape
    free = proof.variant.grid.cells & ~position.taken
    open_to_loser = proof.variant.legal(position) if shape is not None and shape.placing else free
    found: dict[Cell, Cell] = {}
    for cell in cells_of(open_to_loser):
        image = proof.answer(cell)
        if image is not None and image != cell and free >> image & 1:
            found[cell], found[image] = image, cell
    return found
