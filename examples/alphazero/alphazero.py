"""AlphaZero for GridLock in one file: self-play, a search with mctx, a network, and a comparison with exact values.

    pip install '.[jax,learned]' mctx optax
    python examples/alphazero/alphazero.py --boards showdown:5x5 --minutes 5 --out run

Without a GPU, train on a small board; the script then spends most of its time compiling:

    python examples/alphazero/alphazero.py --boards trails:3x3 --rounds 60 --batch 64 --moves 8 --simulations 8
        --width 16 --blocks 1 --minibatch 64 --rate 5e-3 --exam 100 --out run

JAX uses every core. On a machine that is busy with other work, give the script a single core:
`taskset -c 0 python ...`.

A single network is trained on all the given boards, one board per round. A round has three parts:

1. *Self-play.* A batch of games makes some moves, each chosen by a Gumbel search. Finished games restart with a few
   random moves, so that they do not all take the same course.
2. *Learning.* The network learns to choose the moves that the search chose, and to predict the winner.
3. *The exam*, every now and then. An exam needs no opponent, because the games are solved and the engine knows every
   move's value.

Results are written to the `--out` folder as they arrive: `report.json`, `report.svg`, `network.npz` and the exams.
"""

from __future__ import annotations

import argparse
import json
import time
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import mctx
import numpy as np
import optax

import gridlock as gl
from gridlock.envs import jax as envs
from gridlock.envs.planes import seen
from gridlock.players.learned import FEATURES, Weights, features, network, properties

Array = jax.Array


# -- the network's initial weights (gridlock.players.learned computes its output) -------------------------------------


def new_weights(key: Array, width: int, blocks: int) -> Weights:
    """Return small random weights; each block's second layer starts at zero, which makes every block the identity."""

    def random(*form: int) -> Array:
        nonlocal key
        key, use = jax.random.split(key)
        return jax.random.normal(use, form) * np.sqrt(2 / form[0])

    weights = {"entry": random(9 * FEATURES, width), "policy": 0.1 * random(width, 1)}
    for block in range(blocks):
        weights[f"first{block}"] = random(9 * width, width)
        weights[f"second{block}"] = jnp.zeros((9 * width, width))
    return weights | {"value1": random(2 * width, 64), "value2": 0.1 * random(64, 1)}


def judged(weights: Weights, state: envs.State) -> tuple[Array, Array]:
    """Return the network's output for states: logits of legal moves, and values for the player to move."""
    legal = state.legal_action_mask
    logits, value = network(weights, features(state.observation, legal, properties(state.env.variant), jnp), jnp)
    return jnp.where(legal, logits.astype(jnp.float32), jnp.finfo(jnp.float32).min), value.astype(jnp.float32)


# -- self-play --------------------------------------------------------------------------------------------------------


def foreseen(
    weights: Weights, _key: Array, action: Array, state: envs.State
) -> tuple[mctx.RecurrentFnOutput, envs.State]:
    """Take one step of the search: make a move, and return the mover's reward and the network's output."""
    after = jax.vmap(state.env.step)(state, action)
    logits, value = judged(weights, after)
    reward, discount = outcome(state, after)
    return mctx.RecurrentFnOutput(reward=reward, discount=discount, prior_logits=logits, value=value), after


def outcome(before: envs.State, after: envs.State) -> tuple[Array, Array]:
    """Return the mover's reward, and the factor (1, -1 or 0) that turns the next player's value into the mover's."""
    reward = jnp.take_along_axis(after.rewards, before.current_player[..., None], axis=-1)[..., 0]
    same = jnp.where(after.current_player == before.current_player, 1.0, -1.0)
    return reward, jnp.where(after.terminated, 0.0, same)


class Games(NamedTuple):
    """A batch of games in progress."""

    state: envs.State
    dice: Array
    loose: Array  # how many random moves are still to be made, so that games differ


class Lesson(NamedTuple):
    """Training examples: positions, with the moves and outcomes that the network learns to predict."""

    seen: Array
    legal: Array
    policy: Array
    value: Array


def new_games(env: envs.Env, batch: int, seed: int) -> Games:
    """Return a batch of new games."""
    state = jax.vmap(env.init)(jax.random.split(jax.random.key(seed), batch))
    dice = envs.dice(batch, seed)
    return Games(state, dice, looseness(env, dice))


