"""Players that are programs: one function each, found by name; packages and programs can add their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from importlib import import_module
from typing import TYPE_CHECKING

from gridlock.core.errors import GridLockError
from gridlock.core.game import Game

if TYPE_CHECKING:
    from random import Random

# An agent gets a game in which it is to move, its own source of chance, and the seconds it may think about a move
# that it cannot prove; it answers with a cell or SWAP.
Agent = Callable[[Game, "Random", float], int]

# Where each agent is found: loaded only when it plays.
AGENTS = {
    "random": "chance:chance",
    "easy": "levels:easy",
    "medium": "levels:medium",
    "hard": "levels:hard",
    "perfect": "levels:perfect",
}
BY_NAME = {"learned": "learned:learned"}  # the same, for one that needs an extra: no menu offers it
PACKAGES = "gridlock.agents"  # the entry points by which other packages add agents


class Agents(MutableMapping[str, Agent]):
    """All agents by name: those that come with the project, those of packages, and those put in here."""

    def __init__(self) -> None:
        self._added: dict[str, Agent] = {}
        self._asked = False  # whether the packages have been

    def __getitem__(self, name: str) -> Agent:
        place = AGENTS.get(name) or BY_NAME.get(name)
        if name not in self._added and place:
            module, _, function = place.partition(":")
            self._added[name] = getattr(import_module(f"gridlock.players.{module}"), function)
        if name not in self._added:
            self._ask_packages()
        if name not in self._added:
            raise NoAgent(f"There is no agent called '{name[:40]}'. There are {', '.join(self)}.")
        return self._added[name]

    def _ask_packages(self) -> None:
        """Load what installed packages bring."""
        from importlib.metadata import entry_points

        if not self._asked:
            self._asked = True
            for entry in entry_points(group=PACKAGES):
                try:
                    self._added.setdefault(entry.name, entry.load())
                except Exception as error:  # a package may be anybody's code
                    raise GridLockError(
                        f"The package behind the agent '{entry.name}' does not load: {error}."
                    ) from error

    def __setitem__(self, name: str, agent: Agent) -> None:
        if name in AGENTS or name in BY_NAME:
            raise GridLockError(f"There is an agent called {name} already. Give yours another name.")
        self._added[name] = agent

    def __delitem__(self, name: str) -> None:
        del self._added[name]

    def __iter__(self) -> Iterator[str]:
        self._ask_packages()
        return iter(name for name in dict.fromkeys([*AGENTS, *self._added]) if name not in BY_NAME)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class NoAgent(GridLockError, KeyError):
    """A name that no agent has."""

    __str__ = GridLockError.__str__  # KeyError would put the sentence into quotes


agents = Agents()
