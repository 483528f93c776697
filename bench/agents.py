"""Compare the speed of our agent environments with that of other libraries' games.

    pip install -e '.[bench]' pgx envpool
    python -m bench.agents [--seconds 1]

A step is one move of one game, chosen at random from the legal moves. Rates are per second of this process's processor
time, and each is the best of five runs. Each run goes through all of a library's benchmarks in turn, so that a brief
slowdown does not affect all five measurements of one benchmark. The output names any missing libraries.
"""

import argparse
import platform
import random
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import version
from itertools import count
from typing import Any

from gridlock import Game, cells_of, variant
from gridlock.engine.kernels.interface import state_of
from gridlock.engine.kernels.playout_kernel import Playouts

GAMES = ("keepaway", "chain", "scatter", "trails", "showdown")
COUNT = 4096
Row = tuple[str, Callable[[], int]]  # a title, and a function that does some of the work and returns how many steps


TRIES = 5
COLD = 500  # steps until the caches are emptied again, in the rows marked cold


def rate(work: Callable[[], int], seconds: float) -> float:
    """Return the steps per second of processor time."""
    steps, begin = 0, time.process_time()
    while (spent := time.process_time() - begin) < seconds:
        steps += work()
    return steps / spent


def batches() -> Iterator[Row]:
    """Measure the speed of games played in lockstep, and of whole games played by the playout kernel."""
    from gridlock.engine.kernels import batch_kernel
    from gridlock.envs.batch import Batch

    for compiled in (True, False) if batch_kernel.COMPILED else (False,):
        kind = "compiled" if compiled else "NumPy"
        for game, board in (
            *((game, None) for game in GAMES),
            ("showdown", "8x8"),
            ("chain", "8x8"),
            ("showdown", "10x10"),
        ):
            batch = Batch(game, board, count=COUNT, seed=1, compiled=compiled)
            planes, mask = batch.planes(), batch.mask()

            def plain(batch: Batch = batch) -> int:
                for _ in range(20):
                    batch.step_random()
                return 20 * COUNT

            def everything(batch: Batch = batch, planes: Any = planes, mask: Any = mask) -> int:
                for _ in range(20):
                    batch.step_random()
                    batch.planes(planes)
                    batch.mask(mask)
                return 20 * COUNT

            name = f"{game} {batch.variant.grid}"
            yield f"batch of {COUNT}, {kind}: {name}", plain
            yield f"batch of {COUNT}, {kind}, planes and mask: {name}", everything
    for game, board in (*((game, None) for game in GAMES), ("showdown", "8x8"), ("showdown", "10x10")):
        chosen = variant(game, board)
        assert chosen.shape is not None  # all five have one
        kernel = Playouts(chosen.shape, chosen.grid)
        seeds = count()

        def whole(
            kernel: Playouts = kernel,
            state: tuple[int, int, int, int] = state_of(chosen.start()),
            seeds: Iterator[int] = seeds,
        ) -> int:
            return int(kernel.run(*state, 5000, next(seeds))[1])

        yield f"random games: {game} {chosen.grid}", whole


def pettingzoo() -> Iterator[Row]:
    """Time our environment, with and without wrappers, and PettingZoo's own games; every step calls last()."""
    from gridlock.envs.pettingzoo import env, raw_env

    def play(made: Any) -> Callable[[], int]:
        rng = random.Random(1)

        def game() -> int:
            made.reset(seed=1)
            steps = 0
            while made.agents:
                observation, _, terminated, truncated, _ = made.last()
                if terminated or truncated:
                    made.step(None)
                    continue
                made.step(int(rng.choice(observation["action_mask"].nonzero()[0])))
                steps += 1
            return steps

        return game

    for game in GAMES:
        yield f"PettingZoo, bare: {game}", play(raw_env(game))
    yield "PettingZoo, in its wrappers: showdown", play(env(game="showdown"))
    for name in ("tictactoe", "connect_four"):
        try:
            module = import_module(f"pettingzoo.classic.{name}.{name}")
        except ImportError:
            print("PettingZoo's classic games are not installed: pip install 'pettingzoo[classic]'")
            return
        yield f"PettingZoo's own {name}, bare", play(module.raw_env())
        yield f"PettingZoo's own {name}, in its wrappers", play(module.env())


def openspiel() -> Iterator[Row]:
    """Time our games next to OpenSpiel's own games in Python and in C++."""
    import pyspiel
    from open_spiel.python.games import tic_tac_toe as _registered  # noqa: F401

    import gridlock.envs.openspiel  # noqa: F401  # which registers the games

    for name in (*(f"gridlock_{game}" for game in GAMES), "python_tic_tac_toe", "tic_tac_toe", "connect_four"):
        made, rng = pyspiel.load_game(name), random.Random(1)

        def game(made: Any = made, rng: random.Random = rng) -> int:
            state, steps = made.new_initial_state(), 0
            while not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
                steps += 1
            return steps

        def clone(state: Any = made.new_initial_state()) -> int:  # noqa: B008  # one state for all
            for _ in range(100):
                state.clone()
            return 100

        yield f"OpenSpiel: {name}", game
        if name in ("gridlock_showdown", "python_tic_tac_toe"):
            yield f"OpenSpiel, clones: {name}", clone