def looseness(env: envs.Env, dice: Array) -> Array:
    """Return the number of random moves at the start of each game: at most a third of the number of cells."""
    return (dice >> 7).astype(jnp.int32) % (env.num_actions // 3 + 1)


@partial(jax.jit, static_argnums=(3, 4))
def self_play(weights: Weights, games: Games, key: Array, moves: int, simulations: int) -> tuple[Games, Lesson]:
    """Make some moves in every game; return the games and the training examples."""
    env, batch = games.state.env, games.dice.shape[0]
    if jax.default_backend() != "cpu":  # half precision is enough for playing, and twice as fast
        weights = jax.tree.map(lambda array: array.astype(jnp.bfloat16), weights)
    fresh = jax.vmap(env.init)

    def move(games: Games, key: Array) -> tuple[Games, Any]:
        state, dice = games.state, envs.rolled(games.dice)
        logits, value = judged(weights, state)
        root = mctx.RootFnOutput(prior_logits=logits, value=value, embedding=state)
        legal = state.legal_action_mask
        key, begin = jax.random.split(key)
        found = mctx.gumbel_muzero_policy(weights, key, root, foreseen, simulations, invalid_actions=~legal)
        action = jnp.where(games.loose > 0, envs.random_action(state, dice), found.action)
        after = jax.vmap(env.step)(state, action)
        reward, discount = outcome(state, after)
        over, new = after.terminated, fresh(jax.random.split(begin, batch))
        going_on = jax.tree.map(
            lambda a, b: jnp.where(over.reshape(over.shape + (1,) * (a.ndim - 1)), a, b), new, after
        )
        loose = jnp.where(over, looseness(env, dice), games.loose - 1)
        return Games(going_on, dice, loose), (state, found.action_weights, reward, discount)

    games, (states, policy, reward, discount) = jax.lax.scan(move, games, jax.random.split(key, moves))

    def backwards(later: Array, now: tuple[Array, Array]) -> tuple[Array, Array]:
        value = now[0] + now[1] * later
        return value, value

    last = judged(weights, games.state)[1]  # for an unfinished game, the network predicts the winner
    _, value = jax.lax.scan(backwards, last, (reward, discount), reverse=True)
    legal = states.legal_action_mask
    shown = features(states.observation, legal, properties(env.variant), jnp)
    return games, jax.tree.map(lambda a: a.reshape(-1, *a.shape[2:]), Lesson(shown, legal, policy, value))


# -- learning ---------------------------------------------------------------------------------------------------------


def loss(weights: Weights, lesson: Lesson) -> Array:
    """Return the loss: how far the network's output is from the search's choice and from the game's outcome."""
    logits, value = network(weights, lesson.seen, jnp)
    logits = jnp.where(lesson.legal, logits, -1e9)
    choice = -jnp.sum(lesson.policy * jax.nn.log_softmax(logits), axis=-1)
    return jnp.mean(choice + (value - lesson.value) ** 2)


@optax.inject_hyperparams
def optimiser(learning_rate: float) -> optax.GradientTransformation:
    """Return an AdamW optimiser with gradient clipping and a learning rate that can be changed every round."""
    return optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(learning_rate))


def learner(adam: optax.GradientTransformation, minibatch: int) -> Any:
    """Return the function that trains the network on a set of examples, one minibatch at a time."""

    @jax.jit
    def learn(weights: Weights, memory: Any, lesson: Lesson, key: Array) -> tuple[Weights, Any, Array]:
        count = lesson.value.shape[0] // minibatch
        order = jax.random.permutation(key, lesson.value.shape[0])[: count * minibatch].reshape(count, minibatch)

        def one(now: tuple[Weights, Any], rows: Array) -> tuple[tuple[Weights, Any], Array]:
            weights, memory = now
            wrong, slope = jax.value_and_grad(loss)(weights, jax.tree.map(lambda a: a[rows], lesson))
            change, memory = adam.update(slope, memory, weights)
            return (optax.apply_updates(weights, change), memory), wrong

        (weights, memory), wrong = jax.lax.scan(one, (weights, memory), order)
        return weights, memory, wrong.mean()

    return learn


