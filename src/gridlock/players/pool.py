"""Programs that a worker process keeps alive between moves, until they have been idle for a while."""

from __future__ import annotations

import time
from contextlib import closing
from typing import TYPE_CHECKING

from gridlock.core.game import Game
from gridlock.core.grid import Cell
from gridlock.players.player import Player
from gridlock.players.registry import AgentEntry, ProgramEntry

if TYPE_CHECKING:
    from random import Random

IDLE = 60.0  # seconds without a question, after which a program is closed


class PlayerPool:
    """The programs that this process runs: at most one per specification, shared by all games.

    Every request for a move includes the whole game so far, and UGI programs are told when a new game begins.
    """

    def __init__(self) -> None:
        self._open: dict[str, tuple[Player, float]] = {}  # with the time of the latest question

    def choose(self, entry: AgentEntry, game: Game, rng: Random, seconds: float) -> Cell:
        """Return an agent's move; if the agent is a program, leave it running for the next move."""
        if not isinstance(entry, ProgramEntry):
            with closing(entry.start()) as player:
                return player.choose(game, rng, seconds)
        key = entry.spec.text
        player = self._open[key][0] if key in self._open else entry.start()
        self._open[key] = player, time.monotonic() + seconds
        return player.choose(game, rng, seconds)

    def close_idle(self, idle: float = IDLE) -> None:
        """End the programs that have not been used for `idle` seconds."""
        now = time.monotonic()
        for key, (player, asked) in list(self._open.items()):
            if now - asked >= idle:
                del self._open[key]
                player.close()


pool = PlayerPool()
