"""The referee: it runs a game between two players, times their moves, and has the engine judge the moves.

A player that fails, makes an illegal move or takes too long forfeits the game; the result gives the reason.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple

from gridlock.arena.effort import effort
from gridlock.core.errors import AgentFailed, GridLockError, IllegalMove, UnreadableMove
from gridlock.core.game import Game, Player, Termination
from gridlock.core.grid import Cell
from gridlock.core.rulebook import Variant
from gridlock.engine.analysis import winner_by_swap
from gridlock.engine.clock import MEBIBYTE
from gridlock.engine.engine import Engine
from gridlock.players import MoveClock
from gridlock.players import Player as Program
from gridlock.players.program_players import MARGIN  # seconds after which an unresponsive program is stopped

MEMORY = 64 * MEBIBYTE
SHARE = 20  # with a clock, a program plans for this many more moves
LEAST = 0.001  # seconds a program may think even when its time is nearly up
LOOK = 20_000  # positions searched to judge one position; the first position that needs more ends the judging
LONG_LOOK = 2_000_000  # positions searched to judge one position if every move is to be judged
STUCK, ADJUDICATED = "stuck", "adjudicated"  # why a game ends if no player forfeits it
TIME, ILLEGAL, FAILED = "time", "illegal move", "failed"  # why a game is forfeited


@dataclass(frozen=True)
class Conditions:
    """The conditions under which the games of a match are played."""

    seconds: float = 0.1  # per move, if there is no clock
    clock: tuple[float, float] | None = None  # seconds for a game, and seconds added after each move
    margin: float = 1.0  # seconds per move that a player may be late
    swap: bool = False
    adjudicate: int | None = None  # moves after the opening from which the engine may end a game
    judge: bool | None = None  # True: judge all moves; False: judge none; None: stop at the first slow position


class Played(NamedTuple):
    """A finished game."""

    game: Game
    winner: Player
    reason: str
    report: str  # a sentence about a failure; empty if nothing failed
    seconds: tuple[float, float]  # used by each player


class Judged(NamedTuple):
    """The engine's verdicts on the players' moves, for the positions that it could solve."""

    kept: tuple[int, int]  # for each player: moves from a won position that kept the win
    blunders: tuple[int, int]  # for each player: moves from a won position that gave the win away


def play(
    variant: Variant,
    opening: Sequence[Cell],
    players: tuple[Program, Program],
    conditions: Conditions,
    seed: int,
    names: tuple[str, str] = ("", ""),
    now: Callable[[], float] = time.perf_counter,
) -> Played:
    """Play a game from the given opening to its end; the first player makes the opening's first move."""
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
        limit = left[turn - 1] if conditions.clock else conditions.seconds
        begun, failure = now(), None
        try:
            move = players[turn - 1].choose(game, rngs[turn - 1], *_time_for(turn, left, conditions))
            taken = now() - begun
            if taken <= limit + conditions.margin:
                game.push(move)
        except Exception as error:  # a player may be third-party code
            taken, failure = now() - begun, error
        spent[turn - 1] += taken
        if failure is not None or taken > limit + conditions.margin:
            late = taken > limit + (MARGIN if failure else conditions.margin)
            game.resign(turn, Termination.TIME if late else Termination.LEFT)
            reason, report = _forfeit(names[turn - 1] or "The player", taken if late else None, failure)
            return Played(game, 3 - turn, reason, report, (spent[0], spent[1]))
        if conditions.clock:
            left[turn - 1] = max(0.0, left[turn - 1] - taken) + conditions.clock[1]
    return Played(game, outcome.winner, STUCK, "", (spent[0], spent[1]))


def _time_for(turn: Player, left: list[float], conditions: Conditions) -> tuple[float, MoveClock | None]:
    """Return the time allowed for a move, in seconds, and the players' clocks (None in a game without clocks)."""
    if conditions.clock is None:
        return conditions.seconds, None
    increment = conditions.clock[1]
    seconds = min(left[turn - 1], left[turn - 1] / SHARE + increment / 2)
    return max(LEAST, seconds), MoveClock((left[0], left[1]), increment)


def _forfeit(name: str, late: float | None, failure: Exception | None) -> tuple[str, str]:
    """Return the reason for a forfeit as a word and as a sentence; `late` is the time of a late move in seconds."""
    illegal = isinstance(failure, GridLockError) and isinstance(
        failure.__cause__ or failure, IllegalMove | UnreadableMove
    )
    reason = TIME if late is not None else ILLEGAL if illegal else FAILED
    if failure is None:
        return reason, f"{name} took {late:.2f} s for a move, which is too long."
    if isinstance(failure, AgentFailed):
        return reason, str(failure)
    return reason, f"{name} failed ({type(failure).__name__}: {str(failure)[:200]})."


# -- exact knowledge ------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4)
def _engine(variant: Variant) -> Engine:
    """Return the referee's own engine, which shares no proofs with the players' engines."""
    return Engine(variant, MEMORY)


def winner_of(game: Game, ply: int, work: int) -> Player | None:
    """Return who wins with perfect play from the position after `ply` moves, or None if the engine cannot tell.

    The engine searches at most `work` positions, or at most a fixed fraction of `work` if no kernel supports the game
    or the board.
    """
    if ply < 2 and (by_swap := winner_by_swap(game.at(ply))) is not None:
        return by_swap
    engine, position = _engine(game.variant), game.positions[ply]
    most = engine.nodes + effort(game.variant, work)
    # A player who must pass has already lost.
    return engine.judge(position, lambda _nodes: engine.nodes > most).verdict.winner(game.player(position.turn))


def judge(game: Game, first: int, thorough: bool = False) -> Judged | None:
    """Judge a game's moves, beginning after `first` moves; return None if the engine can judge none of them.

    Positions near the end are the easiest, so the moves are judged from the last one backwards. Unless `thorough` is
    true, judging stops at the first position that takes a long time.
    """
    kept, blunders, work = [0, 0], [0, 0], LONG_LOOK if thorough else LOOK
    after = winner_of(game, len(game.moves), work)
    if after is None and not thorough:
        return None
    must_pass = game.variant.must_pass
    for ply in range(len(game.moves) - 1, first - 1, -1):
        if after is None and not thorough:
            break
        before = winner_of(game, ply, work)
        position = game.positions[ply]
        swap_choice = game.swap and ply < 2
        mover = (game.starts if ply == 0 else 3 - game.starts) if swap_choice else game.player(position.turn)
        if not swap_choice and must_pass(position):
            mover = 3 - mover
        if before == mover and after is not None:
            (kept if after == mover else blunders)[mover - 1] += 1
        after = before
    return Judged((kept[0], kept[1]), (blunders[0], blunders[1]))
