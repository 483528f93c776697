"""How the computer's levels do against the one below: paired games from random openings, each played by both sides.

python -m bench.levels [--games 40] [--board 6x6] [--game showdown]
"""

import argparse
from random import Random

from gridlock import RULE_BOOKS, Game, variant
from gridlock.agents import agent
from gridlock.engine.engine import engine_for
from gridlock.game import SWAP

LADDER = ["random", "easy", "medium", "hard", "perfect"]
BOARDS = {"keepaway": "5x5", "chain": "6x6", "scatter": "6x6", "trails": "7x7", "showdown": "6x6"}


def opening(game: str, board: str, rng: Random) -> list[int]:
    """Random moves up to a position that is a test: the player to move can win, but most moves throw the win away."""
    chosen = variant(game, board)
    engine = engine_for(chosen)
    while True:
        trial = Game(chosen)
        for _ in range(rng.randrange(2, chosen.grid.size // 2)):
            if trial.legal:
                trial.play(rng.choice(chosen.moves(trial.position)))
        cells = chosen.moves(trial.position)
        if len(cells) < 3 or trial.passing:
            continue
        winning = engine.analyse(trial.position, 0.5).winning
        if 1 <= len(winning) <= len(cells) / 3:
            return trial.moves


def play_out(game: str, board: str, moves: list[int], kinds: tuple[str, str], seed: int, think: float) -> int:
    """Play a game to its end and say which player won."""
    played = Game(variant(game, board))
    for move in moves:
        played.play(move)
    while not (outcome := played.outcome):
        rng = Random(f"{seed}/{len(played.moves)}")
        move = agent(kinds[played.to_move - 1])(played, rng, think)
        assert move != SWAP  # these games are played without it
        played.play(move)
    return outcome.winner


def score(game: str, board: str, upper: str, lower: str, pairs: int, think: float) -> float:
    """The upper level's share of points in paired games."""
    points = 0
    for number in range(pairs):
        moves = opening(game, board, Random(f"{game}/{number}"))
        points += play_out(game, board, moves, (upper, lower), number, think) == 1
        points += play_out(game, board, moves, (lower, upper), number, think) == 2
    return points / (2 * pairs)


def main() -> None:
    """Print a table: a row for each game, a column for each step of the ladder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40, help="games for each entry")
    parser.add_argument("--game", choices=list(RULE_BOOKS))
    parser.add_argument("--board")
    parser.add_argument("--think", type=float, default=0.2, help="seconds a move for the perfect level")
    options = parser.parse_args()
    steps = list(zip(LADDER[1:], LADDER, strict=False))
    print(f"{'':<16}" + "".join(f"{upper + '-' + lower:>16}" for upper, lower in steps))
    for game in [options.game] if options.game else list(BOARDS):
        board = options.board or BOARDS[game]
        print(f"{game + ' ' + board:<16}", end="", flush=True)
        for upper, lower in steps:
            print(f"{score(game, board, upper, lower, options.games // 2, options.think):>16.0%}", end="", flush=True)
        print()


if __name__ == "__main__":
    main()
