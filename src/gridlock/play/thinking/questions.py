"""Questions that the full-screen interface and the server ask the engine in a worker process.

The answers are plain data, which the full-screen interface uses directly. For web pages, the server's workers put the
answers into words (`web/thinking/questions.py`). When a question to the engine is cancelled, every clock made for that
question reports that the time is up, and long loops without a time limit raise `Cancelled`.
"""

from gridlock.core.game import Game
from gridlock.engine.analysis import Analysis
from gridlock.engine.clock import Clock
from gridlock.engine.engine import MOMENT, engine_for
from gridlock.play import advice
from gridlock.play.advice import Advice
from gridlock.play.regions import region_board, region_legend, report_regions, report_to_onlookers


def analyse(game: Game, seconds: float, distances: bool = False) -> Analysis:
    """Return who wins, which moves win, and why.

    Unless `distances` is true, spend only a moment working out how many moves the game will last.
    """
    return engine_for(game.variant).analyse(game, Clock(seconds), None if distances else MOMENT)


def advise(game: Game, seconds: float) -> Advice:
    """Return advice for the player to move."""
    return advice.advise(engine_for(game.variant), game, seconds)


def regions(game: Game, seconds: float, watched: bool) -> tuple[list[str], list[str]]:
    """Return a drawing of the regions (empty if there are none) and a description for a player or an onlooker."""
    if watched:
        report = report_to_onlookers(game, analyse(game, seconds), seconds)
    else:
        report = report_regions(game, advise(game, seconds), seconds)
    drawn = [*region_board(game, report, plain=False), region_legend(game, report)] if report.regions else []
    return drawn, report.lines
