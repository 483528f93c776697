"""A tournament's plan: agents, boards, format and conditions, as Python or as a TOML file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Any

from gridlock.arena.pairings import most_swiss_rounds
from gridlock.arena.referee import Conditions
from gridlock.arena.sprt import Sprt
from gridlock.core import rules
from gridlock.core.definition import definition_of
from gridlock.core.errors import BadGame, GridLockError
from gridlock.core.files import read_regular
from gridlock.core.names import clean_name
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.players import short_name
from gridlock.userdata.library import own_books

LONGEST = 1_000_000  # bytes of a plan
MOST_GAMES = 1_000_000  # per encounter and board
MOST_AGENTS = 1_000
LONGEST_TIME = 86_400.0  # seconds
LONGEST_NAME = 32  # characters, as in a record


class BadPlan(GridLockError):
    """A plan that cannot be played."""


class Format(StrEnum):
    """The formats of a tournament."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    SWISS = "swiss"
    LADDER = "ladder"


@dataclass(frozen=True)
class Entrant:
    """An agent in a tournament: the name in its results, and how to start it."""

    name: str
    agent: str


@dataclass(frozen=True)
class Plan:
    """Everything that decides which games are played."""

    entrants: tuple[Entrant, ...]
    variants: tuple[Variant, ...]
    games: int = 100  # per encounter and board
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
                f"rounds must be 1 to {most} in a Swiss tournament of {len(names)} agents, so that nobody meets twice. "
                'For more games, raise games or use format = "round-robin".'
            )
        if self.format is Format.LADDER and len(names) < 3:
            raise BadPlan("A ladder needs at least 3 agents.")
        if not 1 <= self.rounds <= MOST_AGENTS:
            raise BadPlan(f"rounds must be a number from 1 to {MOST_AGENTS:,}, not {self.rounds}.")
        if self.sprt and len(names) != 2:
            raise BadPlan(f"sprt compares two agents, but agents has {len(names)}.")

    @property
    def pairs(self) -> int:
        """Pairs of games per encounter and board."""
        return self.games // 2

    def task(self) -> dict[str, Any]:
        """Return the plan as JSON, which identifies a tournament when it is resumed."""
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
    """Return a game on a board as JSON, with the definition of a game that is not built in."""
    book = variant.book
    definition = None if book.name in rules.BUILT_IN else definition_of(book)
    facts = {"game": book.name, "board": str(variant.grid), "adjacency": str(variant.grid.adjacency)}
    return {**facts, **({"definition": definition} if definition else {})}


def read_clock(text: str) -> tuple[float, float]:
    """Return the seconds for a game and those added after each move, from text such as `10+0.1`."""
    found = re.fullmatch(r"\s*([0-9]{1,5}(?:\.[0-9]{1,6})?)\s*(?:\+\s*([0-9]{1,5}(?:\.[0-9]{1,6})?)\s*)?", text)
    seconds, added = (float(found[1]), float(found[2] or 0)) if found else (0.0, 0.0)
    if not 0 < seconds <= LONGEST_TIME or added > LONGEST_TIME:
        raise BadPlan(f"clock is {text[:40]!r}: give seconds for a game and seconds added per move, such as 10+0.1.")
    return seconds, added


def named_entrants(agents: Sequence[str]) -> tuple[Entrant, ...]:
    """Return entrants under their agents' names, with a number where two would be the same."""
    found: list[Entrant] = []
    for agent in agents:
        name = entrant_name(short_name(agent))
        same = sum(other.name == name or other.name.startswith(f"{name}-") for other in found)
        found.append(Entrant(f"{name}-{same + 1}" if same else name, agent))
    return tuple(found)


def entrant_name(text: str) -> str:
    """Return a name as results and records show it."""
    return clean_name(text, LONGEST_NAME) or "agent"


# -- a plan as a file -------------------------------------------------------------------------------------------------


