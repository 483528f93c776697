"""Move choice: the best move that can be proved in time, or else the most promising move."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

from gridlock.core.game import Game
from gridlock.core.grid import Cell
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.engine.analysis import Analysis
from gridlock.engine.clock import MEBIBYTE, Clock
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Verdict
from gridlock.engine.kernels.interface import random_games, state_of, tree

if TYPE_CHECKING:
    from random import Random

QUICK = 0.2  # seconds for counting distances first, because they also show the quickest win
GAMES = 200  # random games after each move, to order the moves for the search
GROWTH = 20_000  # simulations of a tree if there is no time limit
TWIGS = 300  # simulations of a small tree
TREE_MEMORY = 16 * MEBIBYTE


def choose(engine: Engine, position: Position, clock: Clock, rng: Random) -> Cell:
    """Return a move that is proved to win, if there is one; in a lost position, return the move hardest to refute."""
    cells = engine.variant.legal_cells(position)
    if len(cells) == 1:
        return cells[0]
    distances = _quick_distances(engine, position, clock)
    proof = None if distances else engine.prove(position, clock)
    winning = [cell for cell, distance in distances.items() if distance > 0]
    if proof is not None and proof.verdict is Verdict.WIN:
        winning = list(proof.winning) if proof.complete or proof.best is None else [proof.best]
    if winning:
        legal = engine.variant.legal
        return min(winning, key=lambda cell: (distances.get(cell, 0), legal(position.after(cell)).bit_count()))
    lost = bool(distances) or proof is not None
    if not lost and (grown := grow(engine.variant, position, clock)):
        return grown.order[0] if grown.won else _searched(engine, position, grown.order, grown.lost, clock)
    promise = estimate(engine, position, GAMES, rng)
    order = sorted(cells if lost else promise, key=lambda cell: -promise.get(cell, -1))
    if lost:
        return _hardest(engine, position, order, distances, clock)[0]
    return _searched(engine, position, order, set(), clock)


def _quick_distances(engine: Engine, position: Position, clock: Clock) -> dict[Cell, int]:
    """Return the distances of all moves, or an empty dict if computing them takes too long."""
    with clock.at_most(QUICK), clock.at_most_share(1 / 4):
        return engine.distances.of_moves(position, clock)


class Grown(NamedTuple):
    """The result of a tree search."""

    order: list[Cell]  # the most promising move first
    lost: set[Cell]  # the moves that are proved to lose
    won: bool  # whether the first move is proved to win
    chance: float  # the estimated chance that the first move wins, from 0 to 1


def grow(variant: Variant, position: Position, clock: Clock) -> Grown | None:
    """Grow a search tree for half of the remaining time; return None for games that tree search does not support."""
    with clock.at_most_share(1 / 2):
        return _grown(variant, position, GROWTH if clock.left is None else sys.maxsize, clock)


def _grown(variant: Variant, position: Position, simulations: int, clock: Clock) -> Grown | None:
    kernel = tree(variant, TREE_MEMORY)
    if kernel is None:
        return None
    moves = kernel.search(*state_of(position), simulations, clock)
    moves.sort(key=lambda move: (-move[2], -move[1]))  # proved results first, then the number of visits
    _, _, proved, chance = moves[0]
    return Grown([move[0] for move in moves], {move[0] for move in moves if move[2] < 0}, proved > 0, chance)


def _searched(engine: Engine, position: Position, order: list[Cell], lost: set[Cell], clock: Clock) -> Cell:
    """Search the moves in rounds of increasing length, and return the first move that is proved to win.

    If no move is proved to win, return the most promising move that is not proved to lose. If all moves lose, return
    the move that is hardest to refute.
    """
    for cell, verdict in engine.decide(position, [cell for cell in order if cell not in lost], clock):
        if verdict is Verdict.WIN:
            return cell
        lost.add(cell)
    if len(lost) == len(order):
        return _hardest(engine, position, order, {}, clock)[0]
    return next(cell for cell in order if cell not in lost)


def first_of_a_swap(engine: Engine, position: Position, clock: Clock, rng: Random) -> Cell:
    """Return a first move under the swap rule: a move that loses, but to as few replies as possible."""
    total = clock.left or 1.0
    promise = _chances(engine, position, clock, rng)
    even = sorted(promise, key=lambda cell: abs(promise[cell] - 0.5))  # the hardest moves to judge first
    losing = []
    for cell in even:
        if (clock.left or 0.0) < total / 3:
            break
        with clock.at_most(total / 10):
            if engine.verdict(position.after(cell), clock) is Verdict.WIN:
                losing.append(cell)
    if not losing:
        return even[0]
    return _hardest(engine, position, losing, _quick_distances(engine, position, clock), clock)[0]


def should_swap(engine: Engine, game: Game, clock: Clock, rng: Random) -> bool:
    """Return whether swapping (taking over the first move) wins, or is more likely to win than not."""
    if not game.legal:
        return True
    with clock.at_most_share(1 / 2):
        verdict = engine.verdict(game.position, clock)
    if verdict is not Verdict.UNKNOWN:
        return verdict is Verdict.LOSS
    grown = grow(engine.variant, game.position, clock)
    return (grown.chance if grown else max(estimate(engine, game.position, GAMES, rng).values())) < 0.5


def _chances(engine: Engine, position: Position, clock: Clock, rng: Random) -> dict[Cell, float]:
    """Use small tree searches, or random games if time is short, to estimate each move's chance of winning."""
    variant, chances = engine.variant, {}
    with clock.at_most_share(1 / 3):
        for cell in variant.legal_cells(position) if tree(variant, TREE_MEMORY) else ():
            after = position.after(cell)
            grown = _grown(variant, after, TWIGS, clock) if variant.legal(after) else None
            chances[cell] = 1 - grown.chance if grown else 1.0
            if clock.over:
                return estimate(engine, position, GAMES, rng)
    return chances or estimate(engine, position, GAMES, rng)


