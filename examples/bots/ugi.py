"""A showdown bot that uses the UGI protocol: gridlock play showdown --player2 "process:python ugi.py"."""

import re
import sys

options = {"board": "5x5", "adjacency": "king"}
SIDES = ("X", "O")
OPTIONS = "option name board type string default 5x5\noption name adjacency type string default king"


def set_up(words: list[str]) -> None:
    """Read the position given by the words after `position`."""
    global adjacency, cells, turn
    rows, cols = map(int, options["board"].split("x"))
    fen = ["", "", options["adjacency"], "/".join([str(cols)] * rows), "X"] if words[0] == "startpos" else words
    adjacency, turn = fen[2], SIDES.index(fen[4])
    lines = [re.sub(r"\d+", lambda count: "." * int(count[0]), row) for row in fen[3].split("/")]
    cells = {(row, col): sign for row, line in enumerate(lines, 1) for col, sign in enumerate(line, 1)}
    for move in words[words.index("moves") + 1 :] if "moves" in words else ():
        cells[tuple(map(int, move.split(",")))], turn = SIDES[turn], 1 - turn


def is_blocked(row: int, col: int, side: int) -> bool:
    """Return whether a cell touches one of the opponent's markers."""
    steps = [(down, across) for down in (-1, 0, 1) for across in (-1, 0, 1) if adjacency == "king" or not down * across]
    return any(cells.get((row + down, col + across)) == SIDES[1 - side] for down, across in steps)


def room(side: int) -> list[tuple[int, int]]:
    """Return the cells that a side may play."""
    return [cell for cell, sign in cells.items() if sign == "." and not is_blocked(*cell, side)]


def promise(cell: tuple[int, int]) -> int:
    """Return how many more legal cells this side would have than the opponent after playing a cell."""
    cells[cell] = SIDES[turn]
    more = len(room(turn)) - len(room(1 - turn))
    cells[cell] = "."
    return more


set_up(["startpos"])
for line in sys.stdin:
    words = re.split("[ :]+", line.strip())
    if words[0] == "setoption":
        options[words[2]] = words[4]
    elif words[0] == "position":
        set_up(words[1:])
    elif words[0] in ("ugi", "isready"):
        print("readyok" if words[0] == "isready" else f"id name showdown in Python\n{OPTIONS}\nugiok", flush=True)
    elif words[0] == "go":
        print("bestmove", "{},{}".format(*max(room(turn), key=promise)) if room(turn) else "none", flush=True)
    elif words[0] == "query":
        facts = {"gameover": str(not room(turn)).lower(), "p1turn": str(turn == 0).lower()}
        print("response", facts.get(words[1], "none" if room(turn) else f"p{2 - turn}win"), flush=True)
    elif words[0] == "quit":
        break
