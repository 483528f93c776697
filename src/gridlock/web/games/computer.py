"""The computer's turns: the worker processes choose a move, which is played unless the game has changed meanwhile."""

import asyncio
import logging
import time
from random import Random

from msgspec import UNSET

from gridlock.play.thinking.process import Failed
from gridlock.players.player import chance
from gridlock.web.games.open_games import NO_STORAGE, OpenGames
from gridlock.web.games.viewers import Live
from gridlock.web.referee.decide import Decision, timed
from gridlock.web.referee.table import Table, played
from gridlock.web.storage.rows import Damaged
from gridlock.web.thinking.pool import Busy, FairPool
from gridlock.web.thinking.questions import Choice, Move
from gridlock.web.wire.answers import Notice
from gridlock.web.wire.setups import setup_to_keep

log = logging.getLogger("gridlock.web")
THINK = 2.0  # seconds that the computer may think about a move
SHOWN = 1.2  # likewise when two levels play each other; each move then takes at least this long


class Computer:
    """The computer as a player in every open game."""

    def __init__(self, games: OpenGames, pool: FairPool) -> None:
        self._games = games
        self._pool = pool

    def take_turn(self, live: Live) -> None:
        """Start thinking if it is the computer's turn and it is not thinking yet."""
        unseen = live.table.settings.levels is not UNSET and not live.viewers
        if live.table.thinking and live.thinking is None and not self._games.stopping and not unseen:
            self._games.hold(live)
            live.thinking = asyncio.create_task(self._move(live))
            live.thinking.add_done_callback(lambda _: self._finish_turn(live))

    def _finish_turn(self, live: Live) -> None:
        live.thinking = None
        self.take_turn(live)  # it may be the computer's turn again: after a pass, or a takeback meanwhile
        self._games.release(live)

    async def _move(self, live: Live) -> None:
        table = live.table
        asked_at = (table.ply, table.line)
        level = table.level(table.game.turn)
        assert level is not None
        game = table.game.copy()
        started, failed = time.monotonic(), False
        try:
            crowd = 1 + self._pool.waiting // self._pool.size  # with many games, each gets less time
            shown = table.settings.levels is not UNSET
            question = Move(setup_to_keep(game), (SHOWN if shown else THINK) / crowd, level)
            move = (await self._pool.ask(question, Choice, live.client)).move
        except Busy:
            await asyncio.sleep(1)  # then the turn starts again
            return
        except Failed:
            move, failed = chance(game, Random(), 0), True  # a weak move is better than a game that stands still
        if shown:  # so that viewers can follow
            await asyncio.sleep(max(0.0, SHOWN - (time.monotonic() - started)))
        log.info(
            "computer", extra={"game": table.id, "opponent": level, "seconds": round(time.monotonic() - started, 3)}
        )

        def play_unless_changed(now: Table) -> Decision:
            if (now.ply, now.line) != asked_at or not now.thinking:
                return None
            return played(move, timed(now, self._games.ticks.now()))

        try:
            refusal = await self._games.decide_and_store(live, play_unless_changed)
        except Damaged:
            refusal = NO_STORAGE
        if failed and not refusal:
            for viewer in live.viewers:
                viewer.notify("notice", Notice(f"The computer ({level}) failed, so it has moved at random."))
        if refusal:
            await asyncio.sleep(1)  # the database does not answer; then the turn starts again
