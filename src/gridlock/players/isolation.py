"""Agents that are Python functions running in their own process, where an endless loop or a crash does little harm."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from gridlock.core.rulebook import RuleBook
from gridlock.players.conversations import Ugi
from gridlock.players.function_host import serve_in_fork
from gridlock.players.player import Agent, MoveClock
from gridlock.players.program import Program
from gridlock.players.program_players import ProgramPlayer
from gridlock.players.specs import host_command

if TYPE_CHECKING:
    from random import Random

    from gridlock.core.game import Game
    from gridlock.core.grid import Cell


def hosted(name: str) -> ProgramPlayer:
    """Return a player that runs an installed package's agent in a new process."""
    return ProgramPlayer(name, lambda: Program(host_command(name)), Ugi(has_clocks=False))


def forked(name: str, load: Callable[[], Agent]) -> ProgramPlayer:
    """Return a player whose agent runs in a fork of this process."""
    return _ForkedPlayer(name, load)


class _ForkedPlayer(ProgramPlayer):
    """A player that runs in a forked process, so it can play any game, even one that cannot be described as data."""

    def __init__(self, name: str, load: Callable[[], Agent]) -> None:
        start = partial(Program, lambda: serve_in_fork(load, self._book))
        super().__init__(name, start, Ugi(has_clocks=False))
        self._book: RuleBook | None = None

    def choose(self, game: Game, rng: Random, seconds: float, clock: MoveClock | None = None) -> Cell:
        """Return the agent's move, from a new fork if the rules have changed since the previous move."""
        if game.variant.book != self._book:
            self.close()
            self._book = game.variant.book
        return super().choose(game, rng, seconds, clock)
