"""Operations on positions: checking, explaining, analysing and reviewing them."""

from collections import OrderedDict

import msgspec

from gridlock.web.operations.ask import Ask
from gridlock.web.referee import views
from gridlock.web.thinking import questions
from gridlock.web.wire import answers, findings, messages
from gridlock.web.wire.bodies import ApiError
from gridlock.web.wire.setups import game_from, game_of, read_cell, set_up_from, setup_of

REVIEW_SECONDS = 10.0
REVIEWS = 64  # most cached reviews; a review has a URL, so it may be read more than once


def position(source: messages.Source) -> answers.Position:
    """Return a position that was set up or pasted."""
    return views.position(game_from(source))


def set_up(wish: messages.SetUpRequest) -> answers.SetUp:
    """Check whether a position that a user has set up can occur in a game."""
    return views.set_up(set_up_from(wish))


def why(wish: messages.WhyNot) -> answers.Why:
    """Explain why a cell cannot be played."""
    game = game_of(wish.setup)
    return views.why(game, read_cell(game, wish.text) if wish.cell is None else wish.cell)


async def analyse(ask: Ask, wish: messages.AnalysisRequest) -> findings.Analysis:
    """Analyse a position: who wins, and the value of every move."""
    game = game_from(wish)
    found = await ask(questions.analyse, game, wish.seconds, wish.distances)
    return findings.Analysis(views.position(game), found)


async def hint(ask: Ask, wish: messages.HintRequest) -> findings.Hint:
    """Suggest a move in steps: who is winning, where to play, which move, and why."""
    game = game_of(wish.setup)
    if game.outcome:
        raise ApiError(422, "illegal", "The game is over, so there is no move to suggest.")
    return await ask(questions.advise, game, wish.seconds)


async def regions(ask: Ask, wish: messages.RegionsRequest) -> findings.Regions:
    """Evaluate a position's regions: how hot each region is, and where to play."""
    game = game_of(wish.setup)
    if game.outcome:
        raise ApiError(422, "illegal", "The game is over, so there are no regions left.")
    return await ask(questions.regions, game, wish.seconds)


async def open_region(ask: Ask, wish: messages.RegionRequest) -> findings.OpenRegion:
    """Show a region after a sequence of moves, with each side's best next moves and what each of those leaves."""
    opened = await ask(questions.open_region, game_of(wish.setup), wish.seconds, wish.cell, wish.path)
    if isinstance(opened, str):
        raise ApiError(422, "illegal", opened)
    return opened


class Reviews:
    """A cache of reviews, so that each game is reviewed only once."""

    def __init__(self) -> None:
        self._made: OrderedDict[bytes, findings.Review] = OrderedDict()

    async def review(self, ask: Ask, source: messages.Source) -> findings.Review:
        """Review a game, and show where it was won and lost."""
        game = game_from(source)
        names = (game.names[0], game.names[1])
        facts = names, game.resigned, game.forfeit
        key = msgspec.json.encode((setup_of(game, keep=True), facts))
        if key not in self._made:
            self._made[key] = await ask(questions.review, game, REVIEW_SECONDS, *facts)
        self._made.move_to_end(key)
        while len(self._made) > REVIEWS:
            self._made.popitem(last=False)
        return self._made[key]
