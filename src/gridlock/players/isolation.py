"""Agents that are Python functions in their own process, where an endless loop or a crash harms nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gridlock.core.rulebook import RuleBook
from gridlock.players.function_host import serve_in_fork
from gridlock.players.player import Agent, MoveClock
from gridlock.players.program import Program
from gridlock.players.program_players import UgiPlayer
from gridlock.players.specs import host_command

if TYPE_CHECKING:
    from random import Random

    from gridlock.core.game import Game
    from gridlock.core.grid import Cell


def hosted(name: str) -> UgiPlayer:
    """Return a player for the agent of an installed package, in a new process."""
    return UgiPlayer(name, lambda: Program(host_command(name)), has_clocks=False)


def forked(name: str, load: Callable[[], Agent]) -> UgiPlayer:
    """Return a player for a function of this program, in a fork of its process."""
    return _ForkedPlayer(name, load)


class _ForkedPlayer(UgiPlayer):
    """A player in a fork, which knows the game that it plays even if nothing can describe the game."""

    def __init__(self, name: str, load: Callable[[], Agent]) -> None:
        super().__init__(name, lambda: Program(lambda: serve_in_fork(load(), self._book)), has_clocks=False)
        self._book: RuleBook | None = None

    def choose(self, game: Game, rng: Random, seconds: float, clock: MoveClock | None = None) -> Cell:
        """Return the agent's move; another game needs another fork."""
        if game.variant.book != self._book:
            self.close()
            self._book = game.variant.book
        return super().choose(game, rng, seconds, clock)
