"""What the full screen and the server ask the engine, which answers in a worker process.

The full screen gets an answer as it is, so it is plain data; the server puts it into words for its pages, still in the
worker (`web/thinking/answers.py`). A question that is cancelled ends with the clocks that it made, or by `Cancelled`.
"""

from contextlib import closing
from random import Random

from gridlock.core.game import Game
from gridlock.core.grid import Cell
from gridlock.engine.analysis import Analysis
from gridlock.engine.clock import Clock
from gridlock.engine.engine import MOMENT, engine_for
from gridlock.play import advice
from gridlock.play.advice import Advice
from gridlock.players import agents


def choose(game: Game, kind: str, seed: str | None, think: float) -> Cell:
    """The move of a program; chance follows from the seed alone, if there is one."""
    with closing(agents.start(kind)) as player:
        return player.choose(game, Random(seed), think)


def analyse(game: Game, seconds: float, distances: bool = False) -> Analysis:
    """Who wins, by which moves, and why; distances are counted for all that time, or for a moment."""
    return engine_for(game.variant).analyse(game, Clock(seconds), None if distances else MOMENT)


def advise(game: Game, seconds: float) -> Advice:
    """Everything there is to say to the player to move."""
    return advice.advise(engine_for(game.variant), game, seconds)
