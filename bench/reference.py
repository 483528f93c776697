"""The reference solver, which tries every move to determine who wins from a position and how soon.

The reference solver is slow and simple on purpose, and every faster solver is tested against it.
"""

from collections.abc import Iterable
from typing import NamedTuple

from gridlock.core.errors import BadGame
from gridlock.core.grid import Cell
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant


class Result(NamedTuple):
    """The outcome for the player to move, and the number of moves until the loser is stuck, with perfect play."""

    win: bool
    distance: int


Memo = dict[tuple[int, int, Cell | None, Cell | None], Result]

STUCK = Result(False, 0)  # even in games with passes: the side that is stuck first never moves again, so it has lost


def solve(variant: Variant, position: Position, memo: Memo | None = None) -> Result:
    """Return the result for the player to move.

    Several calls for the same variant can share results if they receive the same `memo`.
    """
    memo = {} if memo is None else memo
    key = position[:4]  # the result does not depend on which side is to move
    if key not in memo:
        memo[key] = best(results(variant, position, memo).values())
        if variant.must_pass(position):
            stays_stuck(variant, position, memo)
    return memo[key]


def results(variant: Variant, position: Position, memo: Memo | None = None) -> dict[Cell, Result]:
    """Return each legal move's result for the player who makes it; the distance includes the move itself."""
    memo = {} if memo is None else memo
    found = {}
    for cell in variant.legal_cells(position):
        reply = solve(variant, position.after(cell), memo)
        found[cell] = Result(not reply.win, reply.distance + 1)
    return found


def best(found: Iterable[Result]) -> Result:
    """Return the result that a player chooses: the quickest win, or else the slowest loss."""
    return max(found, key=lambda one: (one.win, -one.distance if one.win else one.distance), default=STUCK)


def stays_stuck(variant: Variant, position: Position, memo: Memo) -> None:
    """Reject a game that breaks the passing rule: a stuck side must stay stuck, whatever the other side does."""
    other = position.passed()
    for cell in variant.legal_cells(other):
        if variant.legal(other.after(cell)):
            raise BadGame(f"{variant.book.name} breaks the passing rule: {variant.name(cell)} frees a stuck side.")
        solve(variant, other.after(cell), memo)
