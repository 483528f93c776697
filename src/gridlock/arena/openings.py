"""Openings for matches: test positions, each with a known winner and few winning moves.

If games start from the empty board, strong players split every pair of games, so a match does not show which player is
stronger. In a test position, the player to move wins with perfect play, but most moves lose. The search for openings is
limited by the number of positions, not by time, so that a seed gives the same openings on fast and slow machines.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from random import Random
from typing import NamedTuple

from gridlock.arena.effort import effort
from gridlock.core.game import Game
from gridlock.core.grid import Cell, cells_of, set_of
from gridlock.core.position import Position, Side
from gridlock.core.rulebook import Variant
from gridlock.engine.clock import MEBIBYTE, cancellation
from gridlock.engine.engine import Engine
from gridlock.engine.evidence import Verdict
from gridlock.engine.mirror import symmetries

MEMORY = 64 * MEBIBYTE
WORK = 50_000  # positions searched to see whether one position is a test
PATIENT_TASKS = 80  # positions that may need WORK positions of search, in addition to one per opening
CELLS_PER_TASK = 40_000  # judging positions with this many cells in total takes as long as searching WORK positions
PATIENCE = 300  # random games in a row without a new test before easier tests are accepted
LONGEST_RANDOM = 6  # moves of an opening that is not a test


class Opening(NamedTuple):
    """An opening: the moves that are made before the players take over."""

    moves: tuple[Cell, ...]
    winner: Side | None = None  # with perfect play, the player who moved first (1) or second (2); None: unknown
    winning: int | None = None  # how many moves win for the player to move


class Openings(NamedTuple):
    """The openings of a match, one for each pair of games."""

    openings: list[Opening]
    note: str  # what a reader of the result must know about the openings; empty if all are different tests


class Standard(NamedTuple):
    """The criteria that a position must meet to be used as a test of the players."""

    share: float  # the largest share of the moves that may win
    filled: float  # the largest share of the board that may be taken
    at_once: bool  # whether a winning move may end the game


STANDARDS = (Standard(1 / 3, 2 / 3, False), Standard(1 / 3, 1, True), Standard(1, 1, True))  # strictest first


def draw_openings(variant: Variant, count: int, seed: int | str, swap: bool = False) -> Openings:
    """Choose random openings for a match.

    With perfect play, each side wins from half of the openings, and no two openings are equivalent by symmetry. If too
    few suitable openings are found, openings may repeat, and one side may win from more than half of them. With the
    swap rule, an opening is a single first move, which the second player may take over by swapping.
    """
    rng = Random(f"{seed}/openings")
    if swap:
        return _first_moves(variant, count, rng)
    search = _Search(variant, rng, PATIENT_TASKS + count)
    tests = search.tests(count)
    if len(tests) >= count:
        return Openings(tests[:count], "")
    where = f"{variant.book.name} {variant.grid}"
    if search.exhausted or (search.undecided and not tests):
        others = search.random(count - len(tests))
        if others:
            rest = f"only {len(tests)} of {count} openings test players; the rest" if tests else "openings"
            note = f"{where}: proving who wins takes too long on this board, so {rest} are chosen at random."
            return Openings(_repeated(tests + others, count), note)
    elif not tests:
        others = search.random(count)
        note = (
            f"{where}: no position was found in which a winning player could make a mistake, "
            "so openings are chosen at random."
        )
        return Openings(_repeated(others or [Opening(())], count), note)
    if not tests:
        return Openings([Opening(())] * count, f"{where}: the board is too small for openings.")
    return Openings(_repeated(tests, count), _repeats(variant, len(tests), count))


def _repeated(openings: list[Opening], count: int) -> list[Opening]:
    return [openings[number % len(openings)] for number in range(count)]


def _first_moves(variant: Variant, count: int, rng: Random) -> Openings:
    """Return every first move, up to symmetry, in random order."""
    start = variant.start()
    found: dict[tuple[object, ...], Opening] = {}
    cells = variant.legal_cells(start)
    rng.shuffle(cells)
    for cell in cells:
        found.setdefault(canonical(variant, start.after(cell)), Opening((cell,), 2))
    openings = list(found.values()) or [Opening(())]
    return Openings(_repeated(openings, count), _repeats(variant, len(openings), count))


def _repeats(variant: Variant, different: int, count: int) -> str:
    """Return a note if there are too few openings to avoid repetition; otherwise, return an empty string."""
    if different >= count:
        return ""
    there = "there is only 1 opening" if different == 1 else f"there are only {different} different openings"
    return f"{variant.book.name} {variant.grid}: {there} for {count} pairs of games, so openings repeat."


def canonical(variant: Variant, position: Position) -> tuple[object, ...]:
    """Return a key that is the same for a position and its images under the board's symmetries."""
    mine, theirs, my_head, their_head, turn = position
    shape = variant.shape
    if shape is not None and shape.geography:  # in such a game it makes no difference who took a cell
        mine, theirs, my_head = 0, mine | theirs, None
    if shape is not None and shape.placing:  # in such a game it makes no difference which cell was taken last
        my_head = their_head = None
    images = symmetries(variant.grid) if shape is not None else [range(variant.grid.size)]

    def image(moved: tuple[Cell, ...] | range) -> tuple[int, int, int, int]:
        heads = (-1 if head is None else moved[head] for head in (my_head, their_head))
        sets = (set_of(moved[cell] for cell in cells_of(cells)) for cells in (mine, theirs))
        return (*sets, *heads)  # type: ignore[return-value]

    return turn, min(map(image, images))


