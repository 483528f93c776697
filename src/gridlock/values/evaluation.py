"""Values of your own games, computed from a function that lists the moves."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from gridlock.values.value import Value

DEEPEST = 100_000  # the most positions in one line of play

P = TypeVar("P", bound=Hashable)


def value_of(
    position: P,
    options: Callable[[P], tuple[Iterable[P], Iterable[P]]],
    split: Callable[[P], Iterable[P]] | None = None,
) -> Value:
    """Return the exact value of a position in a game in which a player who cannot move loses.

    `options` returns the positions that Left can move to, and the positions that Right can move to. `split`, if you
    give it, returns the independent parts of a position; a position that cannot be split is its own only part.
    Splitting positions saves most of the work. Positions must be hashable, and equal positions are evaluated only once.
    If a position can recur, this function raises ValueError.
    """
    known: dict[P, Value] = {}
    stack = [_step(position, options, split)]
    in_progress = {position}
    while stack:
        step = stack[-1]
        while step.waiting and step.waiting[-1] in known:
            step.waiting.pop()
        if not step.waiting:
            known[step.position] = step.value(known)
            in_progress.discard(step.position)
            stack.pop()
            continue
        following = step.waiting[-1]
        if following in in_progress:
            raise ValueError("This game is loopy: a position can recur. Only games that always end can be evaluated.")
        if len(stack) >= DEEPEST:
            raise ValueError(f"This game is too deep: a line of play has more than {DEEPEST:,} moves.")
        stack.append(_step(following, options, split))
        in_progress.add(following)
    return known[position]


@dataclass
class _Step(Generic[P]):
    """A position being evaluated: its parts or its options, and which of these may still have unknown values."""

    position: P
    parts: list[P] | None
    left: list[P]
    right: list[P]
    waiting: list[P]

    def value(self, known: dict[P, Value]) -> Value:
        if self.parts is not None:
            return sum((known[part] for part in self.parts), Value(0))
        return Value.game([known[option] for option in self.left], [known[option] for option in self.right])


def _step(
    position: P,
    options: Callable[[P], tuple[Iterable[P], Iterable[P]]],
    split: Callable[[P], Iterable[P]] | None,
) -> _Step[P]:
    parts = [position] if split is None else list(split(position))
    if parts != [position]:
        return _Step(position, parts, [], [], list(parts))
    left, right = map(list, options(position))
    return _Step(position, None, left, right, left + right)
