"""Games for the review tests, played at random or from a list of moves."""

from gridlock.core.game import SWAP, Game
from gridlock.core.notation import play_moves
from gridlock.core.rules import variant


def random_game(played, rng, plies=99, swap=False, resigns=0.0):
    """Return a game of at most `plies` random moves; either player may resign on any turn."""
    game = Game(played, starts=rng.choice((1, 2)), swap=swap)
    while len(game.moves) < plies and not game.outcome:
        if rng.random() < resigns:
            game.resign(rng.choice((1, 2)))
        elif game.can_swap and (not game.legal or rng.random() < 0.5):
            game.push(SWAP)
        else:
            game.push(rng.choice(played.legal_cells(game.position)))
    return game


def a_game(name, board, moves, adjacency=None, **options):
    """Start a game, play a list of moves such as "1,1 swap 3,3", and return the game."""
    game = Game(variant(name, board, adjacency), **options)
    play_moves(game, moves)
    return game