class _Search:
    """A search for openings, which remembers the openings it has found."""

    def __init__(self, variant: Variant, rng: Random, tasks: int) -> None:
        self.variant = variant
        self.rng = rng
        self.engine = Engine(variant, MEMORY)  # a fresh one, so that the result depends on the seed alone
        self.work = effort(variant, WORK)
        self.undecided = 0  # positions that took too long
        self._judged = 0  # positions
        self._tasks = tasks  # positions that may take long
        self._seen: set[tuple[object, ...]] = set()
        self._earliest = 2  # moves before a position that the engine can decide

    @property
    def exhausted(self) -> bool:
        """Whether the search has used up its budget."""
        judged = self._judged * self.variant.grid.size // CELLS_PER_TASK
        return self.undecided + judged + self.engine.nodes // self.work >= self._tasks

    def tests(self, count: int) -> list[Opening]:
        """Return test positions, alternating as far as possible between wins for one side and wins for the other."""
        found: dict[Side, list[Opening]] = {1: [], 2: []}
        # Aim for an equal number of wins for each side. If too few openings are found in which one side wins, accept
        # more openings in which the other side wins.
        half: dict[Side, int] = {1: (count + 1) // 2, 2: count // 2}
        for most, standard in product((half, {1: count, 2: count}), STANDARDS):
            failures = 0
            while failures < PATIENCE and not self.exhausted and sum(map(len, found.values())) < count:
                wanted = [side for side in found if len(found[side]) < most[side]]
                if not wanted:
                    break
                opening = self._walk(standard, wanted)
                failures += 1
                if opening is not None:
                    failures = 0
                    found[1 if opening.winner == 1 else 2].append(opening)
        one, other = found[1], found[2]
        if not one or not other:  # only one side has tests
            return one or other
        balanced = min(len(one), len(other))
        return [
            *(opening for pair in zip(one, other, strict=False) for opening in pair),
            *(one[balanced:] or other[balanced:])[: count - 2 * balanced],
        ]

    def _walk(self, standard: Standard, sides: list[Side]) -> Opening | None:
        """Play a random game; return its first new test position in which one of `sides` wins, or None."""
        size = self.variant.grid.size
        longest = max(self._earliest, int(size * standard.filled))
        cancellation.check()
        for game in self._random_game(self.rng.randint(self._earliest, longest)):
            if len(game.moves) > longest or self.exhausted:
                return None
            if game.turn not in sides:
                continue
            winning = self._winning(game.position, standard)
            if winning is None:  # later positions are easier
                self.undecided += 1
                self._earliest = min(len(game.moves) + 1 + size // 16, size)
            elif winning and self._new(game.position):
                return Opening(tuple(game.moves), game.turn, winning)
        return None

    def _random_game(self, plies: int) -> Iterator[Game]:
        """Play a random game until a side must pass or is stuck.

        Yield the game after `plies` moves and after each later move.
        """
        game = Game(self.variant)
        while (cells := self.variant.legal_cells(game.positions[-1])) and not game.passing:
            if len(game.moves) >= plies:
                yield game
            game.push(self.rng.choice(cells))

    def _winning(self, position: Position, standard: Standard) -> int | None:
        """Return the number of winning moves in a position, or None if the number is unknown.

        If the position is unsuitable as a test position, return 0.
        """
        cells = self.variant.legal_cells(position)
        most = min(int(len(cells) * standard.share), len(cells) - 1)
        if most < 1:
            return 0
        self._judged += 1
        limit = self.engine.nodes + self.work

        def stop(_nodes: int) -> bool:
            return self.engine.nodes > limit

        proof = self.engine.judge(position, stop)
        if proof.verdict is not Verdict.WIN:
            return None if proof.verdict is Verdict.UNKNOWN else 0
        if proof.complete:
            winning = list(proof.winning)
        else:
            winning = []
            for cell in cells:
                verdict = self.engine.judge(position.after(cell), stop).verdict
                if verdict is Verdict.UNKNOWN:
                    return None
                winning += [cell] * (verdict is Verdict.LOSS)
                if len(winning) > most:
                    break
        at_once = any(self.variant.over(position.after(cell)) for cell in winning)
        return 0 if len(winning) > most or (at_once and not standard.at_once) else len(winning)

    def _new(self, position: Position) -> bool:
        """Return whether a position is new, and remember it."""
        key = canonical(self.variant, position)
        if key in self._seen:
            return False
        self._seen.add(key)
        return True

    def random(self, count: int) -> list[Opening]:
        """Return random openings that leave both sides a choice of moves.

        The side to move alternates from one opening to the next.
        """
        return list(islice(self._random(), count))

    def _random(self) -> Iterator[Opening]:
        failures, turn = 0, 1
        while failures < PATIENCE:
            game = next(self._random_game(self.rng.randint(1, LONGEST_RANDOM)), None)
            if game is not None and game.turn == turn and self._balanced(game.position) and self._new(game.position):
                yield Opening(tuple(game.moves))
                failures, turn = 0, 3 - turn
            else:
                failures += 1

    def _balanced(self, position: Position) -> bool:
        legal = self.variant.legal
        return all(legal(side).bit_count() > 1 for side in (position, position.passed()))
