"""A showdown bot for the simplest protocol: it reads a line with the moves so far, and answers with a move.

Play against it: gridlock play showdown --player2 "line:python simple.py"
"""

import sys


def near(cell: tuple[int, int], other: tuple[int, int], king: bool) -> bool:
    """Return whether two cells touch."""
    down, across = abs(cell[0] - other[0]), abs(cell[1] - other[1])
    return max(down, across) == 1 if king else down + across == 1


def choose(board: str, king: bool, moves: list[str]) -> str:
    """Return the legal move after which this player has the largest lead in open cells."""
    rows, cols = map(int, board.split("x"))
    cells = [(row, col) for row in range(1, rows + 1) for col in range(1, cols + 1)]
    taken = [tuple(map(int, move.split(","))) for move in moves if move != "swap"]
    theirs, mine = taken[len(taken) % 2 ^ 1 :: 2], taken[len(taken) % 2 :: 2]

    def room(own: list, against: list) -> list:
        """Return the empty cells that touch none of the opponent's markers."""
        free = [cell for cell in cells if cell not in own and cell not in against]
        return [cell for cell in free if not any(near(cell, marker, king) for marker in against)]

    best = max(room(mine, theirs), key=lambda cell: len(room([*mine, cell], theirs)) - len(room(theirs, [*mine, cell])))
    return "{},{}".format(*best)


for line in sys.stdin:  # such as: showdown 5x5 king moves 3,3 1,1
    _game, board, adjacency, *rest = line.split()
    print(choose(board, adjacency == "king", rest[rest.index("moves") + 1 :]), flush=True)
