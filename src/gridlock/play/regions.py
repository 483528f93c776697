"""The letters that label a position's independent regions, and the sentences that describe them, in every interface.

The verdict comes first, because the engine knows which moves win, while a temperature only says where moves are urgent.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from string import ascii_uppercase
from typing import NamedTuple

from gridlock.core.game import Game
from gridlock.core.grid import Bitboard, Cell, cells_of, set_of
from gridlock.core.position import Side
from gridlock.core.rulebook import Variant
from gridlock.drawing.outlines import outlined_board
from gridlock.drawing.text import CLOSED
from gridlock.engine.analysis import Analysis
from gridlock.engine.clock import Clock, Progress
from gridlock.engine.evidence import Verdict
from gridlock.engine.regions import Region, Regions, regions
from gridlock.play.advice import Advice, verdict_words
from gridlock.play.region_words import Voice, amount, begin, best_cell, heat, onlooker, rank, region_words
from gridlock.values import Value, thermograph_svg

NO_VALUES = "Only games in which a marker may go on any open cell have regions."
SECONDS = 3.0  # the most seconds to spend on valuing all regions
LISTED = 3  # the most cells that a sentence names


class Lettered(NamedTuple):
    """A region with its letter, its description, and its heat (0 to 3, or None if it is unknown)."""

    letter: str
    region: Region
    words: str
    heat: int | None


@dataclass(frozen=True)
class Report:
    """Everything that GridLock says about a position's regions."""

    verdict: str  # who wins, in a sentence
    regions: tuple[Lettered, ...]  # the hottest first
    closing: tuple[str, ...]  # who is ahead, which region is hottest, and the free moves
    free: tuple[Bitboard, Bitboard] = (0, 0)  # the cells that only side 1, or only side 2, can ever take

    @property
    def lines(self) -> list[str]:
        """The whole report, line by line."""
        return [self.verdict, *(one.words for one in self.regions), *self.closing]

    @property
    def letters(self) -> dict[Cell, str]:
        """A map from each cell in a region to the letter of that region."""
        return {cell: one.letter for one in self.regions for cell in cells_of(one.region.cells)}


def has_values(variant: Variant) -> bool:
    """Return whether a game's positions have values in combinatorial game theory."""
    return variant.shape is not None and variant.shape.placing


def report_regions(game: Game, advice: Advice, seconds: float, progress: Progress | None = None) -> Report:
    """Return a report for the player to move: the values of the position's regions, and the engine's verdict."""
    verdicts = {cell: verdict for cell, (_, verdict) in advice.values.items()}
    guess = advice.verdict == "unknown" and not game.swap_ahead
    return _report(game, advice.opinion, verdicts, guess, seconds, Voice(), progress)


def report_to_onlookers(game: Game, analysis: Analysis, seconds: float) -> Report:
    """Return a report for spectators on the values of a position's regions, naming the sides by their markers."""
    verdicts = {move.cell: str(move.verdict) for move in analysis.values}
    guess = analysis.verdict is Verdict.UNKNOWN and analysis.without_swap is None
    return _report(game, verdict_words(analysis), verdicts, guess, seconds, onlooker(game.variant, game.position.turn))


def _report(
    game: Game,
    verdict: str,
    verdicts: Mapping[Cell, str],
    guess: bool,
    seconds: float,
    voice: Voice,
    progress: Progress | None = None,
) -> Report:
    if not has_values(game.variant):
        return Report(verdict, (), (NO_VALUES,))
    found = regions(game.variant, game.position, Clock(min(seconds, SECONDS), progress))
    return describe(found, verdict, verdicts, guess, voice)


def describe(found: Regions, verdict: str, verdicts: Mapping[Cell, str], guess: bool, voice: Voice) -> Report:
    """Describe regions in words, given the verdicts on the position and its moves; `guess` adds a rule of thumb."""
    turn = found.position.turn
    ordered = sorted(found.regions, key=lambda region: (-rank(region), region.cells & -region.cells))
    winning = [cell for cell, verdict in verdicts.items() if verdict == "win"]
    words = [region_words(region, turn, voice, winning=winning) for region in ordered]
    named = tuple(
        Lettered(letter_of(number), region, f"{letter_of(number)}, {words[number]}", heat(region))
        for number, region in enumerate(ordered)
    )
    closing = [*_ahead(found, voice), *_hottest(named, found.variant, turn, verdicts, guess)]
    mine, theirs = (cells.bit_count() for cells in (found.free if turn == 1 else found.free[::-1]))
    if named or mine or theirs:
        closing.append(f"Free moves: {voice.name} {mine}, {voice.other} {theirs}.")
    return Report(verdict, named, tuple(closing), found.free)


