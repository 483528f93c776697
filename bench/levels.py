"""Measure how each of the computer's levels does against the level below, in pairs of games from random openings.

python -m bench.levels [--games 200] [--game showdown] [--board 6x6] [--adjacency king] [--think 0.2] [--untested]
                       [--player learned] [--ledger FILE] [--cluster tcp://HOST:8786]

In addition, the script prints how a thoughtful beginner does against `easy`, and how `perfect` does against a random
player. The four differences in strength between successive levels cannot add up to more than the difference between
`random` and `perfect`. With --player, the agent that you name plays against every level instead, by default on 5x5
boards. Every core, or every worker of a Dask cluster, plays its own games. With --ledger, finished games are saved in a
file, and running the same command again resumes from that file.
"""

import argparse
import os
from pathlib import Path
from random import Random
from typing import NamedTuple

from gridlock import RULE_BOOKS, __version__, variant
from gridlock.core.errors import GridLockError
from gridlock.core.game import SWAP, Game
from gridlock.core.grid import Cell
from gridlock.core.position import Position
from gridlock.core.rulebook import Variant
from gridlock.engine.clock import Clock
from gridlock.engine.engine import engine_for
from gridlock.engine.evidence import Verdict
from gridlock.players import Agent, agents
from gridlock.players.levels import look_ahead
from gridlock.units.ledger import Ledger
from gridlock.units.running import run_units

MATCHES = [
    ("easy", "random"),
    ("medium", "easy"),
    ("hard", "medium"),
    ("perfect", "hard"),
    ("beginner", "easy"),
    ("perfect", "random"),
]
BOARDS = {
    "keepaway": ("4x4", "king"),
    "chain": ("10x10", "orthogonal"),
    "scatter": ("9x9", "king"),
    "trails": ("7x7", "king"),
    "showdown": ("8x8", "king"),
}
PATIENCE = 2000  # the number of openings to try at each of two maximum lengths
SIGHT = 3  # plies that the beginner looks ahead


def lead(chosen: Variant, position: Position) -> int:
    """Return how many more cells the side to move can take than the other side can.

    In games with pawns, compare how many cells each side can reach before the other side does.
    """
    mine, theirs = chosen.legal(position), chosen.legal(position.passed())
    if chosen.book.pawns:
        theirs &= ~mine
        free = chosen.grid.cells & ~position.taken
        while free & ~(mine | theirs) & chosen.grid.around(mine | theirs):
            mine |= chosen.grid.around(mine) & free & ~theirs
            theirs |= chosen.grid.around(theirs) & free & ~mine
    return mine.bit_count() - theirs.bit_count()


def beginner(game: Game, rng: Random, _think: float) -> int:
    """Look three plies ahead; among equally good moves, choose the one that leaves the mover the largest lead."""
    chosen, position = game.variant, game.position
    ranks = (Verdict.WIN, Verdict.UNKNOWN, Verdict.LOSS)  # verdicts for the opponent, who is then to move

    def promise(cell: Cell) -> tuple[int, int, float]:
        after = position.after(cell)
        return ranks.index(look_ahead(chosen, after, SIGHT - 1)), -lead(chosen, after), rng.random()

    return max(chosen.legal_cells(position), key=promise)


def opening(chosen: Variant, rng: Random, test: bool) -> list[int]:
    """Return random moves that lead to a position in which the player to move has a choice.

    In keepaway and chain, the winning side can usually make almost any move and still win. Therefore, if `test` is
    true, the player to move must be able to win, but at most a third of the legal moves may win. At first, only
    positions in which at least a third of the board is empty are tried. If none of these positions is suitable (as in
    keepaway 5x5), later positions are also tried.
    """
    for attempt in range(2 * PATIENCE):
        longest = chosen.grid.size * 2 // 3 if attempt < PATIENCE else chosen.grid.size
        trial = Game(chosen)
        for _ in range(rng.randrange(2, max(longest, 3) if test else 7)):
            if trial.legal:
                trial.push(rng.choice(chosen.legal_cells(trial.position)))
        cells = chosen.legal_cells(trial.position)
        if len(cells) < 2 or trial.passing:
            continue
        if not test or 1 <= _winning(chosen, trial.position) <= len(cells) / 3:
            return trial.moves
    raise GridLockError(f"{chosen.book.name} {chosen.grid} has no openings to test players with: try --untested.")


def _winning(chosen: Variant, position: Position) -> int:
    """Return the number of winning moves in a game that is decided by a matching of cells."""
    proof = engine_for(chosen).prove(position, Clock())
    return len(proof.winning) if proof else 0


