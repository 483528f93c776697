"""The reduced canonical form of a game: the simplest game that differs from it only by an infinitesimal.

The method is due to Grossman and Siegel. If both stops of a game are the same number, the game's reduced canonical form
is that number. If the two stops differ, first reduce the game's options, then remove dominated options and bypass
reversible ones. All comparisons ignore infinitesimals. Reducing, removing and bypassing options does not change a
game's stops, so a game with two different stops never becomes a number. The options of a number must not be reduced:
{*|1} is 0, but if its options are reduced, it becomes {0|1}, which is 1/2.
"""

from gridlock.values.arithmetic import add, negative
from gridlock.values.construction import game_of, undominated
from gridlock.values.shapes import Game, Shape, followers, options, right_stop


def reduced(game: Game) -> Game:
    """Return the reduced canonical form of a game."""
    number, shape = game
    known: dict[Shape | None, Game] = {None: (0, None)}
    for follower in followers(shape):
        if follower.right_stop == 0:
            known[follower] = (0, None)
        else:
            left, right = (
                [(shift + known[option][0], known[option][1]) for shift, option in side] for side in follower.options
            )
            known[follower] = _simplified(game_of(left, right))
    return number + known[shape][0], known[shape][1]


def _simplified(game: Game) -> Game:
    """Remove a game's dominated options and bypass its reversible ones; each option must itself already be reduced."""
    while True:
        left, right = options(game)
        simpler = game_of(
            undominated(_irreversible(left, game, 0), _at_least),
            undominated(_irreversible(right, game, 1), lambda one, other: _at_least(other, one)),
        )
        if simpler == game:
            return game
        game = simpler


def _at_least(one: Game, other: Game) -> bool:
    """Return whether one game is greater than or equal to another, up to an infinitesimal."""
    return right_stop(add(one, negative(other))) >= 0


def _irreversible(found: tuple[Game, ...], game: Game, side: int) -> list[Game]:
    kept: list[Game] = []
    for option in found:
        for answer in options(option)[1 - side]:
            if _at_least(game, answer) if side == 0 else _at_least(answer, game):
                kept.extend(options(answer)[side])
                break
        else:
            kept.append(option)
    return kept
