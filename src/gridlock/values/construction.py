"""Build canonical forms from options: find numbers by their stops, then remove dominated and reversible options."""

from collections.abc import Callable, Iterable

from gridlock.values import dyadic
from gridlock.values.order import at_least
from gridlock.values.shapes import (
    Game,
    interned,
    number_at_least,
    number_at_most,
    options,
    right_stop,
)


def game_of(left: Iterable[Game], right: Iterable[Game]) -> Game:
    """Return the canonical form of the game with these options."""
    draft = _Draft(set(left), set(right))
    number = dyadic.simplest(draft.left_stop, draft.at_most, draft.right_stop, draft.at_least)
    return draft.canonical() if number is None else (number, None)


class _Draft:
    """A game under construction (its options may be dominated or reversible), and its comparisons with other games."""

    def __init__(self, left: set[Game], right: set[Game]) -> None:
        self.options = (left, right)
        self.left_stop = max(map(right_stop, left), default=None)
        self.right_stop = min((number for number, _ in right), default=None)
        # If the game is not a number, `at_most` tells whether the game is <= its left stop, and `at_least` whether the
        # game is >= its right stop. If the game is a number, it is the simplest number in the interval from `left_stop`
        # to `right_stop`; `at_most` tells whether the interval includes `left_stop`, and `at_least` whether the
        # interval includes `right_stop`.
        low, high = self.left_stop, self.right_stop
        self.at_most = low is not None and not any(number_at_least(game, low) for game in left)
        self.at_least = high is not None and not any(number_at_most(game, high) for game in right)
        self._answers: dict[tuple[Game, bool], bool] = {}

    def canonical(self) -> Game:
        """Return the canonical form of this game; the game must not be a number."""
        left = self._irreversible(undominated(self.options[0], at_least), 0)
        right = self._irreversible(undominated(self.options[1], _at_most), 1)
        return interned(undominated(left, at_least), undominated(right, _at_most))

    def _irreversible(self, pending: list[Game], side: int) -> set[Game]:
        """Replace each reversible option with this side's next moves after the opponent's reply.

        An option of a game is reversible if the opponent can answer it with a move to a game that is at least as good
        for the opponent as the original game.
        """
        kept: set[Game] = set()
        done: set[Game] = set()
        while pending:
            option = pending.pop()
            if option in done:
                continue
            done.add(option)
            for answer in options(option)[1 - side]:
                if self.beats(answer, side == 0):
                    pending.extend(options(answer)[side])
                    break
            else:
                kept.add(option)
        return kept

    def beats(self, game: Game, larger: bool) -> bool:
        """Return whether this game is >= another game or, if `larger` is false, whether it is <= the other game.

        The other game, `game`, must be in canonical form.
        """
        low, high = self.left_stop, self.right_stop
        assert low is not None
        assert high is not None
        number, shape = game
        if larger:
            if shape is None:
                return high > number or (high == number and self.at_least)
            if low < number or high < right_stop(game):
                return False
            if high > number:
                return True
        else:
            if shape is None:
                return low < number or (low == number and self.at_most)
            if low > number or high > right_stop(game):
                return False
            if low < right_stop(game):
                return True
        known = self._answers.get((game, larger))
        if known is not None:
            return known
        # By definition, G >= H unless a right option of G is <= H or a left option of H is >= G. For G <= H, swap the
        # words "left" and "right", and reverse all inequalities.
        better = at_least if larger else _at_most
        answer = True
        for option in self.options[1 if larger else 0]:
            if better(game, option):
                answer = False
                break
        else:
            for option in options(game)[0 if larger else 1]:  # a loop, because every level of recursion uses stack
                if self.beats(option, not larger):
                    answer = False
                    break
        self._answers[game, larger] = answer
        return answer


def _at_most(one: Game, other: Game) -> bool:
    return at_least(other, one)


def undominated(games: Iterable[Game], better: Callable[[Game, Game], bool]) -> list[Game]:
    """Return the games that are not dominated; of equal games, keep only one."""
    kept: list[Game] = []
    for game in games:
        if not any(better(other, game) for other in kept):
            kept = [other for other in kept if not better(game, other)]
            kept.append(game)
    return kept