# -- the exam: positions in which the engine knows the value of every move ---------------------------------------------


judge = jax.jit(partial(network, xp=jnp))


class Exam:
    """Positions that random players reach on one board, with the exact value of every move, cached in a file."""

    def __init__(self, variant: gl.Variant, size: int, folder: Path) -> None:
        self.game = properties(variant)
        file = folder / f"exam-{variant.book.name}-{variant.grid}-{variant.grid.adjacency}-{size}.npz"
        if not file.exists():
            np.savez_compressed(file, **self.set_up(variant, size))
        with np.load(file) as arrays:
            self.planes, self.legal, self.wins, self.lasts = (
                arrays[name] for name in ("planes", "legal", "wins", "lasts")
            )

    @staticmethod
    def set_up(variant: gl.Variant, size: int) -> dict[str, Any]:
        """Return the positions and, for each cell, whether it is legal, whether it wins, and how soon the game ends."""
        rng, found = Random(7), {}
        for _ in range(5 * size):  # a limit, because a small board does not have enough different positions
            game = gl.Game(variant)
            for _ in range(rng.randrange(variant.grid.size)):
                if game.legal:
                    game.push(rng.choice(gl.cells_of(game.legal)))
            if game.legal.bit_count() > 1 and len(found) < size:
                found[game.position_text()] = game
        games, cells = list(found.values()), variant.grid.size
        shown = [seen(variant.grid, game.position, game.legal, cells) for game in games]
        planes, legal = (np.stack(part) for part in zip(*shown, strict=True))
        wins, lasts = np.zeros((len(games), cells), bool), np.zeros((len(games), cells), np.int16)
        for number, game in enumerate(games):
            for place, worth in game.analyse(seconds=0.2).values.items():  # the distance may take longer
                wins[number, variant.cell(*place)] = worth.verdict == "win"
                lasts[number, variant.cell(*place)] = worth.distance or 0
        return {"planes": planes, "legal": legal, "wins": wins, "lasts": lasts}

    def marks(self, weights: Weights) -> dict[str, float]:
        """Measure how well the network chooses moves and predicts winners without any search."""
        shown = features(jnp.asarray(self.planes), jnp.asarray(self.legal), self.game, jnp)
        logits, value = judge(weights, shown)
        logits = np.where(self.legal, np.asarray(logits, np.float64), -np.inf)
        chance = np.exp(logits - logits.max(-1, keepdims=True))
        chance /= chance.sum(-1, keepdims=True)
        won, choice = self.wins.any(-1), logits.argmax(-1)[:, None]
        lost = ~won & ((self.lasts > 0) >= self.legal).all(-1)  # lost positions whose distances are all known
        kept = np.take_along_axis(self.wins, choice, -1)[:, 0]
        hard = np.take_along_axis(self.lasts, choice, -1)[:, 0] == self.lasts.max(-1)
        return {
            "regret": float((chance * ~self.wins).sum(-1)[won].sum() / len(won)),
            "wins kept": float(kept[won].mean()) if won.any() else 1.0,
            "losses made hard": float(hard[lost].mean()) if lost.any() else 1.0,
            "winner predicted": float(((np.asarray(value) > 0) == won).mean()),
        }


# -- a whole run ------------------------------------------------------------------------------------------------------


