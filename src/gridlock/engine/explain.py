"""Why a position is won or lost, in words a player follows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gridlock.engine.analysis import Analysis, Method, Verdict
from gridlock.engine.clock import Clock
from gridlock.engine.mirror import losing_mirror, mirror_moves
from gridlock.engine.search import DEEPEST
from gridlock.grid import Cell
from gridlock.position import Position

if TYPE_CHECKING:
    from gridlock.engine.engine import Engine

LONGEST_LINE = 16  # moves of a line that are worth reading
PATIENCE, GLIMPSE = 1.0, 0.02  # seconds to find a line, and for a first look at each of its moves

HOW = {
    "half-turn": "the cell opposite through the centre of the board",
    "left-right mirror": "the cell mirrored left to right",
    "up-down mirror": "the cell mirrored top to bottom",
    "main-diagonal mirror": "the cell mirrored in the diagonal from the top left",
    "other-diagonal mirror": "the cell mirrored in the diagonal from the top right",
}


def best_move(found: Analysis) -> Cell | None:
    """The move to show: a win at once, by a mirror or else the quickest; or the longest loss, or one not known."""
    if not found.moves:
        return None
    if found.method is Method.MIRROR and found.verdict is Verdict.WIN and found.distance != 1:
        return next(mirror_moves(found.variant, found.position))[0]

    def rank(index: int) -> tuple[int, int]:
        move = found.moves[index]
        order = (Verdict.WIN, Verdict.UNKNOWN, Verdict.LOSS).index(move.verdict)
        distance = move.distance or 0
        return order, distance if move.verdict is Verdict.WIN else -distance

    return found.moves[min(range(len(found.moves)), key=rank)].cell


def explain(engine: Engine, found: Analysis, about: Cell | None = None) -> Analysis:
    """The same analysis with the reason for a move (the best one, unless another is named) and what is behind it."""
    cell = best_move(found) if about is None else about
    if cell is None:
        return replace(found, explanation="There is no move left: the player to move has lost.")
    if words := wins_at_once(found, cell):
        return replace(found, explanation=f"{found.variant.name(cell)} wins: {words}.", line=(cell,))
    if found.verdict is Verdict.UNKNOWN:
        return replace(found, explanation=_what_was_tried(found))
    if found.method is Method.MATCHING:
        return _by_matching(engine, found, cell)
    if found.method is Method.MIRROR and (words := _by_mirror(found, cell)):
        return replace(found, explanation=words)
    return _by_search(engine, found, cell)


def wins_at_once(found: Analysis, cell: Cell) -> str:
    """How a move ends the matter on the spot, if it does."""
    variant, position = found.variant, found.position
    if variant.legal(position.after(cell)):
        return ""
    if variant.book.passes and not variant.legal(position.passed()):
        return "the opponent has no move left"
    return "it leaves the opponent no move"


def until_stuck(distance: int) -> str:
    """What a distance counts; in scatter the winner may still place tokens after that."""
    return f"{distance} move{'s' * (distance != 1)} until the loser is stuck"


def line_words(found: Analysis) -> str:
    """The line in words, as far as it is worth reading."""
    end = found.position
    for cell in found.line:
        end = end.after(cell)
    whole = len(found.line) <= LONGEST_LINE and not found.variant.legal(end)
    shown = " ".join(found.variant.name(cell) for cell in found.line[:LONGEST_LINE])
    return shown + ("." if whole else " ...")


def _what_was_tried(found: Analysis) -> str:
    """Why there is no answer."""
    if found.positions:
        took = f"{found.seconds:.1f}" if found.seconds >= 1 else f"{max(found.seconds, 0.01):.2f}"
        tried = f"a search of {found.positions:,} positions did not finish in {took} s"
    elif (found.variant.grid.cells & ~found.position.taken).bit_count() > DEEPEST:
        tried = "there is too much room left for a search"
    else:
        tried = "there was no time for a search"
    losing = sum(move.verdict is Verdict.LOSS for move in found.moves)
    known = f" {losing} of {len(found.moves)} moves {'is' if losing == 1 else 'are'} known to lose." if losing else ""
    return f"Not found out who wins: no mirror decides it, and {tried}.{known}"


def _by_matching(engine: Engine, found: Analysis, cell: Cell) -> Analysis:
    """The pairing that the winner follows."""
    empty = found.variant.grid.cells & ~found.position.taken
    if found.verdict is Verdict.WIN:
        partners = engine.geography.pairing_after(empty, cell)
        text = (
            f"{found.variant.name(cell)} wins: the empty cells left then pair up so that every cell the opponent can "
            "take has a partner, and that is the answer to it."
        )
    else:
        partners = engine.geography.pairing(empty)
        text = (
            "Every move loses: the empty cells pair up so that every cell that can be taken has a partner, "
            "and the opponent answers with that."
        )
    pairing = {one: other for one, other in enumerate(partners) if other >= 0}
    return replace(found, explanation=text, pairing=pairing)


def _by_mirror(found: Analysis, cell: Cell) -> str:
    """The mirror that the winner follows, unless the move wins without one."""
    if found.verdict is Verdict.LOSS:
        mirror = losing_mirror(found.variant, found.position)
        assert mirror is not None  # that is how it was found
        return f"Every move loses: to each, the opponent can answer with {HOW[mirror.name]}."
    mirror = dict(mirror_moves(found.variant, found.position)).get(cell)
    if mirror is None:
        return ""
    return f"{found.variant.name(cell)} wins: from then on every move can be answered with {HOW[mirror.name]}."


def _by_search(engine: Engine, found: Analysis, cell: Cell) -> Analysis:
    """A line that follows, or at least what was found."""
    if found.verdict is Verdict.WIN:
        text, most = f"{found.variant.name(cell)} wins", ""
        distance = next(move.distance for move in found.moves if move.cell == cell)
    else:
        text, most, distance = "Every move loses", "at most ", found.distance
    text += ", as a search shows" if distance is None else f" ({most}{until_stuck(distance)})"
    found = replace(found, line=_line(engine, found, cell, distance is not None))
    return replace(found, explanation=f"{text}: for instance {line_words(found)}" if found.line else f"{text}.")


def _line(engine: Engine, found: Analysis, first: Cell, counted: bool) -> tuple[Cell, ...]:
    """How the game can go on: the winner's moves are proved, and with distances the best play of both to the end."""
    clock = Clock(PATIENCE)
    line, position = [first], found.position.after(first)
    winners = 0 if found.verdict is Verdict.WIN else 1  # whether the winner's moves are the even ones or the odd ones
    while engine.variant.legal(position) and (counted or len(line) < LONGEST_LINE):
        distances = engine.distances(position, clock, None if counted else GLIMPSE)
        if distances:
            winning = [cell for cell in distances if distances[cell] > 0]
            cell: Cell | None = min(winning or distances, key=lambda cell: distances[cell])
        else:
            cell = None if counted else _likely(engine, position, len(line) % 2 == winners, clock)
        if cell is None:
            break
        line.append(cell)
        position = position.after(cell)
    if engine.variant.legal(position):  # not played to the end: then it breaks off with a move of the winner's
        line = line[: len(line) - (len(line) - 1 - winners) % 2]
        return tuple(line) if len(line) > 1 else ()
    return tuple(line)


def _likely(engine: Engine, position: Position, wins: bool, clock: Clock) -> Cell | None:
    """A move that is proved to win, or else one that leaves the opponent little room; none if the time is up."""
    legal = engine.variant.legal

    def room(cell: Cell) -> int:
        after = position.after(cell)
        return legal(after).bit_count() - legal(after.passed()).bit_count()

    order = sorted(engine.variant.legal_cells(position), key=room)
    share = GLIMPSE
    while wins and not clock.expired:
        for cell in order:
            clock.slice(share)
            if engine.verdict(position.after(cell), clock)[0] is Verdict.LOSS:
                return cell
        share *= 4
    return None if wins else order[0]
