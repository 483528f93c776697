"""The referee: plays one game between two players, keeps their time, and judges their moves with the engine.

A player that fails, moves illegally or takes too long forfeits that game; the reason goes into the result.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple

from gridlock.core.errors import AgentFailed, GridLockError
from gridlock.core.game import Game, Player, Termination
from gridlock.core.grid import Cell
from gridlock.core.rulebook import Variant
from gridlock.engine.analysis import winner_by_swap
from gridlock.engine.clock import MEBIBYTE
from gridlock.engine.engine import Engine
from gridlock.players import MoveClock
from gridlock.players import Player as Program

MEMORY = 64 * MEBIBYTE
SHARE = 20  # with a clock, a program plans for this many more moves
LEAST = 0.001  # seconds a program may think even when its time is nearly up
LOOK = 20_000  # positions searched to judge one position; at the first one that takes more, judging ends
LONG_LOOK = 2_000_000  # the same if exact knowledge is asked for
STUCK, TIME, FAILED, ADJUDICATED = "stuck", "time", "failed", "adjudicated"  # how a game ends


@dataclass(frozen=True)
class Conditions:
    """How the games of a match are played."""

    seconds: float = 0.1  # per move, if there is no clock
    clock: tuple[float, float] | None = None  # seconds for a game, and seconds added after each move
    margin: float = 1.0  # seconds per move that a player may be late
    swap: bool = False
    adjudicate: int | None = None  # moves after the opening from which the engine may end a game
    judge: bool | None = None  # judge every move, even if it takes long; False: none; None: as far as it is quick


class Played(NamedTuple):
    """A finished game."""

    game: Game
    winner: Player
    reason: str
    report: str  # a sentence about a failure; empty if there was none
    seconds: tuple[float, float]  # that each player took


class Judged(NamedTuple):
    """What the engine says about the players' moves, as far as it decides the positions."""

    kept: tuple[int, int]  # for each player: moves from a won position that kept the win
    blunders: tuple[int, int]  # and those that gave it away


def play(
    variant: Variant,
    opening: Sequence[Cell],
    players: tuple[Program, Program],
    conditions: Conditions,
    seed: int,
    names: tuple[str, str] = ("", ""),
    now: Callable[[], float] = time.perf_counter,
) -> Played:
    """Play a game to its end; the first player makes the first move of the opening."""
    game = Game(variant, swap=conditions.swap, names=names)
    for move in opening:
        game.push(move)
    rngs = Random(f"{seed}/1"), Random(f"{seed}/2")
    left, spent = list(conditions.clock[:1] * 2 if conditions.clock else ()), [0.0, 0.0]
    while (outcome := game.outcome) is None:
        if conditions.adjudicate is not None and len(game.moves) - len(opening) >= conditions.adjudicate:
            winner = winner_of(game, len(game.moves), LOOK)
            if winner is not None:
                game.resign(3 - winner)
                return Played(game, winner, ADJUDICATED, "", (spent[0], spent[1]))
        turn = game.turn
        report, begun = "", now()
        try:
            move = players[turn - 1].choose(game, rngs[turn - 1], *_time_for(turn, left, conditions))
            taken = now() - begun
            late = _late(turn, taken, left, conditions)
            if not late:
                game.push(move)
        except Exception as error:  # a player may be third-party code
            taken = now() - begun
            late, report = _late(turn, taken, left, conditions), _report(names[turn - 1], error)
        spent[turn - 1] += taken
        if late or report:
            reason = TIME if late else FAILED
            report = report or f"{names[turn - 1] or 'The player'} took {taken:.2f} s, which is too long."
            game.resign(turn, Termination.TIME if late else Termination.LEFT)
            return Played(game, 3 - turn, reason, report, (spent[0], spent[1]))
        if conditions.clock:
            left[turn - 1] += conditions.clock[1] - taken
    return Played(game, outcome.winner, STUCK, "", (spent[0], spent[1]))


def _time_for(turn: Player, left: list[float], conditions: Conditions) -> tuple[float, MoveClock | None]:
    """Return how long a player should think about a move, and the clock if there is one."""
    if conditions.clock is None:
        return conditions.seconds, None
    increment = conditions.clock[1]
    seconds = min(left[turn - 1], left[turn - 1] / SHARE + increment / 2)
    return max(LEAST, seconds), MoveClock((left[0], left[1]), increment)


def _late(turn: Player, taken: float, left: list[float], conditions: Conditions) -> bool:
    limit = left[turn - 1] if conditions.clock else conditions.seconds
    return taken > limit + conditions.margin


def _report(name: str, error: Exception) -> str:
    if isinstance(error, AgentFailed):
        return str(error)
    kind = "played an illegal move" if isinstance(error, GridLockError) else "failed"
    return f"{name or 'The player'} {kind} ({type(error).__name__}: {str(error)[:200]})."


# -- exact knowledge ------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4)
def _engine(variant: Variant) -> Engine:
    """Return the referee's own engine, so that its proofs do not help the players."""
    return Engine(variant, MEMORY)


def winner_of(game: Game, ply: int, work: int) -> Player | None:
    """Return who wins with perfect play after `ply` moves of a game, or None if a search of `work` positions fails."""
    if ply < 2 and (by_swap := winner_by_swap(game.at(ply))) is not None:
        return by_swap
    engine, position = _engine(game.variant), game.positions[ply]
    most = engine.nodes + work
    # A side that must pass has lost.
    return engine.judge(position, lambda _nodes: engine.nodes > most).verdict.winner(game.player(position.turn))


def judge(game: Game, first: int, thorough: bool = False) -> Judged:
    """Judge the moves after the first few, from the last one back; positions near the end are the easiest."""
    kept, blunders = [0, 0], [0, 0]
    after = winner_of(game, len(game.moves), LONG_LOOK if thorough else LOOK)
    must_pass = game.variant.must_pass
    for ply in range(len(game.moves) - 1, first - 1, -1):
        if after is None and not thorough:
            break
        before = winner_of(game, ply, LONG_LOOK if thorough else LOOK)
        position = game.positions[ply]
        swap_choice = game.swap and ply < 2
        mover = (game.starts if ply == 0 else 3 - game.starts) if swap_choice else game.player(position.turn)
        if not swap_choice and must_pass(position):
            mover = 3 - mover
        if before == mover and after is not None:
            (kept if after == mover else blunders)[mover - 1] += 1
        after = before
    return Judged((kept[0], kept[1]), (blunders[0], blunders[1]))