def train(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Play and learn until the time limit or the number of rounds is reached, and report progress."""
    options.out.mkdir(parents=True, exist_ok=True)
    boards = {name: envs.make(*name.split(":")) for name in options.boards}
    exams = {name: Exam(env.variant, options.exam, options.exams or options.out) for name, env in boards.items()}
    began = time.monotonic()  # exact values are computed only once, and cached
    adam = optimiser(learning_rate=options.rate)
    learn = learner(adam, options.minibatch)
    key = jax.random.key(options.seed)
    weights = new_weights(key, options.width, options.blocks)
    memory = adam.init(weights)
    games = {
        name: new_games(env, options.batch, options.seed + number) for number, (name, env) in enumerate(boards.items())
    }
    report: list[dict[str, Any]] = []
    positions, turn, wrong, next_exam = 0, 0, 0.0, 0.0
    while True:
        seconds = time.monotonic() - began
        done = turn >= options.rounds or seconds > 60 * options.minutes
        if done or seconds >= next_exam:
            marks = {name: exam.marks(weights) for name, exam in exams.items()}
            report.append({"seconds": round(seconds, 1), "positions": positions, "loss": float(wrong), "boards": marks})
            write(options.out, report, weights)
            next_exam = seconds + options.pause
        if done:
            return report
        name = options.boards[turn % len(boards)]
        progress = max(turn / options.rounds, seconds / (60 * options.minutes))
        memory.hyperparams["learning_rate"] = jnp.asarray(options.rate * (0.02 + 0.98 * (1 - progress)))
        key, play, study = jax.random.split(key, 3)
        games[name], lesson = self_play(weights, games[name], play, options.moves, options.simulations)
        weights, memory, wrong = learn(weights, memory, lesson, study)
        positions, turn = positions + options.moves * options.batch, turn + 1


def write(folder: Path, report: list[dict[str, Any]], weights: Weights) -> None:
    """Report the latest scores, and save all results so far."""
    last = report[-1]
    print(f"{last['seconds']:8.1f} s {last['positions']:>11,} positions, loss {last['loss']:.3f}")
    for name, marks in last["boards"].items():
        print(f"    {name:16}", ", ".join(f"{what} {mark:.3f}" for what, mark in marks.items()), flush=True)
    (folder / "report.json").write_text(json.dumps(report, indent=1))
    (folder / "report.svg").write_text(chart(report))
    np.savez_compressed(
        folder / "network.npz", **{name: np.asarray(value, np.float16) for name, value in weights.items()}
    )


def chart(report: list[dict[str, Any]]) -> str:
    """Plot three measures of skill against the number of positions reached in self-play, with one line per board."""
    colours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#999999"]
    parts, most = [], max(1, report[-1]["positions"])
    for column, what in enumerate(("regret", "wins kept", "losses made hard")):
        left = 50 + 300 * column
        parts.append(f'<text x="{left}" y="20">{what}</text>')
        for mark in (0, 0.5, 1):
            y = 230 - 200 * mark
            parts.append(f'<path d="M{left} {y}h250" stroke="#ccc"/>')
            parts.append(f'<text x="{left - 5}" y="{y + 4}" text-anchor="end">{mark:g}</text>')
        parts.append(f'<text x="{left + 250}" y="248" text-anchor="end">{most:,} positions</text>')
        for number, name in enumerate(report[-1]["boards"]):
            points = [(left + 250 * row["positions"] / most, 230 - 200 * row["boards"][name][what]) for row in report]
            line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
            parts.append(f'<polyline points="{line}" fill="none" stroke="{colours[number % 8]}" stroke-width="2"/>')
    for number, name in enumerate(report[-1]["boards"]):
        x, y, colour = 50 + 225 * (number % 4), 275 + 20 * (number // 4), colours[number % 8]
        parts.append(f'<text x="{x}" y="{y}" fill="{colour}">{name}</text>')
    body = "\n".join(parts)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 940 310" font-family="sans-serif" font-size="13">\n'
        f'<rect width="940" height="310" fill="white"/>\n{body}\n</svg>\n'
    )


def main(words: list[str] | None = None) -> list[dict[str, Any]]:
    """Read the command-line options, train a network, and return the report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--boards", nargs="+", default=["showdown:5x5"], help="such as showdown:5x5 chain:4x4")
    parser.add_argument("--minutes", type=float, default=10.0, help="stop after this many minutes, or after --rounds")
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--rate", type=float, default=1e-3, help="initial learning rate; the final rate is a fiftieth")
    parser.add_argument("--exams", type=Path, help="the folder for exams (default: that of --out)")
    parser.add_argument("--batch", type=int, default=256, help="number of games played at once")
    parser.add_argument("--moves", type=int, default=16, help="moves per game in each round")
    parser.add_argument("--simulations", type=int, default=32, help="search simulations per move")
    parser.add_argument("--minibatch", type=int, default=256)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--blocks", type=int, default=5)
    parser.add_argument("--exam", type=int, default=500, help="number of exam positions per board")
    parser.add_argument("--pause", type=float, default=20.0, help="seconds between exams")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("alphazero-run"))
    return train(parser.parse_args(words))


if __name__ == "__main__":
    main()
