"""A tournament's plan: agents, boards, format and conditions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from gridlock.arena.pairings import most_swiss_rounds
from gridlock.arena.referee import Conditions
from gridlock.arena.sprt import Sprt
from gridlock.core import rules
from gridlock.core.definition import definition_of
from gridlock.core.errors import GridLockError
from gridlock.core.names import clean_name
from gridlock.core.rulebook import Variant
from gridlock.players import short_name

MOST_GAMES = 1_000_000  # per match and board
MOST_AGENTS = 1_000
LONGEST_TIME = 86_400.0  # seconds
LONGEST_NAME = 32  # characters, as in a record


class BadPlan(GridLockError):
    """The error raised when a tournament plan is invalid."""


class Format(StrEnum):
    """The tournament formats."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    SWISS = "swiss"
    LADDER = "ladder"


@dataclass(frozen=True)
class Entrant:
    """An agent in a tournament: its name in the results, and how to start it."""

    name: str
    agent: str


@dataclass(frozen=True)
class Plan:
    """A tournament's plan, which determines the games to be played."""

    entrants: tuple[Entrant, ...]
    variants: tuple[Variant, ...]
    games: int = 100  # per match and board
    format: Format = Format.ROUND_ROBIN
    rounds: int = 1  # of a Swiss tournament or a ladder
    seed: int = 0
    conditions: Conditions = field(default_factory=Conditions)
    sprt: Sprt | None = None

    def __post_init__(self) -> None:
        names = [entrant.name for entrant in self.entrants]
        if not 2 <= len(names) <= MOST_AGENTS:
            raise BadPlan(f"agents must be 2 to {MOST_AGENTS:,} agents, not {len(names)}.")
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise BadPlan(f'agents has {twice} twice. Name them: {{name = "{twice}-2", agent = "{twice}"}}.')
        if self.games % 2 or not 2 <= self.games <= MOST_GAMES:
            raise BadPlan(f"games must be an even number from 2 to {MOST_GAMES:,}, not {self.games}.")
        if self.format is Format.SWISS and not 1 <= self.rounds <= (most := most_swiss_rounds(len(names))):
            raise BadPlan(
                f"rounds must be 1 to {most} in a Swiss tournament of {len(names)} agents, so that no two meet twice. "
                'For more games, increase "games" or use format = "round-robin".'
            )
        if self.format is Format.LADDER and len(names) < 3:
            raise BadPlan("A ladder needs at least 3 agents.")
        if not 1 <= self.rounds <= MOST_AGENTS:
            raise BadPlan(f"rounds must be a number from 1 to {MOST_AGENTS:,}, not {self.rounds}.")
        if self.sprt and len(names) != 2:
            raise BadPlan(f"sprt compares two agents, but agents has {len(names)}.")

    @property
    def pairs(self) -> int:
        """The number of pairs of games that two agents play on each board whenever they meet."""
        return self.games // 2

    def task(self) -> dict[str, Any]:
        """Return the plan as JSON; a resumed tournament must have the same plan."""
        return {
            "tournament": str(self.format),
            "agents": [asdict(entrant) for entrant in self.entrants],
            "boards": [described(variant) for variant in self.variants],
            "games": self.games,
            "rounds": self.rounds,
            "seed": self.seed,
            "conditions": asdict(self.conditions),
            "sprt": self.sprt and asdict(self.sprt),
        }


def described(variant: Variant) -> dict[str, Any]:
    """Return a game and its board as JSON; for a game that is not built in, include its definition."""
    book = variant.book
    definition = None if book.name in rules.BUILT_IN else definition_of(book)
    facts = {"game": book.name, "board": str(variant.grid), "adjacency": str(variant.grid.adjacency)}
    return {**facts, **({"definition": definition} if definition else {})}


def read_clock(text: str) -> tuple[float, float]:
    """Parse a clock setting such as `10+0.1`: the seconds per player, and the seconds added after each move."""
    found = re.fullmatch(r"\s*([0-9]{1,5}(?:\.[0-9]{1,6})?)\s*(?:\+\s*([0-9]{1,5}(?:\.[0-9]{1,6})?)\s*)?", text)
    seconds, added = (float(found[1]), float(found[2] or 0)) if found else (0.0, 0.0)
    if not 0 < seconds <= LONGEST_TIME or added > LONGEST_TIME:
        raise BadPlan(f"clock is {text[:40]!r}: give seconds for a game and seconds added per move, such as 10+0.1.")
    return seconds, added


def named_entrants(agents: Sequence[str]) -> tuple[Entrant, ...]:
    """Return entrants named after their agents, with numbers added to duplicate names."""
    found: list[Entrant] = []
    for agent in agents:
        name = entrant_name(short_name(agent))
        same = sum(other.name == name or other.name.startswith(f"{name}-") for other in found)
        found.append(Entrant(f"{name}-{same + 1}" if same else name, agent))
    return tuple(found)


def entrant_name(text: str) -> str:
    """Return an entrant's name as it appears in results and records."""
    return clean_name(text, LONGEST_NAME) or "agent"
