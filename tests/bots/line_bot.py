"""The simplest bot: it reads the game and its moves on a line, and answers with a move."""

import sys

import gridlock as gl

for line in sys.stdin:
    name, board, adjacency, *rest = line.split()
    game = gl.Game(name, board, adjacency, starts=2 if rest[:2] == ["starts", "2"] else 1)
    for move in rest[rest.index("moves") + 1 :]:
        game.push(move)
    print("{},{}".format(*game.legal_moves[0]), flush=True)
