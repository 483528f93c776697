"""The simplest bot: it reads a line with the game and its moves, and answers with a move."""

import sys

import gridlock as gl

for line in sys.stdin:
    name, board, adjacency, *rest = line.split()
    if "from" in rest:
        game = gl.Game.from_text(rest[rest.index("from") + 1])
    else:
        game = gl.Game(name, board, adjacency, swap=rest[0] == "swap")
    for move in rest[rest.index("moves") + 1 :]:
        if move != "pass":
            game.push(move)
    print("{},{}".format(*game.legal_moves[0]), flush=True)
