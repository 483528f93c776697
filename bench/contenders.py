"""The contenders: GridLock's public API and three other libraries, each of which plays random games in its own way.

Each library runs the plain loop that its own documentation suggests, and all loops use the same random generator.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version

import gridlock
from gridlock.core.game import Game

Play = Callable[[random.Random], int]  # plays one random game to its end, and returns its number of moves


@dataclass(frozen=True)
class Contender:
    """A library, a game, and a function that plays the game with the library."""

    library: str
    game: str
    play: Play


@dataclass(frozen=True)
class Missing:
    """A library that could not be loaded, and the reason."""

    library: str
    why: str


def gridlock_positions(variant: gridlock.Variant) -> Play:
    """Return a function that plays a random game with only `Position` objects, as search and learning programs do."""

    def play(rng: random.Random) -> int:
        position, steps = variant.start(), 0
        while True:
            if moves := variant.legal_cells(position):
                position = position.after(rng.choice(moves))
                steps += 1
            elif variant.must_pass(position):
                position = position.passed()
            else:
                return steps

    return play


def gridlock_games(variant: gridlock.Variant) -> Play:
    """Return a function that plays random games; the class `Game` checks and records every move."""

    def play(rng: random.Random) -> int:
        game = Game(variant)
        while not game.outcome:
            game.push(rng.choice(gridlock.cells_of(game.legal)))
        return len(game.moves)

    return play


def open_spiel(name: str) -> Play:
    """Return a function that plays with OpenSpiel's states, which are implemented in C++."""
    game = import_module("pyspiel").load_game(name)

    def play(rng: random.Random) -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            steps += 1
        return steps

    return play


def pettingzoo(name: str) -> Play:
    """Return a function that plays in a PettingZoo environment without the wrappers that perform checks."""
    env = import_module(f"pettingzoo.classic.{name}").raw_env()

    def play(rng: random.Random) -> int:
        env.reset()
        steps = 0
        for _agent in env.agent_iter():
            observation, _reward, terminated, truncated, _info = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            env.step(rng.choice(observation["action_mask"].nonzero()[0]))
            steps += 1
        return steps

    return play


def easyai(name: str) -> Play:
    """Return a function that plays one of the games that come with easyAI."""
    make = getattr(import_module(f"easyAI.games.{name}"), name)

    def play(rng: random.Random) -> int:
        game, steps = make([None, None]), 0
        while not game.is_over():
            game.make_move(rng.choice(game.possible_moves()))
            game.switch_player()
            steps += 1
        return steps

    return play


PEERS: list[tuple[str, str, Callable[[str], Play], list[tuple[str, str]]]] = [
    ("OpenSpiel", "open_spiel", open_spiel, [("hex 5x5", "hex(board_size=5)"), ("tic-tac-toe", "tic_tac_toe")]),
    ("PettingZoo", "pettingzoo", pettingzoo, [("tic-tac-toe", "tictactoe_v3"), ("connect four", "connect_four_v3")]),
    ("easyAI", "easyAI", easyai, [("tic-tac-toe", "TicTacToe"), ("connect four", "ConnectFour")]),
]


def contenders() -> Iterator[Contender | Missing]:
    """Yield every contender that can be measured, and a `Missing` entry for each library that is not installed."""
    for name in gridlock.RULE_BOOKS:
        variant = gridlock.variant(name)
        yield Contender("GridLock positions", f"{name} {variant.grid}", gridlock_positions(variant))
    for name in gridlock.RULE_BOOKS:
        variant = gridlock.variant(name)
        yield Contender("GridLock games", f"{name} {variant.grid}", gridlock_games(variant))
    for library, package, load, games in PEERS:
        try:
            label = f"{library} {version(package)}"
            yield from [Contender(label, game, load(name)) for game, name in games]
        except ImportError as error:  # PackageNotFoundError is also an ImportError
            yield Missing(library, f"not installed ({error})")
