"""What the full screen and the server ask the engine, which answers in a worker process.

The full screen gets an answer as it is, so it is plain data; the server puts it into words for its pages, still in the
worker (`web/thinking/answers.py`). A question that is cancelled ends with the clocks that it made, or by `Cancelled`.
"""

from gridlock.core.game import Game
from gridlock.engine.analysis import Analysis
from gridlock.engine.clock import Clock
from gridlock.engine.engine import MOMENT, engine_for
from gridlock.play import advice
from gridlock.play.advice import Advice


def analyse(game: Game, seconds: float, distances: bool = False) -> Analysis:
    """Who wins, by which moves, and why; distances are counted for all that time, or for a moment."""
    return engine_for(game.variant).analyse(game, Clock(seconds), None if distances else MOMENT)


def advise(game: Game, seconds: float) -> Advice:
    """Everything there is to say to the player to move."""
    return advice.advise(engine_for(game.variant), game, seconds)
