"""Check whether a set-up position can be reached in a game and, if not, report what is wrong with it."""

from collections.abc import Iterator
from typing import NamedTuple

from gridlock.core.game import Game
from gridlock.core.grid import Bitboard, Cell, cells_of, first_of, set_of
from gridlock.core.position import Position
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.core.shape import Follow
from gridlock.core.snapshot import ANY, NOTHING, position_text, read_position

SEARCHED = 2000  # the most positions to search for a target; a target not found by then counts as possible


class Problem(NamedTuple):
    """A sentence that says why no game can lead to a position, and the cells that the sentence mentions."""

    words: str
    cells: Bitboard = 0


class SetUp(NamedTuple):
    """A game that starts from a set-up position, or the reason why the position is impossible."""

    variant: Variant
    game: Game | None
    problem: Problem | None


def set_up(text: str, known: RuleBook | None = None) -> SetUp:
    """Return a game that starts from a position given as text, in which `?` means an unknown last cell."""
    variant, position, swap = read_position(text, known, is_loose=True)
    first, second = (field == ANY for field in text.split()[4:6])
    found = _lead_to(variant, position, {1: first, 2: second})
    if isinstance(found, Problem):
        return SetUp(variant, None, found)
    if swap == NOTHING and found == variant.start(found.turn):
        return SetUp(variant, Game(variant, starts=found.turn), None)
    return SetUp(variant, Game.from_text(position_text(variant, found, swap), variant.book), None)


def _lead_to(variant: Variant, target: Position, free: dict[int, bool]) -> Position | Problem:
    """Return a reachable position that matches the target, or the reason why the target is unreachable.

    `free` says for each side whether the cell of its last move is unknown.
    """
    shape = variant.shape
    problem = _at_start(variant, target) or _turns(variant, target)
    if shape is not None and not shape.pawn:
        problem = problem or _touching(variant, target) or _following(variant, target, free)
    elif shape is not None and not shape.closes:
        problem = problem or _walks(variant, target)
    if problem:
        return problem
    ahead = target.mine.bit_count() - target.theirs.bit_count()  # 0 or -1 unless a player has passed
    if shape is not None and ((shape.placing and ahead in (0, -1)) or (shape.pawn and not shape.closes)):
        return target  # the order of the moves does not matter
    return _search(variant, target, free)


def _at_start(variant: Variant, target: Position) -> Problem | None:
    start = variant.start()
    for side in (1, 2):
        if missing := start.markers(side) & ~target.markers(side):
            name, mark = variant.name(first_of(missing) or 0), variant.book.mark(side)
            return Problem(f"{mark} starts on {name}, so its pawn or its trail must be there.", missing)
    return None


def _turns(variant: Variant, target: Position) -> Problem | None:
    """Check each side's number of markers, given that players take turns and pass only if they must."""
    mover = target.turn
    marks = {side: variant.book.mark(side) for side in (1, 2)}
    counts = {side: target.markers(side).bit_count() for side in (1, 2)}
    more = 1 if counts[1] > counts[2] else 2
    ahead = counts[more] - counts[3 - more]
    as_fewer = target if mover != more else target.passed()
    if variant.book.passes and ahead and not variant.legal(as_fewer):
        return None
    what = "cell" if variant.book.pawns else "marker"
    markers = what if counts[more] == 1 else f"{what}s"
    has = f"{marks[more]} has {counts[more]} {markers} and {marks[3 - more]} has {counts[3 - more]}"
    if ahead > 1 and variant.book.passes:
        return Problem(
            f"{has}, but {marks[3 - more]} cannot have passed, because {marks[3 - more]} still has a cell to play."
        )
    if ahead > 1:
        return Problem(f"{has}, but the players take turns: the difference can be at most 1.")
    if ahead == 1 and mover == more:
        return Problem(f"{has}, so {marks[3 - more]} is to move.")
    return None


def _touching(variant: Variant, target: Position) -> Problem | None:
    """Check that no marker is on a cell that another marker closes."""
    shape, near = variant.shape, variant.grid.near
    assert shape is not None  # the caller has checked
    for side in (1, 2):
        mark, own, others = variant.book.mark(side), target.markers(side), target.markers(3 - side)
        for cell in cells_of(own):
            if shape.closes_own and (touched := first_of(near[cell] & own)) is not None:
                words = f"{_two(variant, mark, cell, mark, touched)} touch: a player's own markers must not touch."
                return Problem(words, set_of((cell, touched)))
            if shape.closes_other and (touched := first_of(near[cell] & others)) is not None:
                other = variant.book.mark(3 - side)
                words = f"{_two(variant, mark, cell, other, touched)} touch: opposing markers must not touch."
                return Problem(words, set_of((cell, touched)))
    return None


