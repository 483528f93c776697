"""A UGI solver for all five games; it tries every move, and answers "unknown" when its time is up.

Score it: gridlock suite --engine "ugi:python solver.py" --grades 0-2 --time 1
"""

import sys
import time

import gridlock as gl

game = gl.Game("showdown")
known: dict[str, bool] = {}  # for each position, whether the player to move wins


class TooLate(Exception):
    """The signal that the time is up."""


def wins(deadline: float) -> bool:
    """Return whether the player to move wins. `Game` passes automatically, so a player may move twice in a row."""
    if time.monotonic() > deadline:
        raise TooLate
    if game.is_over:
        return game.winner == game.turn
    position = game.position_word()
    if position not in known:
        known[position] = winning_move(deadline) is not None
    return known[position]


def winning_move(deadline: float) -> tuple[int, int] | None:
    """Return a winning move for the player to move, or None if no move wins."""
    player = game.turn
    for move in list(game.legal_moves):
        game.push(move)
        try:
            if wins(deadline) == (game.turn == player):
                return move
        finally:
            game.pop()
    return None


def answer(words: list[str]) -> str:
    """Return the answer to `go movetime MS` or `query value movetime MS`."""
    deadline = time.monotonic() + 0.9 * int(words[words.index("movetime") + 1]) / 1000
    is_query = words[0] == "query"
    try:
        if is_query:
            return f"response p{game.turn if wins(deadline) else 3 - game.turn}win"
        move = winning_move(deadline)
    except TooLate:
        move = None
    return "response unknown" if is_query else "bestmove {},{}".format(*move or game.legal_moves[0])


for line in sys.stdin:
    words = line.split()
    if words[:1] == ["ugi"]:
        print("id name solver\nugiok", flush=True)
    elif words[:1] == ["isready"]:
        print("readyok", flush=True)
    elif words[:2] == ["position", "fen"]:
        game = gl.Game.from_text(words[2])
        for move in words[4:]:
            if move != "pass":
                game.push(move)
    elif "movetime" in words:
        print(answer(words), flush=True)
    elif words[:1] == ["quit"]:
        break
