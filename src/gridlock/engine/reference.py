"""The definition of truth: who wins a position and how soon, by trying everything.

Slow and plain on purpose. Every faster solver is held against this page.
"""

from collections.abc import Iterable
from typing import NamedTuple

from gridlock.core.errors import BadGame
from gridlock.core.grid import Cell
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant


class Result(NamedTuple):
    """Whether the player to move wins, and after how many moves the loser is stuck when both play their best."""

    win: bool
    distance: int


Memo = dict[tuple[int, int, Cell | None, Cell | None], Result]

STUCK = Result(False, 0)  # where sides pass, too: who is first stuck never places again, so the game is decided


def solve(variant: Variant, position: Position, memo: Memo | None = None) -> Result:
    """The result for the player to move; pass the same memo again to go on from what is known of a variant."""
    memo = {} if memo is None else memo
    key = position[:4]  # whose turn it is by name changes nothing
    if key not in memo:
        memo[key] = best(results(variant, position, memo).values())
        if variant.must_pass(position):
            stays_stuck(variant, position, memo)
    return memo[key]


def results(variant: Variant, position: Position, memo: Memo | None = None) -> dict[Cell, Result]:
    """What each legal move leads to, for the player who makes it; the move itself counts."""
    memo = {} if memo is None else memo
    found = {}
    for cell in variant.legal_cells(position):
        reply = solve(variant, position.after(cell), memo)
        found[cell] = Result(not reply.win, reply.distance + 1)
    return found


def best(found: Iterable[Result]) -> Result:
    """The result a player picks: the quickest win, or else the slowest loss."""
    return max(found, key=lambda one: (one.win, -one.distance if one.win else one.distance), default=STUCK)


def stays_stuck(variant: Variant, position: Position, memo: Memo) -> None:
    """Refuse a game that breaks the law of passing: whatever the other side still places, who is stuck stays stuck."""
    other = position.passed()
    for cell in variant.legal_cells(other):
        if variant.legal(other.after(cell)):
            raise BadGame(f"{variant.book.name} breaks the law of passing: {variant.name(cell)} frees who was stuck.")
        solve(variant, other.after(cell), memo)