def _two(variant: Variant, mark: str, cell: Cell, other_mark: str, other: Cell) -> str:
    return f"{mark} at {variant.name(cell)} and {other_mark} at {variant.name(other)}"


def _following(variant: Variant, target: Position, free: dict[int, bool]) -> Problem | None:
    """Check that the last marker could legally follow the marker before it."""
    shape, near, last = variant.shape, variant.grid.near, target.their_head
    assert shape is not None  # the caller has checked
    mover, other = variant.book.mark(target.turn), variant.book.mark(3 - target.turn)
    if shape.follows is None or free[3 - target.turn] or last is None or not target.mine:
        return None
    mine = target.mine if free[target.turn] or target.my_head is None else 1 << target.my_head
    beside = shape.follows is Follow.NEAR
    if (mine & near[last] if beside else mine & ~near[last]) != 0:
        return None
    whose = f"any {mover}" if mine == target.mine and mine.bit_count() > 1 else f"{mover}'s last marker"
    words = f"{other}'s last marker, {variant.name(last)}, {'does not touch' if beside else 'touches'} "
    if not beside and whose.startswith("any"):
        whose = f"every {mover}"
    return Problem(f"{words}{whose}, so it was not a legal move.", 1 << last | (0 if beside else mine))


def _walks(variant: Variant, target: Position) -> Problem | None:
    """Check that each pawn could have walked its whole trail."""
    shape, start = variant.shape, variant.start()
    assert shape is not None  # the caller has checked
    for side in (1, 2):
        trail, first, last = target.markers(side), start.head(side), target.head(side)
        if first is None or last is None or _can_walk(variant, trail, first, last):
            continue
        mark = variant.book.mark(side)
        words = f"{mark} cannot visit all of its cells on the way from {variant.name(first)} to {variant.name(last)}."
        return Problem(words, trail)
    return None


def _can_walk(variant: Variant, trail: Bitboard, first: Cell, last: Cell) -> bool:
    """Return whether a pawn can walk its whole trail; if the search takes too long, assume that it can."""
    assert variant.shape is not None  # the caller has checked
    waiting: list[Iterator[tuple[Bitboard, Cell]]] = [_walked(trail, 1 << first)]
    searched = 0
    while waiting:
        if (found := next(waiting[-1], None)) is None:
            waiting.pop()
            continue
        rest, at = found
        searched += 1
        if not rest:
            return at == last
        if searched > SEARCHED:
            return True
        steps = variant.shape.reach(variant.grid, at) & rest
        if rest != 1 << last:
            steps &= ~(1 << last)
        waiting.append(_walked(rest, steps))
    return False


def _walked(rest: Bitboard, steps: Bitboard) -> Iterator[tuple[Bitboard, Cell]]:
    """Yield, for each possible step, the rest of the trail and the cell that the step leads to."""
    for cell in cells_of(steps):
        yield rest & ~(1 << cell), cell


def _search(variant: Variant, target: Position, free: dict[int, bool]) -> Position | Problem:
    """Search for a sequence of legal moves that leads to the target, and return the position after these moves."""
    waiting: list[Iterator[Position]] = [iter((variant.start(1), variant.start(2)))]
    seen: set[Position] = set()
    while waiting:
        if (position := next(waiting[-1], None)) is None:
            waiting.pop()
            continue
        if position in seen:
            continue
        seen.add(position)
        if len(seen) > SEARCHED:
            return target
        passes = variant.must_pass(position)
        if position.taken == target.taken and (position.turn == target.turn or passes):
            return position if position.turn == target.turn else position.passed()
        if passes:
            waiting.append(iter((position.passed(),)))
            continue
        rest, head = target.markers(position.turn) & ~position.mine, target.head(position.turn)
        choices = variant.legal(position) & rest
        if head is not None and not free[position.turn] and rest != 1 << head:
            choices &= ~(1 << head)
        waiting.append(map(position.after, cells_of(choices)))  # created one by one, because there may be many
    return Problem("No sequence of legal moves leads to this position.")
