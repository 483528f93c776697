"""A UGI engine that knows the answers to a problem suite: suite_solver.py FILE [MODE].

`right`: the engine gives the correct answers. `wrong`: the engine names the wrong winner (player 1 in open problems)
and plays a losing move. `unknown`: the engine answers that the winner is unknown. `guesses`: the engine answers that
the winner is unknown, and plays a losing move. `bold`: the engine names player 2 as the winner of open problems.
`silent`: the engine never answers `query value`. `mute`: the engine never answers `go`. `dies`: the engine exits when
it receives its second position. `slow`: the engine takes a fifth of a second to name the winner.
"""

import sys
import time
from pathlib import Path

from gridlock.core.game import Game

mode = sys.argv[2] if len(sys.argv) > 2 else "right"
known = {words[1]: words[2:4] for words in (line.split() for line in Path(sys.argv[1]).read_text().splitlines()[1:])}
place, asked = "", 0


def move(game: Game, winning: list[str]) -> str:
    """Return a winning move or, in the modes "wrong" and "guesses", a losing move."""
    names = [f"{row},{col}" for row, col in game.legal_moves]
    return next(name for name in names if (name in winning) == (mode not in ("wrong", "guesses")))


for line in sys.stdin:
    words = line.split()
    if words[:1] == ["ugi"]:
        print("id name suite solver\nugiok", flush=True)
    elif words[:1] == ["isready"]:
        print("readyok", flush=True)
    elif words[:1] == ["position"]:
        place = words[2]
        asked += place in known
        if mode == "dies" and asked > 1:
            sys.exit("it has had enough")
    elif words[:2] == ["query", "value"] and mode != "silent":
        winner = known[place][0] if place in known else "1"
        if winner == "?":
            winner = {"wrong": "1", "bold": "2"}.get(mode, "?")
        elif mode == "wrong" and place in known:
            winner = str(3 - int(winner))
        time.sleep(0.2 * (mode == "slow"))
        is_known = winner != "?" and (mode not in ("unknown", "guesses") or place not in known)
        print(f"response p{winner}win" if is_known else "response unknown", flush=True)
    elif words[:1] == ["go"] and mode != "mute":
        print(f"bestmove {move(Game.from_text(place), known[place][1].split('+'))}", flush=True)
    elif words[:1] == ["quit"]:
        break
