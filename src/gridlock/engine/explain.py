"""Why a position is won or lost, in words a player follows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gridlock.engine.analysis import Analysis, Method, Verdict
from gridlock.engine.clock import Clock
from gridlock.engine.mirror import losing_mirror, mirror_moves
from gridlock.grid import Cell

if TYPE_CHECKING:
    from gridlock.engine.engine import Engine

LONGEST_LINE = 12  # moves of a line that are worth reading

HOW = {
    "half-turn": "the cell opposite through the centre of the board",
    "left-right mirror": "the cell mirrored left to right",
    "up-down mirror": "the cell mirrored top to bottom",
    "main-diagonal mirror": "the cell mirrored in the diagonal from the top left",
    "other-diagonal mirror": "the cell mirrored in the diagonal from the top right",
}


def best_move(analysis: Analysis) -> Cell | None:
    """The move to show: the quickest win, or the loss that takes longest, or else one not known to lose."""
    if not analysis.moves:
        return None

    def rank(index: int) -> tuple[int, int]:
        move = analysis.moves[index]
        order = (Verdict.WIN, Verdict.UNKNOWN, Verdict.LOSS).index(move.verdict)
        distance = move.distance or 0
        return order, distance if move.verdict is Verdict.WIN else -distance

    return analysis.moves[min(range(len(analysis.moves)), key=rank)].cell


def explain(engine: Engine, found: Analysis, clock: Clock, about: Cell | None = None) -> Analysis:
    """The same analysis with the reason for a move (the best one, unless another is named) and what is behind it."""
    if not found.moves:
        return replace(found, explanation="There is no move left: the player to move has lost.")
    cell = best_move(found) if about is None else about
    assert cell is not None  # there are moves
    name = found.variant.name(cell)
    if found.method is Method.MATCHING:
        return _by_matching(engine, found, cell)
    if found.method is Method.MIRROR and found.verdict is Verdict.LOSS:
        mirror = losing_mirror(found.variant, found.position)
        assert mirror is not None  # that is how it was found
        return replace(
            found, explanation=f"Every move loses: to each, the opponent can answer with {HOW[mirror.name]}."
        )
    if found.method is Method.MIRROR:
        by_mirror = dict(mirror_moves(found.variant, found.position))
        cell = next(iter(by_mirror)) if about is None else about
        if cell in by_mirror:
            name, how = found.variant.name(cell), HOW[by_mirror[cell].name]
            return replace(found, explanation=f"{name} wins: from then on, answer every move with {how}.")
    if found.verdict is Verdict.UNKNOWN:
        return replace(found, explanation=_what_was_tried(found))
    line = _line(engine, found, cell, clock)
    shown = " ".join(found.variant.name(move) for move in line[:LONGEST_LINE])
    end = " ..." if len(line) > LONGEST_LINE else "."
    if found.verdict is Verdict.WIN:
        distance = next(move.distance for move in found.moves if move.cell == cell)
        text = f"{name} wins" + (f" in {distance} plies" if distance else "")
    else:
        text = "Every move loses" + (f", at the latest after {found.distance} plies" if found.distance else "")
    reason = f": for instance {shown}{end}" if line else f", as a search of {found.positions:,} positions shows."
    return replace(found, explanation=text + reason, line=line)


def _what_was_tried(found: Analysis) -> str:
    """Why there is no answer."""
    tried = f"a search of {found.positions:,} positions did not finish in {found.seconds:.1f} s"
    if not found.positions:
        tried = "there is too much room left for a search"
    losing = sum(move.verdict is Verdict.LOSS for move in found.moves)
    known = f" {losing} of {len(found.moves)} moves are known to lose." if losing else ""
    return f"Not found out who wins: no mirror decides it, and {tried}.{known}"


def _by_matching(engine: Engine, found: Analysis, cell: Cell) -> Analysis:
    """The pairing that the winner follows."""
    empty = found.variant.grid.cells & ~found.position.taken
    name = found.variant.name(cell)
    if found.verdict is Verdict.WIN:
        partners = engine.geography.pairing_after(empty, cell)
        text = (
            f"{name} wins: the empty cells left then pair up so that every cell the opponent can take has a partner; "
            "answer each move with its partner."
        )
    else:
        partners = engine.geography.pairing(empty)
        text = (
            "Every move loses: the empty cells pair up so that each cell you can take has a partner, "
            "and the opponent answers with that."
        )
    pairing = {one: other for one, other in enumerate(partners) if other >= 0}
    return replace(found, explanation=text, pairing=pairing)


def _line(engine: Engine, found: Analysis, first: Cell, clock: Clock) -> tuple[Cell, ...]:
    """How the game goes on if the winner hurries and the loser delays, as far as distances are known."""
    if found.distance is None:
        return ()
    line = [first]
    position = found.position.after(first)
    while engine.variant.legal(position):
        distances = engine.distances(position, clock, 0.2)
        if not distances:
            break
        winning = [cell for cell in distances if distances[cell] > 0]
        cell = min(winning or distances, key=lambda cell: distances[cell])
        line.append(cell)
        position = position.after(cell)
    return tuple(line)
