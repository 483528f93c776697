"""The file plan.toml, which contains a tournament's plan."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from gridlock.arena.pairings import most_swiss_rounds
from gridlock.arena.plan import (
    LONGEST_TIME,
    MOST_AGENTS,
    MOST_GAMES,
    BadPlan,
    Entrant,
    Format,
    Plan,
    entrant_name,
    read_clock,
)
from gridlock.arena.referee import Conditions
from gridlock.arena.sprt import Model, Sprt
from gridlock.core import rules
from gridlock.core.errors import BadGame, GridLockError
from gridlock.core.files import read_regular
from gridlock.core.rulebook import RuleBook, Variant
from gridlock.players import short_name
from gridlock.userdata.library import own_books

LONGEST = 1_000_000  # bytes of a plan


class PlanFile:
    """The content of plan.toml; if a key is invalid, the error message names it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.table = tomllib.loads(read_regular(path, LONGEST).decode())
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or "it is not UTF-8 text"
            raise BadPlan(f"{path} cannot be read: {why}.") from None
        except tomllib.TOMLDecodeError as error:
            raise BadPlan(f"{path} is not valid TOML: {error}.") from None

    def read(self) -> tuple[Plan, int]:
        """Return the plan and the number of processes.

        The number of processes is not part of the plan, because it does not affect the games.
        """
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
            sprt=self._sprt(sprt) if sprt else None,
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
            Model(table.choice("model", [str(one) for one in Model], usual.model)),
        )
        table.nothing_else()
        return found


def _book(name: str) -> RuleBook:
    """Find a game by its file or its name; the names of the user's own games are also accepted."""
    try:
        return rules.rule_book(name)
    except BadGame:
        own = {book.name: book for book in own_books()}
        if name.strip().lower() not in own:
            raise
        return own[name.strip().lower()]


class _Table:
    """A TOML table that removes each key as it is read, so that unknown keys remain."""

    def __init__(self, table: Any, prefix: str) -> None:
        if not isinstance(table, dict):
            raise BadPlan(f"{prefix.rstrip('.')} must be a table, such as [[boards]], not {str(table)[:40]!r}.")
        self._left = dict(table)
        self._known: list[str] = []
        self._prefix = prefix

    def take(self, key: str, kind: type | tuple[type, ...], words: str, default: Any = ...) -> Any:
        """Return the value of a key; check that its type is `kind`, or one of the types in `kind`."""
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
        """Reject the remaining keys, which are unknown and may be misspelt."""
        for key in self._left:
            close = get_close_matches(key, self._known, 1)
            meant = f" Did you mean {close[0]}?" if close else f" The keys are {', '.join(self._known)}."
            raise BadPlan(f"there is no key {self._prefix}{key[:40]}.{meant}")