class PlanFile:
    """The content of plan.toml, with checks that name the key that is wrong."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.table = tomllib.loads(read_regular(path, LONGEST).decode())
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or "it is not UTF-8 text"
            raise BadPlan(f"{path} cannot be read: {why}.") from None
        except tomllib.TOMLDecodeError as error:
            raise BadPlan(f"{path} is not TOML: {error}.") from None

    def read(self) -> tuple[Plan, int]:
        """Return the plan, and the number of processes, which does not decide what is played."""
        try:
            return self._plan()
        except GridLockError as error:
            raise BadPlan(f"{self.path}: {error}") from None

    def _plan(self) -> tuple[Plan, int]:
        top = _Table(self.table, "")
        entrants = self._entrants(top.list("agents"))
        boards = [_Table(board, "boards.") for board in top.list("boards", {})]
        swiss, ladder = most_swiss_rounds(len(entrants)), 2 * len(entrants)
        format_ = Format(top.choice("format", [str(one) for one in Format], Format.ROUND_ROBIN))
        clock = top.text("clock", "")
        if clock and "time" in self.table:
            raise BadPlan("time and clock exclude each other: give seconds per move, or a clock.")
        usual = Conditions()
        conditions = Conditions(
            seconds=top.number("time", 0, LONGEST_TIME, usual.seconds),
            clock=read_clock(clock) if clock else None,
            margin=top.number("margin", 0, LONGEST_TIME, usual.margin),
            swap=top.flag("swap", usual.swap),
            adjudicate=top.whole("adjudicate", 0, 100_000, None),
            judge=top.flag("judge", None),
        )
        sprt = _Table(top.take("sprt", dict, "a table"), "sprt.") if "sprt" in self.table else None
        rounds = {Format.SWISS: swiss, Format.LADDER: ladder}.get(format_)
        if rounds is None and "rounds" in self.table:
            raise BadPlan(f"rounds is for Swiss tournaments and ladders, not for {format_}. Leave it out.")
        plan = Plan(
            entrants=entrants,
            variants=tuple(self._variant(board) for board in boards),
            games=top.whole("games", 2, MOST_GAMES, 100) or 0,
            format=format_,
            rounds=top.whole("rounds", 1, MOST_AGENTS, rounds or 1) or 0,
            seed=top.whole("seed", -(2**63), 2**63, 0) or 0,
            conditions=conditions,
            sprt=sprt and self._sprt(sprt),
        )
        processes = top.whole("processes", 1, 1024, 1) or 1
        top.nothing_else()
        return plan, processes

    def _entrants(self, agents: list[Any]) -> tuple[Entrant, ...]:
        found: list[Entrant] = []
        for agent in agents:
            if isinstance(agent, str):
                found.append(Entrant(entrant_name(short_name(agent)), agent))
                continue
            if not isinstance(agent, dict):
                raise BadPlan(f'agents must hold names, or tables with name and agent, not "{str(agent)[:40]}".')
            table = _Table(agent, "agents.")
            found.append(Entrant(entrant_name(table.text("name")), table.text("agent")))
            table.nothing_else()
        return tuple(found)

    def _variant(self, board: _Table) -> Variant:
        chosen = rules.variant(
            _book(board.text("game")), board.text("board", "") or None, board.text("adjacency", "") or None
        )
        board.nothing_else()
        return chosen

    def _sprt(self, table: _Table) -> Sprt:
        usual = Sprt()
        found = Sprt(
            table.number("elo0", -1e9, 1e9, usual.elo0),
            table.number("elo1", -1e9, 1e9, usual.elo1),
            table.number("alpha", 0, 1, usual.alpha),
            table.number("beta", 0, 1, usual.beta),
            type(usual.model)(table.choice("model", [str(one) for one in type(usual.model)], usual.model)),
        )
        table.nothing_else()
        return found


def _book(name: str) -> RuleBook:
    """Return a game by its name or file; your own folder may add games."""
    try:
        return rules.rule_book(name)
    except BadGame:
        own = {book.name: book for book in own_books()}
        if name.strip().lower() not in own:
            raise
        return own[name.strip().lower()]


class _Table:
    """A TOML table from which every key is taken once."""

    def __init__(self, table: Any, prefix: str) -> None:
        if not isinstance(table, dict):
            raise BadPlan(f"{prefix.rstrip('.')} must be a table, such as [[boards]], not {str(table)[:40]!r}.")
        self._left = dict(table)
        self._known: list[str] = []
        self._prefix = prefix

    def take(self, key: str, kind: type | tuple[type, ...], words: str, default: Any = ...) -> Any:
        """Return a value, which must be of a kind."""
        self._known.append(key)
        if key not in self._left:
            if default is ...:
                raise BadPlan(f"{self._prefix}{key} is missing: it must be {words}.")
            return default
        value = self._left.pop(key)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise BadPlan(f"{self._prefix}{key} must be {words}, not {str(value)[:40]!r}.")
        return value

    def list(self, key: str, *example: Any) -> list[Any]:
        words = "tables [[boards]]" if example else 'a list of agents, such as ["easy", "medium"]'
        found: list[Any] = self.take(key, list, words)
        if not found:
            raise BadPlan(f"{self._prefix}{key} is empty: it must be {words}.")
        return found

    def text(self, key: str, default: Any = ...) -> str:
        return str(self.take(key, str, "a string", default))

    def flag(self, key: str, default: bool | None) -> Any:
        return self.take(key, bool, "true or false", default)

    def choice(self, key: str, choices: Sequence[str], default: str) -> str:
        value = self.text(key, default)
        if value not in choices:
            raise BadPlan(
                f"{self._prefix}{key} must be {', '.join(choices[:-1])} or {choices[-1]}, not {value[:40]!r}."
            )
        return value

    def number(self, key: str, least: float, most: float, default: float) -> float:
        value = float(self.take(key, (int, float), "a number", default))
        if not least <= value <= most:
            raise BadPlan(f"{self._prefix}{key} must be a number from {least:g} to {most:g}, not {value:g}.")
        return value

    def whole(self, key: str, least: int, most: int, default: int | None) -> int | None:
        value: int | None = self.take(key, int, "a whole number", default)
        if value is not None and not least <= value <= most:
            raise BadPlan(f"{self._prefix}{key} must be a whole number from {least} to {most}, not {value}.")
        return value

    def nothing_else(self) -> None:
        """Reject keys that do not exist, which may be misspelt."""
        for key in self._left:
            close = get_close_matches(key, self._known, 1)
            meant = f" Did you mean {close[0]}?" if close else f" The keys are {', '.join(self._known)}."
            raise BadPlan(f"there is no key {self._prefix}{key[:40]}.{meant}")