def play_out(chosen: Variant, moves: list[int], players: tuple[Agent, Agent], seed: str, think: float) -> int:
    """Play a game to the end and return the winner."""
    played = Game(chosen)
    for move in moves:
        played.push(move)
    while not (outcome := played.outcome):
        rng = Random(f"{seed}/{len(played.moves)}")
        move = players[played.turn - 1](played, rng, think)
        assert move != SWAP  # these games are played without the swap rule
        played.push(move)
    return outcome.winner


class Pairing(NamedTuple):
    """Two games from the same opening, with the sides exchanged."""

    board: tuple[str, str, str]
    upper: str
    lower: str
    number: int
    think: float
    test: bool

    @property
    def key(self) -> str:
        """The key under which a ledger records the result of these two games."""
        opening = "test" if self.test else "any"
        return f"{' '.join(self.board)} {self.upper}-{self.lower} {opening} {self.think:g} {self.number}"


class Entry(NamedTuple):
    """A table entry that shows the result of many pairs of games between two players on one board."""

    title: str  # the title of the entry's row, if the entry is its first
    pairings: list[Pairing]
    last: bool  # whether the entry is the last in its row


class Table:
    """The table of results, which is printed entry by entry as games finish."""

    def __init__(self, entries: list[Entry], ledger: Ledger) -> None:
        self._entries = entries
        self._ledger = ledger
        self._show()

    def finished(self, _key: str, _points: int) -> None:
        """Print the results that are complete."""
        self._show()

    def _show(self) -> None:
        while self._entries and all(one.key in self._ledger.done for one in self._entries[0].pairings):
            entry = self._entries.pop(0)
            won = sum(self._ledger.done[one.key] for one in entry.pairings)
            share = f"{won / (2 * len(entry.pairings)):>18.0%}"
            print(f"{entry.title}{share}", end="\n" if entry.last else "", flush=True)


def points(pairing: Pairing) -> int:
    """Play a pair of games, and return how many of them the higher level wins."""
    chosen, number = variant(*pairing.board), pairing.number
    one, other = (beginner if name == "beginner" else agents[name] for name in (pairing.upper, pairing.lower))
    moves = opening(chosen, Random(f"{chosen.book.name}/{number}"), pairing.test)
    first = play_out(chosen, moves, (one, other), f"{number}/1", pairing.think) == 1
    return first + (play_out(chosen, moves, (other, one), f"{number}/2", pairing.think) == 2)


def main() -> None:
    """Print a table: a row for each game, a column for each pair of players."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200, help="games for each entry")
    parser.add_argument("--game", choices=list(RULE_BOOKS))
    parser.add_argument("--board")
    parser.add_argument("--adjacency", choices=["king", "orthogonal"])
    parser.add_argument("--player", help="an agent that plays against every level")
    parser.add_argument("--think", type=float, default=0.2, help="seconds a move for the perfect level")
    parser.add_argument(
        "--untested", action="store_true", help="keepaway and chain from any random opening, not a test"
    )
    parser.add_argument("--ledger", type=Path, help="save finished games in this file, and resume from it")
    parser.add_argument("--cluster", metavar="ADDRESS", help="play on a Dask cluster (local:2 starts two workers)")
    options = parser.parse_args()
    matches = [(options.player, level) for level in agents.online()] if options.player else MATCHES
    entries = []
    for game in [options.game] if options.game else list(BOARDS):
        size, adjacency = ("5x5", str(RULE_BOOKS[game].adjacency)) if options.player else BOARDS[game]
        board = game, options.board or size, options.adjacency or adjacency
        shape = RULE_BOOKS[game].shape
        test = shape is not None and shape.geography and not options.untested
        for number, (upper, lower) in enumerate(matches):
            pairings = [Pairing(board, upper, lower, one, options.think, test) for one in range(options.games // 2)]
            entries.append(Entry(f"{' '.join(board):<24}" * (not number), pairings, number == len(matches) - 1))
    print(f"{'':<24}" + "".join(f"{upper + '-' + lower:>18}" for upper, lower in matches))
    units = {one.key: one for entry in entries for one in entry.pairings}
    with Ledger(options.ledger, {"levels": __version__}) as ledger:
        table = Table(entries, ledger)
        run_units(
            points, units, ledger, processes=os.cpu_count() or 1, cluster=options.cluster, finished=table.finished
        )


if __name__ == "__main__":
    main()
