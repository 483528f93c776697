"""The computer's turns: a move is asked of the engine's processes, and made unless the game has moved on."""

import asyncio
import logging
import time
from random import Random

from msgspec import UNSET

from gridlock.play.thinking.process import Failed
from gridlock.players.chance import chance
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
THINK = 2.0  # seconds the computer may think about a move that it cannot prove
SHOWN = 1.2  # the same for one of two levels that play each other, and how long each move takes at least


class Computer:
    """Whoever plays in a game and is nobody."""

    def __init__(self, games: OpenGames, pool: FairPool) -> None:
        self._games = games
        self._pool = pool

    def take_turn(self, live: Live) -> None:
        """Begin the computer's turn, if it is its turn and it has not begun."""
        unseen = live.table.settings.levels is not UNSET and not live.viewers  # nobody would see it
        if live.table.thinking and live.thinking is None and not self._games.stopping and not unseen:
            self._games.hold(live)
            live.thinking = asyncio.create_task(self._move(live))
            live.thinking.add_done_callback(lambda _: self._thought(live))

    def _thought(self, live: Live) -> None:
        live.thinking = None
        self.take_turn(live)  # it may be to move again: after a pass, or a takeback meanwhile
        self._games.release(live)

    async def _move(self, live: Live) -> None:
        table = live.table
        player, seen = table.game.turn, (table.ply, table.line)
        level = table.level(player)
        assert level is not None
        game = table.game.copy()
        started, failed = time.monotonic(), False
        try:
            crowd = 1 + self._pool.waiting // self._pool.size  # with many games, everybody gets less
            shown = table.settings.levels is not UNSET
            question = Move(setup_to_keep(game), (SHOWN if shown else THINK) / crowd, level)
            move = (await self._pool.ask(question, Choice, live.client)).move
        except Busy:
            await asyncio.sleep(1)  # and begin anew
            return
        except Failed:
            move, failed = chance(game, Random(), 0), True  # a weak move is better than a game that stands still
        if shown:  # so that whoever watches can follow
            await asyncio.sleep(max(0.0, SHOWN - (time.monotonic() - started)))
        log.info(
            "computer", extra={"game": table.id, "opponent": level, "seconds": round(time.monotonic() - started, 3)}
        )

        def if_still_asked(now: Table) -> Decision:
            if (now.ply, now.line) != seen or not now.thinking:
                return None
            return played(move, timed(now, self._games.ticks.now()))

        try:
            async with live.lock:
                refusal = await self._games.until_stored(live, if_still_asked, self._games.ticks.now())
        except Damaged:
            refusal = NO_STORAGE
        if failed and not refusal:
            for viewer in live.viewers:
                viewer.tell("notice", Notice(f"The computer ({level}) failed, so it has moved at random."))
        if refusal:
            await asyncio.sleep(1)  # the database does not answer; begin anew
