"""What the full screen asks of the engine; answered in another process, in plain data that can be sent."""

from random import Random

from gridlock.core.game import Game
from gridlock.core.grid import Cell
from gridlock.engine.engine import engine_for
from gridlock.play import advice
from gridlock.play.advice import Advice
from gridlock.players import agents


def choose(game: Game, kind: str, seed: str, think: float) -> Cell:
    """The move of a program; chance follows from the seed alone."""
    move = agents[kind](game.copy(), Random(seed), think)
    game.push(move)  # an agent may be anybody's code: a move that is illegal fails here, and not on the screen
    return move


def advise(game: Game, seconds: float) -> Advice:
    """Everything there is to say to the player to move."""
    return advice.advise(engine_for(game.variant), game, seconds)