def gymnasium() -> Iterator[Row]:
    """Measure how long an agent's steps take when the agent plays against the computer at various levels."""
    from gridlock.envs.gymnasium import Against

    for game in GAMES:
        for opponent in ("random", "easy", "perfect"):
            made, rng = Against(game, opponent=opponent), random.Random(1)
            made.reset(seed=1)

            def play(made: Any = made, rng: random.Random = rng) -> int:
                made.reset()
                over, steps = False, 0
                while not over:
                    over = made.step(rng.choice(made.action_masks().nonzero()[0]))[2]
                    steps += 1
                return steps

            yield f"Gymnasium against {opponent}: {game}", play


def labels() -> Iterator[Row]:
    """Measure how long it takes to label the positions of random games with the values of all moves."""
    from gridlock.envs.labels import Labels

    for game in GAMES:
        asked, rng = Labels(game), random.Random(1)

        def play(asked: Labels = asked, rng: random.Random = rng) -> int:
            played, count = Game(asked.variant), 0
            while played.outcome is None:
                asked.of(played.position)
                count += 1
                played.push(rng.choice(cells_of(played.legal)))
            return count

        yield f"labels of all moves: {game}", play


def cold() -> Iterator[Row]:
    """Measure how long an environment's first steps take, and how long labelling takes, starting with empty caches."""
    from gridlock.engine.engine import engine_for
    from gridlock.envs.gymnasium import Against
    from gridlock.envs.labels import Labels

    for game in GAMES:
        rng = random.Random(1)

        def steps(game: str = game, rng: random.Random = rng) -> int:
            engine_for.cache_clear()
            made = Against(game, opponent="perfect")
            made.reset(seed=rng.getrandbits(32))
            for _ in range(COLD):
                if made.step(rng.choice(made.action_masks().nonzero()[0]))[2]:
                    made.reset()
            return COLD

        def labelled(game: str = game, rng: random.Random = rng) -> int:
            asked = Labels(game)
            played = Game(asked.variant)
            for _ in range(COLD):
                asked.of(played.position)
                played.push(rng.choice(cells_of(played.legal)))
                if played.outcome:
                    played = Game(asked.variant)
            return COLD

        yield f"Gymnasium against perfect, cold: {game}", steps
        yield f"labels of all moves, cold: {game}", labelled


def pgx() -> Iterator[Row]:
    """Time Pgx's own games on this processor."""
    jax, made = import_module("jax"), import_module("pgx")
    for name in ("tic_tac_toe", "connect_four"):
        game = made.make(name)
        step = jax.vmap(game.step)
        init = jax.jit(jax.vmap(game.init))
        state = [init(jax.random.split(jax.random.PRNGKey(1), COUNT)), jax.random.PRNGKey(2)]

        def move(state: Any, key: Any, step: Any = step, game: Any = game) -> Any:
            one, two = jax.random.split(key)
            noise = jax.random.gumbel(one, state.legal_action_mask.shape)
            action = jax.numpy.argmax(jax.numpy.where(state.legal_action_mask, noise, -jax.numpy.inf), axis=1)
            state = step(state, action)
            fresh = jax.vmap(game.init)(jax.random.split(two, COUNT))
            over = state.terminated

            def pick(new: Any, old: Any) -> Any:
                return jax.numpy.where(over.reshape(-1, *[1] * (new.ndim - 1)), new, old)

            return jax.tree_util.tree_map(pick, fresh, state), two

        compiled = jax.jit(move)

        def work(compiled: Any = compiled, state: Any = state) -> int:
            for _ in range(5):
                state[0], state[1] = compiled(*state)
            jax.block_until_ready(state[0].observation)
            return 5 * COUNT

        yield f"Pgx {name}, batch of {COUNT}, observations and restarts", work


def envpool() -> Iterator[Row]:
    """Time EnvPool's own game in C++."""
    made = import_module("envpool").make("ConnectFour-v1", env_type="gymnasium", num_envs=256, num_threads=1)
    numpy, seen = import_module("numpy"), [made.reset()[1]]

    def work() -> int:
        rng = numpy.random.default_rng(1)
        mask = numpy.asarray(seen[0]["legal_action_mask"])
        actions = (rng.random(mask.shape) * mask).argmax(axis=1).astype(numpy.int32)
        seen[0] = made.step(actions)[-1]
        return 256

    yield "EnvPool ConnectFour-v1, batch of 256, 1 thread", work


def processor() -> str:
    """Return the name of this processor."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.partition(":")[2].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def main() -> None:
    """Print all results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each row (default 1)")
    parser.add_argument("--only", default="", help="rows whose name begins so")
    options = parser.parse_args()
    print(f"CPython {platform.python_version()} on {processor()}, CPU only\n")
    for library, rows in (
        ("numpy", batches),
        ("pettingzoo", pettingzoo),
        ("open_spiel", openspiel),
        ("gymnasium", gymnasium),
        ("numpy", labels),
        ("gymnasium", cold),
        ("pgx", pgx),
        ("envpool", envpool),
    ):
        try:
            import_module(library)
            print(f"{library} {version(library)}")
        except ImportError:
            print(f"{library} is not installed")
            continue
        measured = [(name, work) for name, work in rows() if name.startswith(options.only)]
        for _, work in measured:
            work()  # warms up, compiles
        tries = [[rate(work, options.seconds / TRIES) for _, work in measured] for _ in range(TRIES)]
        for (name, _), rates in zip(measured, zip(*tries, strict=True), strict=True):
            print(f"  {name:<72}{max(rates):>14,.0f}", flush=True)


if __name__ == "__main__":
    main()