def best_try(engine: Engine, analysis: Analysis, clock: Clock, rng: Random) -> tuple[Cell, bool]:
    """Return the best move in a position without a known win, and whether it was compared with all other moves."""
    cells = [move.cell for move in analysis.values if move.verdict is analysis.verdict]
    if analysis.verdict is Verdict.UNKNOWN and (grown := grow(engine.variant, analysis.position, clock)):
        return next(cell for cell in grown.order if cell in cells), False
    promise = estimate(engine, analysis.position, GAMES, rng)
    cells.sort(key=lambda cell: -promise.get(cell, -1))
    if analysis.verdict is Verdict.UNKNOWN:
        return cells[0], False
    distances = {move.cell: -move.distance for move in analysis.values if move.distance is not None}
    return _hardest(engine, analysis.position, cells, distances, clock)


def _hardest(
    engine: Engine, position: Position, cells: list[Cell], distances: dict[Cell, int], clock: Clock
) -> tuple[Cell, bool]:
    """Return the losing move that is hardest to refute, and whether there was time to compare all losing moves.

    Moves that leave the opponent a losing reply come first, ordered by the number of winning replies (fewest first) and
    then by the length of the game (longest first). Moves after which every reply wins come last, ordered only by how
    long the game then lasts (longest first). If every reply wins, a losing move that allows few replies is no harder to
    refute than one that allows many. Indeed, an opponent who now has few replies tends to have few chances to make a
    mistake later.
    """
    ranks: dict[Cell, tuple[bool, int, int]] = {}
    for cell in cells:
        if clock.expired:
            break
        child = position.after(cell)
        if winning := _winning_replies(engine, child, bool(distances), clock):
            safe = winning == engine.variant.legal(child).bit_count()
            ranks[cell] = safe, 0 if safe else winning, distances.get(cell, 0)
    return min(ranks, key=lambda cell: ranks[cell]) if ranks else cells[0], len(ranks) == len(cells)


def _winning_replies(engine: Engine, position: Position, exact: bool, clock: Clock) -> int:
    """Return the number of winning moves, or 0 if time ran out."""
    proof = engine.prove(position, clock)
    if proof is not None and proof.complete:
        return len(proof.winning)
    if exact:
        return sum(distance > 0 for distance in engine.distances.of_moves(position, clock).values())
    winning = 0
    for cell in engine.variant.legal_cells(position):
        verdict = engine.verdict(position.after(cell), clock)
        if verdict is Verdict.UNKNOWN or clock.expired:
            return 0
        winning += verdict is Verdict.LOSS
    return winning


def estimate(engine: Engine, position: Position, games: int, rng: Random) -> dict[Cell, float]:
    """Estimate every move's chance of winning as the share of random games won after it.

    If no kernel can play random games on this board, rate each move by the mover's share of the cells that are open
    after the move. If there are more than `games` moves, choose `games` of them at random and rate only these.
    """
    playouts = random_games(engine.variant)
    if playouts is None:
        cells = engine.variant.legal_cells(position)
        some = cells if len(cells) <= games else rng.sample(cells, games)
        return {cell: _share(engine.variant, position.after(cell)) for cell in some}
    won = playouts.move_wins(*state_of(position), games, rng.getrandbits(63))
    return {cell: wins / games for cell, wins in won}


def _share(variant: Variant, position: Position) -> float:
    """Return the waiting player's share of the cells open to either player, or 1 if no cell is open."""
    theirs, mine = (variant.legal(one).bit_count() for one in (position, position.passed()))
    return 1 - theirs / (theirs + mine or 1)
