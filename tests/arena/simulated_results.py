"""Simulated games between players of known strength, in the format of a tournament's results."""

import math
import random
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any

PER_LOGIT = 400 / math.log(10)


def game(a: str, b: str, winner: str, pair: int | None = None, **more: Any) -> dict[str, Any]:
    """Return a finished game."""
    rest = {"first": "a", "game": "showdown", "board": "7x7", "adjacency": "king", "opening": [], "moves": []}
    rest |= {"reason": "stuck", "seconds": [0.1, 0.1], "kept": None, "blunders": None, "seed": 1}
    return {**rest, "a": a, "b": b, "winner": winner, "pair": pair, **more}


def chance(logits: float) -> float:
    """Convert log-odds to a probability."""
    return 1 / (1 + math.exp(-logits))


def round_robin(
    strengths: dict[str, float], pairs: int, rng: random.Random, opening: float = 0.0
) -> Iterator[dict[str, Any]]:
    """Yield the games of a round robin; `opening` is the advantage, in log-odds, that each opening gives one side."""
    number = 0
    for a, b in combinations(strengths, 2):
        for _ in range(pairs):
            number += 1
            favour = rng.choice((-opening, opening))
            for first, more in (("a", favour), ("b", -favour)):
                wins = rng.random() < chance(strengths[a] - strengths[b] + more)
                yield game(a, b, "a" if wins else "b", number, first=first)


def renamed(games: Iterable[dict[str, Any]], names: dict[str, str]) -> list[dict[str, Any]]:
    """Return the games with their players renamed."""
    return [{**one, "a": names[one["a"]], "b": names[one["b"]]} for one in games]
