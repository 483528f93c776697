"""An agent written in the style of python-chess; when run as a script, it plays against itself."""

import random

import gridlock as gl


def mine(game, rng, seconds):  # noqa: ARG001  (every agent receives these arguments)
    """Win immediately if possible; otherwise leave the opponent as few moves as possible."""
    fewest, best = 1000, None
    moves = list(game.legal_moves)
    rng.shuffle(moves)
    for move in moves:
        trial = game.copy()
        trial.push(move)
        if trial.is_over and trial.winner == game.turn:
            return move
        if len(trial.legal_moves) < fewest:
            fewest, best = len(trial.legal_moves), move
    return best


if __name__ == "__main__":
    game = gl.Game("showdown", "4x4")
    while not game.is_over:
        game.push(mine(game, random.Random(1), 1.0))
    print(game)
    print(f"Player {game.winner} won.")
