"""Make puzzles of every kind from positions, and judge players' answers.

A puzzle asks the player to win, to find the hottest region, or to win in a position where no move in the hottest region
wins. The regions and their temperatures come from game values; the engine decides which moves win.
"""

from bisect import bisect
from math import log2

from gridlock.core.game import Game
from gridlock.core.grid import Cell, cells_of
from gridlock.engine.clock import Clock
from gridlock.engine.regions import Region, Regions, regions
from gridlock.play import puzzles
from gridlock.play.heat import can_be_hot
from gridlock.play.puzzles import JUDGING, Kind, NoPuzzle, Puzzle, Trial, Undecided, check_open, explanation
from gridlock.play.region_words import amount, onlooker, region_words
from gridlock.play.regions import Report, describe, report_to_onlookers

GRADES = (3.3, 4.0, 4.8, 5.6)  # the scores at which difficulties 2 to 5 begin when finding the hottest region


def hottest_region(found: Regions) -> Region | None:
    """Return the hottest of several regions, or None if no region is hot or if another one may be just as hot."""
    top = found.hottest
    if top is None or top.temperature is None or top.temperature <= 0 or len(found.regions) < 2:
        return None
    others = [region.hottest_known for region in found.regions if region is not top]
    return top if all(most is not None and most < top.temperature for most in others) else None


def hottest_puzzle(game: Game, found: Regions) -> Puzzle | None:
    """Return a puzzle that asks for a position's hottest region, or None if the question has no single answer."""
    top = hottest_region(found)
    if top is None:
        return None
    difficulty = 1 + bisect(GRADES, hottest_score(found, top))
    return Puzzle(game, tuple(cells_of(game.legal & top.cells)), difficulty, Kind.HOTTEST)


def hottest_score(found: Regions, top: Region) -> float:
    """Return, in bits, the difficulty of finding the hottest region.

    The difficulty increases by one bit each time the number of regions doubles, the number of cells in the two hottest
    regions doubles, or the temperature difference between the two hottest regions halves. The difficulty, measured in
    bits, is higher by 1 if any other region has more cells than the hottest region.
    """
    others = [region for region in found.regions if region is not top]
    heats = [(region.temperature or 0, region.cells.bit_count()) for region in others]
    next_heat, next_cells = max(heats)
    size = top.cells.bit_count()
    gap = (top.temperature or 0) - max(next_heat, 0)
    larger = any(cells > size for _, cells in heats)
    return log2(len(found.regions)) + log2(size + next_cells) - log2(gap) + larger


def is_trap(found: Regions, winning: tuple[Cell, ...]) -> bool:
    """Return whether there are winning moves but none of them is in the hottest region."""
    top = hottest_region(found)
    return top is not None and bool(winning) and not any(top.cells >> cell & 1 for cell in winning)


# -- opening and judging ----------------------------------------------------------------------------------------------


def open_puzzle(game: Game, kind: Kind = Kind.WIN, seconds: float | None = JUDGING) -> Puzzle:
    """Return a puzzle of this kind made from a position; if that is impossible, raise NoPuzzle with the reason."""
    if kind is Kind.WIN:
        return puzzles.open_puzzle(game, seconds)
    check_open(game)
    share = None if seconds is None else seconds / 2
    found = _regions(game, share)
    if kind is Kind.HOTTEST:
        made = hottest_puzzle(game, found)
        if made is None:
            raise NoPuzzle("No region here is hotter than all the others, so this position is not a puzzle.")
        return made
    opened = puzzles.open_puzzle(game, share)
    if not is_trap(found, opened.winning):
        raise NoPuzzle(
            "A trap puzzle needs a hottest region in which every move loses, but this position has no such region."
        )
    return opened._replace(kind=kind)


def judge(game: Game, cell: Cell, kind: Kind = Kind.WIN, seconds: float = JUDGING) -> Trial:
    """Judge the legal cell that the player has chosen; if the puzzle asks for a move, also return the reply."""
    if kind is Kind.HOTTEST:
        return _judge_hottest(game, cell, _regions(game, seconds))
    judged = puzzles.judge(game, cell, seconds)
    if kind is Kind.TRAP and not judged.right:
        top = hottest_region(regions(game.variant, game.position, Clock(seconds)))
        if top is not None and top.temperature is not None and top.cells >> cell & 1:
            heat = amount(top.temperature)
            return judged._replace(words=f"{judged.words} That move was in the hottest region (temperature {heat}).")
    return judged


def give_up(game: Game, kind: Kind = Kind.WIN, seconds: float = JUDGING) -> Trial:
    """Return the answer to show to a player who gives up."""
    if kind is not Kind.HOTTEST:
        return puzzles.give_up(game, seconds)
    found = _regions(game, seconds)
    top = _answer(found)
    words = f"The hottest region is {_letter_words(found, top)}"
    return Trial(False, words, done=True, winning=tuple(cells_of(game.legal & top.cells)), played=False)


def report_on(game: Game, seconds: float = JUDGING) -> Report:
    """Return a description of a puzzle's regions, with the verdict on the hottest region."""
    return report_to_onlookers(game, explanation(game, seconds / 2), seconds / 2)


def reason_for(game: Game, kind: Kind, seconds: float) -> str:
    """Explain why the first move wins: return a proof or, for a trap puzzle, a sentence about the hottest region."""
    found = explanation(game, seconds)
    if kind is not Kind.TRAP:
        return puzzles.proof_words(found)
    report = report_to_onlookers(game, found, seconds)
    return next((line for line in report.closing if line.startswith("Hottest")), "")


def _judge_hottest(game: Game, cell: Cell, found: Regions) -> Trial:
    top = _answer(found)
    if top.cells >> cell & 1:
        words = f"Right: {_letter_words(found, top)}"
        return Trial(True, words, done=True, winning=tuple(cells_of(game.legal & top.cells)), played=False)
    turn, name = game.position.turn, game.variant.name(cell)
    there = next((region for region in found.regions if region.cells >> cell & 1), None)
    if there is None:
        return Trial(False, f"{name} is a free move: only you can play there, so there is no hurry.", played=False)
    words = region_words(there, turn, onlooker(game.variant, turn), advise=False)
    return Trial(False, f"{name} isn't in the hottest region, but in a region of {words}", played=False)


def _letter_words(found: Regions, top: Region) -> str:
    """Return the sentences that describe a region; the first one begins with the region's letter."""
    report = describe(found, "", {}, False, onlooker(found.variant, found.position.turn))
    return next(one.words for one in report.regions if one.region is top)


def _answer(found: Regions) -> Region:
    top = hottest_region(found)
    if top is None:
        raise Undecided("The values of the regions could not be computed in time. Try again.")
    return top


def _regions(game: Game, seconds: float | None) -> Regions:
    if not can_be_hot(game.variant):
        raise NoPuzzle("No region is ever hot in this game, so this position is not a puzzle.")
    return regions(game.variant, game.position, Clock(seconds))
