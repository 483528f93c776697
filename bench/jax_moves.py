"""Measure how fast random games run on JAX, on any device: on one core of a CPU, or by the million on a GPU.

    pip install -e '.[jax]'
    python -m bench.jax_moves [--games 4096] [--unroll 1] [--json FILE]

There are three ways to play. *moves* makes random legal moves on the device, and restarts finished games. *states* does
the same with `step`, which also keeps track of turns, rewards and endings. *planes* does the same as *states*, and also
computes the observations and masks that agents need. On a CPU, the time is processor time, because other programs may
be running; on other devices, it is elapsed time.
"""

import argparse
import json
import os
import time
from collections.abc import Callable
from functools import partial
from typing import Any

if hasattr(os, "sched_setaffinity"):  # this must happen before JAX counts the cores
    _ALL_CORES = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(_ALL_CORES)})

import jax
import jax.numpy as jnp
import numpy as np

from gridlock import RULE_BOOKS
from gridlock.envs import jax as envs

REPEATS = 5


@partial(jax.jit, static_argnames=("moves", "unroll", "look"))
def stepped(now: tuple[envs.State, jax.Array], moves: int, unroll: int, look: bool) -> tuple[Any, jax.Array]:
    """Play random games with `step`; if `look` is true, also compute the planes and masks."""
    env = now[0].env
    new = jax.tree.map(lambda a: jnp.broadcast_to(a, now[0].terminated.shape + a.shape), env.init())

    def one(now: tuple[envs.State, jax.Array], _step: None) -> tuple[tuple[envs.State, jax.Array], jax.Array]:
        state, dice = now[0], envs.rolled(now[1])
        after = env.step(state, envs.random_action(state, dice))
        over = after.terminated

        def pick(a: jax.Array, b: jax.Array) -> jax.Array:
            return jnp.where(over.reshape(over.shape + (1,) * (a.ndim - over.ndim)), a, b)

        after = jax.tree.map(pick, new, after)
        ones = after.observation.sum() + after.legal_action_mask.sum() if look else jnp.int32(0)
        return (after, dice), ones

    return jax.lax.scan(one, now, None, length=moves, unroll=unroll)


def speed(play: Callable[[Any], Any], now: Any, moves: int, on_cpu: bool) -> tuple[Any, float]:
    """Return the state after several runs, and the fastest run's moves per second, excluding compilation."""
    clock, best = time.process_time if on_cpu else time.perf_counter, float("inf")
    now = _done(play(now))
    for _ in range(REPEATS):
        began = clock()
        now = _done(play(now))
        best = min(best, clock() - began)
    return now, moves / best


def _done(now: Any) -> Any:
    """Wait until the device has computed the result, and return it."""
    jax.tree.map(lambda array: array.block_until_ready(), now)
    return now


def measured(name: str, games: int, moves: int, unroll: int, on_cpu: bool, all_ways: bool) -> dict[str, Any]:
    """Return one game's figures."""
    env = envs.make(name)
    now, rate = speed(
        lambda now: envs.random_moves(env, now, moves, unroll), envs.rolling(env, games, 1), games * moves, on_cpu
    )
    played = (REPEATS + 1) * moves * games
    ended = int(np.asarray(now.ended).sum(dtype=np.int64))  # the sum may need more than 32 bits
    found = {
        "game": f"{name} {env.variant.grid}",
        "games": games,
        "unroll": unroll,
        "length": played / ended,
        "moves": rate,
    }
    if all_ways:
        state = jax.vmap(env.init)(jax.random.split(jax.random.key(1), games))
        for way, part in (("states", 1), ("planes", 10)):
            count = -(-moves // part)

            def play(now: Any, count: int = count, look: bool = way == "planes") -> Any:
                return stepped(now, moves=count, unroll=unroll, look=look)[0]

            _, found[way] = speed(play, (state, envs.dice(games, 1)), games * count, on_cpu)
    return found


def main() -> None:
    """Time every game with every batch size."""
    device = jax.devices()[0]
    on_cpu = device.platform == "cpu"
    if not on_cpu and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, _ALL_CORES)
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, nargs="+", default=[4096] if on_cpu else [1 << 16, 1 << 20, 1 << 24])
    parser.add_argument("--moves", type=int, default=1000, help="in every game, for each run")
    parser.add_argument("--unroll", type=int, default=1 if on_cpu else 16, help="moves that are one kernel")
    parser.add_argument("--json", help="a file for the figures")
    options = parser.parse_args()
    print(f"JAX {jax.__version__} on {device.device_kind}{', one core' if on_cpu else ''}, unroll {options.unroll}")
    print(f"{'game':<16}{'games at once':>14}{'mean length':>13}{'moves/s':>18}{'states/s':>18}{'planes/s':>18}")
    rows = []
    for games in options.games:
        for name in RULE_BOOKS:
            row = measured(name, games, options.moves, options.unroll, on_cpu, all_ways=games <= 1 << 20)
            rows.append(row)
            rates = "".join(
                f"{row[way]:>18,.0f}" if way in row else f"{'-':>18}" for way in ("moves", "states", "planes")
            )
            print(f"{row['game']:<16}{games:>14,}{row['length']:>13.2f}{rates}", flush=True)
            if options.json:
                with open(options.json, "w", encoding="utf-8") as file:
                    json.dump({"jax": jax.__version__, "device": device.device_kind, "rows": rows}, file, indent=1)


if __name__ == "__main__":
    main()
