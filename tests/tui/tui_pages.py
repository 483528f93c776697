"""Functions that open any page of full-screen mode."""

import random
from datetime import date

from thinkers import LateThinker

from gridlock.core.game import Game
from gridlock.core.match import Match
from gridlock.core.rules import RULE_BOOKS, rule_book, variant
from gridlock.play.match import LiveMatch
from gridlock.play.puzzle_sources import Daily, FromGame, Series
from gridlock.tui.play import PlayPage, WatchPage
from gridlock.tui.review import ReviewPage, StatisticsPage
from gridlock.tui.saved_games import SavedGamesPage
from gridlock.tui.setup import GamesPage, SetupPage
from gridlock.tui.training import LessonPage, PuzzlePage
from gridlock.userdata.saves import Slot, new_name


def table(rng, kinds):
    book = rng.choice(list(RULE_BOOKS.values()))
    board = rng.choice([None, "3x3", "2x3", "4x4"])
    rounds, swap = rng.choice([1, 1, 3]), rng.random() < 0.3
    return LiveMatch(Match(variant(book, board), rounds=rounds, swap=swap, kinds=kinds, think=0.05), Slot(new_name()))


def played(rng):
    game = Game(variant(rng.choice(list(RULE_BOOKS.values())), "3x3"))
    while not game.outcome:
        game.push(rng.choice(game.variant.legal_cells(game.position)))
    return game


def some_saved(state, rng):
    """Save a few finished and unfinished games for the list of games, and return the app's state."""
    for kinds in (("human", "easy"), ("human", "human"), ("random", "easy")):
        live = table(rng, kinds)
        live.start_round()
        if not live.game.outcome:
            live.push(rng.choice(live.game.variant.legal_cells(live.game.position)))
        if rng.random() < 0.5 and not live.watched and not live.game.outcome:
            live.resign()
        live.leave()
    return state


PAGES = {
    "home": lambda _desk, _rng: None,
    "setup": lambda state, rng: SetupPage(state, rng.choice(list(RULE_BOOKS.values())), rng.random() < 0.3),
    "games": lambda state, _rng: GamesPage(state, "lessons", list(RULE_BOOKS.values()), LessonPage),
    "friends": lambda state, rng: PlayPage(state, table(rng, ("human", "human"))),
    "against": lambda state, rng: PlayPage(state, table(rng, rng.choice([("human", "easy"), ("easy", "human")]))),
    "watch": lambda state, rng: WatchPage(state, table(rng, ("random", "easy"))),
    "puzzles": lambda state, rng: PuzzlePage(
        state, rng.choice([Series(rule_book("chain")), Daily(date(2026, 11, 9)), FromGame(played(rng), 0.05)])
    ),
    "lessons": lambda state, rng: LessonPage(state, rng.choice(list(RULE_BOOKS.values()))),
    "review": lambda state, rng: ReviewPage(state, played(rng), 0.05),
    "statistics": lambda state, _rng: StatisticsPage(state),
    "saved games": lambda state, rng: SavedGamesPage(some_saved(state, rng)),
}


async def opened(stage, name):
    """Open and return a new instance of a page, with an engine that does not answer."""
    state = stage.app.state
    state.opponent = state.adviser = LateThinker()
    while len(stage.app.screen_stack) > 2:
        stage.app.pop_screen()
        await stage.pilot.pause()
    if (page := PAGES[name](state, random.Random(1))) is not None:
        stage.app.push_screen(page)
        await stage.pilot.pause()
    return stage.app.screen


async def opened_at_each(stage, name, sizes):
    """Open a new instance of a page at each of these sizes."""
    for size in sizes:
        await stage.pilot.resize_terminal(*size)
        await stage.pilot.pause()
        await opened(stage, name)
        yield size