def letter_of(number: int) -> str:
    """Return a region's letter or letters: A to Z, then AA, AB and so on."""
    more, last = divmod(number, 26)
    return (letter_of(more - 1) if more else "") + ascii_uppercase[last]


def region_board(game: Game, report: Report, plain: bool) -> list[str]:
    """Draw the board with a line around each region and the region's letter in each cell; `plain` uses ASCII only."""
    book = game.variant.book
    texts = {
        cell: book.mark(side).lower()
        for side, cells in zip((1, 2), report.free, strict=True)
        for cell in cells_of(cells)
    }
    return outlined_board(game.variant, game.position, report.letters, texts, CLOSED, plain)


def region_legend(game: Game, report: Report) -> str:
    """Return a legend for the symbols on a board that shows regions."""
    marks = [game.variant.book.mark(side) for side, cells in zip((1, 2), report.free, strict=True) if cells]
    free = [f"{mark.lower()} is a free move for {mark}" for mark in marks]
    letters = ["letters are regions"] if report.regions else []
    shown = game.position.mine | game.position.theirs | report.free[0] | report.free[1] | set_of(report.letters)
    closed = [f"{CLOSED} is closed"] if game.variant.grid.cells & ~shown else []
    return begin(f"{', '.join([*letters, *free, *closed])}.")


def thermograph(region: Region) -> str:
    """Return a region's thermograph as SVG, or an empty string if the region's value is unknown or is a number."""
    value = region.value
    return "" if value is None or value.is_number else thermograph_svg(value)


# -- the whole position ----------------------------------------------------------------------------------------------


def _ahead(found: Regions, voice: Voice) -> list[str]:
    """If no region is hot, add up the values, and say who is ahead and by how many moves."""
    values = [region.value for region in found.regions]
    known = [value for value in values if value is not None]
    if len(known) < len(values) or any(rank(region) > 0 for region in found.regions):
        return []
    total = sum(known, Value(found.free[0].bit_count() - found.free[1].bit_count()))
    number = total.mean if found.position.turn == 1 else -total.mean
    if number:
        moves = f"{amount(abs(number))} move{'s' * (abs(number) > 1)}"
        words = f"{begin(voice.does('are', 'is'))} {'ahead' if number > 0 else 'behind'} by {moves}"
    else:
        words = "Neither player is ahead"
    if not total.is_number:
        words += f"{',' if number else ', but'} {'and ' * bool(number)}one more move is open to either player"
    return [f"{words}."]


def _hottest(
    named: tuple[Lettered, ...], variant: Variant, turn: Side, verdicts: Mapping[Cell, str], guess: bool
) -> list[str]:
    """Say which region is hottest, and whether the engine's verdict confirms that it is the place to play."""
    if not named or rank(named[0].region) <= 0:
        return []
    top = rank(named[0].region)
    hot = [one for one in named if rank(one.region) == top]
    doubtful = [one.letter for one in named if one not in hot and _may_exceed(one.region, top)]
    letters = " and ".join(one.letter for one in hot) if len(hot) <= LISTED else f"{len(hot)} regions"
    doubt = f" ({' or '.join(doubtful)} may be hotter)" if doubtful else ""
    words = f"Hottest: {letters}{doubt}."
    if guess:
        return [f"{words} As a rule of thumb, play there first."]
    winning = [cell for cell, verdict in verdicts.items() if verdict == "win"]
    if not winning:
        return [words]
    name = variant.name
    best = [cell for one in hot if (cell := best_cell(one.region, turn, winning)) is not None]
    right = [cell for cell in best if cell in winning]
    if right:
        return [f"{words} {name(right[0])} wins."]
    there = set_of(cell for one in hot for cell in cells_of(one.region.cells))
    inside = [cell for cell in winning if there >> cell & 1]
    if inside:
        loses = f", but {name(best[0])} loses" if best and verdicts.get(best[0]) == "loss" else ""
        return [f"{words} {name(inside[0])} wins there{loses}."]
    place = next((f" in {one.letter}" for one in named if one.region.cells >> winning[0] & 1), "")
    if all(verdicts[cell] == "loss" for cell in verdicts if there >> cell & 1):
        hottest = letters if len(hot) <= LISTED else f"these {letters}"
        return [f"{words} But every move in {hottest} loses, while {name(winning[0])}{place} wins."]
    return [f"{words} {name(winning[0])}{place} is known to win."]


def _may_exceed(region: Region, temperature: Fraction) -> bool:
    most = region.hottest_known
    return most is None or most > temperature
