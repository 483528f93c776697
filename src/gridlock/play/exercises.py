"""Exercises about game values, chosen by a seed; each answer is found by two methods that share no code."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from random import Random

from gridlock.core.grid import Adjacency, Cell, Grid, cells_of
from gridlock.core.position import Position
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.core.rules import RULE_BOOKS
from gridlock.core.shape import Shape
from gridlock.engine.clock import MEBIBYTE, Clock
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Verdict
from gridlock.engine.kernels.interface import COL, SNORT
from gridlock.engine.mirror import HOW, Mirrored, Mirrors
from gridlock.engine.regions import Region, Regions, regions
from gridlock.values import Value, value_of

MEMORY = 16 * MEBIBYTE  # for a search, which is enough because the positions are small
OPEN = 8  # the most empty cells in an exercise that asks for a position's value
NAMES = (range(1, 6), range(6, 9), range(9, 13), range(13, 25))  # characters of a value's name, from easy to hard
FEWEST, MOST = 6, 16  # empty cells in an exercise that asks which region to play in first
WINNING = 4  # the most winning moves in an exercise about regions
PAIRS = 4  # the fewest moves that a mirror must answer


@dataclass(frozen=True)
class Exercise:
    """A position, a question about it, and the answer."""

    title: str
    question: str
    variant: Variant
    position: Position
    last: Cell | None
    answer: tuple[str, ...]  # sentences
    value: Value | None = None  # set if the exercise asks for a value


def exercises(seed: int) -> Iterator[Exercise]:
    """Yield the exercises on a sheet; the same seed always gives the same exercises."""
    rng = Random(seed)
    asked: set[Value] = set()
    makers: list[Callable[[], Exercise | None]] = [partial(find_the_value, rng, length, asked) for length in NAMES]
    makers += [partial(which_region_first, rng)] * 2
    makers += [partial(why_the_mirror, rng, shape) for shape in (SNORT, COL)]
    for make in makers:
        made = None
        while made is None:  # most random positions are too simple, or too hard
            made = make()
        if made.value is not None:
            asked |= {made.value, -made.value}
        yield made


def value_by_rules(variant: Variant, position: Position) -> Value:
    """Return the value of a small position, computed from the rules alone, with player 1 as Left."""

    def bare(position: Position) -> Position:
        """Make player 1 the side to move, and forget the cells taken last, because exercises do not need them."""
        seen = position if position.turn == 1 else position.passed()
        return seen._replace(my_head=None, their_head=None)

    def options(position: Position) -> tuple[list[Position], list[Position]]:
        ones, twos = variant.legal_cells(position), variant.legal_cells(position.passed())
        return [bare(position.after(cell)) for cell in ones], [bare(position.passed().after(cell)) for cell in twos]

    return value_of(bare(position), options)


# -- the three kinds --------------------------------------------------------------------------------------------------


def find_the_value(rng: Random, length: range, asked: set[Value]) -> Exercise | None:
    """Ask for the value of a position with few open cells, unless the sheet already has an exercise with that value."""
    variant = _variant(rng, SNORT, ("3x4", "4x4", "3x5"))
    position, last = _played(rng, variant, lambda position: _open(variant, position) <= OPEN)
    found = regions(variant, position, Clock(), whole=True)
    value = found.value
    if value is None or value in asked or not found.regions or len(value.name(length.stop) or "") not in length:
        return None
    if value != value_by_rules(variant, position):
        raise AssertionError(f"Two methods disagree about the value of {position} on {variant.grid}.")
    return Exercise(
        "Find the value",
        f"What is the value of this position of {variant.book.title}, with {_touching(variant)}? "
        "Give the value's mean and temperature. Who wins?",
        variant,
        position,
        last,
        (
            f"{_sum(found)}, so the value is {value}." if len(_terms(found)) > 1 else f"The value is {value}.",
            f"Its mean is {value.mean}, its temperature {value.temperature}.",
            _winner(variant, value),
        ),
        value,
    )


def which_region_first(rng: Random) -> Exercise | None:
    """Ask for the winning moves in a position with several regions."""
    variant = _variant(rng, SNORT, ("5x5", "5x6", "6x6"))
    position, last = _played(rng, variant, lambda position: _open(variant, position) <= MOST)
    found = regions(variant, position, Clock())
    hottest = found.hottest
    if _open(variant, position) < FEWEST or hottest is None or not hottest.temperature or hottest.temperature <= 0:
        return None
    if len({region.temperature for region in found.regions}) < max(2, len(found.regions)):
        return None
    winning = winning_cells(variant, position)
    if not 1 <= len(winning) <= min(WINNING, len(variant.legal_cells(position)) - 1):
        return None
    mark = variant.book.mark(position.turn)
    warm = any(hottest.cells >> cell & 1 for cell in winning)
    trap = "" if warm else " Here the hottest region is a trap: it contains no winning move."
    names = ", ".join(map(variant.name, winning))
    return Exercise(
        "Which region first?",
        f"{mark} is to move in {variant.book.title}, with {_touching(variant)}. Find the regions and their "
        f"temperatures. Where should {mark} move?",
        variant,
        position,
        last,
        (
            *(_described(region) for region in found.regions),
            f"{mark} wins with {names}, and loses with every other move.{trap}",
        ),
    )


def winning_cells(variant: Variant, position: Position) -> list[Cell]:
    """Return the winning moves; raise AssertionError if the search and the values disagree."""
    analysis = Engine(variant, MEMORY).weigh(position, Clock(), 0)
    by_search = analysis.winning
    by_values = []
    for cell in variant.legal_cells(position):
        value = regions(variant, position.after(cell), Clock(), whole=True).value
        assert value is not None  # the position is small
        if value >= 0 if position.turn == 1 else value <= 0:
            by_values.append(cell)
    if by_search != by_values:
        raise AssertionError(f"Two methods disagree about the winning moves of {position} on {variant.grid}.")
    return by_search


def why_the_mirror(rng: Random, shape: Shape) -> Exercise | None:
    """Ask why a mirror strategy beats the player to move."""
    variant = _variant(rng, shape, ("4x4", "4x5", "5x5"))
    grid, mirrors = variant.grid, Mirrors(variant, shape)
    image = mirrors.mirrors[0][0].image
    position, last = variant.start(), None
    if shape == SNORT and rng.random() < 0.5:  # take the centre first
        last = grid.rows // 2 * grid.cols + grid.cols // 2
        position = position.after(last)
    for _ in range(rng.randrange(1, 3)):
        cell = rng.choice(variant.legal_cells(position))
        after = position.after(cell)
        if not variant.legal(after) >> image[cell] & 1:
            return None
        position, last = after.after(image[cell]), image[cell]
    proof = mirrors.judge(position, Clock())
    if type(proof) is not Mirrored or proof.verdict is not Verdict.LOSS:
        return None
    legal = variant.legal_cells(position)
    if len(legal) < PAIRS or _open(variant, position) > MOST:
        return None
    value = regions(variant, position, Clock(), whole=True).value
    assert value is not None  # the position is small
    if not (value <= 0 if position.turn == 1 else value >= 0):
        raise AssertionError(f"A mirror and the value disagree about {position} on {grid}.")
    worth = value.name(60) or f"at {'most' if position.turn == 1 else 'least'} 0"
    mark, other = variant.book.mark(position.turn), variant.book.mark(3 - position.turn)
    pairs = ", ".join(f"{variant.name(cell)} → {variant.name(proof.answer(cell))}" for cell in legal)
    near = " and none touches its image" if shape.closes_other else ""
    return Exercise(
        "Why does mirroring work here?",
        f"{mark} is to move in {variant.book.title}, with {_touching(variant)}. {other} will answer each move with its "
        f"mirror image. Which mirror is it, and why is the image always open to {other}?",
        variant,
        position,
        last,
        (
            f"{other} answers with {HOW[proof.strategy.mirror.name]}: {pairs}.",
            f"The image of every cell open to {mark} is open to {other}; no cell open to {mark} is its own image{near}."
            " So the mirror image is always open, and the same reasoning applies to the next move.",
            f"{other} moves last and wins. The value is {worth}.",
        ),
    )


# -- positions --------------------------------------------------------------------------------------------------------


def _variant(rng: Random, shape: Shape, boards: tuple[str, ...]) -> Variant:
    rows, cols = map(int, rng.choice(boards).split("x"))
    return Variant(_book(shape), Grid(rows, cols, rng.choice(list(Adjacency))))


def _book(shape: Shape) -> RuleBook:
    return next(book for book in RULE_BOOKS.values() if book.shape == shape)


def _played(rng: Random, variant: Variant, enough: Callable[[Position], bool]) -> tuple[Position, Cell | None]:
    """Return a position from a random game, and the move that led to it."""
    position, last = variant.start(), None
    while not enough(position) and (legal := variant.legal_cells(position)):
        last = rng.choice(legal)
        position = position.after(last)
    return position, last


def _open(variant: Variant, position: Position) -> int:
    """Return how many cells are open to at least one player."""
    return (variant.legal(position) | variant.legal(position.passed())).bit_count()


# -- words ------------------------------------------------------------------------------------------------------------


def _touching(variant: Variant) -> str:
    return f"{variant.grid.adjacency} adjacency"


def _terms(found: Regions) -> list[str]:
    lead = found.free[0].bit_count() - found.free[1].bit_count()
    terms = [f"{region.value} at {found.variant.name(cells_of(region.cells)[0])}" for region in found.regions]
    return [*terms, f"{lead} by free moves"] if found.free[0] | found.free[1] else terms


def _sum(found: Regions) -> str:
    return f"The parts are worth {', '.join(_terms(found))}"


def _winner(variant: Variant, value: Value) -> str:
    words = {
        "L": f"{variant.book.mark(1)} wins, whoever moves first.",
        "R": f"{variant.book.mark(2)} wins, whoever moves first.",
        "N": "The player who moves first wins.",
        "P": "The player who moves second wins.",
    }
    return words[value.outcome]


def _described(region: Region) -> str:
    cells = ", ".join(map(region.variant.name, cells_of(region.cells)))
    name = None if region.value is None else region.value.name(60)
    return f"The region {cells} has temperature {region.temperature}{f' and the value {name}' if name else ''}."
